package probe

import (
	_ "embed"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Size is the size of the shared memory that the program counts in, in bytes.
const Size = 4096

// The words of the shared memory, 8 bytes each, in the machine's byte order.
const (
	Entered = 0 // how often the function was entered
	Passed  = 1 // how often its latest call came past the site
	Hit     = 2 // the token once the call and the passage after Goal were reached
	Panics  = 3 // how often a panic left the function
	// Of the first of these: the line in the function, the number of the call,
	// and how often that call had come past the site.
	PanicLine   = 4
	PanicCall   = 5
	PanicPassed = 6
	Ran         = 7 // the token once the statement itself has run to its end after Goal
)

// Goal is what a run has to get past: the state of the counters when the
// control crashed.
type Goal struct{ Entered, Passed uint64 }

//go:embed counter.go.txt
var counter string

// Instrument adds counters to the function of the site. Everything is put on
// lines that exist.
func Instrument(source string, s Site) (string, error) {
	f, err := parse(source)
	if err != nil {
		return "", err
	}
	block := f.block(s)
	if block == nil {
		return "", fmt.Errorf("probe %q: %w", s.Name, ErrNoFunction)
	}
	marks := map[int]string{f.Offset(block.Lbrace) + 1: "pausetuiCall, pausetuiReturns := pausetuiProbeEnter(), false; defer pausetuiProbeLeave(pausetuiCall, &pausetuiReturns); "}
	const pass, ran = "pausetuiProbePass(pausetuiCall)", "pausetuiProbeRan(pausetuiCall)"
	for _, list := range blocksOf(block) {
		for _, stmt := range list {
			switch text := f.key(stmt); {
			case text == s.Faulting:
				f.after(marks, stmt, ran)
			case slices.Contains(s.Following, text):
				marks[f.Offset(stmt.Pos())] += pass + "; "
			}
		}
	}
	return instrument.Insert(source, marks), nil
}

// block finds the body of the site's function, as it is now.
func (f file) block(s Site) *ast.BlockStmt {
	for _, fn := range f.Declared() {
		if !s.in(fn) {
			continue
		}
		if lits := literals(fn); s.Literal > 0 && s.Literal <= len(lits) {
			return lits[s.Literal-1].Body
		}
		return fn.Body
	}
	return nil
}

// after marks the places that are reached once the statement did its work.
func (f file) after(marks map[int]string, s ast.Stmt, pass string) {
	switch s := s.(type) {
	case *ast.ReturnStmt: // it has run once the call is left, unless by a panic
		marks[f.Offset(s.Pos())] += "pausetuiReturns = true; "
	case *ast.IfStmt:
		marks[f.Offset(s.Body.Lbrace)+1] += pass + "; "
	case *ast.ForStmt:
		marks[f.Offset(s.Body.Lbrace)+1] += pass + "; "
	case *ast.RangeStmt:
		marks[f.Offset(s.Body.Lbrace)+1] += pass + "; "
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.DeclStmt, *ast.DeferStmt, *ast.GoStmt:
		if !syntax.IsPanic(s) { // what follows it would make a function without a return fail to build
			marks[f.Offset(s.End())] += "; " + pass
		}
	}
}

// Counter returns the file that goes into the package of the site's function,
// at path, next to it. It counts in the memory of the program's file 3, and closes
// that: what the program writes there itself must not count. Nor does it know
// the token, which stands for having come past the site.
func Counter(source, path string, s Site, g Goal, token uint64) (string, error) {
	f, err := parse(source)
	if err != nil {
		return "", err
	}
	block := f.block(s)
	if block == nil {
		return "", fmt.Errorf("probe %q: %w", s.Name, ErrNoFunction)
	}
	first, last := f.Line(block.Pos()), f.Line(block.End())
	text := strings.NewReplacer("PACKAGE", f.AST.Name.Name, "ENTERED", fmt.Sprint(g.Entered), "PASSED", fmt.Sprint(g.Passed), "TOKEN", fmt.Sprint(token),
		"FIRST", fmt.Sprint(first), "LAST", fmt.Sprint(last), "FILE", fmt.Sprintf("%q", "/"+filepath.Base(path))).Replace(counter)
	return text, nil
}

// CounterName returns the name of that file: tests have their own package.
func CounterName(file string) string {
	if strings.HasSuffix(file, "_test.go") {
		return "pausetui_probe_counter_test.go"
	}
	return "pausetui_probe_counter.go"
}
