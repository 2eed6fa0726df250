package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A large journal does not hold up a signal, neither while it is read nor while it
// is folded. A torn one gives what is whole.
func TestRecall(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	line := func(seq string) string {
		return `{"v":1,"seq":` + seq + `,"at":"2026-11-20T17:02:03Z","actor":"engine","kind":"notice","body":{"level":"info","text":"x"}}` + "\n"
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(line("1") + line("2"))
	s, events, err := Recall(t.Context(), file)
	if err != nil || len(events) != 2 || s.Seq != 2 || len(s.Notices) != 2 {
		t.Errorf("%d events, state after %d, %v", len(events), s.Seq, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Recall(ctx, file); !errors.Is(err, context.Canceled) {
		t.Errorf("reading ends with %v", err)
	}
	if _, err := fold(ctx, NewState(), events); !errors.Is(err, context.Canceled) {
		t.Errorf("folding ends with %v", err)
	}
	write(line("1") + "{torn\n" + line("2"))
	if s, events, err := Recall(t.Context(), file); !errors.Is(err, ErrTorn) || len(events) != 1 || s.Seq != 1 {
		t.Errorf("torn: %d events, state after %d, %v", len(events), s.Seq, err)
	}

	// In the middle of a journal: the context ends once some of it was read.
	write(strings.Repeat(line("1"), 20_000))
	ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	if _, _, err := Recall(ctx, file); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("in the middle: %v", err)
	}
}
