// Package masking tells fixes from edits that only hide a symptom: they recover
// and go on, skip the faulting statement, return zero values, or swallow an
// error. It looks at syntax alone and speaks up only when an edit does nothing
// but that.
package masking

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// Change is the edit of one file.
type Change struct {
	Before, After string
	Line          int // of the faulting statement in Before; 0 if it is elsewhere
	// Removable: the faulting statement may be one too many (a second close,
	// unlock or Done), so that leaving it out can be the fix.
	Removable bool
}

// Find says in one sentence how the changes mask, taken together; empty when
// they do not, or do more than that. Texts that do not parse mask nothing.
func Find(changes []Change) string {
	found := ""
	for _, c := range changes {
		before, after := parse(c.Before), parse(c.After)
		if after.ast == nil || before.ast == nil {
			return ""
		}
		why, more := compare(before, after, c)
		if more {
			return ""
		}
		if found == "" {
			found = why
		}
	}
	return found
}

// source is a parsed file.
type source struct {
	text string
	fset *token.FileSet
	ast  *ast.File
}

// parse leaves ast nil when the text does not parse.
func parse(text string) source {
	s := source{text: text, fset: token.NewFileSet()}
	if f, err := parser.ParseFile(s.fset, "", text, parser.ParseComments|parser.SkipObjectResolution); err == nil {
		s.ast = f
	}
	return s
}

// code returns a node's text with its white space folded.
func (s source) code(n ast.Node) string {
	from, to := s.fset.Position(n.Pos()).Offset, s.fset.Position(n.End()).Offset
	return strings.Join(strings.Fields(s.text[from:to]), " ")
}

// compare goes through the functions and declarations of both. more tells that
// something was changed that masks nothing.
func compare(before, after source, c Change) (why string, more bool) {
	old := map[string]ast.Decl{}
	for _, d := range before.ast.Decls {
		old[name(d, before)] = d
	}
	for _, d := range after.ast.Decls {
		key := name(d, after)
		was, existed := old[key]
		delete(old, key)
		if existed && before.code(was) == after.code(d) || imports(d) {
			continue
		}
		fn, isFunc := d.(*ast.FuncDecl)
		wasFunc, wasFn := was.(*ast.FuncDecl)
		if !existed || !isFunc || !wasFn || fn.Body == nil || wasFunc.Body == nil {
			return "", true
		}
		w := weigher{before: before, after: after, fn: fn, removable: c.Removable}
		if from, to := before.fset.Position(wasFunc.Pos()).Line, before.fset.Position(wasFunc.End()).Line; from <= c.Line && c.Line <= to {
			w.line = c.Line
		}
		found := w.weigh(wasFunc, fn)
		if found == "" {
			return "", true
		}
		why = found
	}
	for _, d := range old {
		if !imports(d) {
			return "", true
		}
	}
	return why, false
}

func imports(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// name identifies a declaration: functions by receiver and name, others by
// their whole text.
func name(d ast.Decl, s source) string {
	fn, ok := d.(*ast.FuncDecl)
	if !ok {
		return s.code(d)
	}
	if fn.Recv != nil {
		return s.code(fn.Recv) + "." + fn.Name.Name
	}
	return fn.Name.Name
}
