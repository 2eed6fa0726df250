package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const failingTest = `package main

import "testing"

type point struct{ x, y int }

type shape struct {
	at   *point
	next *shape
}

func TestShape(t *testing.T) {
	s := &shape{at: &point{3, 4}}
	if got := s.at.x + s.at.y; got != 8 {
		t.Errorf("got %d, want 8", got)
	}
}
`

// Values are short: what a pointer leads to is there once, and what a library keeps for
// itself is a word.
func TestAnAgentReadsShortValues(t *testing.T) {
	t.Parallel()
	dir := program(t, emptyMapProgram)
	if err := os.WriteFile(filepath.Join(dir, "main_test.go"), []byte(failingTest), 0o600); err != nil {
		t.Fatal(err)
	}
	s := agent(t, dir, "--offline")
	if got, _ := held(t, s, "start", map[string]any{"mode": "test", "args": []string{"-run", "TestShape"}}); got.Reason != "test" {
		t.Fatalf("the test fails: %+v", got)
	}
	text, _ := call(t, s, "values", nil)
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "s ") && line != "s *example.org/sample.shape = &sample.shape{at: &sample.point{x: 3, y: 4}, next: nil *sample.shape}" || strings.HasPrefix(line, "t ") && len(line) > 60 {
			t.Errorf("%s", line)
		}
	}
	has(t, text, "s *example.org/sample.shape", "t *testing.T")
}
