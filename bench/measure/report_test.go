package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/bench"
)

func TestTake(t *testing.T) {
	c := &bench.Case{Class: "nil-map-write", StopsIn: "(*Index).Add"}
	for _, test := range []struct{ report, want string }{
		{`{"stop":null,"candidates":[]}`, ""},
		{`{"stop":{"class":"nil-map-write","function":"example.com/a/b.(*Index[go.shape.int]).Add"},"candidates":[]}`, "class right, culprit right"},
		{`{"stop":{"class":"exit","function":"main.(*Index).Add"},"candidates":[{"verified":false,"test":null}]}`, "culprit right"},
		{`{"candidates":[{"verified":true,"masking":true,"test":null},{"verified":true}]}`, ""},
		{`{"candidates":[{"verified":true,"effect":"skips","evidence":null}]}`, "verified"},
		{`{"candidates":[{"verified":true,"effect":"declines","evidence":["a test"],"test":{"name":"TestX"}}],"timings":{"verified_ms":1500}}`, "verified, misleads, test"},
	} {
		var f fixed
		if err := json.Unmarshal([]byte(test.report), &f); err != nil {
			t.Fatal(err)
		}
		r := result{c: c}
		r.take(f)
		var got []string
		for _, f := range figures {
			if f.holds(r) {
				got = append(got, f.name)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %v, want %s", test.report, got, test.want)
		}
	}
}

// a is a class whose cases are here, b one of a single closed case.
func sample() []result {
	never := false
	openA := &bench.Case{Name: "a-1", Class: "a", Fault: bench.Here}
	closedA := &bench.Case{Name: "a-4", Class: "a", Fault: bench.Elsewhere, FaultIn: "f"}
	closedA2 := &bench.Case{Name: "a-5", Class: "a", Fault: bench.Here}
	openB := &bench.Case{Name: "b-4", Class: "b", Fault: bench.Here, Fixable: &never}
	closedB := &bench.Case{Name: "b-1", Class: "b", Fault: bench.Here}
	good, bad := candidate{Provider: "builtin", Verified: true, Right: true, Effect: "repairs"}, candidate{Provider: "builtin", Verified: true, Effect: "declines"}
	hidden := candidate{Provider: "ollama", Verified: true, Right: true, Effect: "hides"}
	return []result{
		{c: openA, setting: builtin, class: true, candidates: []candidate{good}, first: 2 * time.Second},
		{c: closedA, setting: builtin, class: true, candidates: []candidate{bad, good}},
		{c: closedA2, setting: builtin},
		{c: openB, setting: builtin, candidates: []candidate{{Verified: true, Masking: true}}},
		{c: closedB, setting: builtin, failed: "no report"},
		{c: openA, setting: strong, candidates: []candidate{good, hidden}},
		{c: closedA, setting: strong, candidates: []candidate{{Provider: "builtin", Also: []string{"ollama/strong:32b"}, Verified: true, Right: true, Effect: "skips"}}},
		{c: closedA2, setting: strong, candidates: []candidate{bad, hidden}},
	}
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name string
		open bool
	}{{"a-1", true}, {"a-4", false}, {"a-5", false}, {"b-4", true}, {"b-1", false}} {
		if (&bench.Case{Name: c.name}).Open() != c.open {
			t.Fatalf("%s: open is not %v", c.name, c.open)
		}
	}
	text := report(sample())
	alone, beside, _ := strings.Cut(text, "### Beside a strong model")
	for _, want := range []string{
		"| right: some candidate is, by the hidden check | **1 of 1**, 100 % (21–100) | **1 of 3**, 33 % (6–79) | **2 of 4**, 50 % (15–85) |",
		"| **right at first place** | **1 of 1**, 100 % (21–100) | **0 of 3**",
		"| **first place verified, wrong, and without a warning** | **0 of 1**, 0 % (0–79) | **1 of 3**",
		"| wrong first places by effect | – | declines 1 | declines 1 |",
		"| left alone where no edit helps | **1 of 1**",
		"| pausetui failed | **0 of 2**, 0 % (0–66) | **1 of 3**",
		"| a | 3 | 2/3 | 0/3 | 2/3 | 2/3 | 1/3 | 1/3 | 0/3 | 2s |",
		"| classes of one closed case | 2 | – | – |",
	} {
		if !strings.Contains(alone, want) {
			t.Errorf("%q is missing in\n%s", want, alone)
		}
	}
	for _, want := range []string{
		"| right answers of the model among the candidates | **1 of 1**, 100 % (21–100) | **2 of 2**",
		"| … beside which a right one stands first | **1 of 1**, 100 % (21–100) | **1 of 2**",
		"| … which stand first themselves | **0 of 1**, 0 % (0–79) | **1 of 2**",
		"| right candidates of the model with the label hides, skips, declines | 1, 0, 0 of 1 | 1, 1, 0 of 2 | 2, 1, 0 of 3 |",
		"| right built-in candidates with the label hides, skips, declines | 0, 0, 0 of 1 | 0, 1, 0 of 1 |",
		"| a-1 | here | strong |",
		"| b-4 | not local | builtin |",
	} {
		if !strings.Contains(beside, want) {
			t.Errorf("%q is missing in\n%s", want, beside)
		}
	}
	for _, closed := range []string{"a-4", "a-5", "b-1", "| b |"} {
		if strings.Contains(text, closed) {
			t.Errorf("%q, which is closed, is in\n%s", closed, text)
		}
	}
}

func TestParseSettings(t *testing.T) {
	got, err := parseSettings("sloppy,builtin")
	if err != nil || len(got) != 2 || got[0] != builtin || got[1] != sloppy {
		t.Errorf("%v %v", got, err)
	}
	if _, err := parseSettings("weak"); err == nil {
		t.Error("no error for an unknown setting")
	}
}

func TestInsert(t *testing.T) {
	file := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(file, []byte("# A\n"+begin+"\nold\n"+end+"\n# B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // writing again changes nothing
		if err := insert(file, "new\n"); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(file); string(got) != "# A\n"+begin+"\n\nnew\n\n"+end+"\n# B\n" {
			t.Errorf("%q", got)
		}
	}
	if err := insert(filepath.Join("..", "case.go"), "x"); err == nil {
		t.Error("no error without the markers")
	}
}
