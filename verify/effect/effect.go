// Package effect finds what kind of fix an edit is: what work of the old program the new
// one may leave out or refuse.
//
// It pairs the statements of both versions by their syntax. Where the answer depends on the
// run, it names points: places of the new text that are reached only where the
// old work is left out. Mark puts counters there. The package knows nothing of
// how programs are built and run, and believes nothing that a proposer says.
package effect

import (
	"go/ast"
	"go/token"
	"slices"

	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Change is the edit of one Go file that is no test, by the name that the candidate gives it.
type Change struct {
	syntax.Change
	Line    int   // of the statement that failed in Before; 0 if it is elsewhere
	Callers []int // lines of Before at which the stopped program was, too: those of the calls
	Runs    bool  // the statement that failed has to run, also where it stands as it did
	Way     bool  // with Runs: so have the calls that led to it, and what it became
	Ends    bool  // Mark counts in it that main returns, and that the program exits
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
	Lost     bool   // what is written there is lost, see review.Lost
	Beyond   string // what a slice is taken of, where it ends beyond its length; see review.Retyped
	Offset   int    // byte offset of the mark in the new text
	TestEnd  int    // where the condition ends that the mark tests; 0 for other marks
	Holds    bool   // it counts where that condition holds
	further  string // reached only if this holds, too
	key      string // what is visited: counted only when the visit that noted it has ended
	entered  int    // where the visit is noted
	Branch   string // the branch of its own that the mark makes: "else" or "default:"
	When     string // the condition of the guard: "x == nil", or "unless x != nil"
	Leaves   string // the statement that leaves; empty where a branch leaves work out
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
	c := comparison{packages: packages, Pairs: match.NewPairs(), used: map[string]bool{}, heads: map[match.Form]bool{}, values: map[match.Form]bool{}}
	var files []*fileComparison
	for _, ch := range changes {
		before, after := parse(ch.Before), parse(ch.After)
		if before.ast == nil || after.ast == nil {
			return Report{}
		}
		c.texts = append(c.texts, ch.After)
		files = append(files, &fileComparison{comparison: &c, Change: ch, before: before, after: after})
	}
	for _, f := range files {
		f.declarations()
	}
	c.pairElsewhere()
	for _, b := range c.bodies {
		if b.old != nil {
			walk{b}.look(b.fn.Body.List, place{last: true})
			b.clamped(b.fn, b.old)
			b.wrapped(b.fn, b.old)
		}
	}
	c.lookIntoHelpers()
	c.deletions()
	c.quits(files, packages)
	c.moves(files)
	return c.report
}

// comparison is what several files share.
type comparison struct {
	match.Pairs
	packages []Package
	texts    []string        // the changed files
	panics   map[string]bool // see panicking; nil before it is needed

	report Report
	bodies []*function         // those that differ, and new ones
	work   bool                // something was added that does work
	used   map[string]bool     // names of functions that are called in the place of old work
	heads  map[match.Form]bool // what conditions ask that were added or changed
	values map[match.Form]bool // expressions in statements that were added or changed
}

// fileComparison compares one file.
type fileComparison struct {
	*comparison
	Change
	before, after source
}

// function is a changed or new function as it is now: what its leaves, results
// and calls say.
type function struct {
	*fileComparison
	name    string
	old, fn *ast.FuncDecl // the declaration around it, as it was and as it is; old is nil for a new one
	typ     *ast.FuncType
	body    *ast.BlockStmt // of the declaration, or of a literal in it
	helps   bool           // it is new, and does old work
}

// declarations pairs the functions of both versions, and what is in them.
func (f *fileComparison) declarations() {
	old := f.before.functions()
	for _, d := range f.after.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		b := &function{fileComparison: f, name: f.after.NameOf(fn), fn: fn, typ: fn.Type, body: fn.Body}
		if b.old = old[b.name]; b.old == nil {
			b.old = f.renamed(fn)
		}
		switch {
		case b.old == nil || b.old.Body == nil:
			b.old = nil
			f.work = true
		case match.FormOf(b.old.Body) == match.FormOf(fn.Body):
			f.Lists(b.old.Body.List, fn.Body.List)
			continue
		default:
			f.report.Changed = append(f.report.Changed, b.name)
			f.Lists(b.old.Body.List, fn.Body.List)
		}
		f.bodies = append(f.bodies, b)
	}
	f.otherDeclarations()
}

// renamed finds the old function that a new one is, under another name.
func (f *fileComparison) renamed(fn *ast.FuncDecl) *ast.FuncDecl {
	now := f.after.functions()
	for name, old := range f.before.functions() {
		if now[name] == nil && old.Body != nil && (old.Recv == nil) == (fn.Recv == nil) && match.FormOf(old.Body) == match.FormOf(fn.Body) {
			return old
		}
	}
	return nil
}

// otherDeclarations notes new types, fields and values: whatever they are for
// is work.
func (f *fileComparison) otherDeclarations() {
	forms := func(s source) (list []match.Form) {
		for _, d := range s.ast.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok != token.IMPORT {
				list = append(list, match.FormOf(g))
			}
		}
		return list
	}
	was := forms(f.before)
	f.work = f.work || slices.ContainsFunc(forms(f.after), func(g match.Form) bool { return !slices.Contains(was, g) })
}

