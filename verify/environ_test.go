package verify

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/verdict"
)

func TestVariablesThatTheProgramDoesNotNameAreWithheld(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"main.go": "package main\n\nvar dsn = os.Getenv(\"SHOP_DSN\")\n", "notes.txt": "CLOUD_KEY", ".hidden/x.go": "package x // CLOUD_KEY"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(root, "program") // of no known format: all of it counts
	if err := os.WriteFile(binary, []byte("…xSHOP_DEBUGy…"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=/bin", "LC_ALL=C", "SHOP_DSN=db", "SHOP_DEBUG=1", "CLOUD_KEY=k", "GIVEN=1", "ALLOWED_X=1", "REPLAY=1", "SSH_AUTH_SOCK=/run/s"}
	v := newRunner(Subject{Binary: binary,
		Workspace: workspace.Workspace{Root: root, Modules: []workspace.Module{{Path: "shop", Dir: root, Main: true}}},
		Run:       Run{Env: env, Given: []string{"GIVEN=1"}, Repro: repro.Plan{Command: "curl -d $REPLAY localhost"}}},
		Options{Allow: []string{verdict.AllowEnv + "ALLOWED_*"}})
	got, err := v.environment(t.Context(), env)
	if want := []string{"PATH=/bin", "LC_ALL=C", "SHOP_DSN=db", "SHOP_DEBUG=1", "GIVEN=1", "ALLOWED_X=1", "REPLAY=1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
	if names := v.withheld(); !slices.Equal(names, []string{"CLOUD_KEY", "SSH_AUTH_SOCK"}) {
		t.Errorf("withheld %q", names)
	}
}
