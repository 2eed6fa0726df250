package patch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// randomText builds a text of lines that repeat often, as code does, with mixed
// endings and sometimes none at the end.
func randomText(r *rand.Rand) string {
	words := []string{"", "}", "\t}", "x := 1", "return nil", "\tif err != nil {", "a", "b", "日本語", "😀 e\u0301", "bad \xff byte", "- minus", "+ plus", "\\ back", "@@ -1 +1 @@", "--- a/x", "diff --git a/x b/x", "tab\tin", "trailing  "}
	var b strings.Builder
	n := r.IntN(40)
	for range n {
		b.WriteString(words[r.IntN(len(words))])
		if r.IntN(4) == 0 {
			fmt.Fprint(&b, r.IntN(30))
		}
		if r.IntN(12) == 0 {
			b.WriteByte('\r')
		}
		b.WriteByte('\n')
	}
	if r.IntN(3) == 0 {
		b.WriteString("no ending")
	}
	return b.String()
}

// randomEdit changes a few lines of a text.
func randomEdit(r *rand.Rand, text string) string {
	lines := splitLines(text)
	for range 1 + r.IntN(5) {
		at := r.IntN(len(lines) + 1)
		switch r.IntN(5) {
		case 0:
			fresh := splitLines(randomText(r))
			lines = append(lines[:at:at], append(fresh, lines[at:]...)...)
		case 1:
			lines = append(lines[:at:at], lines[min(at+r.IntN(4), len(lines)):]...)
		case 2:
			if at < len(lines) {
				lines[at] = "changed " + lines[at]
			}
		case 3:
			return strings.TrimSuffix(strings.Join(lines, ""), "\n")
		case 4:
			if at < len(lines) {
				lines = append(lines[:at:at], append([]string{strings.TrimSuffix(lines[at], "\n") + "\n"}, lines[at:]...)...)
			}
		}
	}
	// A line without an ending may now come before others.
	for i := range lines[:max(len(lines)-1, 0)] {
		if !strings.HasSuffix(lines[i], "\n") {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

func randomEdits(seed uint64, count int) []Edit {
	r := rand.New(rand.NewPCG(seed, 1))
	edits := make([]Edit, count)
	for i := range edits {
		e := Edit{File: fmt.Sprintf("dir/f%04d.txt", i)}
		switch r.IntN(6) {
		case 0:
			e.Before, e.After = randomText(r), randomText(r)
		case 1:
			e.After, e.Create = randomText(r), true
		case 2:
			e.Before = randomText(r)
		default:
			e.Before = strings.Repeat(randomText(r), 1+r.IntN(3))
			e.After = randomEdit(r, e.Before)
		}
		edits[i] = e
	}
	return edits
}

// gitApply applies the diff of edits to their files with git and returns what
// the files then hold. A file that is gone is missing in the result.
func gitApply(t *testing.T, edits []Edit) map[string]string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for _, e := range edits {
		if e.Create {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(e.File))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(e.Before), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(stdin string, args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s\n%.2000s", args, err, out, stdin)
		}
	}
	git("", "init", "-q")
	if diff := (Candidate{Edits: edits}).Diff(); diff != "" {
		git(diff, "apply", "--whitespace=nowarn")
	}
	got := map[string]string{}
	for _, e := range edits {
		if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.File))); err == nil {
			got[e.File] = string(text)
		}
	}
	return got
}

func checkApplied(t *testing.T, edits []Edit) {
	t.Helper()
	got := gitApply(t, edits)
	for _, e := range edits {
		if text, ok := got[e.File]; !ok || text != e.After {
			t.Errorf("%s: git apply left %q (there: %v), want %q\n%s", e.File, text, ok, e.After, Unified(e))
		}
	}
}

func TestUnifiedIsWhatGitApplies(t *testing.T) {
	for seed := range uint64(6) {
		checkApplied(t, randomEdits(seed, 200))
	}
}

func TestUnifiedCornersGitApplies(t *testing.T) {
	many := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		return b.String()
	}
	for name, e := range map[string]Edit{
		"new":                 {After: "a\nb\n", Create: true},
		"new and empty":       {Create: true},
		"new, no newline":     {After: "a", Create: true},
		"emptied":             {Before: "a\nb\n"},
		"emptied, no newline": {Before: "a"},
		"filled":              {After: "a\n"},
		"newline added":       {Before: "a\nb", After: "a\nb\n"},
		"newline removed":     {Before: "a\nb\n", After: "a\nb"},
		"appended":            {Before: "a\nb", After: "a\nb\nc"},
		"to CRLF":             {Before: "a\nb\n", After: "a\r\nb\r\n"},
		"in CRLF":             {Before: "a\r\nb\r\nc\r\n", After: "a\r\nB\r\nc\r\n"},
		"blank lines":         {Before: "\n\n\n\n", After: "\n\n\n\n\n\nx"},
		"all the same":        {Before: strings.Repeat("x\n", 500), After: strings.Repeat("x\n", 700)},
		"nothing":             {Before: "a\n", After: "a\n"},
		"more distinct lines than a 16-bit code": {Before: many(0, 70000),
			After: many(0, 10) + many(11, 55290) + "new\n" + many(55290, 69998) + "last"},
		"most of them replaced": {Before: many(0, 70000), After: many(0, 5) + many(100000, 170000) + many(60000, 70000)},
		"at the surrogates":     {Before: many(0x10, 0xD810), After: many(0, 0xD7F0) + "x\n" + many(0xD7F8, 0xE010)},
	} {
		t.Run(name, func(t *testing.T) {
			e.File = "a/b.go"
			checkApplied(t, []Edit{e})
		})
	}
}

