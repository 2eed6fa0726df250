package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/dialog"
)

// manyAskers are auto, a profile and so many models; what is looked for and
// tried is kept.
type manyAskers struct {
	n    int
	did  []string
	fail error
}

func (a *manyAskers) List() []dialog.Asker {
	list := []dialog.Asker{{Name: "auto", Detail: "the model and the prompt that suit the stop best"},
		{Name: "fast", Parameters: "7.6B", Context: "32k", Detail: "profile: ollama/qwen2.5-coder:7b with prompt auto"}}
	for i := range a.n {
		m := dialog.Asker{Name: fmt.Sprintf("ollama/model-%03d:%db", i, i%70+1), Parameters: fmt.Sprintf("%d.0B", i%70+1), Context: "128k", CanTry: true,
			Detail: fmt.Sprintf("%d.0B · Q4_K_M · 128k context · completion, tools · 4.7 GB · local · nothing measured yet · not tried yet", i%70+1)}
		switch i % 4 {
		case 1:
			m.Loaded, m.Measured, m.Tried = true, "41/50", "✓"
		case 2:
			m.Remote, m.Name = true, fmt.Sprintf("work/cloud-%03d", i)
		case 3:
			m.Tried = "✗"
		}
		list = append(list, m)
	}
	return list
}

func (a *manyAskers) Refresh(context.Context) error {
	a.n, a.did = a.n+1, append(a.did, "refresh")
	return a.fail
}

func (a *manyAskers) Probe(_ context.Context, name string) error {
	a.did = append(a.did, "probe "+name)
	return a.fail
}

func playPick(t testing.TB, askers *manyAskers, w, h int) *stage {
	t.Helper()
	f := sceneStopped()
	playEngine(f)
	s := play(t, f, w, h)
	s.Opts.Askers = askers
	return s
}

func TestPick(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want []string
	}{
		{[]string{"F", "enter"}, []string{"auto"}},
		{[]string{"F", "c", "l", "o", "u", "d", "enter"}, []string{"work/cloud-002"}},
		{[]string{"F", "space", "space", "enter"}, []string{"auto", "fast"}},
		{[]string{"F", "space", "4", "8", "9", "space", "enter"}, []string{"auto", "ollama/model-489:70b"}},
		{[]string{"F", "space", "up", "space", "enter"}, []string{"fast"}},
		{[]string{"F", "x", "x", "x", "enter"}, nil},
		{[]string{"F", "esc"}, nil},
	} {
		s := playPick(t, &manyAskers{n: 500}, 80, 24)
		s.press(c.keys...)
		var got []string
		for _, i := range s.fake.intents {
			if a, ok := i.(intent.Ask); ok {
				got = a.Profiles
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: asked %q, want %q", c.keys, got, c.want)
		}
	}
}

func TestPickLearns(t *testing.T) {
	a := &manyAskers{n: 3}
	s := playPick(t, a, 80, 24)
	s.press("F", "ctrl+r", "down", "down", "ctrl+t")
	if want := []string{"refresh", "probe ollama/model-000:1b"}; !slices.Equal(a.did, want) {
		t.Errorf("did %q, want %q", a.did, want)
	}
	if text := s.screenText(); !strings.Contains(text, "model-003") {
		t.Errorf("what was found is not shown:\n%s", text)
	}
	a.fail = errors.New("the provider does not answer")
	s.press("ctrl+t")
	if text := s.screenText(); !strings.Contains(text, "does not answer") {
		t.Errorf("what went wrong is not shown:\n%s", text)
	}
	s.press("esc", "F", "up", "ctrl+t") // auto cannot be tried
	if len(a.did) != 3 {
		t.Errorf("did %q", a.did)
	}
}

func TestGoldenPick(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		s := playPick(t, &manyAskers{n: 500}, size[0], size[1])
		s.press("F", "space", "m", "o", "d", "0", "down", "space")
		checkSize(t, s.lines(), size[0], size[1])
		golden(t, fmt.Sprintf("pick-%dx%d", size[0], size[1]), s.screenText())
		for w := 1; w <= 130; w += 9 {
			for h := 1; h <= 40; h += 3 {
				if w >= 60 && h >= 16 {
					s.send(tea.WindowSizeMsg{Width: w, Height: h})
					checkSize(t, s.lines(), w, h)
				}
			}
		}
	}
}

// BenchmarkPick is opening the dialog with 500 models and its first frame.
func BenchmarkPick(b *testing.B) {
	s := playPick(b, &manyAskers{n: 500}, 80, 24)
	for b.Loop() {
		s.Update(keyPress("F"))
		s.View()
		s.Update(keyPress("m"))
		s.View()
		s.Dialog = nil
	}
}
