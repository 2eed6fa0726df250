package doctor

import (
	"errors"
	"testing"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestOptionsOfDoctor(t *testing.T) {
	if o, err := clitest.Parse(t, New, "--json"); err != nil || !o.AsJSON {
		t.Errorf("doctor: %+v, %v", o, err)
	}
}

// doctor looks at the system that it is given, not at the process.
func TestTheConfigurationIsThatOfTheSystem(t *testing.T) {
	sys := clitest.System(t, config.Config{})
	sys.Config = func(string) (config.Config, error) { return config.Config{}, errors.New("a mistake") }
	if f := (machine{sys}).lookAtConfig(t.Context()); f.Level != Bad || f.Found != "a mistake" {
		t.Errorf("doctor: %+v", f)
	}
}
