package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/updates"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// terminal is an output that can be waited on.
type terminal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *terminal) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *terminal) has(s string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(w.buf.String(), s)
}

// session starts the program on an engine, with keys from a pipe.
func startRun(t *testing.T, ctx context.Context, f *fakeEngine, opts options.Screen) (keys io.Writer, screen *terminal, done chan error) {
	t.Helper()
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); w.Close() })
	dark := true
	screen = &terminal{}
	opts.Input, opts.Output, opts.Dark, opts.Clock = in, screen, &dark, f.now
	done = make(chan error, 1)
	go func() { done <- Run(ctx, f, opts) }()
	return w, screen, done
}

// TestRunQuits runs the whole program: a key goes in, the engine ends the
// session, Run returns and leaves nothing behind.
func TestRunQuits(t *testing.T) {
	f := sceneStopped()
	playEngine(f)
	var mu sync.Mutex
	marks := map[string]int{}
	keys, screen, done := startRun(t, t.Context(), f, options.Screen{Mark: func(name string) {
		mu.Lock()
		defer mu.Unlock()
		marks[name]++
	}})
	testsupport.Eventually(t, "the screen is drawn", func() bool { return screen.has("\x1b[?1049h") })
	io.WriteString(keys, "q")
	time.Sleep(50 * time.Millisecond) // the escape timeout of the input reader
	io.WriteString(keys, "y")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, quit := f.last().(intent.Quit); !quit {
		t.Errorf("the last intent is %#v", f.last())
	}
	if !screen.has("\x1b[?1049l") {
		t.Error("the terminal was not restored")
	}
	mu.Lock()
	defer mu.Unlock()
	for name, n := range marks {
		if n != 1 {
			t.Errorf("mark %s came %d times", name, n)
		}
	}
}

// TestRunEndsWithItsContext cancels the program from outside.
func TestRunEndsWithItsContext(t *testing.T) {
	f := sceneRunning()
	ctx, cancel := context.WithCancel(t.Context())
	_, screen, done := startRun(t, ctx, f, options.Screen{})
	testsupport.Eventually(t, "the screen is drawn", func() bool { return screen.has("\x1b[?1049h") })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestPumpCoalesces floods the program with output: updates come at a bounded
// rate, events at once and in order.
func TestPumpCoalesces(t *testing.T) {
	f := sceneRunning()
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	var count int
	var seqs []uint64
	done := make(chan struct{})
	go func() {
		defer close(done)
		updates.Pump(ctx, f, func(msg tea.Msg) {
			if u, ok := msg.(updates.Msg); ok {
				mu.Lock()
				defer mu.Unlock()
				count++
				for _, e := range u.Events {
					seqs = append(seqs, e.Seq)
				}
			}
		})
	}()
	began := time.Now()
	for time.Since(began) < 300*time.Millisecond {
		f.setLive(func(l *live.State) { l.OutputV++ })
		time.Sleep(100 * time.Microsecond)
	}
	last := f.add(&session.Notice{Text: "x"}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonHalt}})[1].Seq
	testsupport.Eventually(t, "the last event comes", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(seqs) > 0 && seqs[len(seqs)-1] == last
	})
	cancel()
	<-done
	for i, s := range seqs {
		if s != uint64(i+1) {
			t.Fatalf("events came as %v", seqs)
		}
	}
	if limit := int(time.Since(began)/updates.Repaint) + 3; count > limit {
		t.Errorf("%d updates, more than %d", count, limit)
	}
}

// TestLostEngine ends the engine without the session's end.
func TestLostEngine(t *testing.T) {
	s := play(t, sceneStopped(), 80, 24)
	s.send(updates.Over{Err: advice.Add(errors.New("the debugger's process has died"), "start again")})
	if text := s.screenText(); !strings.Contains(text, "the debugger's process has died") || !strings.Contains(text, "start again") {
		t.Errorf("the person is not notified:\n%s", text)
	}
	s.fake.clock = s.fake.clock.Add(common.Deaf)
	s.press("esc", "q")
	if !s.quit {
		t.Error("q does not leave")
	}
}

// A terminal may say what its size is in its input, where a guest types what they like.
func TestTheSizeThatAGuestTypesIsBounded(t *testing.T) {
	f := sceneStopped()
	ctx, cancel := context.WithCancel(t.Context())
	keys, screen, done := startRun(t, ctx, f, options.Screen{Remote: &options.Remote{Environ: []string{"TERM=xterm-256color"}, Size: pair.Size{Width: 80, Height: 24}}})
	testsupport.Eventually(t, "the screen is drawn", func() bool { return screen.has("\x1b[?1049h") })
	for typed, shown := range map[string]string{"\x1b[48;6;90000;1;1t": "500 × 6", "\x1b[48;90000;25;1;1t": "25 × 200", "\x1b[48;0;0;1;1t": "20 × 5", "\x1b[8;7;80000t": "500 × 7", "\x1b[8;80000;26t": "26 × 200"} {
		io.WriteString(keys, typed)
		testsupport.Eventually(t, "the size is "+shown, func() bool { return screen.has(shown) })
	}
	cancel()
	<-done
}
