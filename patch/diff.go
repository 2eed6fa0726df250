package patch

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Op tells what a line of a diff does.
type Op byte

// The operations, as unified diffs write them.
const (
	Same Op = ' '
	Add  Op = '+'
	Del  Op = '-'
)

// Span is a run of bytes of a line, for marks within it.
type Span struct{ Start, End int }

// Line is one line of a hunk.
type Line struct {
	Op    Op
	Text  string // without its line ending
	Old   int    // line number before, 0 for added lines
	New   int    // line number after, 0 for removed lines
	Marks []Span // the words that changed, on added and removed lines
	NoEOL bool   // the file ends here without a newline
}

// Hunk is a group of changes with their context.
type Hunk struct {
	OldStart, OldLines int
	NewStart, NewLines int
	Lines              []Line
}

// Context is the number of unchanged lines around a hunk.
const Context = 3

// Hunks returns the changes of an edit in order.
func Hunks(e Edit) []Hunk { return group(lines(e.Before, e.After), Context) }

// Count returns how many lines an edit adds and removes.
func Count(e Edit) (added, removed int) {
	for _, l := range lines(e.Before, e.After) {
		switch l.Op {
		case Add:
			added++
		case Del:
			removed++
		}
	}
	return added, removed
}

// Unified returns the edit as a unified diff that git apply takes.
func Unified(e Edit) string {
	hunks := Hunks(e)
	if len(hunks) == 0 {
		return ""
	}
	var b strings.Builder
	from := "a/" + e.File
	if e.Create {
		from = "/dev/null"
	}
	fmt.Fprintf(&b, "--- %s\n+++ b/%s\n", from, e.File)
	for _, h := range hunks {
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", extent(h.OldStart, h.OldLines), extent(h.NewStart, h.NewLines))
		for _, l := range h.Lines {
			b.WriteByte(byte(l.Op))
			b.WriteString(l.Text)
			b.WriteByte('\n')
			if l.NoEOL {
				b.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	return b.String()
}

// Diff returns all edits of the candidate as one unified diff.
func (c Candidate) Diff() string {
	var b strings.Builder
	for _, e := range c.Edits {
		b.WriteString(Unified(e))
	}
	return b.String()
}

func extent(start, count int) string {
	if count == 0 {
		start-- // an empty extent names the line before it
	}
	if count == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}

// lines returns the whole diff of two texts, line by line, numbered.
func lines(before, after string) []Line {
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0
	a, b, table := engine.DiffLinesToRunes(before, after)
	diffs := engine.DiffCharsToLines(engine.DiffMainRunes(a, b, false), table)
	var out []Line
	oldLine, newLine := 1, 1
	for _, d := range slide(diffs) {
		for text := range strings.SplitAfterSeq(d.Text, "\n") {
			if text == "" {
				continue
			}
			l := Line{Text: strings.TrimSuffix(text, "\n"), NoEOL: !strings.HasSuffix(text, "\n")}
			switch d.Type {
			case diffmatchpatch.DiffEqual:
				l.Op, l.Old, l.New = Same, oldLine, newLine
				oldLine++
				newLine++
			case diffmatchpatch.DiffDelete:
				l.Op, l.Old = Del, oldLine
				oldLine++
			case diffmatchpatch.DiffInsert:
				l.Op, l.New = Add, newLine
				newLine++
			}
			out = append(out, l)
		}
	}
	mark(out)
	return out
}

// group cuts a whole diff into hunks with some lines of context around each.
func group(all []Line, context int) []Hunk {
	var hunks []Hunk
	for i := 0; i < len(all); {
		if all[i].Op == Same {
			i++
			continue
		}
		start := max(i-context, 0)
		end, quiet := i, 0
		for ; end < len(all) && quiet <= 2*context; end++ {
			if all[end].Op == Same {
				quiet++
			} else {
				quiet = 0
			}
		}
		end -= max(quiet-context, 0)
		hunks = append(hunks, newHunk(all, start, end))
		i = end
	}
	return hunks
}

func newHunk(all []Line, start, end int) Hunk {
	h := Hunk{Lines: all[start:end], OldStart: 1, NewStart: 1}
	for _, l := range all[:start] {
		if l.Op != Add {
			h.OldStart++
		}
		if l.Op != Del {
			h.NewStart++
		}
	}
	for _, l := range h.Lines {
		if l.Op != Add {
			h.OldLines++
		}
		if l.Op != Del {
			h.NewLines++
		}
	}
	return h
}

// slide moves an insertion or deletion down over equal lines where that makes
// it end at a blank line or a closing brace, as people expect diffs to read.
func slide(diffs []diffmatchpatch.Diff) []diffmatchpatch.Diff {
	for i := 1; i+1 < len(diffs); i++ {
		change, next := &diffs[i], &diffs[i+1]
		prev := &diffs[i-1]
		if change.Type == diffmatchpatch.DiffEqual || next.Type != diffmatchpatch.DiffEqual || prev.Type != diffmatchpatch.DiffEqual {
			continue
		}
		for startsBadly(change.Text) {
			first, rest, ok := strings.Cut(change.Text, "\n")
			if !ok || !strings.HasPrefix(next.Text, first+"\n") {
				break
			}
			prev.Text += first + "\n"
			change.Text = rest + first + "\n"
			next.Text = strings.TrimPrefix(next.Text, first+"\n")
		}
	}
	return diffs
}

// startsBadly tells whether a change begins with the tail of what stands
// before it: a closing brace or a blank line.
func startsBadly(text string) bool {
	first, _, _ := strings.Cut(text, "\n")
	first = strings.TrimSpace(first)
	return first == "}" || first == ""
}
