package index_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench/perf/manysessions"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session/index"
)

// kept are the logs of the examples that the repository holds.
const kept = "../../debug"

// logs copies the kept journals to a directory of the test's own.
func logs(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	testsupport.KeptLogs(t, dir)
	return dir
}

// count is how many journals a directory holds.
func count(t testing.TB, dir string) int {
	t.Helper()
	journals, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(journals) == 0 {
		t.Fatalf("no journals: %v", err)
	}
	return len(journals)
}

func open(t testing.TB, dir string) *index.Index {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "sessions.db"), dir)
}

func openAt(t testing.TB, path, dir string) *index.Index {
	t.Helper()
	x, err := index.Open(t.Context(), path, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func refreshed(t testing.TB, x *index.Index) index.Changes {
	t.Helper()
	c, err := x.Refresh(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func search(t testing.TB, x *index.Index, query string) []string {
	t.Helper()
	q, err := index.ParseQuery(query, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	list, total, err := x.Search(t.Context(), q, 100, 0)
	if err != nil || total != len(list) {
		t.Fatalf("%q: %d of %d, %v", query, len(list), total, err)
	}
	var classes []string
	for _, s := range list {
		classes = append(classes, s.Class)
	}
	return classes
}

func TestSearch(t *testing.T) {
	dir := logs(t)
	x := open(t, dir)
	if c := refreshed(t, x); c.Read != count(t, dir) || c.Removed != 0 || c.Bytes == 0 {
		t.Fatalf("read %+v", c)
	}
	for query, want := range map[string]string{
		"nil map":                          "nil-map-write",
		"assig":                            "nil-map-write",
		"class:nil-map-write":              "nil-map-write",
		"class:*-assert* panic":            "",
		"class:*map* outcome:fixed":        "nil-map-write",
		"outcome:nothing":                  "",
		"effect:repairs class:nil*":        "nil-map-write",
		"effect:repairs class:nil":         "nil-map-write",
		"since:2026-11-01 zero class:div*": "divide-by-zero",
		"until:2020-01-01":                 "",
		`message:"*integer divide*"`:       "divide-by-zero",
		"file:*.go class:type-*":           "type-assertion",
		"file:suppliers.go":                "nil-map-write",
		"function:remember":                "nil-map-write",
		"function:(*Inventory).rem*":       "nil-map-write",
		"function:member":                  "",
		"nosuchword":                       "",
		"asignment":                        "nil-map-write", // words like it
		"rememeber":                        "nil-map-write",
		"invtory assignment":               "nil-map-write",
		"zzz assignment":                   "",
		`"); DROP TABLE sessions; --`:      "",
		`class:' words: NEAR(a b) OR *`:    "",
	} {
		if got := strings.Join(search(t, x, query), " "); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

// A model is found with its provider and without it.
func TestModels(t *testing.T) {
	dir := t.TempDir()
	if _, err := manysessions.Make(dir, kept, 0, 24, 60<<10); err != nil {
		t.Fatal(err)
	}
	x := open(t, dir)
	refreshed(t, x)
	all := search(t, x, "model:ollama/devstral:24b")
	if len(all) == 0 || len(all) == 24 {
		t.Fatalf("%d sessions asked it", len(all))
	}
	for query, want := range map[string]int{"model:devstral*": len(all), "model:devstral:24b": len(all), "model:devstral": 0, "model:stral*": 0, "model:ollama*": 24} {
		if got := search(t, x, query); len(got) != want {
			t.Errorf("%s: %d sessions, want %d", query, len(got), want)
		}
	}
	for _, prefix := range []string{"devs", "ollama/devs"} {
		if got, err := x.Values(t.Context(), "model", prefix, 10); err != nil || len(got) != 1 || got[0] != "ollama/devstral:24b" {
			t.Errorf("%s is completed to %q, error %v", prefix, got, err)
		}
	}
}

func TestWrongQueries(t *testing.T) {
	for query, want := range map[string]string{"klass:x": `unknown filter "klass"`, "since:soon": `"soon" is not a time`} {
		if _, err := index.ParseQuery(query, time.Now()); err == nil || err.Error() != want {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestValues(t *testing.T) {
	x := open(t, logs(t))
	refreshed(t, x)
	for _, tt := range []struct{ field, prefix, want string }{
		{"class", "d", "deadlock divide-by-zero"},
		{"class", "t", "type-assertion"},
		{"nosuch", "", ""},
	} {
		got, err := x.Values(t.Context(), tt.field, tt.prefix, 10)
		slices.Sort(got)
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, %v", tt.field, got, err)
		}
	}
}

// TestTheIndexFollowsTheDirectory: files come, change and go by anybody's hand.
func TestTheIndexFollowsTheDirectory(t *testing.T) {
	dir := logs(t)
	x := open(t, dir)
	refreshed(t, x)
	if c := refreshed(t, x); c != (index.Changes{}) {
		t.Errorf("nothing changed, and it read %+v", c)
	}
	journals, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	text, err := os.ReadFile(journals[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "20261122-101010-nil-map-write.jsonl"), string(text))
	write(t, journals[1], "")
	if err := os.Remove(journals[2]); err != nil {
		t.Fatal(err)
	}
	if c := refreshed(t, x); c.Read != 2 || c.Removed != 1 {
		t.Errorf("it read %+v", c)
	}
	if got := search(t, x, "class:nil-map-write"); len(got) != 2 {
		t.Errorf("found %q", got)
	}
	if got := search(t, x, "outcome:unreadable"); len(got) != 1 {
		t.Errorf("the empty journal is not named: %q", got)
	}
}

// TestForeignFiles: what is no journal is named, and nothing is followed out of
// the directory.
func TestForeignFiles(t *testing.T) {
	dir := logs(t)
	own := count(t, dir)
	outside := filepath.Join(t.TempDir(), "secret.jsonl")
	journals, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	text, _ := os.ReadFile(journals[0])
	write(t, outside, string(text))
	if err := os.Symlink(outside, filepath.Join(dir, "20261101-000001-linked.jsonl")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "20261101-000002-directory.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "20261101-000003-torn.jsonl"), string(text[:len(text)*2/3]))
	write(t, filepath.Join(dir, "20261101-000004-binary.jsonl"), "\x7fELF\x00\x01\x02\n\x00")
	write(t, filepath.Join(dir, "20261101-000005-json.jsonl"), "{}\n[[[[\n")
	huge := filepath.Join(dir, "20261101-000006-huge.jsonl")
	write(t, huge, string(text))
	if err := os.Truncate(huge, 1<<30); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "20261101-000007-pipe.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := open(t, dir)
	if c := refreshed(t, x); c.Read != own+7 {
		t.Errorf("read %+v", c)
	}
	if got := search(t, x, "outcome:unreadable"); len(got) != 6 {
		t.Errorf("unreadable are %d", len(got))
	}
	list, _, err := x.Search(t.Context(), index.Query{}, 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]string{}
	for _, s := range list {
		problems[strings.TrimPrefix(s.Name, "20261101-")] = s.Error
	}
	for name, want := range map[string]string{"000001-linked": "a link", "000002-directory": "not a regular file", "000006-huge": "larger than 64 MB", "000007-pipe": "not a regular file"} {
		if !strings.Contains(problems[name], want) {
			t.Errorf("%s: %q", name, problems[name])
		}
	}
}

func TestADamagedIndexIsMadeAnew(t *testing.T) {
	dir, path := logs(t), filepath.Join(t.TempDir(), "sessions.db")
	for _, damage := range []string{"", "no database at all", strings.Repeat("\x00", 8192)} {
		if damage != "" {
			write(t, path, damage)
		}
		x, err := index.Open(t.Context(), path, dir)
		if err != nil {
			t.Fatal(err)
		}
		if c := refreshed(t, x); c.Read != count(t, dir) {
			t.Errorf("%.10q: read %+v", damage, c)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

// TestTwoAtOnce: no session is lost or counted twice.
func TestTwoAtOnce(t *testing.T) {
	dir, path := logs(t), filepath.Join(t.TempDir(), "sessions.db")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			x, err := index.Open(context.Background(), path, dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer x.Close()
			if _, err := x.Refresh(context.Background(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	x := openAt(t, path, dir)
	if got := search(t, x, ""); len(got) != count(t, dir) {
		t.Errorf("there are %q", got)
	}
	if got := search(t, x, "assignment"); len(got) != 1 {
		t.Errorf("the words lead to %q", got)
	}
}

var write = testsupport.Write

func TestStats(t *testing.T) {
	dir := logs(t)
	x := open(t, dir)
	refreshed(t, x)
	s, err := x.Stats(t.Context(), index.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Sessions != count(t, dir) || s.Unreadable != 0 || len(s.Classes) < 3 || len(s.Days) == 0 || s.ToStop == nil {
		t.Errorf("%+v", s)
	}
	if s.Applied == 0 || s.Fixed.N == 0 || s.Fixed.N > s.Applied || s.Fixed.Low >= s.Fixed.High {
		t.Errorf("of %d applied %+v were fixed", s.Applied, s.Fixed)
	}
	verified := 0
	for _, p := range s.Proposers {
		verified += p.Verified.N
	}
	if verified < s.Applied {
		t.Errorf("%d candidates are verified, and %d applied", verified, s.Applied)
	}
}

func TestRate(t *testing.T) {
	for _, tt := range []struct {
		n, of     int
		low, high float64
	}{{0, 0, 0, 100}, {8, 10, 49, 94.3}, {0, 10, 0, 27.8}, {51, 51, 93, 100}} {
		r := index.NewRate(tt.n, tt.of)
		if r.Low < tt.low-0.2 || r.Low > tt.low+0.2 || r.High < tt.high-0.2 || r.High > tt.high+0.2 {
			t.Errorf("%d of %d: %+v", tt.n, tt.of, r)
		}
	}
}

// TestWatch: what others do to the directory is seen, also where it did not exist
// before.
func TestWatch(t *testing.T) {
	from, dir := logs(t), filepath.Join(t.TempDir(), "debug")
	x := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	found := make(chan int, 100)
	var watcher sync.WaitGroup
	watcher.Go(func() {
		x.Watch(ctx, func() {
			if _, err := x.Refresh(ctx, nil); err != nil {
				return
			}
			_, total, _ := x.Search(ctx, index.Query{}, 1, 0)
			found <- total
		})
	})
	await := func(n int) {
		t.Helper()
		for end := time.After(20 * time.Second); ; {
			select {
			case got := <-found:
				if got == n {
					return
				}
			case <-end:
				t.Fatalf("never %d sessions", n)
			}
		}
	}
	await(0)
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	await(count(t, from))
	journals, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err := os.Remove(journals[0]); err != nil {
		t.Fatal(err)
	}
	await(count(t, from) - 1)
	cancel()
	watcher.Wait()
}
