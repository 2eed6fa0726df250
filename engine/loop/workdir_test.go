package loop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
)

func TestPackageDir(t *testing.T) {
	root := t.TempDir()
	here := filepath.Join(root, "cmd")
	for _, dir := range []string{"cmd/app", "store", "tools/gen"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ws := workspace.Workspace{Dir: here, Root: root, Modules: []workspace.Module{
		{Path: "example.org/shop", Dir: root, Main: true}, {Path: "example.org/shop/tools", Dir: filepath.Join(root, "tools")}}}
	for pkg, want := range map[string]string{
		".": "cmd", "./app": "cmd/app", "../store": "store", "..": ".", filepath.Join(root, "store"): "store",
		"example.org/shop/store": "store", "example.org/shop": ".", "example.org/shop/tools/gen": "tools/gen",
		"example.org/shopping": "cmd", "fmt": "cmd", "./nowhere": "cmd", "app/a_test.go app/b_test.go": "cmd/app", "a_test.go": "cmd",
	} {
		if got := PackageDir(ws, pkg); got != filepath.Join(root, want) {
			t.Errorf("%q is in %q, want %q", pkg, got, filepath.Join(root, want))
		}
	}
}

func TestABinaryRunsWhereThePersonStands(t *testing.T) {
	e := &Loop{Opts: options.Session{Target: options.Target{Dir: "/here", Mode: session.LaunchMode{Kind: session.ModeExec}}}, Workspace: workspace.Workspace{Dir: "/there/cmd/app"}}
	if got := e.WorkDir(); got != "/here" {
		t.Errorf("without --wd: %q", got)
	}
	e.Opts.Target.WorkDir = "sub"
	if got := e.WorkDir(); got != "/here/sub" {
		t.Errorf("with --wd sub: %q", got)
	}
}
