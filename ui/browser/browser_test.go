package browser

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/session/sessiontest"
	"github.com/pausetui/pausetui/ui/keymap"
)

var update = flag.Bool("update", false, "write the golden views anew")

func TestMain(m *testing.M) {
	time.Local = time.UTC // as the golden views have it
	os.Exit(m.Run())
}

// stage is a browser without a terminal.
type stage struct {
	*model
	t    *testing.T
	quit bool
}

func play(t *testing.T, logs string, w, h int) *stage {
	t.Helper()
	x, err := index.Open(t.Context(), filepath.Join(t.TempDir(), "sessions.db"), logs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if _, err := x.Refresh(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	dark := true
	at := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s := &stage{model: newModel(context.Background(), Options{Index: x, Logs: logs, Dark: &dark, Clock: func() time.Time { return at }}, keys), t: t}
	s.send(tea.WindowSizeMsg{Width: w, Height: h})
	s.run(s.Init())
	return s
}

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
	case tea.QuitMsg:
		s.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			s.run(c)
		}
	default:
		s.send(msg)
	}
}

func (s *stage) keys(keys ...string) {
	for _, k := range keys {
		switch k {
		case "enter":
			s.send(tea.KeyPressMsg{Code: tea.KeyEnter})
		case "esc":
			s.send(tea.KeyPressMsg{Code: tea.KeyEscape})
		case "tab":
			s.send(tea.KeyPressMsg{Code: tea.KeyTab})
		case "down":
			s.send(tea.KeyPressMsg{Code: tea.KeyDown})
		case "delete":
			s.send(tea.KeyPressMsg{Code: tea.KeyDelete})
		case "ctrl+t", "ctrl+r":
			s.send(tea.KeyPressMsg{Code: rune(k[5]), Mod: tea.ModCtrl})
		default:
			for _, r := range k {
				s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
}

func (s *stage) screen() string { return ansi.Strip(s.View().Content) }

func (s *stage) shows(words ...string) {
	s.t.Helper()
	for _, w := range words {
		if !strings.Contains(s.screen(), w) {
			s.t.Errorf("the screen does not show %q:\n%s", w, s.screen())
		}
	}
}

func (s *stage) hides(words string) {
	s.t.Helper()
	if strings.Contains(s.screen(), words) {
		s.t.Errorf("the screen shows %q:\n%s", words, s.screen())
	}
}

func kept(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../debug")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSearchAsYouType(t *testing.T) {
	s := play(t, kept(t), 120, 36)
	s.shows("6 sessions", "deadlock", "nil-map-write")
	s.keys("class:nil-m", "tab")
	s.shows("class:nil-map-write ", "1 session", "assignment to entry in nil map")
	s.hides("deadlock")
	s.keys("zzz")
	s.shows("nothing matches")
	s.keys("esc")
	s.shows("6 sessions")
	s.keys("klass:x")
	s.shows(`no filter is called "klass"`, "deadlock") // what was found before stays
	s.keys("esc", "esc")
	if !s.quit {
		t.Error("esc in an empty query does not leave")
	}
}

func TestTheScopeNarrowsAndWidens(t *testing.T) {
	logs := kept(t)
	s := play(t, logs, 120, 36)
	s.keys("assig")
	for _, want := range []string{"fingerprint:", "function:(?Inventory).remember", "class:nil-map-write"} {
		s.keys("ctrl+r")
		s.shows("› assig "+want, "1 session", "assignment to entry in nil map")
	}
	s.keys("ctrl+r")
	s.hides("class:nil-map-write ")
	if got := s.query.Text(); got != "assig" {
		t.Errorf("the query is %q", got)
	}
}

func TestCompletionOffersValues(t *testing.T) {
	s := play(t, kept(t), 120, 36)
	s.keys("out", "tab")
	s.shows("› outcome:")
	s.keys("tab")
	s.shows("outcome:fixed  outcome:")
}

func TestASessionIsOpened(t *testing.T) {
	s := play(t, kept(t), 120, 36)
	s.keys("class:nil-map-write", "enter")
	s.shows("1 of 1", "(*Inventory).remember", "✓ verified", "hunk 1/1")
	s.keys("t")
	s.shows("no other session of this list stopped at the same fault")
	s.keys("t", "r")
	if !s.quit || s.choice.Session != "20261123-114836-nil-map-write" {
		t.Errorf("r chose %+v", s.choice)
	}
}

func TestThePatchIsCopied(t *testing.T) {
	logs := kept(t)
	text, err := os.ReadFile(filepath.Join(logs, "20261123-114836-nil-map-write.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(filepath.Join(logs, "20261101-000000-quit.jsonl"), []byte(first+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := play(t, logs, 120, 36)
	s.keys("class:nil-map-write", "enter")
	patch := s.opened["20261123-114836-nil-map-write"].patch()
	if !strings.HasPrefix(patch, "--- a/") && !strings.HasPrefix(patch, "diff --git") {
		t.Errorf("the patch is %q", patch)
	}
	s.keys("esc", "esc", "outcome:killed", "enter", "y")
	s.shows("this session has no fix to copy")
}

func TestDeletingAsksFirst(t *testing.T) {
	logs := kept(t)
	s := play(t, logs, 120, 36)
	s.keys("class:deadlock", "delete")
	s.shows("delete 20261123-115308-deadlock?")
	s.keys("n")
	if _, err := os.Stat(filepath.Join(logs, "20261123-115308-deadlock.jsonl")); err != nil {
		t.Fatal("it was deleted without a yes")
	}
	s.keys("delete", "y")
	s.shows("nothing matches")
	if left, _ := filepath.Glob(filepath.Join(logs, "20261123-115308-deadlock.*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

func TestStatistics(t *testing.T) {
	s := play(t, kept(t), 120, 36)
	s.keys("ctrl+t")
	s.shows("Statistics", "applied fixes that held", "Classes", "builtin/rules")
	s.keys("esc")
	s.shows("6 sessions")
}

// TestHostileLogs: what a journal says never reaches the terminal as it is.
func TestHostileLogs(t *testing.T) {
	logs := t.TempDir()
	l, err := session.CreateLog(logs, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range sessiontest.Hostile() {
		if _, err := l.Append("\x1b]0;evil\a", body); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s := play(t, logs, 100, 40)
	for _, keys := range [][]string{nil, {"enter"}, {"esc", "ctrl+t"}} {
		s.keys(keys...)
		for _, bad := range []string{"\x1b]", "\x07", "\u202e", "\u200b", "\x9b"} {
			if strings.Contains(s.View().Content, bad) {
				t.Errorf("after %q the screen holds %q", keys, bad)
			}
		}
	}
}

func TestGoldenViews(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}} {
		for name, keys := range map[string][]string{"list": {"class:nil*"}, "session": {"class:nil*", "enter"}, "stats": {"ctrl+t"}} {
			s := play(t, kept(t), size[0], size[1])
			s.keys(keys...)
			path := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.txt", name, size[0], size[1]))
			got := s.screen()
			for i, line := range strings.Split(got, "\n") {
				if ansi.StringWidth(line) != size[0] {
					t.Errorf("%s: line %d has %d cells", path, i, ansi.StringWidth(line))
				}
			}
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || string(want) != got {
				t.Errorf("%s differs (%v):\n%s", path, err, got)
			}
		}
	}
}
