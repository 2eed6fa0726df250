package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/hide"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/history"
)

// historyOf is the tool that tells how a value got where it is.
const historyOf = "history"

func historyTool() Tool {
	return Tool{historyOf, "Tells how a value got where it is at the crash: who set it, returned it or passed it, where, on which goroutine and when. The program runs once more in the sandbox, beside the paused one. Values are shown as far as they are nil, numbers or sizes.",
		map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
			"expr":  map[string]any{"type": "string", "description": "a variable, a field, an element or an entry of a map, without calls, as x.conn; the value that made the program panic when left out"},
			"frame": map[string]any{"type": "integer", "minimum": 0, "description": "the frame that it is of; the one to blame when left out"},
		}}}
}

// historyFor carries the tool out.
func (e *Engine) historyFor(ctx context.Context, screen *prompts.Screen, c evidence.Case, arguments map[string]any) (string, error) {
	expr, _ := arguments["expr"].(string)
	if expr != "" {
		if err := e.Unseen(expr); err != nil {
			return "", errors.New(screen.Plain(err.Error()))
		}
	}
	rec, ok := e.State().CurrentStop()
	if !ok || rec.Stop.Panic == nil {
		return "", errors.New("the program is not held at a crash")
	}
	at := debugger.FrameRef{Goroutine: rec.Stop.Goroutine, Frame: rec.Stop.Panic.Culprit}
	if n, ok := arguments["frame"].(float64); ok {
		at.Frame = int(n)
	}
	q, err := e.whyOf(ctx, at, expr)
	if q.Exact = true; err == nil && q.Expr == "" {
		err = history.ErrValue
	}
	if err == nil {
		err = notOfSecret(ctx, screen.Guarded(c), at, q.Expr)
	}
	if err != nil {
		return "", errors.New(screen.Plain(err.Error()))
	}
	v, err := e.verifierNow(ctx)
	if err != nil {
		return "", err
	}
	if !e.asideMu.TryLock() {
		return "", errAside
	}
	defer e.asideMu.Unlock()
	h, err := v.Why(ctx, q, false)
	if err != nil {
		return "", errors.New(screen.Plain(err.Error()))
	}
	return screen.Plain(historyText(screen, h)), nil
}

// notOfSecret refuses an expression that is a secret in the paused program, or is chosen by
// one: list[key[0]].
func notOfSecret(ctx context.Context, c evidence.Case, at debugger.FrameRef, expr string) error {
	if c.Inspect == nil {
		return debugger.ErrGone
	}
	v, err := c.Inspect.Evaluate(ctx, at, expr)
	if err == nil && (v.Value == hide.OnlyHere || redact.IsHidden(v.Value)) {
		return fmt.Errorf("%s is a secret, or is taken from one", expr)
	}
	return nil // a value that cannot be read has a history
}

// historyText is a history without what may be a secret in its values. One that comes from
// something with the name of a secret is a secret, whatever it is.
func historyText(screen *prompts.Screen, h evidence.History) string {
	h = h.WithoutValues()
	if slices.ContainsFunc(h.Rows, func(r evidence.HistoryRow) bool { return screen.Mentions(r.Text) }) {
		h = h.Untold()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nthe newest first:\n", h.Sentence())
	if h.OtherRun != "" {
		fmt.Fprintln(&b, h.OtherRun)
	}
	b.WriteString(h.Listing())
	for _, g := range h.Gaps {
		fmt.Fprintln(&b, g)
	}
	return b.String()
}
