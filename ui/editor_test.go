package ui

import (
	"github.com/pausetui/pausetui/ui/editor"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The key that edits a line opens that of the cursor in the source, and that of the
// selected frame elsewhere.
func TestTheLineThatIsEdited(t *testing.T) {
	index, main := filepath.Join(root(), "index.go"), filepath.Join(root(), "main.go")
	for _, c := range []struct {
		keys []string
		file string
		line int
	}{
		{[]string{"1"}, index, 43}, {[]string{"1", "k", "k"}, index, 41}, {[]string{"2", "j"}, index, 27}, {[]string{"2", "j", "j"}, main, 15},
		{[]string{"4"}, index, 43}, {[]string{"2", "j", "4"}, index, 27},
	} {
		s := play(t, sceneStopped(), 120, 36)
		s.press(c.keys...)
		if file, line, ok := s.editor.LineToEdit(); !ok || file != c.file || line != c.line {
			t.Errorf("%q: %s:%d, want %s:%d", c.keys, file, line, c.file, c.line)
		}
	}
}

func TestEditorsOpenALine(t *testing.T) {
	for ed, want := range map[string][]string{
		"vi": {"+7", "a.go"}, "/usr/bin/nvim": {"+7", "a.go"}, "emacsclient": {"+7", "a.go"}, "code": {"--wait", "--goto", "a.go:7"},
		"hx": {"a.go:7"}, "subl": {"a.go:7"}, "ed": {"a.go"},
	} {
		if got := editor.EditorArgs(ed, "a.go", 7); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", ed, got, want)
		}
	}
	if got := editor.EditorArgs("vi", "a.go", 0); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("without a line: %q", got)
	}
}

// After an edit of the source one key builds and runs to the same stop.
func TestAnEditLeadsToTheSameStop(t *testing.T) {
	for scene, want := range map[string]string{"stopped": "r builds and runs to this stop again, with the same input", "broken": "r builds again"} {
		s := play(t, scenes()[scene](), 120, 36)
		s.send(editor.EditDoneMsg{Editing: editor.Editing{Path: "index.go"}})
		if !strings.Contains(s.screenText(), want) {
			t.Errorf("%s: %q is not said:\n%s", scene, want, s.screenText())
		}
	}
}
