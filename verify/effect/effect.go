// Package effect tells what kind of fix an edit is: what work of the old
// program the new one may leave out or refuse.
//
// It compares the statements of both versions. Where the answer depends on the
// run, it names points: places of the new text that are reached only where the
// old work is left out. Mark puts counters there. The package knows nothing of
// how programs are built and run, and believes nothing that a proposer says.
package effect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/verdict"
)

// Change is the edit of one Go file that is no test.
type Change struct {
	File          string // as the candidate names it
	Before, After string
	Line          int   // of the statement that failed in Before; 0 if it is elsewhere
	Callers       []int // lines of Before at which the stopped program was, too: those of the calls
	Runs          bool  // the statement that failed has to run, also where it stands as it did
	Ends          bool  // Mark counts in it that main returns, and that the program exits
}

// Point is a place that the run reaches only where it leaves out, or refuses,
// what the old program did.
type Point struct {
	File     string
	Line     int
	Function string // "(*T).Name" of the declaration around it
	Effect   verdict.Effect
	How      string // "returns zero values when x == nil"
	Exit     bool   // it ends the program, or returns an error
	at       int    // byte offset of the mark in the new text
	testEnd  int    // where the condition ends that the mark tests; 0 for other marks
	further  string // reached only if this holds, too
	key      string // what is visited: counted only when the visit that noted it has ended
	entered  int    // where the visit is noted
	branch   string // the branch of its own that the mark makes: "else" or "default:"
	shape    string // of the guard that leaves there, see Sibling
	when     string // the condition of the guard: "x == nil", or "unless x != nil"
	exit     string // the statement that leaves; empty where a branch leaves work out
	question string // what the if around left out work asks, see question
}

// Report is what the comparison found.
type Report struct {
	// Hides and Skips are what can be said without a run; empty when nothing can.
	Hides, Skips string
	Support      string // what speaks for what Skips says; empty without
	Points       []Point
	// Moves are statements that the stopped program was at and that stand elsewhere.
	Moves []Move
	// Changed are the functions with another body than before: "(*T).Name".
	Changed []string
	// Removed tells that the edit takes lock, counter or close operations away or
	// moves them, Deleted that Skips speaks of a call that is gone. What either
	// means, package balance may tell.
	Removed, Deleted bool
	// Operation tells that Skips speaks of an operation that is gone.
	Operation bool
}

// Compare analyzes the changes together, among the packages as they were before.
// Texts that do not parse give an empty report.
func Compare(changes []Change, packages ...Package) Report {
	c := comparison{moved: map[string]int{}, helpers: map[string]helper{}, used: map[string]bool{}, heads: map[string]bool{}}
	var files []*fileComparison
	for _, ch := range changes {
		before, after := parse(ch.Before), parse(ch.After)
		if before.ast == nil || after.ast == nil {
			return Report{}
		}
		files = append(files, &fileComparison{comparison: &c, Change: ch, before: before, after: after})
	}
	for _, f := range files {
		f.declarations()
	}
	c.lookIntoHelpers()
	c.deletions()
	c.quits(files, packages)
	c.moves(files)
	return c.report
}

// comparison is what several files share.
type comparison struct {
	report  Report
	removed []removal         // statements without a counterpart
	moved   map[string]int    // texts of added statements, by how often
	heads   map[string]bool   // conditions of added ifs
	values  []string          // expressions of added statements
	work    bool              // something was added that does work
	helpers map[string]helper // new functions
	used    map[string]bool   // names of functions that are called in the place of old work
}

// removal is a statement of the old text that is gone.
type removal struct {
	text      string
	stmt      ast.Stmt
	answered  bool     // work is in its place
	operation bool     // it locks, counts or closes
	guard     bool     // it is an if that only leaves
	head      string   // the condition of an if, the value of an assignment
	asked     []string // the parts of the condition of an if that all have to hold
	body      string   // what the if does
	exit      string   // the last statement of the if
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
	return folded(s.text[s.offset(n.Pos()):s.offset(n.End())])
}

