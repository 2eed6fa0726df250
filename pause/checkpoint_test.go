package pause

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

type order struct {
	ID  int
	Sum float64
}

// beginRun begins a run under pausetui in which every block's code has the hash.
func beginRun(t *testing.T, dir, hash string) {
	t.Helper()
	r := newRun(dir)
	text, err := json.Marshal(anyCode(hash))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, codeFile), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	under = r
	tracking.Store(true)
	t.Cleanup(func() { under = nil; tracking.Store(false) })
}

// anyCode gives the blocks of this file's tests a hash.
func anyCode(hash string) map[string]code {
	list := map[string]code{}
	for _, f := range []any{five, two, unfit, huge} {
		list[codePointer(f)] = code{Hash: hash}
	}
	return list
}

var ran int

func five(context.Context) (order, error)       { ran++; return order{5, 2.5}, nil }
func two(context.Context) ([]order, error)      { ran++; return []order{}, nil }
func unfit(context.Context) (chan int, error)   { ran++; return make(chan int), nil }
func huge(context.Context) ([]byte, error)      { ran++; return make([]byte, 100<<20), nil }
func again(t *testing.T, id string, in any) int { return againWith(t, id, five, in) }

func againWith[T any](t *testing.T, id string, f func(context.Context) (T, error), in any) int {
	t.Helper()
	ran = 0
	if _, err := Run(context.Background(), id, "Count", f, Inputs(in)); err != nil {
		t.Fatal(err)
	}
	return ran
}

func TestFinishedBlocksAreNotRunAgain(t *testing.T) {
	dir := t.TempDir()
	beginRun(t, dir, "a")
	if again(t, "count", 1) != 1 || againWith(t, "two", two, 1) != 1 || againWith(t, "unfit", unfit, 1) != 1 {
		t.Fatal("a block did not run at first")
	}
	beginRun(t, dir, "a")
	if got, _ := Run(context.Background(), "count", "Count", five, Inputs(1)); got != (order{5, 2.5}) {
		t.Errorf("got %v", got)
	}
	if got, _ := Run(context.Background(), "two", "Count", two, Inputs(1)); got == nil || len(got) != 0 {
		t.Errorf("got %#v, not an empty slice", got)
	}
	if again(t, "count", 2) != 1 {
		t.Error("other inputs: the block did not run")
	}
	if againWith(t, "unfit", unfit, 1) != 1 {
		t.Error("what cannot be stored did not run")
	}
	beginRun(t, dir, "b")
	if again(t, "count", 1) != 1 {
		t.Error("other code: the block did not run")
	}
	for block, what := range map[string]string{
		"unfit": "its result cannot be stored: it holds a chan int",
		"two":   "returned",
		"count": errChanged.Error(),
	} {
		if words := noted(t, dir)[block]; !slices.Contains(words, what) {
			t.Errorf("%s: %q, want %q", block, words, what)
		}
	}
}

// noted is what was noted of each block.
func noted(t *testing.T, dir string) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	for line := range bytes.Lines(notesOf(t, dir)) {
		var n note
		if err := json.Unmarshal(line, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if n.What == "returned" {
			n.Why = n.What
		}
		list[n.Block] = append(list[n.Block], n.Why)
	}
	return list
}

func notesOf(t *testing.T, dir string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, notesFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return text
}

// TestNotesLeaveRoomForReasons: neither thousands of blocks that return their
// results nor thousands with one reason hide what else is to be said.
func TestNotesLeaveRoomForReasons(t *testing.T) {
	dir := t.TempDir()
	n := newNotes(dir)
	for i := range 10_000 {
		n.restored(fmt.Sprintf("file%d", i))
		n.runs(fmt.Sprintf("row%d", i), "it holds a chan int")
		n.runs("same", "it is repeated")
	}
	n.runs("last", errChanged.Error())
	list := noted(t, dir)
	if got := list["last"]; !slices.Equal(got, []string{errChanged.Error()}) {
		t.Errorf("the last reason is %q", got)
	}
	if got := list["same"]; !slices.Equal(got, []string{"it is repeated"}) {
		t.Errorf("a reason is noted %d times for one block", len(got))
	}
	text := notesOf(t, dir)
	if lines := bytes.Count(text, []byte("\n")); lines > maxPaths+2+2*maxReturned {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{`"count":10000}`, `"block":"row19","what":"runs","why":"it holds a chan int","more":true}`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the notes lack %s", want)
		}
	}
	for i := range 2 * maxReasons {
		n.runs("row", fmt.Sprint(i))
	}
	if lines := bytes.Count(notesOf(t, dir), []byte("row")); lines > maxPaths+maxReasons {
		t.Errorf("%d reasons are noted", lines)
	}
}

