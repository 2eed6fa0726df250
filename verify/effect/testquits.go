package effect

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// QuitsTests says how an edit of a test file lets the test binary end before the
// tests do, when it may have said itself that they pass; empty when nothing does.
// What TestMain gives os.Exit is as a rule the result of the tests.
func QuitsTests(file, before, after string) string {
	was, now := parse(before), parse(after)
	if now.ast == nil {
		return ""
	}
	left := map[string]int{}
	if was.ast != nil {
		for _, q := range was.quits(nil, nil) {
			left[q.name]++
		}
	}
	if why := now.skipsTests(was); why != "" {
		return why + " (" + file + ")"
	}
	results := now.exitsWithResult()
	for _, q := range now.quits(nil, nil) {
		if q.name != "os.Exit" && !strings.HasPrefix(q.name, marking) && !strings.HasPrefix(q.name, "flag.") && q.name != "testing.Main" && q.name != "testing.Init" && !strings.HasPrefix(q.name, "syscall.") && !strings.HasPrefix(q.name, "unix.") || results[q.line] {
			continue
		}
		if left[q.name]--; left[q.name] < 0 {
			return fmt.Sprintf("can end the tests before they have run: %s (%s:%d)", q.name, file, q.line)
		}
	}
	return ""
}

// exitsWithResult are the lines of TestMain with os.Exit(m.Run()).
func (s source) exitsWithResult() map[int]bool {
	lines := map[int]bool{}
	if fn := s.function("TestMain"); fn != nil {
		for _, stmt := range fn.Body.List {
			if s.code(stmt) == "os.Exit("+parameter(fn)+".Run())" {
				lines[s.line(stmt)] = true
			}
		}
	}
	return lines
}

// skipsTests says that another TestMain than before may come to its end without
// the tests: it runs none on the way that every call takes, or leaves that way.
func (s source) skipsTests(before source) string {
	fn := s.function("TestMain")
	if fn == nil {
		return ""
	}
	if before.ast != nil {
		if was := before.function("TestMain"); was != nil && before.code(was) == s.code(fn) {
			return ""
		}
	}
	runs, leaves := false, false
	for _, stmt := range fn.Body.List {
		switch stmt.(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
			runs = runs || strings.Contains(s.code(stmt), parameter(fn)+".Run()")
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				leaves = true
			case *ast.BranchStmt:
				leaves = leaves || n.Tok == token.GOTO
			}
			return true
		})
	}
	if runs && !leaves {
		return ""
	}
	return "may end the tests before they have run: TestMain"
}

// parameter is the name of a function's only parameter; "_" without one.
func parameter(fn *ast.FuncDecl) string {
	if list := fn.Type.Params.List; len(list) == 1 && len(list[0].Names) == 1 {
		return list[0].Names[0].Name
	}
	return "_"
}
