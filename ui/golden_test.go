package ui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/ui/asking"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/navigation"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/timeline"
	"github.com/pausetui/pausetui/ui/values"
)

var update = flag.Bool("update", false, "write the golden views again")

// stage is a program without a terminal: messages go in, the screen comes out.
type stage struct {
	*model
	fake *fakeEngine
	t    testing.TB
	quit bool
	raw  []string // what was written past the screen
}

// play shows a scene in a terminal of some size.
func play(t testing.TB, f *fakeEngine, w, h int) *stage {
	t.Helper()
	t.Cleanup(f.out.End)
	t.Setenv("TMPDIR", t.TempDir()) // for what an editor would open
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	dark := true
	opts := options.Screen{Clock: f.now, Dark: &dark, Editor: "vi", Profiles: []string{"built-in", "qwen"}}
	s := &stage{model: newModel(context.Background(), f, opts, keys), fake: f, t: t}
	s.ticking, s.execution.Patience = true, 0 // no clock in tests
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	s.send(f.update())
	return s
}

// send hands a message in and carries out what it leads to.
func (s *stage) send(msg tea.Msg) {
	_, cmd := s.Update(msg)
	s.run(cmd)
}

func (s *stage) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	case tea.QuitMsg:
		s.quit = true
	case tea.RawMsg:
		s.raw = append(s.raw, fmt.Sprint(msg.Msg))
	case common.RememberedMsg:
		s.send(msg)
	case timeline.AnswerMsg, values.CopiedMsg, navigation.IndexMsg, navigation.FoundMsg, navigation.SoughtMsg, asking.PickedMsg, editor.EditReadyMsg, editor.EditDoneMsg, editor.EditedMsg:
		s.send(msg)
	}
}

// catchUp hands in the events that came since the last update.
func (s *stage) catchUp() {
	u := s.fake.update()
	u.Events = u.Events[min(int(s.Ctx.State.Seq), len(u.Events)):]
	s.send(u)
}

// press types keys, by their names.
func (s *stage) press(keys ...string) {
	for _, k := range keys {
		s.send(keyPress(k))
		s.catchUp()
		s.draw() // what is drawn decides how far a page goes
	}
}

var special = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace}

func keyPress(name string) tea.KeyPressMsg {
	if name == "space" {
		return tea.KeyPressMsg{Code: ' ', Text: " "}
	}
	if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: []rune(rest)[0], Mod: tea.ModCtrl}
	}
	if rest, ok := strings.CutPrefix(name, "shift+"); ok {
		return tea.KeyPressMsg{Code: special[rest], Mod: tea.ModShift}
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func (s *stage) lines() []string {
	lines, _ := s.draw()
	return lines
}

func (s *stage) screenText() string {
	lines := s.lines()
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden view (go test ./ui -update writes it again)\n--- got\n%s\n--- want\n%s", name, got, want)
	}
}

// views are the golden views: a scene and the keys that lead to the view.
var views = []struct {
	name, scene string
	keys        []string
}{
	{"building", "building", nil},
	{"broken", "broken", nil},
	{"running", "running", nil},
	{"typing", "running", []string{"i"}},
	{"drawing", "drawing", nil},
	{"drawing-taken-over", "drawing", []string{"i"}},
	{"stopped", "stopped", nil},
	{"stepped", "stepped", nil},
	{"deep", "deep", nil},
	{"silent", "silent", nil},
	{"ends-program", "stopped", []string{"n"}},
	{"fixes", "fixes", []string{"6"}},
	{"review", "proved", []string{"6", "enter"}},
	{"review-split", "proved", []string{"6", "j", "enter", "t"}},
	{"review-left", "proved", []string{"6", "enter", "space"}},
	{"review-no-test", "proved", []string{"6", "enter", "}", "space"}},
	{"review-masking", "proved", []string{"6", "j", "j", "enter"}},
	{"changes", "compared", []string{"6", "j", "enter", "V"}},
	{"changes-opened", "compared", []string{"6", "j", "enter", "V", "j", "enter"}},
	{"blocked", "blocked", []string{"6"}},
	{"allow", "blocked", []string{"6", "w"}},
	{"approve", "proved", []string{"6", "enter", "a"}},
	{"reject", "proved", []string{"6", "x", "n", "o"}},
	{"help", "stopped", []string{"?"}},
	{"palette", "stopped", []string{"ctrl+p", "s", "t", "e"}},
	{"prompt", "proved", []string{"6", "j", "P", "j", "j", "j"}},
	{"prompt-sent", "proved", []string{"6", "j", "enter", "P"}},
	{"quit", "stopped", []string{"q"}},
	{"command", "stopped", []string{":", "x", ".", "d", "o", "c", "s", "enter"}},
	{"command-long", "stopped", []string{":", "f", "u", "n", "c", "s", "enter"}},
	{"command-scrolled", "stopped", []string{":", "f", "u", "n", "c", "s", "enter", "pgdown", "pgdown"}},
	{"command-offers", "stopped", []string{":", "s", "t", "tab"}},
	{"command-history", "stopped", []string{":", "x", ".", "d", "o", "c", "s", "enter", "d", "o", "c", "enter", "ctrl+r", "x", "."}},
	{"goroutines", "stopped", []string{"4", "enter"}},
	{"goroutine-waits", "waits", []string{"4", "enter", "4"}},
	{"conversation", "conversation", []string{"A"}},
	{"conversation-cited", "conversation", []string{"A", "shift+tab", "shift+tab", "shift+tab"}},
	{"panicked-again", "panicked-again", nil},
	{"around", "around", []string{"2"}},
	{"around-unfolded", "around", []string{"2", "j", "j", "space", "G", "space", "G", "space"}},
	{"why", "why", []string{"Q"}},
	{"why-folded", "why", []string{"Q", "v"}},
	{"why-asked", "why-asked", []string{"Q"}},
	{"mute", "recovered", []string{"m"}},
	{"muted", "muted", []string{"ctrl+p", "m", "u", "t", "e", "d", "enter"}},
	{"exited", "exited", nil},
	{"killed", "killed", nil},
	{"died", "died", nil},
	{"fixed", "fixed", nil},
	{"came-back", "came-back", nil},
	{"past", "past", []string{"<"}},
	{"stops", "past", []string{"ctrl+p", "l", "i", "s", "t", " ", "t", "h", "e", "enter"}},
}

