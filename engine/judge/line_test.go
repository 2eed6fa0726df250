package judge

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
)

// The line that failed is where the fix has left it, or where the fix leaves before it.
func TestWhereARestartPassesTheFailingLine(t *testing.T) {
	const source = `package p

func get(xs []int, i int) int {
	if i < 0 {
		panic("negative")
	}
	return xs[i]
}

func must(i int) {
	panic("never")
}
`
	dir := t.TempDir()
	testsupport.Write(t, filepath.Join(dir, "a.go"), source)
	for name, tt := range map[string]struct {
		line     int
		old, now string
		want     []int
		class    debugger.Class
	}{
		"elsewhere":           {line: 7, want: []int{7}},
		"further down":        {line: 7, old: "package p\n", now: "package p\n\n// A comment.\n", want: []int{9}},
		"behind a guard":      {line: 7, old: "\treturn xs[i]", now: "\tif i >= len(xs) {\n\t\treturn 0\n\t}\n\treturn xs[i]", want: []int{10, 8}},
		"changed":             {line: 7, old: "xs[i]", now: "xs[i-1]", want: []int{7}},
		"a call of panic":     {line: 5, want: []int{4}},
		"that nothing avoids": {line: 11},
		"no statement":        {line: 7, class: debugger.Deadlock},
	} {
		stop := crashStop("x")
		stop.Frames, stop.Selected = []debugger.Frame{{File: filepath.Join(dir, "a.go"), Line: tt.line}}, 0
		if tt.class != "" {
			stop.Panic.Class = tt.class
		}
		edits := []patch.Edit{{File: "a.go", Before: source, After: strings.Replace(source, tt.old, tt.now, 1)}}
		if tt.old == "" {
			edits = nil
		}
		var lines []int
		for _, at := range failingLine(workspace.Workspace{Root: dir}, stop, edits) {
			lines = append(lines, at.Line)
		}
		if !slices.Equal(lines, tt.want) {
			t.Errorf("%s: lines %v", name, lines)
		}
	}
}
