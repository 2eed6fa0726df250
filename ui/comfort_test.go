package ui

import (
	"errors"
	"image/color"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/appearance"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
	"github.com/pausetui/pausetui/verify/verdict"
)

// remembering gives a stage a file of its own, and returns it.
func remembering(t *testing.T, s *stage) *preferences.File {
	t.Helper()
	f := &preferences.File{Path: filepath.Join(t.TempDir(), "screen.json")}
	if err := f.Change(func(k *preferences.Screen) { k.Hinted = true }); err != nil {
		t.Fatal(err)
	}
	s.Opts.Preferences = f
	return f
}

func kept(t *testing.T, f *preferences.File) preferences.Screen {
	t.Helper()
	s, err := f.Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// again opens the same screen again, with what is remembered.
func again(s *stage) {
	s.appearance.Recall()
	s.appearance.SetTheme()
	s.sync()
}

func TestLayoutIsRemembered(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	f := remembering(t, s)
	s.press("3", "+", "+")
	wide := s.Lay.Panes[layout.Locals]
	if got := kept(t, f).Layout; got == (layout.Shape{}) || got != s.Shape.Shape {
		t.Fatalf("remembered %+v, shown %+v", got, s.Shape.Shape)
	}
	s.Shape.Shape = layout.Shape{}
	again(s)
	if got := s.Lay.Panes[layout.Locals]; got != wide {
		t.Errorf("the pane comes back as %+v, was %+v", got, wide)
	}
	s.press("ctrl+p", "d", "e", "f", "a", "u", "l", "t", "enter")
	if s.Shape.Shape != (layout.Shape{}) || kept(t, f).Layout != (layout.Shape{}) {
		t.Errorf("after the reset: %+v", kept(t, f).Layout)
	}
	if got := kept(t, f).Recent; !slices.Equal(got, []string{"reset-layout"}) {
		t.Errorf("recent commands: %q", got)
	}
}

func TestBorderIsDraggedByMouse(t *testing.T) {
	s := play(t, sceneProved(), 200, 60)
	f := remembering(t, s)
	before := s.Lay.Panes[layout.Source]
	s.send(tea.MouseClickMsg{X: before.X, Y: before.Y + 4, Button: tea.MouseLeft})
	for x := before.X; x <= before.X+7; x++ {
		s.send(tea.MouseMotionMsg{X: x, Y: before.Y + 4, Button: tea.MouseLeft})
	}
	if kept(t, f).Layout != (layout.Shape{}) {
		t.Error("it is remembered before the button is let go")
	}
	s.send(tea.MouseReleaseMsg{X: before.X + 7, Y: before.Y + 4, Button: tea.MouseLeft})
	if got := s.Lay.Panes[layout.Source]; got.X != before.X+7 || got.X+got.W != before.X+before.W {
		t.Errorf("the source was at %+v and is at %+v", before, got)
	}
	if kept(t, f).Layout.Left == 0 {
		t.Error("it is not remembered")
	}
	s.send(tea.MouseMotionMsg{X: 90, Y: before.Y + 4})
	if got := s.Lay.Panes[layout.Source]; got.X != before.X+7 {
		t.Error("the border follows the mouse without its button")
	}
}

func TestZoomByKeyAndMouse(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	s.press("3", "z")
	if r := s.Lay.Panes[layout.Locals]; r.W != 120 || !s.Lay.Panes[layout.Source].Empty() {
		t.Errorf("zoomed: %+v", r)
	}
	s.press("4")
	if s.Lay.Panes[layout.Goroutines].W != 120 {
		t.Error("the zoom does not follow the focus")
	}
	s.press("z")
	title := s.Lay.Panes[layout.Locals]
	click := tea.MouseClickMsg{X: title.X + 6, Y: title.Y, Button: tea.MouseLeft}
	s.send(click)
	s.send(tea.MouseReleaseMsg(click))
	s.send(click)
	if !s.Shape.Zoom || s.Focus != layout.Locals {
		t.Errorf("a double click on the title: zoom %v, focus %d", s.Shape.Zoom, s.Focus)
	}
	crash, _ := s.Ctx.State.CurrentStop()
	s.fake.add(&session.Resumed{Motion: debugger.Continue}, &session.Stopped{Stop: crash.Stop})
	s.catchUp()
	if s.Shape.Zoom {
		t.Error("a crash does not end the zoom")
	}
}

func TestTabsAndDialogsByMouse(t *testing.T) {
	s := play(t, sceneProved(), 70, 24)
	x := strings.Index(ansi.Strip(s.lines()[s.Lay.Tabs.Y]), "Output")
	s.send(tea.MouseClickMsg{X: x, Y: s.Lay.Tabs.Y, Button: tea.MouseLeft})
	if s.Focus != layout.Output {
		t.Errorf("a click on the tab leads to pane %d", s.Focus)
	}
	s.press("ctrl+p", "q", "u", "i", "t")
	row := slices.IndexFunc(s.lines(), func(l string) bool { return strings.Contains(ansi.Strip(l), "quit (asks") })
	s.send(tea.MouseClickMsg{X: 20, Y: row, Button: tea.MouseLeft})
	if _, ok := s.Dialog.(*dialog.Confirm); !ok {
		t.Errorf("a click in the palette leads to %T", s.Dialog)
	}
	s.send(tea.MouseClickMsg{X: 20, Y: row, Button: tea.MouseLeft})
	if _, ok := s.Dialog.(*dialog.Confirm); !ok || s.quit {
		t.Error("a click answers a question that only y may")
	}
}

func TestThemeIsPreviewedAndKept(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	f := remembering(t, s)
	s.press("T", "j", "j")
	if s.Ctx.Theme.Name != "color-blind" || kept(t, f).Theme != "" {
		t.Errorf("previewed %q, kept %q", s.Ctx.Theme.Name, kept(t, f).Theme)
	}
	s.press("esc")
	if s.Ctx.Theme.Name != "default" {
		t.Errorf("esc leaves %q", s.Ctx.Theme.Name)
	}
	s.press("T", "j", "l", "l", "enter")
	if k := kept(t, f); k.Theme != "high-contrast" || k.Background != "light" || s.Ctx.Theme.Dark {
		t.Errorf("kept %+v, dark %v", k, s.Ctx.Theme.Dark)
	}
	s.appearance.Look = appearance.Look{Dark: true, Profile: s.appearance.Look.Profile}
	again(s)
	if s.Ctx.Theme.Name != "high-contrast" || s.Ctx.Theme.Dark {
		t.Errorf("it comes back as %q, dark %v", s.Ctx.Theme.Name, s.Ctx.Theme.Dark)
	}
	s.Opts.Look.Theme = "tokyonight" // the configuration names one
	again(s)
	s.press("T", "j", "enter")
	if k := kept(t, f); k.Theme != "high-contrast" || s.Ctx.Theme.Name != "quiet" {
		t.Errorf("against the configuration: kept %q, shown %q", k.Theme, s.Ctx.Theme.Name)
	}
}

// TestThemeReachesTheDiff: what is drawn once and kept is drawn again.
func TestThemeReachesTheDiff(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	s.press("6", "enter")
	before := strings.Join(s.lines(), "\n")
	s.press("T", "j", "j", "enter")
	green, blue := theme.New(true, colorprofile.TrueColor).Colors.Add, s.Ctx.Theme.Colors.Add
	for color, there := range map[color.Color]bool{green: false, blue: true} {
		if got := strings.Contains(strings.Join(s.lines(), "\n"), ansi.Style{}.BackgroundColor(color).String()[2:]); got == there {
			continue
		}
		t.Errorf("the color %v: want %v", color, there)
	}
	if !strings.Contains(before, ansi.Style{}.BackgroundColor(green).String()[2:]) {
		t.Error("the test looks for the wrong sequence")
	}
}

// brokenPreferences cannot be written nor read.
type brokenPreferences struct{}

func (brokenPreferences) Load() (preferences.Screen, error) {
	return preferences.Screen{}, errors.New("no such luck")
}
func (brokenPreferences) Change(func(*preferences.Screen)) error {
	return errors.New("the disk is full")
}

func TestWhatCannotBeRememberedIsSaid(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	s.Opts.Preferences = brokenPreferences{}
	again(s)
	if text := s.screenText(); !strings.Contains(text, "no such luck — starting afresh") {
		t.Errorf("reading:\n%s", text)
	}
	s.press("3", "+")
	if text := s.screenText(); !strings.Contains(text, "the disk is full") {
		t.Errorf("writing:\n%s", text)
	}
}

func TestFirstHint(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	f := remembering(t, s)
	if err := f.Change(func(k *preferences.Screen) { k.Hinted = false }); err != nil {
		t.Fatal(err)
	}
	again(s)
	s.run(s.appearance.CountStart())
	if text := s.screenText(); !strings.Contains(text, "first time here? 6 shows the fixes") || kept(t, f).Starts != 1 {
		t.Errorf("started %d times:\n%s", kept(t, f).Starts, text)
	}
	s.press("?", "esc")
	if strings.Contains(s.screenText(), "first time here?") || !kept(t, f).Hinted {
		t.Error("the hint stays after the help was seen")
	}
	if err := f.Change(func(k *preferences.Screen) { k.Hinted, k.Starts = false, appearance.HintStarts }); err != nil {
		t.Fatal(err)
	}
	again(s)
	if s.appearance.Hinting {
		t.Error("the hint is shown more than three times")
	}
}

// A step of a tour stays while the person does as it says; what else is said goes
// with the next key.
func TestStepsOfATourStay(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		f := sceneProved()
		s := play(t, f, size[0], size[1])
		s.Opts.Guide = func(n session.Notice) bool { return strings.HasPrefix(n.Text, "step ") }
		f.add(&session.Notice{Level: "info", Text: "step 1: it stopped", Hint: "tab looks around"}, &session.Notice{Level: "info", Text: "by the way"})
		s.catchUp()
		if text := s.screenText(); !strings.Contains(text, "step 1: it stopped — tab looks around") || !strings.Contains(text, "by the way") {
			t.Errorf("at first:\n%s", text)
		}
		s.press("tab", "6", "enter")
		if text := s.screenText(); !strings.Contains(text, "step 1: it stopped — tab looks around") || strings.Contains(text, "by the way") || !strings.Contains(text, "approve") {
			t.Errorf("after keys:\n%s", text)
		}
		f.add(&session.Notice{Level: "info", Text: "step 2: a fix"})
		s.catchUp()
		if text := s.screenText(); strings.Contains(text, "step 1") || !strings.Contains(text, "step 2: a fix") {
			t.Errorf("then:\n%s", text)
		}
	}
}

