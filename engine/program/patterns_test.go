package program

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/source/workspace"
)

func TestPatternsOfDirectories(t *testing.T) {
	ws := workspace.Workspace{Dir: "/src/app/cmd", Root: "/src/app", Modules: []workspace.Module{{Path: "example.org/app", Dir: "/src/app"}}}
	got := strings.Join(importPatterns(ws, []string{"./...", "../internal/...", ".", "encoding/json", "../../other"}), " ")
	if want := "example.org/app/cmd/... example.org/app/internal/... example.org/app/cmd encoding/json ../../other"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
