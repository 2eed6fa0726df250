package patch

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// applyHunks applies the hunks that are not left out, by their line numbers.
func applyHunks(e Edit, left map[int]bool) string {
	old := splitLines(e.Before)
	var b strings.Builder
	at := 0 // lines of old that are written
	for i, h := range Hunks(e) {
		if left[i] {
			continue
		}
		b.WriteString(strings.Join(old[at:h.OldStart-1], ""))
		for _, l := range h.Lines {
			if l.Op == Del {
				continue
			}
			b.WriteString(l.Text)
			if !l.NoEOL {
				b.WriteByte('\n')
			}
		}
		at = h.OldStart - 1 + h.OldLines
	}
	b.WriteString(strings.Join(old[at:], ""))
	return b.String()
}

func TestLeave(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var subsets []Edit
	for _, e := range randomEdits(5, 600) {
		hunks := Hunks(e)
		none, all, some := map[int]bool{}, map[int]bool{}, map[int]bool{}
		for i := range hunks {
			all[i] = true
			none[i] = false
			some[i] = r.IntN(2) == 0
		}
		if got := e.Leave(all).After; got != e.Before {
			t.Fatalf("all left out: %q, want %q", got, e.Before)
		}
		if got := e.Leave(none).After; got != e.After {
			t.Fatalf("none left out: %q, want %q", got, e.After)
		}
		if got := e.Leave(nil); !reflect.DeepEqual(got, e) {
			t.Fatalf("Leave(nil) = %+v, want %+v", got, e)
		}
		part := e.Leave(some)
		if want := applyHunks(e, some); part.After != want {
			t.Fatalf("left out %v: %q, want %q", some, part.After, want)
		}
		if !e.Create {
			subsets = append(subsets, part)
		}
	}
	checkApplied(t, subsets)
}

func TestLeaveIgnoresUnknownHunks(t *testing.T) {
	e := Edit{Before: "a\n", After: "b\n"}
	if got := e.Leave(map[int]bool{7: true, -1: true}); got != e {
		t.Errorf("got %+v, want %+v", got, e)
	}
}

func TestWithout(t *testing.T) {
	gap := strings.Repeat("same\n", 10)
	two := Edit{File: "two.go", Before: "a\n" + gap + "b\n", After: "A\n" + gap + "B\n"}
	one := Edit{File: "one.go", Before: "x\n", After: "y\n"}
	made := Edit{File: "made.go", After: "new\n", Create: true}
	empty := Edit{File: "empty.go", Create: true}
	c := Candidate{ID: "c1", Edits: []Edit{two, one, made, empty}}

	got := c.Without(map[string][]int{"two.go": {1}, "one.go": {0}, "made.go": {0}, "other.go": {0}})
	want := []Edit{{File: "two.go", Before: two.Before, After: "A\n" + gap + "b\n"}, empty}
	if !reflect.DeepEqual(got.Edits, want) {
		t.Errorf("got %+v, want %+v", got.Edits, want)
	}
	if len(c.Edits) != 4 || c.Edits[0] != two {
		t.Error("Without changed its candidate")
	}
	if got := c.Without(nil); !reflect.DeepEqual(got, c) {
		t.Errorf("Without(nil) = %+v, want %+v", got, c)
	}
}