func TestTitleSaysTheState(t *testing.T) {
	for scene, want := range map[string]string{"building": "pausetui · ◌ building · ./cmd/index", "running": "pausetui · ● running · ./cmd/index",
		"stopped": "pausetui · ■ nil-map-write · ./cmd/index", "stepped": "pausetui · ■ breakpoint · ./cmd/index", "exited": "pausetui · ■ exit 3 · ./cmd/index",
		"killed": "pausetui · ■ killed by SIGKILL · ./cmd/index", "broken": "pausetui · ✗ build failed · ./cmd/index"} {
		if got := play(t, scenes()[scene](), 120, 36).View().WindowTitle; got != want {
			t.Errorf("%s: %q, want %q", scene, got, want)
		}
	}
}

// TestPersonIsCalled lets a run take long or not, with the person looking or
// not, in several terminals.
func TestPersonIsCalled(t *testing.T) {
	env := map[string]string{}
	blur, focus, kitty := tea.BlurMsg{}, tea.FocusMsg{}, tea.TerminalVersionMsg{Name: "kitty(0.40.0)"}
	for _, c := range []struct {
		name   string
		env    map[string]string
		way    string
		before []tea.Msg
		took   int // events of a second each
		want   []string
	}{
		{"looks elsewhere", nil, "auto", []tea.Msg{blur}, 12, []string{"\a"}},
		{"looks here", nil, "auto", []tea.Msg{blur, focus}, 12, nil},
		{"the terminal cannot tell", nil, "auto", nil, 12, []string{"\a"}},
		{"it can, and nothing has changed", nil, "auto", []tea.Msg{tea.ModeReportMsg{Mode: ansi.ModeFocusEvent, Value: ansi.ModeReset}}, 12, nil},
		{"a short run", nil, "auto", []tea.Msg{blur}, 3, nil},
		{"kitty", nil, "auto", []tea.Msg{blur, kitty}, 12, []string{"\a\x1b]9;pausetui: halted · ./cmd/index\a"}},
		{"kitty, by its variable, in tmux", map[string]string{"KITTY_WINDOW_ID": "1", "TMUX": "x"}, "auto", []tea.Msg{blur}, 12,
			[]string{"\a" + ansi.TmuxPassthrough("\x1b]9;pausetui: halted · ./cmd/index\a")}},
		{"by configuration", nil, "osc777", []tea.Msg{blur}, 12, []string{"\a\x1b]777;notify;pausetui;halted · ./cmd/index\x1b\\"}},
		{"switched off", nil, "off", []tea.Msg{blur, kitty}, 12, []string{"\a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sceneRunning()
			s := play(t, f, 120, 36)
			env = c.env
			s.Opts.Notify = options.Notify{After: 10 * time.Second, Bell: true, Desktop: c.way, Getenv: func(name string) string { return env[name] }}
			for _, msg := range c.before {
				s.send(msg)
			}
			f.add(&session.Launched{}, &session.Resumed{Motion: debugger.Continue})
			s.catchUp()
			s.raw = nil
			s.attention.Running = f.now()
			for range c.took {
				f.add(&session.Input{Text: "x"})
			}
			f.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonHalt, Goroutine: 1, Frames: panicStack()[3:]}})
			s.catchUp()
			if !reflect.DeepEqual(s.raw, c.want) {
				t.Errorf("got %q, want %q", s.raw, c.want)
			}
		})
	}
}

