package prompts

import (
	"slices"
	"testing"

	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestOptionsOfPrompts(t *testing.T) {
	check, err := clitest.Parse(t, newCheck, "--json", "a.md")
	if err != nil || !check.AsJSON || !slices.Equal(check.files, []string{"a.md"}) {
		t.Errorf("prompts check: %+v, %v", check, err)
	}
	render, err := clitest.Parse(t, newRender, "--without", "a,b", "--stop", "2", "minimal")
	if err == nil {
		t.Errorf("prompts render takes sections that there are not: %+v", render)
	}
	render, err = clitest.Parse(t, newRender, "--sections", "--stop", "2", "minimal")
	if err != nil || render.name != "minimal" || render.stop != 2 || !render.sections {
		t.Errorf("prompts render: %+v, %v", render, err)
	}
}
