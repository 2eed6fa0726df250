package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Bounds of what is read for one answer.
const (
	maxFrames     = 60
	maxGoroutines = 1000
	maxNumbers    = 5 // goroutines of a group that are named
)

func (t *Tools) stack(ctx context.Context, a args) (string, error) {
	if t.c.Inspect == nil {
		return t.redact(t.calls(t.c.Stop.Frames, t.c.Stop.MoreFrames, a.is("all"))), nil
	}
	g := debugger.GoroutineID(a.number("goroutine", int(t.c.Stop.Goroutine)))
	frames, more, err := t.c.Inspect.Frames(ctx, g, debugger.Page{Count: maxFrames})
	if err != nil {
		return "", err
	}
	if len(frames) == 0 {
		return "", fmt.Errorf("goroutine %d has no calls", g)
	}
	return fmt.Sprintf("goroutine %d\n", g) + t.calls(frames, more, a.is("all")), nil
}

// Calls lists the stack of the stop with the numbers of its frames.
func (t *Tools) Calls() string {
	return t.redact(t.calls(t.c.Stop.Frames, t.c.Stop.MoreFrames, false))
}

// calls lists frames; those of the runtime are counted unless all are wanted.
func (t *Tools) calls(frames []debugger.Frame, more, all bool) string {
	var b strings.Builder
	hidden := 0
	tell := func() {
		if hidden > 0 {
			fmt.Fprintf(&b, "[… %d frames of the runtime]\n", hidden)
		}
		hidden = 0
	}
	for _, f := range frames {
		if f.Runtime && !all {
			hidden++
			continue
		}
		tell()
		fmt.Fprintf(&b, "frame %d: %s at %s\n", f.Index, function(f.Function), t.files.place(f.File, f.Line))
	}
	tell()
	if more {
		b.WriteString("[… more frames]\n")
	}
	return b.String()
}

// function shortens a function's package path: "store.(*Index).Add".
func function(name string) string { return debugger.ShortFunction(name) }

func (t *Tools) goroutines(ctx context.Context, a args) (string, error) {
	if t.c.Inspect == nil {
		return "", debugger.ErrGone
	}
	list, more, err := t.c.Inspect.Goroutines(ctx, debugger.Page{Count: maxGoroutines})
	if err != nil {
		return "", err
	}
	groups := t.group(list, a.text("filter"))
	var b strings.Builder
	for _, g := range groups {
		numbers := make([]string, 0, maxNumbers)
		for _, id := range g.ids[:min(len(g.ids), maxNumbers)] {
			numbers = append(numbers, fmt.Sprint(id))
		}
		if len(g.ids) > maxNumbers {
			numbers = append(numbers, "…")
		}
		fmt.Fprintf(&b, "%d × %s (goroutine %s)\n", len(g.ids), g.text, strings.Join(numbers, ", "))
	}
	if len(groups) == 0 {
		b.WriteString("no goroutine matches\n")
	}
	if more {
		fmt.Fprintf(&b, "[… only the first %d goroutines were read]\n", maxGoroutines)
	}
	return b.String(), nil
}

// group is goroutines that stand at the same place for the same reason.
type group struct {
	text string
	ids  []debugger.GoroutineID
}

func (t *Tools) group(list []debugger.Goroutine, filter string) []*group {
	byText := map[string]*group{}
	var order []*group
	for _, r := range list {
		if r.System {
			continue
		}
		text := r.State
		if r.WaitReason != "" {
			text += ", " + r.WaitReason
		}
		text = fmt.Sprintf("%s in %s at %s", text, function(r.User.Function), t.files.place(r.User.File, r.User.Line))
		if r.GoAt.File != "" {
			text += ", started at " + t.files.place(r.GoAt.File, r.GoAt.Line)
		}
		if !strings.Contains(strings.ToLower(text), strings.ToLower(filter)) {
			continue
		}
		if byText[text] == nil {
			byText[text] = &group{text: text}
			order = append(order, byText[text])
		}
		byText[text].ids = append(byText[text].ids, r.ID)
	}
	slices.SortStableFunc(order, func(a, b *group) int { return len(b.ids) - len(a.ids) })
	return order
}