// pairElsewhere pairs what is left of the old statements with new ones that stand
// elsewhere, or that do the same in a condition that was added.
func (c *comparison) pairElsewhere() {
	var old, now []ast.Stmt
	for _, b := range c.bodies {
		if b.old != nil {
			old = append(old, match.Statements(b.old.Body)...)
		}
		now = append(now, match.Statements(b.fn.Body)...)
	}
	c.Elsewhere(old, now)
	for _, b := range c.bodies {
		if b.old != nil {
			c.Within(simple(b.gone(b.old.Body)), c.conditional(b.fn.Body))
		}
	}
	c.Rest()
}

// simple are the statements that hold no others.
func simple(list []ast.Stmt) []ast.Stmt {
	return slices.DeleteFunc(list, func(s ast.Stmt) bool {
		switch s.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt:
			return false
		}
		return true
	})
}

// conditional are the simple statements in ifs that were added and do not leave.
func (c *comparison) conditional(body *ast.BlockStmt) []ast.Stmt {
	var list []ast.Stmt
	for n := range ast.Preorder(body) {
		g, ok := n.(*ast.IfStmt)
		if ok && g.Else == nil && c.Was[g] == nil && len(g.Body.List) > 0 && !match.IsLeave(g.Body.List[len(g.Body.List)-1]) {
			list = append(list, g.Body.List...)
		}
	}
	return simple(list)
}

// deletions says what is gone without anything in its place.
func (c *comparison) deletions() {
	for _, b := range c.bodies {
		if b.old == nil {
			continue
		}
		for _, s := range b.gone(b.old.Body) {
			b.deleted(s, b.answers(s))
		}
	}
}

func (b *function) deleted(s ast.Stmt, answered bool) {
	r, text := &b.report, match.Cut(b.before.code(s))
	switch {
	case b.again(s):
	case isOperation(s):
		r.Removed = true
		if r.Skips == "" && !b.work {
			r.Skips, r.Operation = "removes "+text, true
		}
	case answered || b.work:
	case r.Hides == "" && refusesInput(s):
		r.Hides = "removes " + text
	case r.Skips == "":
		r.Skips = "removes " + text
		_, r.Deleted = s.(*ast.ExprStmt)
	}
}

// gone are the statements of the old body that have no partner, without those in them,
// and without what only prints or jumps.
func (b *function) gone(body ast.Node) []ast.Stmt {
	var list []ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		for _, s := range match.ListOf(n) {
			if match.KindOf(s) == "clause" {
				continue
			}
			held := slices.ContainsFunc(match.Statements(s), func(in ast.Stmt) bool { return b.Now[in] != nil })
			if !held && !b.effectless(s) {
				list = append(list, s)
			}
		}
		s, ok := n.(ast.Stmt)
		return !ok || !slices.Contains(list, s)
	})
	return list
}

// answers reports whether something in the list that a statement is gone from was changed,
// or added, that can be in its place.
func (b *function) answers(gone ast.Stmt) bool {
	return slices.ContainsFunc(b.List[gone], func(s ast.Stmt) bool {
		old := b.Was[s]
		return old != nil && match.HeadForm(old) != match.HeadForm(s) && !match.Bare(s) || old == nil && b.refuses([]ast.Stmt{s})
	})
}

// again reports whether a statement that is gone stands elsewhere in other words:
// the same question, the same call, or the same value of a variable.
func (b *function) again(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		return b.refusedAgain(s) || s.Else == nil && b.heads[match.FormOf(s.Cond)] && !slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool { return !b.effectless(s) && !b.sets(s) })
	case *ast.ExprStmt:
		return b.values[match.FormOf(s.X)]
	case *ast.AssignStmt:
		id, ok := s.Lhs[0].(*ast.Ident)
		return ok && len(s.Rhs) == 1 && id.Name != "_" && match.WorkedOut(s.Rhs[0]) && b.values[match.FormOf(s.Rhs[0])]
	}
	return false
}

// refusedAgain reports whether a point leaves as an old if did, and asks about the same.
func (b *function) refusedAgain(old *ast.IfStmt) bool {
	if len(old.Body.List) == 0 {
		return false
	}
	exit := match.ExitKey(b.before.code(old.Body.List[len(old.Body.List)-1]))
	return slices.ContainsFunc(b.report.Points, func(p Point) bool {
		return p.Leaves != "" && match.ExitKey(p.Leaves) == exit && match.AsksAboutTheSame(p.When, b.before.code(old.Cond))
	})
}

// sets reports whether a statement only gives a value to what the new body gives one to,
// too.
func (b *function) sets(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || a.Tok == token.DEFINE {
		return false
	}
	target := match.FormOf(a.Lhs[0])
	return len(a.Lhs) == 1 && slices.ContainsFunc(match.Statements(b.fn.Body), func(s ast.Stmt) bool {
		now, ok := s.(*ast.AssignStmt)
		return ok && slices.ContainsFunc(now.Lhs, func(e ast.Expr) bool { return match.FormOf(e) == target })
	})
}

// refusesInput reports whether a statement panics by itself: without it nothing tells
// of the failure any more.
func refusesInput(s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		e, ok := n.(*ast.ExprStmt)
		found = found || ok && syntax.IsPanic(e)
		return !found
	})
	return found
}