func TestHelpIsSearched(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	s.press("?", "/", "h", "u", "n", "k")
	text := s.screenText()
	if !strings.Contains(text, "previous hunk") || strings.Contains(text, "next line") || !strings.Contains(text, "open a fix first") {
		t.Errorf("the search:\n%s", text)
	}
	s.press("esc")
	if !strings.Contains(s.screenText(), "Here: the program is held at a panic") {
		t.Error("esc does not drop the search")
	}
	s.press("esc")
	if s.Dialog != nil {
		t.Error("esc does not close the help")
	}
}

// TestTheCommandLineIsAsHighAsItsAnswer: opened again, it does not bring the answers
// of before with it.
func TestTheCommandLineIsAsHighAsItsAnswer(t *testing.T) {
	f := sceneStopped()
	playEngine(f)
	s := play(t, f, 80, 24)
	const bare = 3
	if s.press(":"); s.Lay.Command.H != bare {
		t.Errorf("empty it has %d rows", s.Lay.Command.H)
	}
	s.press("x", ".", "d", "o", "c", "s", "enter")
	answered := s.Lay.Command.H
	if answered <= bare || answered > 12 {
		t.Errorf("with an answer it has %d rows", answered)
	}
	if s.press("esc", ":"); s.Lay.Command.H != bare {
		t.Errorf("opened again it has %d rows", s.Lay.Command.H)
	}
	if s.press("pgup"); s.Lay.Command.H != answered {
		t.Errorf("after a page key it has %d rows, had %d", s.Lay.Command.H, answered)
	}
}