func TestUnifiedNames(t *testing.T) {
	for _, name := range []string{"plain.go", "with space.go", "日本.go", `quo"te.go`, "a b/c  d.go"} {
		checkApplied(t, []Edit{{File: name, Before: "a\n", After: "b\n"}})
		checkApplied(t, []Edit{{File: name, After: "b\n", Create: true}})
		checkApplied(t, []Edit{{File: name, Before: "b\n"}})
	}
}

func TestUnified(t *testing.T) {
	e := Edit{File: "index.go", Before: "a\nb\nc\nd\ne\n", After: "a\nb\nC\nd\ne\nf"}
	want := `--- a/index.go
+++ b/index.go
@@ -1,5 +1,6 @@
 a
 b
-c
+C
 d
 e
+f
\ No newline at end of file
`
	if got := Unified(e); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a, r := Count(e); a != 2 || r != 1 {
		t.Errorf("Count = %d, %d; want 2, 1", a, r)
	}
}

// TestLines checks that a diff tells all of both texts, in order and numbered.
func TestLines(t *testing.T) {
	for _, e := range randomEdits(99, 2000) {
		var before, after strings.Builder
		added, removed := 0, 0
		oldLine, newLine := 0, 0
		for _, l := range lines(e.Before, e.After) {
			text := l.Text
			if !l.NoEOL {
				text += "\n"
			}
			if l.Op != Add {
				oldLine++
				before.WriteString(text)
			}
			if l.Op != Del {
				newLine++
				after.WriteString(text)
			}
			wantOld, wantNew := oldLine, newLine
			switch l.Op {
			case Add:
				added++
				wantOld = 0
			case Del:
				removed++
				wantNew = 0
			}
			if l.Old != wantOld || l.New != wantNew {
				t.Fatalf("line %+v: want numbers %d, %d", l, wantOld, wantNew)
			}
		}
		if before.String() != e.Before || after.String() != e.After {
			t.Fatalf("the diff tells %q to %q, want %q to %q", before.String(), after.String(), e.Before, e.After)
		}
		if a, r := Count(e); a != added || r != removed {
			t.Fatalf("Count = %d, %d; want %d, %d", a, r, added, removed)
		}
	}
}

func TestHunksHoldAllChanges(t *testing.T) {
	for _, e := range randomEdits(7, 1000) {
		added, removed, end := 0, 0, 0
		for _, h := range Hunks(e) {
			if h.OldStart <= end && h.OldLines > 0 {
				t.Fatalf("hunk at %d begins before the end %d of the one before", h.OldStart, end)
			}
			end = h.OldStart + h.OldLines - 1
			for i, l := range h.Lines {
				switch l.Op {
				case Add:
					added++
				case Del:
					removed++
				case Same:
					if i == 0 && (l.Old != h.OldStart || l.New != h.NewStart) {
						t.Fatalf("hunk starts at %d, %d, its first line is %d, %d", h.OldStart, h.NewStart, l.Old, l.New)
					}
				}
				for _, m := range l.Marks {
					if l.Op == Same || m.Start < 0 || m.End > len(l.Text) || m.Start >= m.End {
						t.Fatalf("mark %v on %q", m, l.Text)
					}
				}
			}
		}
		if a, r := Count(e); a != added || r != removed {
			t.Fatalf("hunks hold +%d −%d, Count says +%d −%d", added, removed, a, r)
		}
	}
}

func TestHunksSlide(t *testing.T) {
	before := "func a() {\n\tx()\n}\n\nfunc c() {\n\tz()\n}\n"
	after := "func a() {\n\tx()\n}\n\nfunc b() {\n\ty()\n}\n\nfunc c() {\n\tz()\n}\n"
	var added []string
	for _, h := range Hunks(Edit{Before: before, After: after}) {
		for _, l := range h.Lines {
			if l.Op == Add {
				added = append(added, l.Text)
			}
		}
	}
	if want := []string{"func b() {", "\ty()", "}", ""}; !reflect.DeepEqual(added, want) {
		t.Errorf("added %q, want %q", added, want)
	}
}

