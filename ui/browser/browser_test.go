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

	"github.com/pausetui/pausetui/bench/perf/manysessions"
	"github.com/pausetui/pausetui/internal/testsupport"
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
	testsupport.KeptLogs(t, dir)
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
	s.shows(`unknown filter "klass"`, "deadlock") // what was found before stays
	s.keys("esc", "esc")
	if !s.quit {
		t.Error("esc in an empty query does not leave")
	}
}

// A slash goes to the search, which it does not begin; it can be in what is sought.
func TestASlashGoesToTheSearch(t *testing.T) {
	s := play(t, kept(t), 120, 36)
	s.keys("/", "deadlock")
	s.shows("1 session")
	s.keys("enter", "/")
	s.shows("1 session", "deadlock")
	s.keys("/x")
	if got := s.query.Text(); got != "deadlock/x" {
		t.Errorf("%q is sought", got)
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
	s.keys("f") // what is typed is a beginning, and completed as it is typed
	s.shows("› outcome:f", "3 sessions", "tab outcome:fixed")
	s.keys("tab")
	s.shows("› outcome:fixed ", "3 sessions")
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
	patch := s.documents.opened["20261123-114836-nil-map-write"].patch()
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
	s.shows("Statistics", "applied fixes that held", "Classes", "the built-in fixer")
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

// A live session is followed: under the name it gets when its class is known, and
// at the end where the person has gone there.
func TestALiveSessionIsFollowed(t *testing.T) {
	text, err := os.ReadFile("../../debug/20261123-115308-deadlock.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	events, err := session.Read(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	logs := t.TempDir()
	l, err := session.CreateLog(logs, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var s *stage
	for _, e := range events {
		if _, err := l.Append(e.Actor, e.Body); err != nil {
			t.Fatal(err)
		}
		switch e.Body.(type) {
		case *session.Launched:
			if s == nil {
				s = play(t, logs, 80, 24)
				s.keys("enter")
				s.shows("running")
			}
		case *session.Stopped:
			s.changed()
			s.shows("deadlock")
			s.keys("G")
		case *session.Decided:
			s.changed()
			s.shows("make(chan numbered, len(log))") // of the last candidate
		case *session.Judged:
			s.changed()
			s.shows("judged fixed")
		}
	}
}

// changed brings the index up to date, as a change of the directory does.
func (s *stage) changed() {
	s.t.Helper()
	c, err := s.o.Index.Refresh(s.t.Context(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	s.send(refreshed{c.Read+c.Removed > 0, nil})
}

// A walk through many sessions does not hold them all.
func TestFewSessionsAreHeld(t *testing.T) {
	logs := t.TempDir()
	if _, err := manysessions.Make(logs, "../../debug", 0, 40, 0); err != nil {
		t.Fatal(err)
	}
	s := play(t, logs, 120, 36)
	s.shows("40 sessions")
	for range 39 {
		s.keys("down")
	}
	s.keys("enter")
	s.shows("40 of 40", "nil-map-write")
	if len(s.documents.opened) != maxOpened {
		t.Errorf("%d sessions are held", len(s.documents.opened))
	}
}

// What the index does not read is named, and not read for the preview either.
func TestUnreadableSessionsAreNotRead(t *testing.T) {
	logs := kept(t)
	huge := filepath.Join(logs, "20261123-120000-huge.jsonl")
	if err := os.Rename(filepath.Join(logs, "20261123-115308-deadlock.jsonl"), huge); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 1<<30); err != nil { // it takes no room
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(logs, "20261123-114836-nil-map-write.jsonl"), filepath.Join(logs, "20261123-120001-linked.jsonl")); err != nil {
		t.Fatal(err)
	}
	s := play(t, logs, 120, 36)
	s.shows("20261123-120001-linked", "it is a link, which is not followed")
	s.keys("down")
	s.shows("20261123-120000-huge", "it is larger than 64 MB")
	s.keys("enter")
	s.shows("it is larger than 64 MB")
	s.hides("deadlock")
	s.keys("esc", "ctrl+t")
	s.shows("unreadable")
}

func TestTwoSessionsAreCompared(t *testing.T) {
	logs := kept(t)
	text, err := os.ReadFile(filepath.Join(logs, "20261123-114836-nil-map-write.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("Norrland Steel", "Lumen & Co", "2026-11-23T", "2026-11-22T", `"outcome":"fixed"`, `"outcome":"quit"`,
		"create inv.bySupplier before the first write", "return early").Replace(string(text))
	if err := os.WriteFile(filepath.Join(logs, "20261122-114836-nil-map-write.jsonl"), []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	s := play(t, logs, 160, 45)
	s.keys("class:nil-map-write", "enter", "t")
	s.shows("outcome      fixed", "outcome      quit", `supplier     "Norrland Steel"`, `supplier     "Lumen & Co"`, "only here", "only there   return early")
	if strings.Contains(s.screen(), "nothing differs") {
		t.Error("nothing differs")
	}
}