func folded(text string) string { return strings.Join(strings.Fields(text), " ") }

func (s source) offset(p token.Pos) int { return s.fset.Position(p).Offset }
func (s source) line(n ast.Node) int    { return s.fset.PositionFor(n.Pos(), false).Line }

// functions are the declared functions by their names, "(*T).Name".
func (s source) functions() map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, d := range s.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			found[functionName(fn, s)] = fn
		}
	}
	return found
}

func functionName(fn *ast.FuncDecl, s source) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return "(" + s.code(fn.Recv.List[0].Type) + ")." + fn.Name.Name
}

// fileComparison compares one file.
type fileComparison struct {
	*comparison
	Change
	before, after source
}

// declarations goes through the functions of both versions.
func (f *fileComparison) declarations() {
	old := f.before.functions()
	for _, d := range f.after.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		name := functionName(fn, f.after)
		was := old[name]
		if was == nil {
			was = f.renamed(fn)
		}
		switch {
		case was == nil || was.Body == nil:
			f.work = true
			f.helpers[fn.Name.Name] = helper{f, fn}
		case f.before.code(was.Body) != f.after.code(fn.Body):
			f.report.Changed = append(f.report.Changed, name)
			b := &bodyComparison{&function{fileComparison: f, name: name, fn: fn, typ: fn.Type}}
			b.lists(was.Body.List, fn.Body.List, place{last: true})
			f.clamped(fn, was)
		}
	}
	f.otherDeclarations()
}

// renamed finds the old function that a new one is, under another name.
func (f *fileComparison) renamed(fn *ast.FuncDecl) *ast.FuncDecl {
	now := f.after.functions()
	for name, old := range f.before.functions() {
		if now[name] == nil && old.Body != nil && (old.Recv == nil) == (fn.Recv == nil) && f.before.code(old.Body) == f.after.code(fn.Body) {
			return old
		}
	}
	return nil
}

// otherDeclarations notes new types, fields and values: whatever they are for
// is work.
func (f *fileComparison) otherDeclarations() {
	texts := func(s source) []string {
		var list []string
		for _, d := range s.ast.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
				list = append(list, s.code(g))
			}
		}
		return list
	}
	was := texts(f.before)
	for _, text := range texts(f.after) {
		if !slices.Contains(was, text) {
			f.work = true
		}
	}
}

// deletions says what is gone without anything in its place.
func (c *comparison) deletions() {
	for _, r := range c.removed {
		switch {
		case c.moved[r.text] > 0:
			c.moved[r.text]--
			c.report.Removed = c.report.Removed || r.operation
		case c.again(r):
		case r.operation:
			c.report.Removed = true
			if c.report.Skips == "" && !c.work {
				c.report.Skips, c.report.Operation = "removes "+cut(r.text), true
			}
		case r.answered || c.work:
		case c.report.Hides == "" && refusesInput(r.stmt):
			c.report.Hides = "removes " + cut(r.text)
		case c.report.Skips == "":
			c.report.Skips = "removes " + cut(r.text)
			_, c.report.Deleted = r.stmt.(*ast.ExprStmt)
		}
	}
}

// refusesInput reports whether a statement panics by itself: without it nothing tells
// of the failure any more.
func refusesInput(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		e, ok := n.(*ast.ExprStmt)
		found = found || ok && isPanic(e)
		return !found
	})
	return found
}

// cut shortens code for a sentence.
func cut(code string) string {
	const most = 160
	if r := []rune(code); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return code
}

// Touches reports whether a change edits the function that holds its line.
func Touches(c Change) bool {
	before, after := parse(c.Before), parse(c.After)
	if before.ast == nil || after.ast == nil {
		return true
	}
	now := after.functions()
	for name, fn := range before.functions() {
		if before.line(fn) <= c.Line && c.Line <= before.fset.Position(fn.End()).Line {
			return now[name] == nil || before.code(fn) != after.code(now[name])
		}
	}
	return true
}
