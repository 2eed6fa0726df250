package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/debugger"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestModuleWinsOverUser(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	xdg.Reload()
	put(t, filepath.Join(home, "pausetui", "config.toml"), "[profiles.default]\nmodel = \"ollama/a\"\n[profiles.big]\nmodel = \"ollama/b\"\n")
	put(t, filepath.Join(root, ".pausetui", "config.toml"), "[profiles.default]\nmodel = \"ollama/c\"\ntemperature = 0.7\n")
	c, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Profiles["default"]; p.Model != "ollama/c" || p.Temperature != 0.7 || !strings.HasPrefix(p.Source, root) {
		t.Errorf("default = %+v", p)
	}
	if c.Profiles["big"].Model != "ollama/b" {
		t.Errorf("big = %+v", c.Profiles["big"])
	}
}

func TestMistakesAreNamed(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	root := t.TempDir()
	file := filepath.Join(root, ".pausetui", "config.toml")
	put(t, file, "[profiles.x]\nmodl = \"a\"\n")
	_, err := Load(root)
	if err == nil || !strings.Contains(err.Error(), file+":2") || !strings.Contains(debugger.HintOf(err), `"model"`) {
		t.Errorf("err = %v, hint = %q", err, debugger.HintOf(err))
	}
	put(t, file, "[profiles.x\n")
	if _, err := Load(root); err == nil || !strings.Contains(err.Error(), file+":1") {
		t.Errorf("err = %v", err)
	}
}
