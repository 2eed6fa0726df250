package subject

import (
	"errors"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestReasonsNameNoPathOfThisMachine: errors of the go command and of files.
func TestReasonsNameNoPathOfThisMachine(t *testing.T) {
	v := &Target{Subject{Workspace: workspace.Workspace{Root: "/home/a/shop"}}}
	for want, err := range map[string]error{
		"it does not build: shop.go:3:1: undefined: x":   &build.Error{Package: ".", Diagnostics: []build.Diagnostic{{File: "/home/a/shop/shop.go", Line: 3, Column: 1, Message: "undefined: x"}}},
		"make the probe's counters: open …: file exists": errors.New("make the probe's counters: open /tmp/pausetui-verify-1/2-c1/counters: file exists"),
		"read \"lib/a.go\": gone":                        errors.New("read \"/home/a/shop/lib/a.go\": gone"),
	} {
		if got := v.Reason(err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTheFirstThingATestSaid(t *testing.T) {
	v := &Target{}
	for output, want := range map[string]string{
		"    a_test.go:4: bad 1\n    a_test.go:5: bad 2\n": "a_test.go:4: bad 1",
		"got:\nx\nwant:\ny\n":                              "got: x want: y",
		"    a_test.go:9: \n\tError:\n\t\tNot equal\n":     "a_test.go:9: Error: Not equal",
		"\n\n":                   "",
		"\x1b[31mred\x1b[0m\n":   "red",
		strings.Repeat("x", 300): strings.Repeat("x", 200) + "…",
		"panic: boom [recovered]\n\tpanic: boom\n\nno goroutine here": "panic: boom [recovered]",
	} {
		if got := v.Message(output); got != want {
			t.Errorf("%q becomes %q, want %q", output, got, want)
		}
	}
}