func TestRepeatedInputsAreNotStored(t *testing.T) {
	dir := t.TempDir()
	beginRun(t, dir, "a")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			_, _ = Run(context.Background(), "same", "Count", func(context.Context) (int, error) { return 1, nil })
		})
	}
	all.Wait()
	again(t, "same", 1)
	again(t, "same", 1)
	beginRun(t, dir, "a")
	if again(t, "same", 1) != 1 {
		t.Error("a block with repeated inputs was not run again")
	}
}

func TestDamagedResultsAreIgnored(t *testing.T) {
	cut, damaged := "bytes at its end are ignored", errDamaged.Error()
	for name, row := range map[string]struct {
		damage func([]byte) []byte
		block  string // of which it is said; empty for all
		words  string
	}{
		"truncated":       {func(b []byte) []byte { return b[:len(b)-1] }, "", cut},
		"garbled index":   {func([]byte) []byte { return []byte("\n\n1 99999999999\n") }, "", "16 " + cut},
		"foreign":         {func([]byte) []byte { return []byte("SQLite format 3\x00") }, "", "16 " + cut},
		"something after": {func(b []byte) []byte { return append(b, "key 100\nshort"...) }, "", "13 " + cut},
		"garbled result":  {func(b []byte) []byte { b[len(b)-2] ^= 1; return b }, "sized", damaged},
		"another result":  {func(b []byte) []byte { return bytes.Replace(b, []byte(`"Sum":2.5`), []byte(`"Sum":3.5`), 1) }, "count", damaged},
		"another version": {func(b []byte) []byte { return bytes.Replace(b, []byte("block 2 "), []byte("block 1 "), 1) }, "count", damaged},
		"of another key":  {swapKeys, "count", damaged},
		"with other types": {func(b []byte) []byte {
			return bytes.Replace(b, fmt.Appendf(nil, "%x", "pause.order"), fmt.Appendf(nil, "%x", "pause.Order"), 1)
		}, "count", damaged},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			beginRun(t, dir, "a")
			again(t, "count", 1)
			again(t, "sized", 1)
			file := filepath.Join(dir, resultsFile)
			info, err := os.Stat(file)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("%v: others can read it: %v", err, info)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, row.damage(bytes.Clone(text)), 0o600); err != nil {
				t.Fatal(err)
			}
			beginRun(t, dir, "a")
			again := again(t, "count", 1) + again(t, "sized", 1)
			if whole := name == "something after"; whole != (again == 0) {
				t.Errorf("%d blocks ran again: %q", again, text)
			}
			if words := noted(t, dir)[row.block]; !strings.Contains(strings.Join(words, "\n"), row.words) {
				t.Errorf("noted %q, want %q", words, row.words)
			}
			if err := under.store.Drop(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%v: the file is left", err)
			}
		})
	}
}

// swapKeys gives the results of two blocks to each other.
func swapKeys(b []byte) []byte {
	heads := regexp.MustCompile(`[0-9a-f]{64} \d+\n`).FindAllIndex(b, 2)
	first, second := b[heads[0][0]:heads[0][1]], b[heads[1][0]:heads[1][1]]
	kept := bytes.Clone(first)
	copy(first, second)
	copy(second, kept)
	return b
}

func TestLargeResultsAreRefused(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		beginRun(t, dir, "a")
		if againWith(t, "huge", huge, 1) != 1 {
			t.Error("a result of 100 MB was stored")
		}
		if words := noted(t, dir)["huge"]; !slices.Contains(words, "its result cannot be stored: it takes more than 8 MB") {
			t.Errorf("noted %q", words)
		}
		if err := os.Remove(filepath.Join(dir, notesFile)); err != nil {
			t.Fatal(err)
		}
	}
	type hidden struct{ n int }
	if _, err := encode(hidden{3}); err == nil {
		t.Error("a result with an unexported field was taken")
	}
}
