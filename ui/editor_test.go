package ui

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/ui/editor"
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
