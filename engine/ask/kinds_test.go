package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/agent"
	"github.com/pausetui/pausetui/engine/hooks"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/session"
)

func TestFailedQuestionsHaveNames(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		err  error
		want session.Failed
	}{
		{fmt.Errorf("asked twice, the %w", errUnusable), session.FailedUnusable},
		{agent.ErrNoAnswer, session.FailedUnusable},
		{fmt.Errorf("%w: no idea", agent.ErrGaveUp), session.FailedGaveUp},
		{errors.New("connection refused"), session.FailedProvider},
		{context.DeadlineExceeded, session.FailedProvider},
		{errElsewhere, session.FailedRefused},
		{errDeclined, session.FailedRefused},
		{notAsked(hooks.Decision{Refuse: "no"}), session.FailedRefused},
		{fmt.Errorf("ask: %w", context.Canceled), session.FailedAborted},
		{ErrWentOn, session.FailedAborted},
		{loop.LimitError("stopped: 3 rounds used"), session.FailedLimit},
	} {
		if got := FailedKind(one.err); got != one.want {
			t.Errorf("%v is %q, want %q", one.err, got, one.want)
		}
	}
}

// A script is kept in the log as it was written, up to 4 kB; other arguments are lines.
func TestScriptsAreKeptWhole(t *testing.T) {
	t.Parallel()
	code := "x = 1\n" + strings.Repeat("print(x) # a comment\n", 100)
	got := probeArguments(map[string]any{agent.ScriptCode: code, "expr": strings.Repeat("y", 300)})
	if got[agent.ScriptCode] != code || len(got["expr"]) > 240 || !strings.Contains(got["expr"], "[… 100 bytes left out]") {
		t.Errorf("kept %q", got)
	}
	if got := probeArguments(map[string]any{agent.ScriptCode: strings.Repeat("z", 9000)}); len(got[agent.ScriptCode]) > maxProbe+50 {
		t.Errorf("kept %d bytes", len(got[agent.ScriptCode]))
	}
}
