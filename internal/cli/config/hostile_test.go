package config

import (
	"io"
	"testing"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestSettingsAreHarmless(t *testing.T) {
	clitest.Harmless(t, 2, func(w io.Writer, words string) {
		c := config.Defaults()
		c.Formats[words] = "hex"
		c.Note("formats."+words, words)
		_ = printSettings(w, c, "/")
	})
}
