package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Values are the variables and constants of packages that tests mention: what they compare
// with, and what decides how much they check. They are known by "path.Name".
type Values map[string]bool

// Mentioned are the values that the tests of a package mention. before gives the files of a
// package of the user's by its import path, and none of others.
func Mentioned(tests map[string]string, before func(path string) map[string]string, path string) Values {
	v := Values{}
	beside, apart := map[string]string{}, map[string]string{}
	for name, text := range before(path) {
		beside[name] = text
	}
	for name, text := range tests {
		if s := syntax.Parse(text); s != nil && strings.HasSuffix(s.AST.Name.Name, "_test") {
			apart[name] = text
		} else {
			beside[name] = text
		}
	}
	for _, files := range []map[string]string{beside, apart} {
		t := parseAll(files)
		p := t.check(path, packageNames{})
		for i, f := range t.files {
			if _, test := tests[t.names[i]]; test && p != nil {
				v.mention(t, p, f)
			}
		}
	}
	return v
}

// mention adds the values that a file mentions.
func (v Values) mention(t typed, p *types.Package, f *ast.File) {
	selected, whole := map[*ast.Ident]bool{}, dots(f)
	for n := range ast.Preorder(f) {
		switch n := n.(type) {
		case *ast.Ident:
			o := t.info.ObjectOf(n)
			if o != nil && o.Parent() == p.Scope() && isValue(o) {
				v[p.Path()+"."+n.Name] = true
			}
			for from := range whole {
				v[from+"."+n.Name] = v[from+"."+n.Name] || o == nil && !selected[n]
			}
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if from, _ := t.packageOf(n); from != "" {
				v[from+"."+n.Sel.Name] = true
			}
		}
	}
}

func isValue(o types.Object) bool {
	switch o.(type) {
	case *types.Var, *types.Const:
		return true
	}
	return false
}

// Changed names one of the values that an edit of a package declares in another way, or begins
// to set; empty without one.
func (v Values) Changed(before, after func(path string) map[string]string, path string) string {
	was, now := valuesOf(before(path), path), valuesOf(after(path), path)
	for _, key := range slices.Sorted(maps.Keys(v)) {
		if v[key] && was.differs(now, key, map[string]bool{}) {
			return strings.TrimPrefix(key, path+".")
		}
	}
	return ""
}

// values are those that a package declares, and sets.
type values struct {
	path string
	p    *types.Package
	typed
	text  map[string]string         // how one is declared
	from  map[string][]string       // what one is worked out from, without a call
	start map[string]map[string]int // how often one, or a part of it, is set when the program starts, by the statements
	later map[string]bool           // one is set by a function
}

func valuesOf(files map[string]string, path string) values {
	v := values{path: path, typed: parseAll(files), text: map[string]string{}, from: map[string][]string{}, start: map[string]map[string]int{}, later: map[string]bool{}}
	v.p = v.check(path, packageNames{})
	for i, f := range v.files {
		s := &syntax.File{Text: files[v.names[i]], Set: v.fset, AST: f}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				v.declare(s, g)
			}
			v.sets(s, d)
		}
	}
	return v
}

// differs reports whether a value is another one, by its declaration, those of what it is
// worked out from, or what sets it.
func (v values) differs(now values, key string, seen map[string]bool) bool {
	text, declared := v.text[key]
	if seen[key] {
		return false
	}
	seen[key] = true
	if declared && text != now.text[key] || now.later[key] && !v.later[key] {
		return true
	}
	for set, n := range now.start[key] {
		if n > v.start[key][set] {
			return true
		}
	}
	return slices.ContainsFunc(v.from[key], func(of string) bool { return v.differs(now, of, seen) })
}

// declare adds the values of a declaration.
func (v values) declare(s *syntax.File, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, id := range spec.Names {
			key := v.path + "." + id.Name
			switch byPlace := g.Tok == token.CONST && len(spec.Values) == 0 || hasIdent(spec, "iota"); {
			case byPlace:
				v.text[key] = s.Between(g.Pos(), spec.End())
			case len(spec.Values) == len(spec.Names):
				v.text[key] = withoutEntries(s, spec.Values[i])
				v.from[key] = v.workedOutFrom(spec.Values[i])
			default:
				v.text[key] = s.Code(spec)
			}
		}
	}
}

func hasIdent(n ast.Node, name string) bool {
	for id := range syntax.All[*ast.Ident](n) {
		if id.Name == name {
			return true
		}
	}
	return false
}

// withoutEntries is the text of a value without the bodies of functions in tables: these are
// what is tested.
func withoutEntries(s *syntax.File, value ast.Expr) string {
	text, from := "", value.Pos()
	for lit := range syntax.All[*ast.CompositeLit](value) {
		for _, fn := range syntax.Literals(lit) {
			if fn.Body.Pos() >= from {
				text, from = text+s.Between(from, fn.Body.Pos()), fn.Body.End()
			}
		}
	}
	return text + s.Between(from, value.End())
}

// workedOutFrom are the values in an expression that calls nothing and makes nothing.
func (v values) workedOutFrom(e ast.Expr) (keys []string) {
	for n := range ast.Preorder(e) {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.CompositeLit, *ast.FuncLit:
			return nil
		case *ast.Ident:
			if o := v.p.Scope().Lookup(n.Name); o != nil && isValue(o) {
				keys = append(keys, v.path+"."+n.Name)
			}
		}
	}
	return keys
}

// sets notes what a declaration sets.
func (v values) sets(s *syntax.File, d ast.Decl) {
	fn, inFunction := d.(*ast.FuncDecl)
	atStart := !inFunction || fn.Recv == nil && fn.Name.Name == "init"
	for n := range ast.Preorder(d) {
		for _, e := range setBy(n) {
			switch key, whole := v.root(e); {
			case key == "":
			case atStart:
				if v.start[key] == nil {
					v.start[key] = map[string]int{}
				}
				v.start[key][s.Code(n)]++
			case whole:
				v.later[key] = true
			}
		}
	}
}

// root is the value of a package that an expression is, or is a part of.
func (v values) root(e ast.Expr) (key string, whole bool) {
	for whole = true; ; whole = false {
		if from, _ := v.packageOf(e); from != "" {
			return from + "." + ast.Unparen(e).(*ast.SelectorExpr).Sel.Name, whole
		}
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			if o := v.info.ObjectOf(x); o == nil || o.Parent() == v.p.Scope() {
				return v.path + "." + x.Name, whole
			}
			return "", false
		default:
			return "", false
		}
	}
}
