package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
)

// What comes from something with the name of a secret is not shown under another name.
func TestHistoriesForAgentsHoldNoSecret(t *testing.T) {
	screen := prompts.NewScreen(redact.New(redact.Settings{}, nil))
	for text, shown := range map[string]bool{"i := password": false, `n = m["api_key"]`: false, "i := len(list)": true, "pin = c.secretKey[0": false} {
		h := evidence.History{Expr: "n", Value: "4711", Rows: []evidence.HistoryRow{{Kind: "set", Value: "4711", Text: "n := pick()"}, {Kind: "set", Value: "12", Text: text}}}
		got := historyText(screen, h)
		if strings.Contains(got, "4711") != shown || strings.Contains(got, "12") != shown || !strings.Contains(got, "n is ") {
			t.Errorf("%s: %s", text, got)
		}
	}
}
