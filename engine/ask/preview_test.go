package ask

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/llm"
)

// A prompt that was shown for a model on this machine may hold what is hidden
// from models elsewhere.
func TestAPromptShownForThisMachineStaysOnIt(t *testing.T) {
	t.Parallel()
	shown := &intent.Draft{Model: llm.Info{Name: "small"}, Edited: []llm.Message{{Role: "user", Text: "fix it"}}}
	q := &question{chain: &chain{round: 1, draft: shown}}
	err := q.compose(t.Context(), llm.Info{Name: "big", Remote: true}, nil)
	if err == nil || !strings.Contains(err.Error(), "not sent") {
		t.Errorf("got %v", err)
	}
	if err := q.compose(t.Context(), llm.Info{Name: "other"}, nil); err != nil {
		t.Error(err)
	}
}