// What can be done now is listed before what cannot, the command that was chosen last
// first.
func TestThePaletteBeginsWithWhatCanBeDone(t *testing.T) {
	s := play(t, sceneStopped(), 120, 36)
	remembering(t, s)
	s.appearance.UsedRecently(keymap.Continue)
	s.appearance.UsedRecently(keymap.Approve) // there is no fix to approve
	s.appearance.UsedRecently(keymap.Restart)
	choices := s.appearance.Palette().(*dialog.Choose).Choices
	if choices[0].Do != (appearance.Chosen{Action: keymap.Restart}) || choices[1].Do != (appearance.Chosen{Action: keymap.Continue}) {
		t.Errorf("it begins with %v, %v", choices[0].Do, choices[1].Do)
	}
	if !slices.IsSortedFunc(choices, func(a, b dialog.Choice) int { return min(len(a.Why), 1) - min(len(b.Why), 1) }) {
		t.Error("what cannot be done is between what can be done")
	}
}

// A fix that leaves work out is not praised for the panic that did not come.
func TestAFixThatSkipsIsNotGreen(t *testing.T) {
	f := sceneJudged(session.Fixed)
	f.add(&session.Proved{Candidate: "c1", Verdict: verdict.Verdict{Effect: verdict.Skips, Masking: true, How: "returns early when x == nil"}})
	s := play(t, f, 80, 24)
	if view := s.screenText(); !strings.Contains(view, "⚠ no panic, but the fix skips: returns early when x == nil") || strings.Contains(view, "✓ fixed") {
		t.Errorf("it shows\n%s", view)
	}
}

// The judgement of a restart is not that of the stops after it.
func TestTheBannerGoesWithItsStop(t *testing.T) {
	for what, after := range map[string][]session.Body{
		"another stop": {&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonHalt}}},
		"a restart":    {&session.Launched{Round: 9}},
	} {
		f := sceneJudged(session.Fixed)
		shows(t, play(t, f, 120, 36), "✓ fixed")
		for _, b := range after {
			f.add(b)
		}
		if view := play(t, f, 120, 36).screenText(); strings.Contains(view, "✓ fixed") {
			t.Errorf("after %s it shows\n%s", what, view)
		}
	}
}

// Where there is little room, the place of a stop keeps its line.
func TestThePlaceKeepsItsLine(t *testing.T) {
	f := sceneStopped()
	f.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonHalt, Goroutine: 1, Frames: []debugger.Frame{{
		Function: "example.com/x.(*ExchangeOfManyThings).publishAllOfThemToEverySubscriber", File: "/m/exchange_of_things.go", Line: 1234, User: true}}}})
	shows(t, play(t, f, 80, 24), "exchange_of_things.go:1234")
}

// Whoever goes on from the fixes sees the source of the next stop, not a fix in its place.
func TestTheNextStopShowsItsSource(t *testing.T) {
	s := play(t, sceneProved(), 120, 36)
	if s.press("6"); !strings.Contains(s.screenText(), "Fix 1") {
		t.Fatalf("no preview:\n%s", s.screenText())
	}
	stop, _ := s.Ctx.State.CurrentStop()
	next := stop.Stop
	next.Reason, next.Panic, next.Frames, next.Selected = debugger.ReasonStep, nil, panicStack()[4:], 0
	s.fake.add(&session.Resumed{Motion: debugger.Next}, &session.Stopped{Stop: next})
	if s.catchUp(); s.Focus != layout.Source || !strings.Contains(s.screenText(), "1 Source") {
		t.Errorf("after a step there is\n%s", s.screenText())
	}
}
