package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/ui/preferences"
)

// TestScreensHaveTheThemeOfTheDebugger: the one that was chosen there last, where the
// configuration names none.
func TestScreensHaveTheThemeOfTheDebugger(t *testing.T) {
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	if choice, dark := ScreenTheme(config.Config{}); choice.Name != "" || dark != nil {
		t.Errorf("without a choice: %+v, %v", choice, dark)
	}
	if err := os.MkdirAll(filepath.Dir(preferences.Path()), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(preferences.Path(), []byte(`{"theme": "nord", "background": "light"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if choice, dark := ScreenTheme(config.Config{}); choice.Name != "nord" || dark == nil || *dark {
		t.Errorf("as it was chosen: %+v, %v", choice, dark)
	}
	var c config.Config
	c.Theme.Name, c.Theme.Background = "gruvbox", "dark"
	if choice, dark := ScreenTheme(c); choice.Name != "gruvbox" || dark == nil || !*dark {
		t.Errorf("as it is configured: %+v, %v", choice, dark)
	}
}
