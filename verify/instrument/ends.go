package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/syntax"
)

// Main counts that main returns: its body becomes a function that main calls. It
// reports whether there is a main.
func (s *Source) Main() bool {
	if !hasMain(s.File) {
		return false
	}
	body := s.Function("main").Body
	s.PutFirst(s.Offset(body.Lbrace)+1, " pausetuiBegin(); func() { ")
	s.Put(s.Offset(body.Rbrace), " }(); "+mark(Returns, false)+"; ")
	return true
}

func hasMain(f *syntax.File) bool { return f.AST.Name.Name == "main" && f.Function("main") != nil }

// Exits has each os.Exit that was there before note that it ends the program
// with 0. The one that main ends in counts as main's return. An exit whose status
// is computed first counts only after that. One with another status was not there.
func (s *Source) Exits(before *syntax.File) {
	was, last := exitCalls(before), token.NoPos
	if hasMain(s.File) {
		if list := s.Function("main").Body.List; len(list) > 0 {
			last = list[len(list)-1].Pos()
		}
	}
	for which, calls := range exitCalls(s.File) {
		if len(calls) > len(was[which]) {
			continue // which of them is new is not known
		}
		for _, call := range calls {
			point := Exits
			if call.Pos() == last {
				point = Returns
			}
			s.wrap(call.Args[0], fmt.Sprintf("pausetuiExit(%d, ", point), ")")
		}
	}
}

// exit is what tells calls of os.Exit apart: the function that it is in, empty
// without one, and the status.
type exit struct{ function, status string }

func exitCalls(f *syntax.File) map[exit][]*ast.CallExpr {
	calls, imports := map[exit][]*ast.CallExpr{}, f.Imports()
	for _, d := range f.AST.Decls {
		name := ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			name = f.NameOf(fn)
		}
		for call := range syntax.All[*ast.CallExpr](d) {
			if fn, ok := call.Fun.(*ast.SelectorExpr); ok && fn.Sel.Name == "Exit" && len(call.Args) == 1 {
				if from, ok := fn.X.(*ast.Ident); ok && imports[from.Name] == "os" {
					which := exit{name, f.ExitStatus(call)}
					calls[which] = append(calls[which], call)
				}
			}
		}
	}
	return calls
}

// Tests has a package's tests note that they have come to their end, and a test
// function of theirs that it has run: top, or any where top is empty. It returns the
// files for that, by their names, and which of the two are counted. tests are the
// package's test files. Their end is not counted where TestMain leaves it to others to
// run them.
func Tests(name, top string, tests map[string]string) (added Overlay, ends, run bool) {
	added = Overlay{}
	main := "" // the package of TestMain
	for file, text := range tests {
		s := Parse(text)
		if s == nil {
			continue
		}
		if s.Function("TestMain") != nil {
			main, ends = s.AST.Name.Name, s.testMain()
		}
		run = s.test(top) || run
		if s.IsMarked() {
			added.Add(file, s)
		}
	}
	runs := testsText
	if main == "" {
		main, ends = name, true
		runs += "\nfunc TestMain(m *testing.M) { pausetuiRun(m).Run() }\n"
	}
	if ends {
		added[testsName] = "package " + main + "\n" + expand(runs, nil)
		added.count(testsName, main)
	}
	return added, ends, run
}

// Test has a test function of a file note that it has come to its end, and returns the
// files for that, by their names; nil without that function.
func Test(file, text, name string) Overlay {
	s := Parse(text)
	if s == nil || !s.test(name) {
		return nil
	}
	added := Overlay{}
	added.Add(file, s)
	return added
}

// test marks where the test of a name ends, or where each does without one. It reports
// whether there is one.
func (s *Source) test(top string) (found bool) {
	for _, fn := range s.Declared() {
		if fn.Recv != nil || top != "" && fn.Name.Name != top {
			continue
		}
		if tells := failed(s.File, fn); tells != "" {
			s.Put(s.Offset(fn.Body.Lbrace)+1, " defer pausetuiTested("+tells+"); ")
			found = true
		}
	}
	return found
}

// failed is what tells whether a test function has failed, or nil of one that
// cannot tell; empty for what is none.
func failed(f *syntax.File, fn *ast.FuncDecl) string {
	list := fn.Type.Params.List
	switch {
	case len(list) == 0 && strings.HasPrefix(fn.Name.Name, "Example"):
		return "nil"
	case len(list) != 1 || !slices.Contains([]string{"*testing.T", "*testing.F", "*testing.B"}, f.Code(list[0].Type)):
		return ""
	case syntax.Parameter(fn) == "_":
		return "nil"
	}
	return syntax.Parameter(fn) + ".Failed"
}

// testMain marks where TestMain runs the tests. It reports whether it does.
func (s *Source) testMain() (found bool) {
	fn := s.Function("TestMain")
	for run := range syntax.All[*ast.SelectorExpr](fn.Body) {
		if s.Code(run) == syntax.Parameter(fn)+".Run" {
			s.wrap(run.X, "pausetuiRun(", ")")
			found = true
		}
	}
	return found
}

// Ends reports whether a Go file declares a program's main or calls os.Exit.
func Ends(text string) bool {
	f := syntax.Parse(text)
	return f != nil && (hasMain(f) || len(exitCalls(f)) > 0)
}
