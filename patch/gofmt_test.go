package patch

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// longSum is a file with a sum so long that go/printer takes minutes for it.
func longSum(before string) string {
	return before + "func total(points []int) int {\n\treturn fmt.Sprint(0" + strings.Repeat("+0", 99_000) + ")\n}\n"
}

// TestALongSumHoldsNothingUp: a reply of 200 KB, or an agent's proposal, could have
// everything wait for minutes where its code is formatted.
func TestALongSumHoldsNothingUp(t *testing.T) {
	const (
		before = "package main\n\nfunc total(points []int) int {\n\treturn len(points)\n}\n"
		spaced = "package main\n\nfunc total(points []int) int {\n    return len(points)\n}\n"
	)
	for name, do := range map[string]func() error{
		"splice": func() error { // with an import to add
			_, err := Splice([]byte(before), "main.go", "```go\n"+longSum("")+"```\n")
			if !errors.Is(err, ErrNested) {
				return err
			}
			return nil
		},
		"faithful": func() error {
			Candidate{Edits: []Edit{{File: "main.go", Before: spaced, After: longSum("package main\n\n")}}}.Faithful()
			return nil
		},
		"identity": func() error {
			Identity(Candidate{Edits: []Edit{{File: "main.go", Before: before, After: longSum("package main\n\n")}}})
			return nil
		},
		"imports": func() error {
			_, err := AddImports("main.go", longSum("package main\n\n"), []Import{{Path: "os"}})
			if !errors.Is(err, ErrNested) {
				return err
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() { done <- do() }()
			select {
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("it takes more than 20 s")
			}
		})
	}
}

// TestGofmt: what people nest is formatted.
func TestGofmt(t *testing.T) {
	text := "package p\n\nvar s = \"a\"" + strings.Repeat(" +\n\t\"b\"", 1000) + "\n"
	if got, err := Gofmt(strings.ReplaceAll(text, "\t", " ")); err != nil || got != text {
		t.Errorf("%v, %d bytes instead of %d", err, len(got), len(text))
	}
	if _, err := Gofmt("package"); err == nil {
		t.Error("what does not parse is formatted")
	}
}
