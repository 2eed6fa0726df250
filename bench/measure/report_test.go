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

func TestInterval(t *testing.T) {
	// Wilson's interval of 8 of 10, as in any textbook: 49 % to 94 %.
	low, high := share{8, 10}.interval()
	if int(low+0.5) != 49 || int(high+0.5) != 94 {
		t.Errorf("%.2f to %.2f", low, high)
	}
}

func TestJudge(t *testing.T) {
	c := &bench.Case{Class: "nil-map-write", StopsIn: "(*Index).Add"}
	for _, test := range []struct{ report, want string }{
		{`{"stop":null,"candidates":[]}`, ""},
		{`{"stop":{"class":"nil-map-write","function":"example.com/a/b.(*Index[go.shape.int]).Add"},"candidates":[]}`, "class culprit"},
		{`{"stop":{"class":"exit","function":"main.(*Index).Add"},"candidates":[{"verified":false,"test":null}]}`, "culprit"},
		{`{"candidates":[{"verified":true,"masking":true,"test":null},{"verified":true}]}`, "masking"},
		{`{"candidates":[{"verified":true,"test":{"name":"TestX"}}],"timings":{"verified_ms":1500}}`, "verified test"},
	} {
		var f fixed
		if err := json.Unmarshal([]byte(test.report), &f); err != nil {
			t.Fatal(err)
		}
		r := result{c: c}
		r.judge(f)
		var got []string
		for _, flag := range r.flags() {
			if flag.holds {
				got = append(got, flag.name)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.report, got, test.want)
		}
	}
}

func TestReport(t *testing.T) {
	never := false
	text := report([]result{
		{c: &bench.Case{Name: "a-1", Class: "a", Fault: bench.Here}, class: true, verified: true, right: true, first: 2 * time.Second},
		{c: &bench.Case{Name: "a-4", Class: "a", Fault: bench.Elsewhere, FaultIn: "f"}, class: true, masking: true},
		{c: &bench.Case{Name: "b-1", Class: "b", Fault: bench.Here, Fixable: &never}, right: true},
	})
	for _, want := range []string{
		"- verified, and not masking: **1 of 2**, 50 %",
		"- left alone where nothing local helps: **1 of 1**",
		"| a | 2 | 2/2 | 0/2 | 1/2 | 1/2 | 1/2 | 0/2 | 2s |",
		"| fault elsewhere | 1 | 1/1 | 0/1 | 0/1 | 0/1 | 1/1 | 0/1 | – |",
		"| b-1 | not local |",
		"| the fixer's authors may read | 1 | 1/1 | 0/1 | 1/1 | 1/1 |",
		"| the fixer's authors may not | 1 | 1/1 | 0/1 | 0/1 | 0/1 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
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
