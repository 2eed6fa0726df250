package ui

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// sceneBreaks is a stop with breakpoints of all kinds.
func sceneBreaks() *fakeEngine {
	f := sceneStepped()
	file := root() + "/index.go"
	for _, b := range []debugger.Breakpoint{
		{ID: 2, File: file, Line: 31, Cond: "len(x.docs) > 2", Text: "x.docs = append(x.docs, doc)"},
		{ID: 3, Location: "main.(*Index).Add", Function: "main.(*Index).Add", File: file, Line: 40, Trace: true, Print: []string{"term", "doc"}},
		{ID: 4, File: file, Line: 18, Place: debugger.PlaceMoved, Was: 16},
		{ID: 5, File: file, Line: 99, Place: debugger.PlaceLost, Why: "its line is gone", Text: "x.sort()"},
		{ID: 6, Location: "main.load", Function: "main.load", Places: 1, OnError: true, Disabled: true},
		{ID: 7, Watch: "x.count", WatchKind: debugger.WatchWrite},
	} {
		f.add(&session.BreakpointSet{Breakpoint: b})
	}
	f.setLive(func(l *live.State) { l.Hits = map[int]uint64{1: 1, 2: 12} })
	return f
}

func TestABreakpointAtSeveralLinesShowsEach(t *testing.T) {
	f := sceneStopped()
	f.add(&session.BreakpointSet{Breakpoint: debugger.Breakpoint{ID: 9, Location: "/Add/", Lines: map[string][]int{root() + "/index.go": {40, 42}}}})
	text := ansi.Strip(strings.Join(play(t, f, 120, 36).lines(), "\n"))
	for line, want := range map[string]bool{"40": true, "41": false, "42": true} {
		if got := regexp.MustCompile(`● *` + line + " ").MatchString(text); got != want {
			t.Errorf("line %s has a sign: %v, want %v:\n%s", line, got, want, text)
		}
	}
}

func TestBreakpointsDialog(t *testing.T) {
	lines := func(keys ...string) (*fakeEngine, string) {
		f := sceneBreaks()
		s := play(t, f, 120, 36)
		s.press(keys...)
		return f, ansi.Strip(strings.Join(s.lines(), "\n"))
	}
	_, text := lines("B")
	for _, want := range []string{"●  1  index.go:27", "1 hit", "◆  2  index.go:31  if len(x.docs) > 2", "12 hits", "▷  3", "prints term, doc",
		"◐  4", "✗  5", "○  6  errors of load", "◎  7  x.count  written"} {
		if !strings.Contains(text, want) {
			t.Errorf("the dialog lacks %q:\n%s", want, text)
		}
	}
	if _, text := lines("B", "G", "k", "k"); !strings.Contains(text, "lost: its line is gone · x.sort()") {
		t.Errorf("a lost one does not say so:\n%s", text)
	}
	second := debugger.Breakpoint{ID: 2, File: root() + "/index.go", Line: 31, Cond: "len(x.docs) > 2", Text: "x.docs = append(x.docs, doc)", Hits: 12}
	with := func(change func(*debugger.Breakpoint)) intent.Intent {
		b := second
		change(&b)
		return intent.AmendBreakpoint{Breakpoint: b}
	}
	for _, c := range []struct {
		keys string
		want intent.Intent
	}{
		{"space", intent.EnableBreakpoint{ID: 2}},
		{"x", intent.ClearBreakpoint{ID: 2}},
		{"t", with(func(b *debugger.Breakpoint) { b.Trace = true })},
		{"e", with(func(b *debugger.Breakpoint) { b.OnError = true })},
		{"g", with(func(b *debugger.Breakpoint) { b.OnGoroutine = 1 })},
		{"h > space 3 enter", with(func(b *debugger.Breakpoint) { b.HitCond = "> 3" })},
		{"h % 5 space e a c h enter", with(func(b *debugger.Breakpoint) { b.HitCond, b.HitCondPerG = "%5", true })},
		{"c ctrl+u i enter", with(func(b *debugger.Breakpoint) { b.Cond = "i" })},
		{"p i ; j enter", with(func(b *debugger.Breakpoint) { b.Print = []string{"i", "j"} })},
		{"c esc", nil},
		{"n m enter", intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: "m"}}},
	} {
		t.Run(c.keys, func(t *testing.T) {
			f, _ := lines(slices.Concat([]string{"B", "home", "j"}, strings.Fields(c.keys))...)
			if got := f.last(); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %#v, want %#v", got, c.want)
			}
		})
	}
}