func TestHunksKeepApart(t *testing.T) {
	text := func(n int) string { return strings.Repeat("same\n", n) }
	for gap, want := range map[int]int{2 * Context: 1, 2*Context + 1: 2} {
		got := Hunks(Edit{Before: "a\n" + text(gap) + "b\n", After: "A\n" + text(gap) + "B\n"})
		if len(got) != want {
			t.Errorf("%d lines between two changes: %d hunks, want %d", gap, len(got), want)
		}
	}
}

func FuzzUnified(f *testing.F) {
	f.Add("a\nb\n", "a\nc")
	f.Add("", "\r\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		e := Edit{File: "f", Before: before, After: after}
		if len(Hunks(e)) == 0 && before != after {
			t.Fatal("no hunks")
		}
		for _, keep := range []bool{false, true} {
			left := map[int]bool{}
			for i := range Hunks(e) {
				left[i] = !keep
			}
			want := before
			if keep {
				want = after
			}
			if got := e.Leave(left).After; got != want {
				t.Fatalf("keep %v: %q, want %q", keep, got, want)
			}
		}
	})
}

func bigEdit() Edit {
	var b strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&b, "\tline%d(%d) // and some more text\n", i%7000, i%13)
		if i%5 == 0 {
			b.WriteString("}\n\n")
		}
	}
	before := b.String()
	after := strings.Replace(before, "\tline30(", "\tchanged30(", 1)
	at := strings.LastIndex(after, "\tline90(")
	return Edit{File: "big.go", Before: before, After: after[:at] + "\tadded()\n" + after[at:]}
}

func BenchmarkHunks20000Lines(b *testing.B) {
	e := bigEdit()
	for b.Loop() {
		if len(Hunks(e)) != 2 {
			b.Fatal("want two hunks")
		}
	}
}

func BenchmarkHunksShuffled(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	lines := splitLines(bigEdit().Before)
	before := strings.Join(lines, "")
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	e := Edit{Before: before, After: strings.Join(lines, "")}
	for b.Loop() {
		Hunks(e)
	}
}

func TestHunksShowContext(t *testing.T) {
	before := "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	hunks := Hunks(Edit{Before: before, After: strings.Replace(before, "5", "five", 1)})
	if len(hunks) != 1 {
		t.Fatalf("%d hunks, want 1", len(hunks))
	}
	var got string
	for _, l := range hunks[0].Lines {
		got += string(l.Op) + l.Text
	}
	if want := " 2 3 4-5+five 6 7 8"; got != want {
		t.Errorf("hunk %q, want %q", got, want)
	}
}

// TestDiffIsSmallWithManyLines has more distinct lines than there are runes
// before the surrogates, which go-diff cannot carry.
func TestDiffIsSmallWithManyLines(t *testing.T) {
	var all []string
	for i := range 60000 {
		all = append(all, fmt.Sprintf("line %d\n", i))
	}
	before := strings.Join(all, "")
	for _, i := range []int{3, 0xD7FE, 0xD7FF, 0xD800, 0xD801, 0xDFFF, 0xE000, 59990} {
		all[i] = fmt.Sprintf("changed %d\n", i)
	}
	if a, r := Count(Edit{Before: before, After: strings.Join(all[:59995], "")}); a != 8 || r != 13 {
		t.Errorf("+%d −%d, want +8 −13", a, r)
	}
	// Neighbors that differ only in codes among the surrogates.
	swapped := append([]string{}, all...)
	swapped[0xD900], swapped[0xD901], swapped[0xD902] = all[0xD902], all[0xD900], all[0xD901]
	if a, r := Count(Edit{Before: strings.Join(all, ""), After: "x\n" + strings.Join(swapped, "") + "y\n"}); a != 3 || r != 1 {
		t.Errorf("moved: +%d −%d, want +3 −1", a, r)
	}
}

func TestLineAfter(t *testing.T) {
	const before = "a\nb\nc\nd\ne\n"
	for _, c := range []struct {
		after string
		line  int
		want  int // 0: taken away
	}{
		{before, 3, 3},
		{"new\nnew\n" + before, 3, 5},          // lines above
		{"a\nb\nC\nd\ne\n", 3, 3},              // changed
		{"a\nb\nC1\nC2\nd\ne\n", 3, 3},         // changed into two
		{"a\nB\nd\ne\n", 3, 2},                 // two changed into one
		{"a\nb\nd\ne\n", 3, 0},                 // taken away
		{"a\nb\nd\ne\n", 4, 3},                 // the one above was
		{"", 1, 0},                             // all of it
		{"a\nb\nc\nd\ne\nf\n", 5, 5},           // lines below
		{"a\nb\nif x {\n\tc\n}\nd\ne\n", 3, 3}, // wrapped: its place
		{before, 9, 0},
	} {
		got, ok := Edit{Before: before, After: c.after}.LineAfter(c.line)
		if got != c.want || ok != (c.want > 0) {
			t.Errorf("line %d in %q: %d, %v, want %d", c.line, c.after, got, ok, c.want)
		}
	}
}