func TestGoldenViews(t *testing.T) {
	for _, v := range views {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
			name := fmt.Sprintf("%s-%dx%d", v.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				f := scenes()[v.scene]()
				playEngine(f)
				s := play(t, f, size[0], size[1])
				s.press(v.keys...)
				checkSize(t, s.lines(), size[0], size[1])
				golden(t, name, s.screenText())
			})
		}
	}
}

// TestGoldenShapes are views at other sizes, and in layouts of a person's own.
func TestGoldenShapes(t *testing.T) {
	for _, v := range []struct {
		name, scene string
		w, h        int
		keys        []string
	}{
		{"stopped", "stopped", 100, 30, nil},
		{"locals", "stopped", 100, 30, []string{"3", "j", "l"}},
		{"proved", "proved", 100, 30, []string{"6"}},
		{"proved", "proved", 160, 45, []string{"6"}},
		{"stopped", "stopped", 160, 45, nil},
		{"proved", "proved", 80, 24, []string{"6"}},
		{"proved", "proved", 120, 36, []string{"6"}},
		{"proved", "proved", 200, 60, []string{"6"}},
		{"proved", "proved", 70, 24, []string{"6"}},
		{"review", "proved", 160, 45, []string{"6", "enter"}},
		{"stopped", "stopped", 70, 24, nil},
		{"palette", "stopped", 100, 30, []string{"ctrl+p"}},
		{"review", "proved", 100, 30, []string{"6", "enter"}},
		{"help", "stopped", 100, 30, []string{"?"}},
		{"stopped", "stopped", 130, 24, nil},
		{"stopped", "stopped", 40, 12, nil},
		{"locals", "stopped", 40, 12, []string{"3"}},
		{"review", "proved", 40, 12, []string{"6", "enter"}},
		{"approve", "proved", 40, 12, []string{"6", "enter", "a"}},
		{"palette", "stopped", 40, 12, []string{"ctrl+p"}},
		{"help", "stopped", 40, 12, []string{"?"}},
		{"block", "block", 120, 36, nil},
		{"block", "block", 80, 24, nil},
		{"help", "stopped", 160, 45, []string{"?"}},
		{"fixes", "fixes", 100, 30, []string{"6"}},
		{"fixes", "fixes", 160, 45, []string{"6"}},
		{"goroutines", "stopped", 100, 30, []string{"4", "enter"}},
		{"goroutines", "stopped", 160, 45, []string{"4", "enter"}},
		{"command", "stopped", 100, 30, []string{":", "x", ".", "d", "o", "c", "s", "enter"}},
		{"command", "stopped", 160, 45, []string{":", "x", ".", "d", "o", "c", "s", "enter"}},
		{"watched", "watched", 120, 36, []string{"3"}},
		{"zoomed", "stopped", 120, 36, []string{"3", "z"}},
		{"larger", "stopped", 120, 36, []string{"3", "+", "+", "+"}},
		{"theme", "proved", 120, 36, []string{"T", "j"}},
	} {
		name := fmt.Sprintf("%s-%dx%d", v.name, v.w, v.h)
		t.Run(name, func(t *testing.T) {
			f := scenes()[v.scene]()
			playEngine(f)
			s := play(t, f, v.w, v.h)
			s.press(v.keys...)
			checkSize(t, s.lines(), v.w, v.h)
			golden(t, name, s.screenText())
		})
	}
}

func TestGoldenTooSmall(t *testing.T) {
	s := play(t, sceneFixes(), 58, 11)
	golden(t, "small-58x11", s.screenText())
}

// TestGoldenStyled holds the escape sequences of one screen, in both themes.
func TestGoldenStyled(t *testing.T) {
	for name, dark := range map[string]bool{"dark": true, "light": false} {
		s := play(t, sceneFixes(), 120, 36)
		s.appearance.Look.Dark = dark
		s.appearance.SetTheme()
		s.sync()
		golden(t, "styled-"+name, strings.ReplaceAll(strings.Join(s.lines(), "\n")+"\n", "\x1b", "␛"))
	}
}

// checkSize reports whether a screen is exactly as large as the terminal.
func checkSize(t testing.TB, lines []string, w, h int) {
	t.Helper()
	if len(lines) != h {
		t.Fatalf("%d×%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Fatalf("%d×%d: line %d has %d cells: %q", w, h, i, n, ansi.Strip(l))
		}
		if strings.ContainsAny(l, "\n\r\t\x07") {
			t.Fatalf("%d×%d: line %d holds control characters: %q", w, h, i, l)
		}
	}
}

// TestEverySize draws many scenes at all sizes.
func TestEverySize(t *testing.T) {
	for i, v := range views {
		if i%8 != 0 && !testsupport.Whole() {
			continue
		}
		f := scenes()[v.scene]()
		playEngine(f)
		s := play(t, f, 120, 36)
		s.press(v.keys...)
		for w := 1; w <= 200; w += 7 {
			for h := 1; h <= 70; h += 2 + h/8 {
				s.send(tea.WindowSizeMsg{Width: w, Height: h})
				checkSize(t, s.lines(), w, h)
			}
		}
	}
}