func TestStepsOfWhatIsLookedAt(t *testing.T) {
	for keys, want := range map[string]intent.Intent{
		"n": intent.Run{Motion: debugger.Next, Goroutine: 1, Frame: panicStack()[4].Index}, "c": intent.Run{Motion: debugger.Continue},
		"1 j R": intent.Run{Motion: debugger.ContinueTo, File: root() + "/index.go", Line: 28},
	} {
		f := sceneStepped()
		s := play(t, f, 120, 36)
		s.press(strings.Fields(keys)...)
		if got := f.last(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, want %#v", keys, got, want)
		}
	}
}

// A refused breakpoint offers the nearest line; only y takes it.
func TestOfferOfANearerLine(t *testing.T) {
	offer := debugger.Breakpoint{File: root() + "/index.go", Line: 30}
	for key, want := range map[string]intent.Intent{"y": intent.SetBreakpoint{Breakpoint: offer}, "enter": nil, "n": nil} {
		f := sceneStepped()
		f.add(&session.Notice{Level: "error", Text: "no statement on line 29 of index.go", Offer: &offer})
		s := play(t, f, 120, 36)
		s.press(key)
		if got := f.last(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, want %#v", key, got, want)
		}
	}
}

func TestNotableStops(t *testing.T) {
	value := func(name, v string) debugger.Variable { return debugger.Variable{Name: name, Value: v, Type: "int"} }
	for want, stop := range map[string]debugger.Stop{
		"RETURNS AN ERROR":               {Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 1, OnError: true}, Returned: []debugger.Variable{value("", "7")}},
		"count changed 3 → 4":            {Reason: debugger.ReasonWatch, Breakpoint: &debugger.Breakpoint{ID: 1}, Watched: &debugger.Watched{Expr: "count", Was: "3", Now: "4"}},
		"a, b, c are out of scope":       {Reason: debugger.ReasonWatch, Breakpoint: &debugger.Breakpoint{ID: 1}, Watched: &debugger.Watched{Expr: "a", Gone: true, Also: []debugger.Breakpoint{{Watch: "b"}, {Watch: "c"}}}},
		"count is out of scope":          {Reason: debugger.ReasonWatch, Breakpoint: &debugger.Breakpoint{ID: 1}, Watched: &debugger.Watched{Expr: "count", Gone: true}},
		"c goes on with that step":       {Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 1}, Step: 9},
		"at the same moment goroutine 9": {Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 1}, Also: []debugger.Hit{{Goroutine: 9, Breakpoint: 2}}},
		"CONDITION FAILS":                {Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 1, Cond: "n > x"}, Fault: "its condition cannot be evaluated: there is no x here"},
		"i j ends":                       {Reason: debugger.ReasonStep, Returned: []debugger.Variable{{Value: strings.Repeat("a b c d e f g h i j ", 8) + "ends", Type: "string", Kind: reflect.String}}},
		"n = 3":                          {Reason: debugger.ReasonBreakpoint, Breakpoint: &debugger.Breakpoint{ID: 1}, Printed: []debugger.Variable{value("n", "3")}},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}} {
			f := sceneRunning()
			f.inspect.stacks[1] = panicStack()
			stop.Goroutine, stop.Frames = 1, panicStack()[4:]
			f.add(&session.Stopped{Stop: stop})
			s := play(t, f, size[0], size[1])
			text := ansi.Strip(strings.Join(s.lines(), "\n"))
			if want == strings.ToUpper(want) && size[0] < 100 {
				continue // titles need a border
			}
			if !strings.Contains(text, want) && (size[0] > 100 || len(stop.Returned) > 0) {
				t.Errorf("%dx%d lacks %q:\n%s", size[0], size[1], want, text)
			}
			checkSize(t, s.lines(), size[0], size[1])
		}
	}
}
