package editor

import (
	"slices"
	"testing"
)

func TestEditorsOpenALine(t *testing.T) {
	for ed, want := range map[string][]string{
		"vi": {"+7", "a.go"}, "/usr/bin/nvim": {"+7", "a.go"}, "emacsclient": {"+7", "a.go"}, "code": {"--wait", "--goto", "a.go:7"},
		"hx": {"a.go:7"}, "subl": {"a.go:7"}, "ed": {"a.go"},
	} {
		if got := editorArgs(ed, "a.go", 7); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", ed, got, want)
		}
	}
	if got := editorArgs("vi", "a.go", 0); !slices.Equal(got, []string{"a.go"}) {
		t.Errorf("without a line: %q", got)
	}
}
