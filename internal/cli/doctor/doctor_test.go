package doctor

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

func TestWorstIsTheWorstLevel(t *testing.T) {
	for _, c := range []struct {
		levels []Level
		want   Level
	}{
		{nil, OK},
		{[]Level{OK, OK}, OK},
		{[]Level{OK, Warn, OK}, Warn},
		{[]Level{Bad, Warn}, Bad},
		{[]Level{Warn, Bad, OK}, Bad},
	} {
		var found []Finding
		for _, level := range c.levels {
			found = append(found, Finding{Level: level})
		}
		if got := Worst(found); got != c.want {
			t.Errorf("%v: %s, want %s", c.levels, got, c.want)
		}
	}
}

func TestExamineNamesWhatItFinds(t *testing.T) {
	look := func(level Level) func(context.Context) Finding {
		return func(ctx context.Context) Finding {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Error("a check may take forever")
			}
			return Finding{Level: level}
		}
	}
	found := Examine(t.Context(), []Check{{"go", look(OK)}, {"rr", look(Warn)}})
	if len(found) != 2 || found[0].Name != "go" || found[0].Level != OK || found[1].Name != "rr" || found[1].Level != Warn {
		t.Errorf("%+v", found)
	}
}

func TestClipboardsThatATerminalReaches(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		level Level
		says  string // why, or the hint
	}{
		{"another terminal", map[string]string{"TERM": "xterm-kitty"}, OK, ""},
		{"tmux", map[string]string{"TMUX": "/tmp/tmux", "TERM": "screen-256color"}, OK, "set-clipboard on"},
		{"screen", map[string]string{"TERM": "screen.xterm-256color"}, Warn, "screen does not pass it on"},
		{"macOS", map[string]string{"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, Warn, "Terminal.app"},
		{"GNOME", map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7600"}, Warn, "VTE"},
		{"console", map[string]string{"TERM": "linux"}, Warn, "no clipboard"},
		{"tmux in GNOME", map[string]string{"TMUX": "/tmp/tmux", "VTE_VERSION": "7600"}, OK, "tmux"},
	} {
		f := Clipboard(func(name string) string { return c.env[name] })(t.Context())
		if said := strings.Join(f.Why, "\n") + f.Hint; f.Level != c.level || !strings.Contains(said, c.says) || (c.says == "") != (said == "") {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}

func TestEditorsThatCanBeRun(t *testing.T) {
	lookPath := func(name string) (string, error) {
		if name == "nano" || name == "/usr/bin/vi" {
			return name, nil
		}
		return "", errors.New("not found")
	}
	for _, c := range []struct {
		command, from string
		level         Level
		found         string
	}{
		{"nano -w", "$EDITOR", OK, "nano -w ($EDITOR)"},
		{"code -w", "$VISUAL", Warn, `$VISUAL is "code -w", which cannot be run`},
		{"/usr/bin/vi", "", OK, "/usr/bin/vi ($EDITOR and $VISUAL are not set)"},
		{"", "", Warn, "none: $EDITOR, $VISUAL and git's core.editor are not set, and there is no vi"},
	} {
		if f := Editor(c.command, c.from, lookPath); f.Level != c.level || f.Found != c.found || (f.Level == Warn) != (f.Hint != "") {
			t.Errorf("%q: %+v", c.command, f)
		}
	}
}

func TestDirectoriesThatCanBeWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		level Level
		why   string
	}{
		{dir, OK, ""},
		{filepath.Join(dir, "made", "when", "needed"), OK, ""},
		{file, Warn, "is not a directory"},
		{filepath.Join(file, "below"), Warn, "not a directory"},
	} {
		f := Directory(c.path, "nothing is kept")
		if f.Level != c.level || !strings.Contains(strings.Join(f.Why, ""), c.why) || (f.Hint == "nothing is kept") != (c.level == Warn) {
			t.Errorf("%s: %+v", c.path, f)
		}
	}
}

// The go command would download and run the toolchain that a repository's go.mod names.
func TestTheDoctorDownloadsNoToolchain(t *testing.T) {
	var asked atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer proxy.Close()
	t.Setenv("GOPROXY", proxy.URL)
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOTOOLCHAIN", "auto")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("go.mod", []byte("module m\n\ngo 1.21\n\ntoolchain go1.99.9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Go("go1.1", "go1.200")(t.Context())
	if asked.Load() > 0 || f.Level != Warn || !strings.HasPrefix(f.Found, "go1.") {
		t.Errorf("asked %d times: %+v", asked.Load(), f)
	}
}
