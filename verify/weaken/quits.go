package weaken

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/syntax"
)

// Quits says how an edit of a test file lets the test binary end before the
// tests do, when it may have said itself that they pass; empty when nothing does.
// What TestMain gives os.Exit is as a rule the result of the tests.
func Quits(file, before, after string) string {
	was, now := syntax.Parse(before), syntax.Parse(after)
	if now == nil {
		return ""
	}
	left := map[string]int{}
	if was != nil {
		for _, q := range quits.Find(was, nil, nil, quits.Aliases{}) {
			left[q.Name]++
		}
	}
	if why := skipsTests(was, now); why != "" {
		return why + " (" + file + ")"
	}
	results := exitsWithResult(now)
	for _, q := range quits.Find(now, nil, nil, quits.Aliases{}) {
		if q.Name != "os.Exit" && !strings.HasPrefix(q.Name, quits.Marking) && !strings.HasPrefix(q.Name, "flag.") && q.Name != "testing.Main" && q.Name != "testing.Init" && !strings.HasPrefix(q.Name, "syscall.") && !strings.HasPrefix(q.Name, "unix.") || results[q.Line] {
			continue
		}
		if left[q.Name]--; left[q.Name] < 0 {
			return fmt.Sprintf("can end the tests before they have run: %s (%s:%d)", q.Name, file, q.Line)
		}
	}
	return ""
}

// exitsWithResult are the lines of TestMain with os.Exit(m.Run()).
func exitsWithResult(s *syntax.File) map[int]bool {
	lines := map[int]bool{}
	if fn := s.Function("TestMain"); fn != nil {
		for _, stmt := range fn.Body.List {
			if s.Code(stmt) == "os.Exit("+syntax.Parameter(fn)+".Run())" {
				lines[s.Line(stmt.Pos())] = true
			}
		}
	}
	return lines
}

// skipsTests says that another TestMain than before may come to its end without
// the tests: it runs none on the way that every call takes, or leaves that way.
func skipsTests(before, s *syntax.File) string {
	fn := s.Function("TestMain")
	if fn == nil {
		return ""
	}
	if before != nil {
		if was := before.Function("TestMain"); was != nil && before.Code(was) == s.Code(fn) {
			return ""
		}
	}
	runs, leaves := false, false
	for _, stmt := range fn.Body.List {
		switch stmt.(type) {
		case *ast.ExprStmt, *ast.AssignStmt:
			runs = runs || strings.Contains(s.Code(stmt), syntax.Parameter(fn)+".Run()")
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
