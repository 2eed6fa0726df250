package index_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// FuzzJournal: whatever a journal holds becomes one row, which the list, the
// search and the statistics take.
func FuzzJournal(f *testing.F) {
	journals, err := filepath.Glob(filepath.Join(kept, "*.jsonl"))
	if err != nil || len(journals) == 0 {
		f.Fatal(err)
	}
	for _, path := range journals {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	f.Add([]byte(""))
	f.Add([]byte("\x7fELF\x00\n{}\n"))
	f.Add([]byte(`{"v":1,"seq":1,"at":"2026-11-20T17:02:03Z","actor":"\u001b[31m","kind":"started","body":{"id":"../../x","package":"\u0000\u001e\u001f"}}` + "\n"))
	f.Add([]byte(`{"v":1,"seq":18446744073709551615,"at":"9999-12-31T23:59:59Z","kind":"stopped","body":{"stop":{"selected":-7,"panic":{"culprit":99}}}}` + "\n"))
	var hostile bytes.Buffer
	for i, body := range sessiontest.Hostile() {
		line, err := json.Marshal(body)
		if err != nil {
			f.Fatal(err)
		}
		fmt.Fprintf(&hostile, `{"v":1,"seq":%d,"at":"2026-11-20T17:02:03Z","kind":%q,"body":%s}`+"\n", i+1, body.Kind(), line)
	}
	f.Add(hostile.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "20261120-170203-fuzzed.jsonl"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		x := open(t, dir)
		if c := refreshed(t, x); c.Read != 1 {
			t.Fatalf("read %+v", c)
		}
		list, total, err := x.Search(t.Context(), index.Query{}, 10, 0)
		if err != nil || total != 1 || len(list) != 1 || list[0].Name != "20261120-170203-fuzzed" {
			t.Fatalf("found %+v of %d, %v", list, total, err)
		}
		s, err := x.Stats(t.Context(), index.Query{})
		if err != nil || s.Sessions != 1 {
			t.Fatalf("counted %+v, %v", s, err)
		}
		if c := refreshed(t, x); c != (index.Changes{}) {
			t.Fatalf("nothing changed, and it read %+v", c)
		}
	})
}
