package retry_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/llm"
	"github.com/pausetui/pausetui/llm/retry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a provider and model that does one thing after the other.
type script struct {
	llm.Provider
	turns []turn
	asked int
}

type turn struct {
	text string // shown before the error
	done int64  // bytes of a pull
	err  error
}

func (s *script) Info() llm.Info                                  { return llm.Info{Name: "m"} }
func (s *script) Open(context.Context, string) (llm.Model, error) { return s, nil }

func (s *script) next() turn {
	t := s.turns[min(s.asked, len(s.turns)-1)]
	s.asked++
	return t
}

func (s *script) Complete(_ context.Context, _ llm.Request, onText func(string)) (llm.Answer, error) {
	t := s.next()
	if t.text != "" {
		onText(t.text)
	}
	return llm.Answer{Text: t.text}, t.err
}

func (s *script) Pull(_ context.Context, _ string, onProgress func(llm.Progress)) error {
	t := s.next()
	onProgress(llm.Progress{Done: t.done, Total: 100})
	return t.err
}

var busy = &llm.BusyError{Err: errors.New("HTTP 503")}

func quick() retry.Options {
	return retry.Options{First: time.Nanosecond, Jitter: func() float64 { return 0 }}
}

func TestWhatIsRetried(t *testing.T) {
	cases := []struct {
		name  string
		turns []turn
		asked int
		err   error
	}{
		{"fine", []turn{{text: "ok"}}, 1, nil},
		{"busy, then fine", []turn{{err: busy}, {err: busy}, {text: "ok"}}, 3, nil},
		{"lost, then fine", []turn{{err: llm.ErrUnavailable}, {text: "ok"}}, 2, nil},
		{"always busy", []turn{{err: busy}}, 4, llm.ErrBusy},
		{"busy after text", []turn{{text: "half", err: busy}}, 1, llm.ErrBusy},
		{"lost after text", []turn{{text: "half", err: llm.ErrUnavailable}}, 1, llm.ErrUnavailable},
		{"cut", []turn{{err: llm.ErrCut}}, 1, llm.ErrCut},
		{"unknown", []turn{{err: llm.ErrUnknownModel}}, 1, llm.ErrUnknownModel},
		{"unauthorized", []turn{{err: llm.ErrUnauthorized}}, 1, llm.ErrUnauthorized},
		{"asks for too long", []turn{{err: &llm.BusyError{After: time.Hour, Err: errors.New("x")}}}, 1, llm.ErrBusy},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := &script{turns: c.turns}
			told := 0
			o := quick()
			o.OnRetry = func(w retry.Wait) {
				told++
				if w.Attempt != told+1 || w.Of != 4 || w.Err == nil || w.Model != "m" {
					t.Errorf("wait %+v", w)
				}
			}
			also := 0
			ctx := retry.Notify(t.Context(), func(retry.Wait) { also++ })
			got, err := retry.Model(s, o).Complete(ctx, llm.Request{}, nil)
			if !errors.Is(err, c.err) || s.asked != c.asked || told != c.asked-1 || also != told || err == nil && got.Text != "ok" {
				t.Errorf("%+v, %v, asked %d times, told %d times", got, err, s.asked, told)
			}
			if c.asked == 4 && !strings.Contains(err.Error(), "tried 4 times") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestWaits(t *testing.T) {
	var waits []time.Duration
	o := retry.Options{Attempts: 6, First: 4, Longest: 20, Jitter: func() float64 { return 0.5 }, OnRetry: func(w retry.Wait) { waits = append(waits, w.After) }}
	s := &script{turns: []turn{{err: busy}, {err: &llm.BusyError{After: 17, Err: busy}}, {err: busy}}}
	if _, err := retry.Model(s, o).Complete(t.Context(), llm.Request{}, nil); !errors.Is(err, llm.ErrBusy) {
		t.Fatal(err)
	}
	// 4 ns, 8, 16, then 20 at most; a quarter off; what the provider asks for goes first
	want := []time.Duration{3, 17, 12, 15, 15}
	for i, w := range want {
		if i >= len(waits) || waits[i] != w {
			t.Fatalf("waits %v, want %v", waits, want)
		}
	}
}

func TestTotal(t *testing.T) {
	o := quick()
	o.First, o.Total = time.Hour, time.Minute
	o.Longest = 2 * time.Hour
	s := &script{turns: []turn{{err: busy}}}
	if _, err := retry.Model(s, o).Complete(t.Context(), llm.Request{}, nil); !errors.Is(err, llm.ErrBusy) || s.asked != 1 {
		t.Errorf("%v after %d", err, s.asked)
	}
}

func TestCancelWhileWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := retry.Options{First: time.Hour, Longest: time.Hour, Total: 3 * time.Hour, OnRetry: func(retry.Wait) { cancel() }}
	s := &script{turns: []turn{{err: busy}}}
	if _, err := retry.Model(s, o).Complete(ctx, llm.Request{}, nil); !errors.Is(err, context.Canceled) || s.asked != 1 {
		t.Errorf("%v after %d", err, s.asked)
	}
}

func TestPullGoesOn(t *testing.T) {
	cut := func(done int64) turn { return turn{done: done, err: llm.ErrCut} }
	s := &script{turns: []turn{cut(1), cut(2), cut(3), cut(4), cut(5), cut(6), {done: 100}}}
	pull := func(s *script) error { return retry.Wrap(s, quick()).(llm.Puller).Pull(t.Context(), "m", nil) }
	if err := pull(s); err != nil || s.asked != 7 {
		t.Errorf("%v after %d", err, s.asked)
	}
	s = &script{turns: []turn{cut(5)}}
	if err := pull(s); !errors.Is(err, llm.ErrCut) || s.asked != 4 {
		t.Errorf("no bytes come: %v after %d", err, s.asked)
	}
	if _, ok := retry.Wrap(struct{ llm.Provider }{}, quick()).(llm.Puller); ok {
		t.Error("can pull from a provider that cannot")
	}
}

func TestProviderWrapsItsModels(t *testing.T) {
	s := &script{turns: []turn{{err: busy}, {text: "ok"}}}
	p := retry.Wrap(s, quick())
	m, err := p.Open(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Complete(t.Context(), llm.Request{}, nil); err != nil || got.Text != "ok" {
		t.Errorf("%+v, %v", got, err)
	}
	if found, ok := llm.Find[*script](p); !ok || found != s {
		t.Error("what is wrapped is not found")
	}
}
