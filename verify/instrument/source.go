// Package instrument changes source text so that a run of it can be observed, and reads
// what was observed. Its callers say what that is: that a statement ran, that a condition
// did not hold, how often a function was called, whether main or a test came to its end.
//
// All is counted in one file of a fixed size, which the program maps: it keeps its contents
// when the program dies. What is put into a file stands on lines that exist, so that no line
// gets another number; the counters are in a file of their own. The package must not know
// what a count means for a verdict.
package instrument

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Source is a Go file, and what is put into it.
type Source struct {
	*syntax.File
	puts map[int]string // by offset
}

// Parse returns nil for a text that does not parse.
func Parse(text string) *Source {
	f := syntax.Parse(text)
	if f == nil {
		return nil
	}
	return &Source{File: f, puts: map[int]string{}}
}

// Put puts a text at an offset, after what is there.
func (s *Source) Put(at int, text string) { s.puts[at] += text }

// PutFirst puts a text before what is at the offset.
func (s *Source) PutFirst(at int, text string) { s.puts[at] = text + s.puts[at] }

// wrap puts texts around a node.
func (s *Source) wrap(n ast.Node, before, after string) {
	s.Put(s.Offset(n.Pos()), before)
	s.PutFirst(s.Offset(n.End()), after)
}

// IsMarked reports whether there is something to observe.
func (s *Source) IsMarked() bool { return len(s.puts) > 0 }

// Marked is the text with what was put into it.
func (s *Source) Marked() string {
	offsets := make([]int, 0, len(s.puts))
	for offset := range s.puts {
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	var out strings.Builder
	last := 0
	for _, offset := range offsets {
		out.WriteString(s.Text[last:offset])
		out.WriteString(s.puts[offset])
		last = offset
	}
	out.WriteString(s.Text[last:])
	return out.String()
}

func mark(point int, leaves bool) string { return fmt.Sprintf("pausetuiMark(%d, %t)", point, leaves) }

// Reached counts that the run comes to an offset. The last one that leaves is noted, too.
func (s *Source) Reached(at, point int, leaves bool) { s.Put(at, " "+mark(point, leaves)+"; ") }

// Done counts that the statement that ends at an offset comes to its end.
func (s *Source) Done(at, point int) { s.PutFirst(at, "; "+mark(point, false)) }

// Called counts the calls of a function.
func (s *Source) Called(fn *ast.FuncDecl, point int) {
	s.PutFirst(s.Offset(fn.Body.Lbrace)+1, " "+mark(point, false)+"; ")
}

// Else counts that an if without an else, which ends at an offset, does not hold.
func (s *Source) Else(at, point int, leaves bool) {
	s.Put(at, " else { "+mark(point, leaves)+" }")
}

// Default counts that no clause of a switch holds, which ends at an offset.
func (s *Source) Default(at, point int, leaves bool) {
	s.Put(at, "; default: "+mark(point, leaves)+"; ")
}

// Fails counts that the condition between two offsets does not hold; with further, only
// where that holds then. What stands there then has no type of its own, as a comparison has
// none: it may be wanted as any type of booleans.
func (s *Source) Fails(from, to, point int, further string) {
	if further == "" {
		s.Put(from, fmt.Sprintf("(pausetuiTest(%d, bool(", point))
		s.PutFirst(to, ")) == true)")
		return
	}
	s.Put(from, "(")
	s.PutFirst(to, fmt.Sprintf(" || pausetuiTest(%d, bool(!(%s))) == true && false)", point, further))
}

// Holds counts that the condition between two offsets is asked, and holds.
func (s *Source) Holds(from, to, point int) {
	s.Put(from, fmt.Sprintf("(pausetuiTest(%d, bool(!(", point))
	s.PutFirst(to, "))) == false)")
}

// Within counts that the end of a slice, between two offsets, is beyond the length of what it
// is taken of.
func (s *Source) Within(from, to, point int, of string) {
	s.Put(from, fmt.Sprintf("pausetuiWithin(%d, %s, int(", point, of))
	s.PutFirst(to, "))")
}

// Again counts that the run comes to an offset for what is not being visited. A visit of
// it begins at the offset visit, and ends with the function there.
func (s *Source) Again(at, visit, point int, what string) {
	s.Put(at, fmt.Sprintf("pausetuiAgain(%d, %s); ", point, what))
	s.Put(visit, fmt.Sprintf("; defer pausetuiVisit(%d, %s)()", point, what))
}

// Unwinds notes that an error of the runtime leaves a function: what calls it may recover
// that, as package fmt does where it calls String.
func (s *Source) Unwinds(fn *ast.FuncDecl) {
	s.PutFirst(s.Offset(fn.Body.Lbrace)+1, " defer pausetuiUnwinds(); ")
}

// Passes notes that a call of the function with a probe comes to a statement.
func (s *Source) Passes(stmt ast.Stmt) {
	s.Put(s.Offset(stmt.Pos()), "pausetuiProbePass(pausetuiCall); ")
}

// Comes notes that the call comes to the statement that failed.
func (s *Source) Comes(stmt ast.Stmt) {
	s.Put(s.Offset(stmt.Pos()), "pausetuiProbeBegin(pausetuiCall); ")
}

// Runs notes that the call comes to where a statement has done its work.
func (s *Source) Runs(stmt ast.Stmt) {
	const ran = "pausetuiProbeRan(pausetuiCall)"
	switch stmt := stmt.(type) {
	case *ast.ReturnStmt: // it has run once the call is left, unless by a panic
		s.Put(s.Offset(stmt.Pos()), "pausetuiReturns = true; ")
	case *ast.IfStmt:
		s.Put(s.Offset(stmt.Body.Lbrace)+1, ran+"; ")
	case *ast.ForStmt, *ast.RangeStmt:
		s.Put(s.Offset(syntax.Body(stmt).Lbrace)+1, ran+"; ")
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeclStmt, *ast.DeferStmt, *ast.GoStmt:
		if !syntax.IsPanic(stmt) { // what follows it would make a function without a return fail to build
			s.Put(s.Offset(stmt.End()), "; "+ran)
		}
	}
}
