package review_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/syntax"
)

// What a guard leaves out beside the statement that it guards.
func TestHalf(t *testing.T) {
	const types = "package p\n\ntype node struct{ next *node; n int }\n\ntype list struct {\n\tfirst, last *node\n\tsize int\n\tbyName map[string]*node\n}\n\nvar total int\n\n"
	// Each of many variables depends on all others, and each of many functions calls all others.
	names, locals, methods := "a0", "", ""
	for i := range 15 {
		names += fmt.Sprintf(", a%d", i+1)
		methods += fmt.Sprintf("func (l *list) m%d() {\nCALLS}\n\n", i)
	}
	for i := range 15 {
		locals += fmt.Sprintf("\ta%d = pick(%s)\n", i, names)
		methods = strings.ReplaceAll(methods, "CALLS", fmt.Sprintf("\tl.m%d()\nCALLS", i))
	}
	locals, methods = "\tvar "+names+" *node\n"+locals, strings.ReplaceAll(methods, "CALLS", "")+"func pick(ns ...*node) *node { return nil }\n\n"
	for _, tt := range []struct{ name, head, before, guard, after, want string }{
		{"a count of the receiver", "(l *list) f(p *node)", "\tl.first = p\n", "if p == nil {\n\t\treturn\n\t}\n", "\tp.next = l.last\n\tl.size--\n", "l.size--"},
		{"through an argument", "f(l *list, p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.next = nil\n\tl.size--\n", "l.size--"},
		{"a variable of the package", "f(p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\ttotal++\n", "total++"},
		{"through a local variable", "(l *list) f(p *node)", "\tq := l.first\n", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tq.n = 2\n", "q.n = 2"},
		{"in a method that is called", "(l *list) f(p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tl.shrink()\n", "l.shrink()"},
		{"an entry that is deleted", "(l *list) f(p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tdelete(l.byName, \"a\")\n", "delete(l.byName, \"a\")"},
		{"the rest of an iteration", "(l *list) f(ps []*node)", "\tfor _, p := range ps {\n", "if p == nil {\n\t\tcontinue\n\t}\n", "\tp.n = 1\n\tl.size++\n\t}\n", "l.size++"},
		{"what comes after the loop is done", "(l *list) f(ps []*node)", "\tfor _, p := range ps {\n", "if p == nil {\n\t\tcontinue\n\t}\n", "\tp.n = 1\n\t}\n\tl.size++\n", ""},
		{"an if around more than the one statement", "(l *list) f(p *node)", "\tl.first = nil\n", "if p != nil {\n", "\tp.n = 1\n\tl.size--\n@}\n", "l.size--"},
		{"an if around the one statement", "(l *list) f(p *node)", "\tl.first = nil\n", "if p != nil {\n", "\tp.n = 1\n@}\n\tl.size--\n", ""},
		{"nothing but what the guard asks about", "(l *list) f(p *node)", "\tl.first = nil\n", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tp.next.n = 2\n", ""},
		{"a value of its own", "(l *list) f(p *node) *node", "\tq := &node{}\n", "if p == nil {\n\t\treturn nil\n\t}\n", "\tq.n = p.n\n\treturn q\n", ""},
		{"a method that only looks", "(l *list) f(p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tl.look()\n", ""},
		{"as it leaves elsewhere, with nothing changed", "(l *list) f(p *node)", "\tif l.size == 0 {\n\t\treturn\n\t}\n", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tl.size--\n", ""},
		{"as it leaves elsewhere, with something changed", "(l *list) f(p *node)", "\tif l.size == 0 {\n\t\treturn\n\t}\n\tl.first = nil\n", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tl.size--\n", "l.size--"},
		{"many variables that depend on each other", "f(p *node)", locals, "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\ta0.n = 2\n", ""},
		{"one of many is a parameter", "f(p *node)", locals + "\ta14 = p\n", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\ta0.n = 2\n", "a0.n = 2"},
		{"two methods that call each other, one of which changes something", "(l *list) f(p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tl.odd()\n", "l.odd()"},
		{"many methods that call each other", "(l *list) f(p *node)", "", "if p == nil {\n\t\treturn\n\t}\n", "\tp.n = 1\n\tl.m0()\n", ""},
	} {
		text := types + methods + "func (l *list) shrink() { l.size-- }\n\nfunc (l *list) look() { n := l.size; print(n) }\n\nfunc (l *list) odd() { l.even() }\n\nfunc (l *list) even() { l.odd(); l.size-- }\n\nfunc " + tt.head + " {\n" + tt.before + "GUARD" + tt.after + "}\n"
		before, after := edited(t, text, "GUARD", ""), edited(t, text, "GUARD", tt.guard)
		before, after = strings.Replace(before, "@}\n", "", 1), strings.Replace(after, "@", "", 1)
		r := effect.Compare([]effect.Change{{Change: syntax.Change{File: "p.go", Before: before, After: after}}})
		if len(r.Points) != 1 {
			t.Errorf("%s: points %+v", tt.name, r.Points)
			continue
		}
		if got := review.Half(map[string]string{"p.go": before}, map[string]string{"p.go": after}, r.Points[0]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
