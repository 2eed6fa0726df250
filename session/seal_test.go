package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"github.com/pausetui/pausetui/internal/regular"
)

// sealedJournal writes a journal as a session does, and returns its lines.
func sealedJournal(t *testing.T) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "20261120-170203-quit.jsonl")
	j, err := CreateJournal(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []Body{&Started{ID: "20261120-170203"}, &Notice{Text: `a "mac":"x"}`}, &Allowed{What: "network"}, &Ended{Outcome: "quit"}} {
		if _, err := j.Append("person", b); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestWhatAnotherPersonWroteIsNotSealed(t *testing.T) {
	_, data := sealedJournal(t)
	lines := bytes.SplitAfter(data, []byte{'\n'})
	join := func(l ...[]byte) []byte { return bytes.Join(l, nil) }
	plain := []byte(`{"v":1,"seq":5,"at":"2026-11-20T17:02:03Z","actor":"x","kind":"allowed","body":{"what":"files"}}` + "\n")
	digit := byte('0')
	if data[len(data)-5] == digit {
		digit = '1'
	}
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"whole":                    {data, nil},
		"killed":                   {data[:len(data)-20], nil}, // the torn line is cut off
		"killed before a line":     {join(lines[0], lines[1]), nil},
		"killed at a newline":      {data[:len(data)-1], nil},
		"a word changed":           {bytes.Replace(data, []byte("network"), []byte("files\"  "), 1), ErrTorn},
		"another word changed":     {bytes.Replace(data, []byte("network"), []byte("nothing"), 1), ErrForeign},
		"the mac changed":          {join(data[:len(data)-5], []byte{digit}, data[len(data)-4:]), ErrForeign},
		"a line left out":          {join(lines[0], lines[1], lines[3]), ErrForeign},
		"lines exchanged":          {join(lines[0], lines[2], lines[1], lines[3]), ErrForeign},
		"a line added":             {join(data, plain), ErrForeign},
		"a line put in":            {join(lines[0], plain, lines[1], lines[2], lines[3]), ErrForeign},
		"a line of ours repeated":  {join(data, lines[2]), ErrForeign},
		"a start of their own":     {join(plain, data), ErrForeign},
		"no seals, as it was once": {plain, ErrForeign},
		"empty":                    {nil, ErrEmpty},
	} {
		path := written(t, c.data)
		if err := Sealed(path); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		_, _, _, err := OpenLog(path, false, clock())
		if !errors.Is(err, c.want) {
			t.Errorf("%s opens: %v, want %v", name, err, c.want)
		}
		after, _ := os.ReadFile(path)
		if c.want != nil && !bytes.Equal(after, c.data) {
			t.Errorf("%s was refused, and changed", name)
		}
		if events, err := ReadFile(path); errors.Is(c.want, ErrForeign) && (err != nil || len(events) == 0) {
			t.Errorf("%s cannot be read: %v", name, err)
		}
	}
}

func TestAnotherUsersJournalIsForeign(t *testing.T) {
	path, _ := sealedJournal(t)
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if err := Sealed(path); !errors.Is(err, ErrForeign) {
		t.Errorf("with another key: %v", err)
	}
	info, err := os.Stat(keyFile())
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != keySize {
		t.Errorf("the key: %v, %v", info, err)
	}
	// A key that others can read proves nothing.
	mine, _ := sealedJournal(t)
	if err := Sealed(mine); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(keyFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	keys.key = nil
	if err := Sealed(mine); !errors.Is(err, ErrForeign) {
		t.Errorf("with a key that all can read: %v", err)
	}
	keys.key = nil
}

func TestAPersonCanTrustAJournal(t *testing.T) {
	path := written(t, []byte(`{"v":1,"seq":1,"at":"2026-11-20T17:02:03Z","actor":"x","kind":"started","body":{"id":"20261120-170203"}}`+"\n"))
	l, _, _, err := OpenLog(path, true, clock())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Append("person", &Reopened{}); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Sealed(path); err != nil {
		t.Errorf("what a person took over is not theirs: %v", err)
	}
}

func TestAJournalPermitsNothing(t *testing.T) {
	path, _ := sealedJournal(t)
	events, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []Body{&Consented{Host: "evil.example", Model: "m", Given: true}, &Reopened{}} {
		events = append(events, Event{Seq: uint64(len(events)) + 1, At: time.Now(), Actor: "person", Body: b})
	}
	s := Fold(NewState(), events)
	if len(s.Allowed) > 0 {
		t.Errorf("proofs are allowed %q", s.Allowed)
	}
	if _, ok := s.Consent("evil.example", "m"); ok {
		t.Error("a remote model is agreed to")
	}
}

// A journal that is a link, a device or a FIFO is neither read nor written to:
// a torn last line would be cut off from whatever the link leads to.
func TestJournalsAreFilesOfTheirOwn(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(victim, []byte("one line that is no event\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, plant := range map[string]func(path string) error{
		"link":   func(path string) error { return os.Symlink(victim, path) },
		"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		"fifo":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		path := filepath.Join(t.TempDir(), "20261120-170203-quit.jsonl")
		if err := plant(path); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _, _, err := OpenJournal(path, true, clock())
			_, read := ReadFile(path)
			_, started := ReadStarted(path)
			for _, err := range []error{err, read, started, Sealed(path)} {
				if !errors.Is(err, regular.ErrNotRegular) {
					t.Errorf("%s: %v", name, err)
				}
			}
			e := Entry{Journal: path}
			_ = e.Life()
			_, _ = e.Summary(t.Context())
			_ = Alive(path)
		}()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			t.Fatalf("a %s hangs", name)
		}
	}
	if text, _ := os.ReadFile(victim); string(text) != "one line that is no event\n" {
		t.Errorf("the file that the link leads to was changed: %q", text)
	}
}

func TestLogsStayInTheModule(t *testing.T) {
	outside := t.TempDir()
	for name, plant := range map[string]func(root string) error{
		"debug": func(root string) error { return os.Symlink(outside, filepath.Join(root, "debug")) },
		"debug to nowhere": func(root string) error {
			return os.Symlink(filepath.Join(outside, "new"), filepath.Join(root, "debug"))
		},
		".pausetui": func(root string) error {
			return errors.Join(os.Mkdir(filepath.Join(root, "debug"), 0o755), os.WriteFile(filepath.Join(root, "debug", "main.go"), nil, 0o600),
				os.Symlink(outside, filepath.Join(root, ".pausetui")))
		},
	} {
		root := t.TempDir()
		if err := plant(root); err != nil {
			t.Fatal(err)
		}
		_, _, err := Dir(root, "")
		_, find := FindDir(root, "")
		if !errors.Is(err, regular.ErrLeadsOut) || !errors.Is(find, regular.ErrLeadsOut) || !strings.Contains(err.Error(), root) {
			t.Errorf("%s: %v, %v", name, err, find)
		}
		if _, err := FindDir(root, outside); err != nil {
			t.Errorf("%s, and a directory that the person names: %v", name, err)
		}
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("made outside: %v", left)
	}
}

// What sealing costs a line of the usual size; see also BenchmarkAppendUnsealed.
func BenchmarkAppend(b *testing.B)         { benchmarkAppend(b, sealKey()) }
func BenchmarkAppendUnsealed(b *testing.B) { benchmarkAppend(b, nil) }

func benchmarkAppend(b *testing.B, key []byte) {
	j, err := CreateJournal(filepath.Join(b.TempDir(), "x.jsonl"), time.Now)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	j.seal.key = key
	body := &Notice{Level: "info", Text: strings.Repeat("a word ", 150)}
	for b.Loop() {
		if _, err := j.Append("engine", body); err != nil {
			b.Fatal(err)
		}
	}
}
