package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A journal of few bytes may stand for very much memory: it is not read, whatever its parts are,
// in how many lines they are, and whoever reads them.
func TestAJournalOfManyParts(t *testing.T) {
	const before, after = `{"v":1,"seq":2,"kind":"stopped","body":{"stop":{"frames":[`, `]}}}` + "\n"
	started := `{"v":1,"seq":1,"kind":"started","body":{"id":"x"}}` + "\n"
	for name, text := range map[string]string{
		"objects": before + strings.Repeat("{},", 1<<20) + "{}" + after,
		"numbers": before + strings.Repeat("0,", 1<<20) + "0" + after,
		"nulls":   before + strings.Repeat("null,", 1<<20) + "null" + after,
		"lines":   strings.Repeat(before+strings.Repeat("{},", 2000)+"{}"+after, 500),
		"deep":    before + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + after,
	} {
		file := filepath.Join(t.TempDir(), "20261120-170203-nil-map-write.jsonl")
		if err := os.WriteFile(file, []byte(started+text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadFile(file); !errors.Is(err, errParts) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := decode([]byte(strings.TrimSuffix(text, "\n"))); name != "lines" && !errors.Is(err, errParts) {
			t.Errorf("%s, by itself: %v", name, err)
		}
	}
}

func TestPartsAreCounted(t *testing.T) {
	for text, want := range map[string]int{
		``: 0, `{}`: 1, `{"a":1,"b":2}`: 1, `[1,2,3]`: 2, `[{},{}]`: 3, `{"a":"{,[\\","b":[",","\"{"]}`: 2, `"never closed {`: 0, `]]{`: 1,
	} {
		if got := parts([]byte(text)); got != want {
			t.Errorf("%s: %d parts, want %d", text, got, want)
		}
	}
	var b strings.Builder
	for i := range 5000 { // as dense as what is written gets
		fmt.Fprintf(&b, `{"name":"[%d]","type":"int","kind":2,"value":"0"},`, i)
	}
	if n := parts([]byte(`[` + b.String() + `{}]`)); tooManyParts(n, b.Len()) {
		t.Errorf("%d parts in %d bytes are too many", n, b.Len())
	}
}
