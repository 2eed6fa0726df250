package ask

import (
	"testing"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/prompts"
)

func TestToolsAreOfferedWhereTheyHaveRoom(t *testing.T) {
	offers := prompts.Profile{Offers: []string{llm.Tools}}
	wants := prompts.Profile{Requires: prompts.Requirements{Capabilities: []string{llm.Tools}}}
	tools := []string{llm.Completion, llm.Tools}
	for name, c := range map[string]struct {
		p    prompts.Profile
		m    llm.Info
		want bool
	}{
		"a large model":               {offers, llm.Info{Context: 32768, Capabilities: tools}, true},
		"a context that is not known": {offers, llm.Info{Capabilities: tools}, true},
		"a small context":             {offers, llm.Info{Context: 8192, Capabilities: tools}, false},
		"a model without tools":       {offers, llm.Info{Context: 32768}, false},
		"a profile that wants it":     {wants, llm.Info{Context: 8192, Capabilities: tools}, true},
		"a profile that does not":     {prompts.Profile{}, llm.Info{Context: 32768, Capabilities: tools}, false},
	} {
		if got := probes(c.p, c.m); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
