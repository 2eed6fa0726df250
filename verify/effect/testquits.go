package effect

import (
	"fmt"
	"go/ast"
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
	results := now.exitsWithResult()
	for _, q := range now.quits(nil, nil) {
		if q.name != "os.Exit" && q.name != "testing.Main" && !strings.HasPrefix(q.name, "syscall.") && !strings.HasPrefix(q.name, "unix.") || results[q.line] {
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
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Name.Name != "TestMain" || fn.Body == nil {
			continue
		}
		for _, stmt := range fn.Body.List {
			if text := s.code(stmt); strings.HasPrefix(text, "os.Exit(") && strings.HasSuffix(text, ".Run())") {
				lines[s.line(stmt)] = true
			}
		}
	}
	return lines
}
