package effect

import (
	_ "embed"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/verify/instrument"
)

//go:embed tests.go.txt
var testsText string

var testsCounter = numbered(testsText)

// The files that are added to a package's tests, and to those of its external
// test package.
const (
	testsName    = "pausetui_marks_test.go"
	externalName = "pausetui_marks_counter_test.go"
)

// markMain marks that main has returned: its body becomes a function that main
// calls. It reports whether there is a main.
func markMain(s source, marks map[int]string) bool {
	fn := s.function("main")
	if fn == nil || s.ast.Name.Name != "main" {
		return false
	}
	begin, end := s.offset(fn.Body.Lbrace)+1, s.offset(fn.Body.Rbrace)
	marks[begin] = " pausetuiBegin(); func() { " + marks[begin]
	marks[end] += fmt.Sprintf(" }(); pausetuiMark(%d, false); ", Returns-FirstCount)
	return true
}

// markExits has each os.Exit that was there before note that it ends the program
// with 0. The one that main ends in counts as main's return. An exit whose status
// is computed first counts only after that.
func markExits(before, s source, marks map[int]string) {
	last := s.lastExit()
	left := map[string]int{}
	for name, calls := range before.exitCalls() {
		left[name] = len(calls)
	}
	for name, calls := range s.exitCalls() {
		if len(calls) > left[name] {
			continue // which of them is new is not known
		}
		for _, call := range calls {
			word, from, to := Exits, s.offset(call.Args[0].Pos()), s.offset(call.Args[0].End())
			if call == last {
				word = Returns
			}
			marks[from] += fmt.Sprintf("pausetuiExit(%d, ", word-FirstCount)
			marks[to] = ")" + marks[to]
		}
	}
}

// exitCalls are the calls of os.Exit by the functions that they are in; those of
// no function have none's name.
func (s source) exitCalls() map[string][]*ast.CallExpr {
	calls := map[string][]*ast.CallExpr{}
	for _, d := range s.ast.Decls {
		name := ""
		if fn, ok := d.(*ast.FuncDecl); ok {
			name = functionName(fn, s)
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && s.isExit(call) {
				calls[name] = append(calls[name], call)
			}
			return true
		})
	}
	return calls
}

func (s source) isExit(call *ast.CallExpr) bool {
	exit, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || exit.Sel.Name != "Exit" || len(call.Args) != 1 {
		return false
	}
	from, ok := exit.X.(*ast.Ident)
	return ok && s.file().Imports()[from.Name] == "os"
}

// lastExit is the os.Exit that main ends with; nil without one.
func (s source) lastExit() *ast.CallExpr {
	fn := s.function("main")
	if fn == nil || len(fn.Body.List) == 0 || s.ast.Name.Name != "main" {
		return nil
	}
	e, ok := fn.Body.List[len(fn.Body.List)-1].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	if call, ok := e.X.(*ast.CallExpr); ok && s.isExit(call) {
		return call
	}
	return nil
}

// MarkTests has a package's tests note that they have come to their end, and a
// test function of theirs that it has run: top, or any where top is empty. It
// returns the files for that, by their names, and which of the two are counted.
// tests are the package's test files. Their end is not counted where TestMain
// leaves it to others to run them.
func MarkTests(name, top string, tests map[string]string) (added map[string]string, ends, run bool) {
	added = map[string]string{}
	main := "" // the package of TestMain
	for file, text := range tests {
		s := parse(text)
		if s.ast == nil {
			continue
		}
		marks := map[int]string{}
		if s.function("TestMain") != nil {
			main, ends = s.ast.Name.Name, markTestMain(s, marks)
		}
		run = markTest(s, top, marks) || run
		if len(marks) > 0 {
			added[file] = instrument.Insert(text, marks)
			addCounter(added, s.ast.Name.Name)
		}
	}
	runs := testsCounter
	if main == "" {
		main, ends = name, true
		runs += "\nfunc TestMain(m *testing.M) { pausetuiRun(m).Run() }\n"
	}
	if ends {
		added[testsName] = "package " + main + "\n" + runs
		addCounter(added, main)
	}
	return added, ends, run
}

// MarkTest has a test function of a file note that it has come to its end, and
// returns the files for that, by their names; nil without that function.
func MarkTest(file, text, name string) map[string]string {
	s, marks := parse(text), map[int]string{}
	if s.ast == nil || !markTest(s, name, marks) {
		return nil
	}
	return map[string]string{file: instrument.Insert(text, marks), externalName: "package " + s.ast.Name.Name + "\n" + counter}
}

// addCounter adds the counters to a package.
func addCounter(added map[string]string, name string) {
	file := counterName
	if strings.HasSuffix(name, "_test") {
		file = externalName
	}
	added[file] = "package " + name + "\n" + counter
}

// markTest marks where the test of a name ends, or where each does without one.
// It reports whether there is one.
func markTest(s source, top string, marks map[int]string) (found bool) {
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || top != "" && fn.Name.Name != top {
			continue
		}
		if failed := s.failed(fn); failed != "" {
			marks[s.offset(fn.Body.Lbrace)+1] += " defer pausetuiTested(" + failed + "); "
			found = true
		}
	}
	return found
}

// failed is what tells whether a test function has failed, or nil of one that
// cannot tell; empty for what is none.
func (s source) failed(fn *ast.FuncDecl) string {
	list := fn.Type.Params.List
	switch {
	case len(list) == 0 && strings.HasPrefix(fn.Name.Name, "Example"):
		return "nil"
	case len(list) != 1 || !slices.Contains([]string{"*testing.T", "*testing.F", "*testing.B"}, s.code(list[0].Type)):
		return ""
	case parameter(fn) == "_":
		return "nil"
	}
	return parameter(fn) + ".Failed"
}

// markTestMain marks where TestMain runs the tests. It reports whether it does.
func markTestMain(s source, marks map[int]string) bool {
	fn := s.function("TestMain")
	m, found := parameter(fn), false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if run, ok := n.(*ast.SelectorExpr); ok && s.code(run) == m+".Run" {
			from, to := s.offset(run.X.Pos()), s.offset(run.X.End())
			marks[from], marks[to] = marks[from]+"pausetuiRun(", ")"+marks[to]
			found = true
		}
		return true
	})
	return found
}

// function finds a function with a body that is no method.
func (s source) function(name string) *ast.FuncDecl {
	for _, d := range s.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && fn.Recv == nil && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}

// DeclaresMain reports whether a Go file declares a program's main.
func DeclaresMain(text string) bool {
	s := parse(text)
	return s.ast != nil && s.ast.Name.Name == "main" && s.function("main") != nil
}

// CallsExit reports whether a Go file calls os.Exit.
func CallsExit(text string) bool {
	s := parse(text)
	return s.ast != nil && len(s.exitCalls()) > 0
}
