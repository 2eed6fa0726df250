package workspace

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestDoubt(t *testing.T) {
	dir := t.TempDir()
	source := `package main

import "strings"

var total int

func count(words []string, limit int) (n int, err error) {
	for i, w := range words {
		if strings.HasPrefix(w, "x") {
			n += i
		}
	}
	return n, err
}

func main() { total, _ = count(nil, total) }
`
	testsupport.Files(t, dir, map[string]string{"go.mod": "module example.org/doubt\n\ngo 1.26\n", "main.go": source})
	ws, err := Find(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	code, err := ws.Load(t.Context(), LoadSpec{Dir: ws.Dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(ws.Dir, "main.go")
	for _, c := range []struct {
		line int
		expr string
		want string // a part of the doubt; empty for none
	}{
		{10, "i == 3 && len(w) > limit", ""},
		{10, "total > 2", ""},
		{10, "strings.maxInt > 2", ""},                // the debugger may know it
		{10, "runtime.curg.goid == 7 && AX != 0", ""}, // and these
		{10, "n", "its type is int, not bool"},
		{10, "nothere > 1", "there is no nothere on line 10"},
		{13, "i == 3", "there is no i on line 13"},
		{10, "i ==", "expected operand"},
		{16, "w == nil", "there is no w on line 16"},
		{99, "w == nil", ""}, // nowhere
	} {
		got := code.Doubt(file, c.line, c.expr, true)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("line %d, %s: %q, want %q", c.line, c.expr, got, c.want)
		}
	}
	if got := code.Doubt(file, 10, "n", false); got != "" {
		t.Errorf("an int may be printed: %q", got)
	}
}
