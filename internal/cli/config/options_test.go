package config

import (
	"errors"
	"testing"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestOptionsOfConfig(t *testing.T) {
	if o, err := clitest.Parse(t, New, "--json"); err != nil || !o.AsJSON {
		t.Errorf("config: %+v, %v", o, err)
	}
}

// The commands look at the system that they are given, not at the process.
func TestConfigOfSystem(t *testing.T) {
	sys := clitest.System(t, config.Config{})
	sys.Config = func(string) (config.Config, error) { return config.Config{}, errors.New("a mistake") }
	c := New(sys, nil)
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{})
	if err := c.Execute(); err == nil || err.Error() != "a mistake" {
		t.Errorf("config: %v", err)
	}
}
