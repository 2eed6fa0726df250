package fixer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
	"strconv"
	"strings"
)

// tableTooShort fixes a table that has no place for a value of the type that
// indexes it: names of constants, or one place for each byte.
func (f indexRules) tableTooShort(x indexing) {
	if x.negative() || x.suffix != "" {
		return
	}
	f.widenByteTable(x)
	f.completeNames(x)
}

// widenByteTable gives an array that bytes index room for all of them.
func (f indexRules) widenByteTable(x indexing) {
	t := x.info().TypeOf(x.base)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	arr, isArray := t.Underlying().(*types.Array)
	index := x.info().TypeOf(unconvert(x.place, x.index))
	b, isBasic := index.Underlying().(*types.Basic)
	v, isVar := x.object(x.base).(*types.Var)
	if _, plain := unconvert(x.place, x.index).(*ast.BinaryExpr); plain || !isArray || !isBasic || b.Kind() != types.Uint8 || !isVar || x.value > 255 || arr.Len() > 255 {
		return
	}
	at, n := f.arrayLength(v)
	if n == nil {
		return
	}
	f.blame(fmt.Sprintf("%s (%s) has only %d places for 256 bytes", v.Name(), f.where(n.Pos()), arr.Len()), n.Pos())
	ch := f.change()
	if _, lit := f.constantLength(at, n); lit != nil {
		n = lit
	}
	f.offer(idea{rule: "table/widen-byte-table", title: fmt.Sprintf("give %s 256 places", v.Name()), weight: origin, change: ch.replace(n.Pos(), n.End(), "256"),
		why: fmt.Sprintf("A byte has 256 values, and %s is indexed by one; text that is not ASCII has bytes above 127.", v.Name())})
}

// arrayLength finds the length in the declared type of a variable or field.
func (f indexRules) arrayLength(v *types.Var) (at place, length ast.Expr) {
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			var names []*ast.Ident
			var typ ast.Expr
			switch n := n.(type) {
			case *ast.Field:
				names, typ = n.Names, n.Type
			case *ast.ValueSpec:
				names, typ = n.Names, n.Type
				if typ == nil && len(n.Values) == 1 {
					if lit, ok := n.Values[0].(*ast.CompositeLit); ok {
						typ = lit.Type
					}
				}
			}
			arr, ok := typ.(*ast.ArrayType)
			if !ok || arr.Len == nil {
				return true
			}
			if _, dots := arr.Len.(*ast.Ellipsis); dots {
				return true
			}
			for _, id := range names {
				if f.same(p.info().Defs[id], v) {
					at, length = p, arr.Len
				}
			}
			return true
		})
	})
	return at, length
}

// constantLength follows a length that is a constant's name to the number.
func (f indexRules) constantLength(p place, n ast.Expr) (at place, lit ast.Expr) {
	id, ok := n.(*ast.Ident)
	if !ok {
		return place{}, nil
	}
	f.each(func(q place) {
		ast.Inspect(q.file, func(m ast.Node) bool {
			spec, isSpec := m.(*ast.ValueSpec)
			if !isSpec || len(spec.Values) != len(spec.Names) {
				return true
			}
			for i, name := range spec.Names {
				if value, isLit := spec.Values[i].(*ast.BasicLit); isLit && f.same(q.info().Defs[name], p.info().Uses[id]) {
					at, lit = q, value
				}
			}
			return true
		})
	})
	return at, lit
}

// completeNames adds the names that a table of constants' names lacks, where
// the others show how they are made from the constants'.
func (f indexRules) completeNames(x indexing) {
	v, ok := x.object(x.base).(*types.Var)
	index := x.info().TypeOf(unconvert(x.place, x.index))
	n, isNamed := types.Unalias(index).(*types.Named)
	if !ok || !isNamed || !isInteger(n) || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != x.pkg.PkgPath {
		return
	}
	lit, at := f.literalOfVar(x.place, v)
	if lit == nil || len(lit.Elts) == 0 {
		return
	}
	byValue := map[int64]string{}
	scope := x.pkg.Types.Scope()
	for _, name := range scope.Names() {
		if c, isConst := scope.Lookup(name).(*types.Const); isConst && types.Identical(c.Type(), n) {
			if value, exact := constant.Int64Val(c.Val()); exact {
				byValue[value] = name
			}
		}
	}
	missing, keyed := missingNames(at, lit, byValue)
	if len(missing) == 0 || len(missing) > 3 {
		return
	}
	last := lit.Elts[len(lit.Elts)-1]
	f.blame(fmt.Sprintf("%s (%s) has no entry for %s", v.Name(), f.where(lit.Pos()), missing[0].constant), lit.Pos())
	ch := f.change()
	separator := ", "
	if f.line(last.End()) != f.line(lit.Rbrace) {
		separator = ",\n"
	}
	text, added := "", []string{}
	for _, m := range missing {
		entry := strconv.Quote(m.text)
		if keyed {
			entry = m.constant + ": " + entry
		}
		text += separator + entry
		added = append(added, m.text)
	}
	ch.insert(last.End(), text)
	growDots(ch, at, lit)
	f.offer(idea{rule: "table/complete-names", title: fmt.Sprintf("add %s to %s", strings.Join(added, " and "), v.Name()), weight: origin, change: ch,
		why: fmt.Sprintf("%s names the constants of %s in their order, and ends before %s.", v.Name(), n.Obj().Name(), missing[0].constant)})
}

