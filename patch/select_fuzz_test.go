package patch

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// maxFuzzed bounds the texts of a fuzz run, in bytes: long ones only take long.
const maxFuzzed = 20_000

// FuzzLeave holds that hunks are exactly what lies between two texts: with all
// of them left out there is the first, with none the second, with some the
// first with the others applied, whose own diff says just that.
func FuzzLeave(f *testing.F) {
	for _, e := range randomEdits(7, 40) {
		f.Add(e.Before, e.After, rand.New(rand.NewPCG(7, uint64(len(e.After)))).Uint64())
	}
	f.Add("a\r\nb\n", "a\nb\r\n", uint64(1))
	f.Add("no end", "no end\n", uint64(1))
	f.Add("\ufeffa\n", "a\n", uint64(0))
	f.Fuzz(func(t *testing.T, before, after string, bits uint64) {
		if len(before)+len(after) > maxFuzzed {
			return
		}
		e := Edit{File: "f.go", Before: before, After: after}
		all, none, some := map[int]bool{}, map[int]bool{}, map[int]bool{}
		var left []int
		for i := range Hunks(e) {
			all[i], none[i], some[i] = true, false, bits>>(i%64)&1 == 1
			if some[i] {
				left = append(left, i)
			}
		}
		if got := e.Leave(all).After; got != before {
			t.Fatalf("all left out: %q, want %q", got, before)
		}
		if got := e.Leave(none).After; got != after {
			t.Fatalf("none left out: %q, want %q", got, after)
		}
		part := e.Leave(some)
		if want := applyHunks(e, some); part.After != want {
			t.Fatalf("left out %v: %q, want %q", left, part.After, want)
		}
		if got := applyHunks(part, nil); got != part.After {
			t.Fatalf("the rest is not its own diff: %q, want %q", got, part.After)
		}
		c := Candidate{Edits: []Edit{e, {File: "other.go", Before: "x", After: "y"}}}
		got := c.Without(map[string][]int{"f.go": left})
		want := []Edit{part, c.Edits[1]}
		if len(left) > 0 && part.Before == part.After {
			want = want[1:]
		}
		if !reflect.DeepEqual(got.Edits, want) {
			t.Fatalf("without %v: %+v, want %+v", left, got.Edits, want)
		}
	})
}

// FuzzFaithful holds that keeping a file's own ways changes line ends, the byte
// order mark and the final newline alone, and none of a line that is unchanged.
func FuzzFaithful(f *testing.F) {
	for _, e := range randomEdits(9, 40) {
		f.Add(e.Before, e.After)
		f.Add(strings.ReplaceAll(e.Before, "\n", "\r\n"), e.After)
	}
	f.Add("\ufeffa\r\nb", "a\nc\nb\n")
	f.Add("a\r\r\nb\n", "a\r\r\nc\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > maxFuzzed {
			return
		}
		e := Edit{File: "f.go", Before: before, After: after}
		got := e.Faithful()
		if strings.Contains(strings.ReplaceAll(before+"|"+after, "\r\n", ""), "\r") {
			return // a carriage return alone is no line end, until a newline follows it
		}
		crlf, all := strings.Count(before, "\r\n"), strings.Count(before, "\n")
		mixed := crlf > 0 && crlf < all // which line is which may be told in several ways
		if again := got.Faithful(); again != got && !mixed {
			t.Fatalf("a second time: %q, after %q", again.After, got.After)
		}
		if before == "" || after == "" || before == after {
			if got != e {
				t.Fatalf("changed %+v into %+v", e, got)
			}
			return
		}
		words := func(text string) []string {
			lines, _ := cutEnds(splitLines(strings.TrimPrefix(text, bom)))
			return lines
		}
		if !slices.Equal(words(got.After), words(after)) {
			t.Fatalf("words changed: %q, want those of %q", got.After, after)
		}
		if strings.HasPrefix(got.After, bom) != strings.HasPrefix(before, bom) && !strings.HasPrefix(strings.TrimPrefix(after, bom), bom) {
			t.Fatalf("byte order mark: %q of %q", got.After, before)
		}
		now, allNow := strings.Count(got.After, "\r\n"), strings.Count(got.After, "\n")
		if crlf == 0 && now > 0 || crlf == all && all > 0 && now != allNow {
			t.Fatalf("line ends: %q of %q", got.After, before)
		}
		if strings.HasSuffix(before, "\n") && !strings.HasSuffix(got.After, "\n") {
			t.Fatalf("the final newline is lost: %q", got.After)
		}
	})
}
