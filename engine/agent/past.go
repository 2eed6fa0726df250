package agent

import (
	"context"
	"time"
)

// Past is a fix that helped at a stop before.
type Past struct {
	Title, Effect, Session, Diff string
	At                           time.Time
	Times                        int // how often it helped
}

// Recall has scripts look up fixes that helped: past returns those of a
// fingerprint, or of this stop where that is empty.
func (t *Tools) Recall(past func(ctx context.Context, fingerprint string) ([]Past, error)) {
	t.past = past
}

// pastObjects are the fixes that helped at a stop.
func (t *Tools) pastObjects(ctx context.Context, fingerprint string) (any, error) {
	list := []any{}
	if t.past == nil {
		return list, nil
	}
	fixes, err := t.past(ctx, fingerprint)
	if err != nil {
		return nil, err
	}
	for _, f := range fixes[:min(len(fixes), maxPast)] {
		list = append(list, map[string]any{"title": t.redact(f.Title), "effect": f.Effect, "session": f.Session,
			"at": f.At.Format(time.DateOnly), "times": f.Times, "diff": bound(t.redact(f.Diff))})
	}
	return list, nil
}

// maxPast is how many fixes scripts get to know.
const maxPast = 10