// growDots makes an array with a written length as long as its elements.
func growDots(ch *change, p place, lit *ast.CompositeLit) {
	arr, ok := lit.Type.(*ast.ArrayType)
	if !ok || arr.Len == nil {
		return
	}
	if _, dots := arr.Len.(*ast.Ellipsis); !dots {
		ch.replace(arr.Len.Pos(), arr.Len.End(), "...")
	}
}

// literalOfVar returns the literal that a package-level or local variable is declared with.
func (f indexRules) literalOfVar(p place, v *types.Var) (*ast.CompositeLit, place) {
	list := f.definitions(p, v)
	if len(list) != 1 || list[0].expr == nil {
		return nil, place{}
	}
	lit, ok := ast.Unparen(list[0].expr).(*ast.CompositeLit)
	if !ok {
		return nil, place{}
	}
	return lit, list[0].place
}

type missingName struct{ constant, text string }

// missingNames compares a literal of strings with the constants that index it,
// and makes the names that are missing in the way the others are made.
func missingNames(p place, lit *ast.CompositeLit, byValue map[int64]string) (missing []missingName, keyed bool) {
	have := map[int64]string{}
	for i, e := range lit.Elts {
		at := int64(i)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			keyed = true
			if at, ok = constantInt(p, kv.Key); !ok {
				return nil, false
			}
			e = kv.Value
		}
		tv := p.info().Types[e]
		if tv.Value == nil || tv.Value.Kind() != constant.String {
			return nil, false
		}
		have[at] = constant.StringVal(tv.Value)
	}
	style := nameStyle(have, byValue)
	if style == nil {
		return nil, false
	}
	var values []int64
	for value := range byValue {
		if _, ok := have[value]; !ok {
			values = append(values, value)
		}
	}
	sort.Slice(values, func(i, j int) bool { return values[i] < values[j] })
	for _, value := range values {
		if !keyed && value != int64(len(lit.Elts)+len(missing)) {
			break
		}
		missing = append(missing, missingName{byValue[value], style(byValue[value])})
	}
	if sentinelLast(missing) {
		missing = missing[:len(missing)-1]
	}
	return missing, keyed
}

// sentinelLast reports whether the last missing constant only counts the others.
func sentinelLast(missing []missingName) bool {
	if len(missing) == 0 {
		return false
	}
	low := strings.ToLower(missing[len(missing)-1].constant)
	for _, word := range []string{"num", "count", "max", "last", "end", "sentinel"} {
		if strings.HasPrefix(low, word) || strings.HasSuffix(low, word) {
			return true
		}
	}
	return false
}

// nameStyle finds how the names in a table are made from the constants' names;
// nil when no way fits them all.
func nameStyle(have, byValue map[int64]string) func(string) string {
	prefix, suffix := commonAffixes(byValue)
	core := func(name string) string {
		return strings.TrimSuffix(strings.TrimPrefix(name, prefix), suffix)
	}
	styles := []func(string) string{
		func(name string) string { return core(name) },
		func(name string) string { return strings.ToLower(core(name)) },
		func(name string) string { return strings.ToUpper(core(name)) },
		func(name string) string { return strings.ReplaceAll(spaced(lowerFirst(core(name))), " ", "-") },
		func(name string) string { return strings.ReplaceAll(spaced(lowerFirst(core(name))), " ", "_") },
		func(name string) string { return spaced(lowerFirst(core(name))) },
		func(name string) string { return upperFirst(core(name)) },
		func(name string) string { return name },
		func(name string) string { return upperFirst(spaced(lowerFirst(core(name)))) },
		func(name string) string { return strings.ToLower(firstRunes(core(name), 3)) },
		func(name string) string { return firstRunes(core(name), 3) },
		func(name string) string { return firstRunes(core(name), 1) },
	}
	for _, style := range styles {
		fits := len(have) > 1
		for value, text := range have {
			name, known := byValue[value]
			fits = fits && known && style(name) == text
		}
		if fits {
			return style
		}
	}
	return nil
}

func firstRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// commonAffixes returns what all names begin and end with: StateIdle, StateBusy.
func commonAffixes(names map[int64]string) (prefix, suffix string) {
	first := true
	for _, name := range names {
		if first {
			prefix, suffix, first = name, name, false
			continue
		}
		for !strings.HasPrefix(name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
		for !strings.HasSuffix(name, suffix) {
			suffix = suffix[1:]
		}
	}
	// Only whole words are left off: "Red" and "Read" have none in common.
	for prefix != "" && !wordStarts(names, prefix) {
		prefix = prefix[:len(prefix)-1]
	}
	if suffix != "" && !token.IsExported(suffix) || len(names) < 2 {
		suffix = ""
	}
	return prefix, suffix
}

// wordStarts reports whether a new word begins in every name after the prefix.
func wordStarts(names map[int64]string, prefix string) bool {
	for _, name := range names {
		rest := strings.TrimPrefix(name, prefix)
		if rest == "" || !token.IsExported(rest) {
			return false
		}
	}
	return true
}
