package subject

import (
	"errors"

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
