package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
)

// TestNoReaderTakesAJournalThatIsTooLarge: every reader of whole journals refuses one before
// it reads any of it. The file is sparse: a repository can hold it in a few bytes.
func TestNoReaderTakesAJournalThatIsTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "20261120-170203-running.jsonl")
	j, err := CreateJournal(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	_, err = j.Append("person", &Started{ID: "20261120-170203", Workspace: workspace.Workspace{Root: "/elsewhere"}})
	if err := errors.Join(err, j.Close(), os.Truncate(path, MaxJournal+1)); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for name, read := range map[string]func() error{
		"ReadFile":      func() error { _, err := ReadFile(path); return err },
		"EachEvent":     func() error { return EachEvent(path, func(Event) error { return nil }) },
		"Recall":        func() error { _, _, err := Recall(t.Context(), path); return err },
		"Sealed":        func() error { return Sealed(path) },
		"OpenJournal":   func() error { _, _, _, err := OpenJournal(path, true, time.Now); return err },
		"OpenLog":       func() error { _, _, _, err := OpenLog(path, false, time.Now); return err },
		"MoveTo":        func() error { return MoveTo(path, "/here") },
		"WriteMarkdown": func() error { return WriteMarkdown(&bytes.Buffer{}, path) },
	} {
		if err := read(); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "256") {
			t.Errorf("%s: %v", name, err)
		}
	}
	list, err := List(filepath.Dir(path))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if _, err := list[0].Summary(t.Context()); err == nil {
		t.Error("a list reads it")
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 16<<20 {
		t.Errorf("%d MB were allocated", (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

// What is shown from the file is what its events tell.
func TestALogIsWrittenFromItsJournal(t *testing.T) {
	journals, err := filepath.Glob(filepath.Join("..", "debug", "*.jsonl"))
	if err != nil || len(journals) == 0 {
		t.Fatal(journals, err)
	}
	for _, journal := range journals {
		text, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		damaged := filepath.Join(t.TempDir(), filepath.Base(journal))
		if err := os.WriteFile(damaged, append(text, "{\n{}\n"...), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{journal, damaged} {
			var out bytes.Buffer
			events, _ := ReadFile(path)
			if err := WriteMarkdown(&out, path); err != nil || !bytes.Equal(out.Bytes(), Markdown(events)) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// A variable of many parts does not push everything else out of a reader's sight.
func TestALargeVariableIsCutInTheLog(t *testing.T) {
	big := debugger.Variable{Name: "cells", Type: "[]cell", Value: "[]cell len 300"}
	for i := range 300 {
		big.Children = append(big.Children, debugger.Variable{Name: fmt.Sprint(i), Value: "cell{}"})
	}
	w := newStory(NewState())
	w.locals(debugger.Frame{Function: "main.draw", Locals: []debugger.Variable{big, {Name: "last", Type: "int", Value: "7"}}})
	text := w.out.String()
	if n := strings.Count(text, "\n"); n > 2*treeLines || !strings.Contains(text, "more lines") || !strings.Contains(text, "last") {
		t.Errorf("%d lines:\n%s", n, text)
	}
}
