package builtin

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"
)

// unsetWords are how comments speak of what holds when nobody sets a value.
var unsetWords = regexp.MustCompile(`(?i)\bwithout (?:it|them|this|that|one|any)\b|\bby default\b|\bdefaults? (?:to|is)\b|\bdefault:|\bunless (?:it is )?(?:set|given|another)|\b(?:if|when|where|while) (?:it is |it's |this is |left |none is |no \w+ is |nobody )?(?:nil|unset|not set|zero|0|empty|omitted|left out|out|missing|absent|not given|given|set|chosen|sets)\b|\b(?:nil|zero|0|none) (?:means|stands for|is|uses)\b`)

var valueToken = regexp.MustCompile(`[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?|\b\d+(?:\.\d+)?\b`)

// documentedDefault sets a field that nobody gave a value to the one that the
// comments on it, on its type, or on what sets it name as the default.
func (f *fixer) documentedDefault(t *types.Named, field *types.Var) bool {
	var lacking []building
	for _, b := range f.buildings(t) {
		if b.lacks(field) {
			lacking = append(lacking, b)
		}
	}
	if len(lacking) == 0 || len(lacking) > 4 {
		return false
	}
	for _, s := range f.saidOfDefault(t, field, lacking) {
		if !unsetWords.MatchString(s.text) {
			continue
		}
		for _, token := range valueToken.FindAllString(s.text, -1) {
			if value, ok := f.asValue(lacking[0].place, token, field.Type()); ok && f.setAll(lacking, field, value, s) {
				return true
			}
		}
	}
	return false
}

func (f *fixer) setAll(lacking []building, field *types.Var, value string, s said) bool {
	ch := f.change()
	for _, b := range lacking {
		if !ch.setField(b, []fieldInit{{field, field.Name(), value}}) {
			return false
		}
	}
	first := lacking[0]
	f.note(f.neverSets(first, field), first.node().Pos())
	return f.offer(idea{title: fmt.Sprintf("set %s to %s in %s", field.Name(), value, first.buildName()), weight: origin - 2, change: ch, grounds: s.grounds(f),
		why: fmt.Sprintf("Nobody sets %s; it now starts as %s, its default.", field.Name(), value)})
}

// saidOfDefault collects what is said of a field: beside it, on its type and
// constructors where they name it, and on the functions that set it.
func (f *fixer) saidOfDefault(t *types.Named, field *types.Var, lacking []building) []said {
	list := f.saidOfField(field)
	for _, as := range f.assignmentsTo(field) {
		list = append(list, f.saidOfFunction(as)...)
	}
	about := f.saidOfType(t)
	for _, b := range lacking {
		about = append(about, f.saidOfFunction(b.place)...)
	}
	for _, s := range about {
		if strings.Contains(strings.ToLower(s.text), strings.ToLower(field.Name())) {
			list = append(list, s)
		}
	}
	return list
}

// asValue reads a word of a comment as a value of a type: a number, or a name
// of the package or of one that the file imports.
func (f *fixer) asValue(p place, word string, t types.Type) (string, bool) {
	if word[0] >= '0' && word[0] <= '9' {
		b, ok := t.Underlying().(*types.Basic)
		isPlain := ok && named(t) == nil && b.Info()&types.IsNumeric != 0
		return word, isPlain && strings.Trim(word, "0.") != "" && (b.Info()&types.IsFloat != 0 || !strings.Contains(word, "."))
	}
	if p.pkg.Types == nil {
		return "", false
	}
	scope, name := p.pkg.Types.Scope(), word
	if pkg, member, qualified := strings.Cut(word, "."); qualified {
		scope, name = nil, member
		for _, imported := range p.pkg.Types.Imports() {
			if got, known := importName(p.file, imported); known && got == pkg {
				scope = imported.Scope()
			}
		}
	}
	if scope == nil {
		return "", false
	}
	switch obj := scope.Lookup(name).(type) {
	case *types.Const, *types.Var, *types.Func:
		return word, types.AssignableTo(obj.Type(), t)
	}
	return "", false
}

// optionsOnly tells whether a field is only given values by functions that
// are told what to set it to: options and setters.
func (f *fixer) optionsOnly(field *types.Var) bool {
	for _, as := range f.assignmentsTo(field) {
		stmt := as.node().(*ast.AssignStmt)
		for _, r := range stmt.Rhs {
			if !isPath(r) {
				return false
			}
		}
	}
	return true
}
