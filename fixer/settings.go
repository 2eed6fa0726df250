package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// A setting is a statement that reads a text which may be missing, and parses
// it: s.n = must(strconv.Atoi(os.Getenv("N"))).
type setting struct {
	place  // of the statement
	stmt   *ast.AssignStmt
	lookup *ast.CallExpr
	key    string
}

// emptyParsed are the messages of parsing a text that is empty.
var emptyParsed = lazyregexp.New(`parsing "": |invalid duration ""|invalid syntax: ""|parsing time "" as`)

// unsetSetting: a setting that was never made was parsed. It has a default, or
// none is needed.
func (f refusalRules) unsetSetting(s panicCall) {
	if !emptyParsed.MatchString(f.panic.Message) {
		return
	}
	call, _, ok := f.callerOf(s.of(s.function()), f.at)
	if !ok || call.anchor() == nil {
		return
	}
	bad, ok := settingOf(call.of(call.anchor()))
	if !ok || !contains(call.node(), bad.lookup.Pos()) {
		return
	}
	ch := f.change()
	var keys []string
	for _, st := range bodyOf(call.function()).List {
		other, found := settingOf(call.of(st))
		if !found || f.text(other.lookup.Fun) != f.text(bad.lookup.Fun) || f.resultCallee(other) != f.resultCallee(bad) {
			continue
		}
		if !f.onlyIfSet(ch, other) {
			if other.stmt == bad.stmt {
				return
			}
			continue
		}
		keys = append(keys, other.key)
	}
	if len(keys) == 0 {
		return
	}
	f.diagnosis.Sentence = fmt.Sprintf("%s is not set, and %s (%s) parses it all the same: %s", bad.key, funcName(call.function()), f.where(bad.lookup.Pos()), firstLine(f.panic.Message))
	f.diagnosis.Origin = f.relWhere(bad.lookup.Pos())
	f.offer(idea{rule: "settings/unset-setting", title: fmt.Sprintf("keep the default where %s is not set", strings.Join(keys, " or ")), weight: origin - 2, change: ch,
		why: "A setting is parsed only if there is one; a bad one is refused as before."})
}

// settingOf recognizes a statement that parses a text it looks up by a name.
func settingOf(p place) (setting, bool) {
	as, ok := p.node().(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
		return setting{}, false
	}
	outer, ok := ast.Unparen(as.Rhs[0]).(*ast.CallExpr)
	if !ok || len(outer.Args) != 1 {
		return setting{}, false
	}
	parse, ok := ast.Unparen(outer.Args[0]).(*ast.CallExpr)
	if !ok || len(parse.Args) == 0 {
		return setting{}, false
	}
	lookup, ok := ast.Unparen(parse.Args[0]).(*ast.CallExpr)
	if !ok || len(lookup.Args) != 1 {
		return setting{}, false
	}
	fn, t := p.callee(lookup), p.info().TypeOf(lookup)
	tv := p.info().Types[lookup.Args[0]]
	if fn == nil || t == nil || !isString(t) || tv.Value == nil {
		return setting{}, false
	}
	key, err := strconv.Unquote(tv.Value.ExactString())
	return setting{place: p, stmt: as, lookup: lookup, key: key}, err == nil
}

// resultCallee names the function around what a setting parses.
func (f refusalRules) resultCallee(s setting) string {
	return f.text(s.stmt.Rhs[0].(*ast.CallExpr).Fun)
}

// onlyIfSet parses a setting only where there is a text, if what it sets has a
// value without it.
func (f refusalRules) onlyIfSet(ch *change, s setting) bool {
	target := s.stmt.Lhs[0]
	if !f.hasDefault(s, target) || s.stmt.Tok == token.DEFINE {
		return false
	}
	name := fresh(s.place, "v", "text", "value")
	parsed := strings.Replace(f.text(s.stmt.Rhs[0]), f.text(s.lookup), name, 1)
	ch.instead(s.stmt, fmt.Sprintf("if %s := %s; %s != \"\" {\n\t%s = %s\n}", name, f.text(s.lookup), name, f.text(target), parsed))
	return true
}

// hasDefault reports whether what a setting sets was given a value before: in
// the literal of its record, or by an assignment.
func (f refusalRules) hasDefault(s setting, target ast.Expr) bool {
	if s.stmt.Tok == token.DEFINE {
		return false
	}
	found := false
	sel, isField := ast.Unparen(target).(*ast.SelectorExpr)
	ast.Inspect(bodyOf(s.function()), func(n ast.Node) bool {
		if n == nil || n.Pos() >= s.stmt.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if f.text(l) == f.text(target) {
					found = true
				}
				if isField && len(n.Lhs) == len(n.Rhs) && f.text(l) == f.text(sel.X) && setsField(n.Rhs[i], sel.Sel.Name) {
					found = true
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if i < len(n.Values) && (id.Name == f.text(target) || isField && id.Name == f.text(sel.X) && setsField(n.Values[i], sel.Sel.Name)) {
					found = true
				}
			}
		}
		return true
	})
	return found
}

// setsField reports whether a struct literal has a key.
func setsField(e ast.Expr, field string) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return false
	}
	for _, el := range lit.Elts {
		if kv, isKV := el.(*ast.KeyValueExpr); isKV {
			if id, isIdent := kv.Key.(*ast.Ident); isIdent && id.Name == field {
				return true
			}
		}
	}
	return false
}
