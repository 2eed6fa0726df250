package models

import (
	"slices"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestOptionsOfModels(t *testing.T) {
	list, err := clitest.Parse(t, newList, "--json", "--refresh")
	if err != nil || !list.AsJSON || !list.refresh {
		t.Errorf("models list: %+v, %v", list, err)
	}
	show, err := clitest.Parse(t, newShow, "ollama/a")
	if err != nil || show.AsJSON || show.name != "ollama/a" {
		t.Errorf("models show: %+v, %v", show, err)
	}
	pull, err := clitest.Parse(t, newPull, "qwen:7b")
	if err != nil || pull.id != "ollama/qwen:7b" {
		t.Errorf("models pull: %+v, %v", pull, err)
	}
	probe, err := clitest.Parse(t, newProbe, "a", "b")
	if err != nil || !slices.Equal(probe.names, []string{"a", "b"}) {
		t.Errorf("models probe: %+v, %v", probe, err)
	}
}
