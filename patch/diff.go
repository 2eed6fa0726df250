package patch

import (
	"fmt"
	"slices"
	"strings"
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

// Hunks returns the changes of an edit in order. They depend on nothing but the
// edit's texts, so that an index names the same hunk whenever it is used.
func Hunks(e Edit) []Hunk {
	all := lines(e.Before, e.After)
	mark(all)
	return group(all, Context)
}

// LineAfter says where a line of Before, counted from 1, is in After. A line that
// the edit has changed goes with what took its place; false for one that it has
// taken away.
func (e Edit) LineAfter(line int) (int, bool) {
	before, after := splitLines(e.Before), splitLines(e.After)
	if line < 1 || line > len(before) {
		return 0, false
	}
	match := align(before, after)
	at := line - 1
	if match[at] >= 0 {
		return match[at] + 1, true
	}
	first, end := at, at+1 // the lines that were replaced
	for first > 0 && match[first-1] < 0 {
		first--
	}
	for end < len(before) && match[end] < 0 {
		end++
	}
	from, to := 0, len(after) // those that replace them
	if first > 0 {
		from = match[first-1] + 1
	}
	if end < len(before) {
		to = match[end]
	}
	if to <= from {
		return 0, false
	}
	return min(from+at-first, to-1) + 1, true
}

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

// Unified returns the edit as a unified diff that git apply takes; empty when
// the edit changes nothing.
func Unified(e Edit) string { return unified(e, needsGit(e)) }

// needsGit reports whether git's own header is needed: where one side is empty,
// git apply would guess from the plain one that the file is created or deleted.
func needsGit(e Edit) bool { return e.Create || e.Before == "" || e.After == "" }

func unified(e Edit, git bool) string {
	hunks := group(lines(e.Before, e.After), Context)
	if len(hunks) == 0 && !e.Create {
		return ""
	}
	var b strings.Builder
	writeHeader(&b, e, git, len(hunks) > 0)
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

// writeHeader names the file, in git's own words too when asked for.
func writeHeader(b *strings.Builder, e Edit, git, hunks bool) {
	from, to := fileName("a/"+e.File), fileName("b/"+e.File)
	if git {
		fmt.Fprintf(b, "diff --git %s %s\n", from, to)
	}
	if e.Create {
		b.WriteString("new file mode 100644\n")
		from = "/dev/null"
	}
	if hunks {
		fmt.Fprintf(b, "--- %s\n+++ %s\n", endName(from), endName(to))
	}
}

// fileName writes a name as git does: quoted where it holds quotes, backslashes
// or control characters.
func fileName(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }) {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// endName ends a name with spaces by a tab, as tools expect that would take
// what follows a space for a date.
func endName(name string) string {
	if strings.Contains(name, " ") && name[0] != '"' {
		return name + "\t"
	}
	return name
}

// Diff returns all edits of the candidate as one unified diff that git apply
// takes.
func (c Candidate) Diff() string {
	// All headers are of one kind: a plain one after the header of a new, empty
	// file would be read as part of that.
	return c.diff(slices.ContainsFunc(c.Edits, needsGit))
}

// GitDiff is the same with git's own headers. Of such a diff git apply takes the names
// as those from the top of the repository, in whatever directory it runs.
func (c Candidate) GitDiff() string { return c.diff(true) }

func (c Candidate) diff(git bool) string {
	var b strings.Builder
	for _, e := range c.Edits {
		b.WriteString(unified(e, git))
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

// lines returns the whole diff of two texts, line by line, numbered, removed
// lines before the added ones that replace them.
func lines(before, after string) []Line {
	a, b := splitLines(before), splitLines(after)
	match := align(a, b)
	out := make([]Line, 0, max(len(a), len(b)))
	add := func(op Op, text string) {
		trimmed, ended := strings.CutSuffix(text, "\n")
		out = append(out, Line{Op: op, Text: trimmed, NoEOL: !ended})
	}
	j := 0
	for i, text := range a {
		if match[i] < 0 {
			add(Del, text)
			continue
		}
		for ; j < match[i]; j++ {
			add(Add, b[j])
		}
		add(Same, text)
		j++
	}
	for ; j < len(b); j++ {
		add(Add, b[j])
	}
	slide(out)
	number(out)
	return out
}

// splitLines cuts a text into lines that keep their ending.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	out := strings.SplitAfter(text, "\n")
	if out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

func number(all []Line) {
	oldLine, newLine := 1, 1
	for i := range all {
		l := &all[i]
		if l.Op != Add {
			l.Old = oldLine
			oldLine++
		}
		if l.Op != Del {
			l.New = newLine
			newLine++
		}
	}
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
	h := Hunk{Lines: all[start:end:end], OldStart: 1, NewStart: 1}
	if first := all[start]; first.Op == Same { // else the hunk begins the file
		h.OldStart, h.NewStart = first.Old, first.New
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
func slide(all []Line) {
	for start := 0; start < len(all); {
		op := all[start].Op
		end := start + 1
		for end < len(all) && all[end].Op == op {
			end++
		}
		if op == Same || start == 0 || all[start-1].Op != Same {
			start = end
			continue
		}
		for end < len(all) && startsBadly(all[start].Text) && canMove(all, start, end) {
			all[start].Op, all[end].Op = Same, op
			start++
			end++
		}
		start = end
	}
}

// canMove reports whether the change that is all[start:end] can give up its first
// line for the one after it without touching another change.
func canMove(all []Line, start, end int) bool {
	first, next := all[start], all[end]
	return next.Op == Same && next.Text == first.Text && next.NoEOL == first.NoEOL &&
		(end+1 == len(all) || all[end+1].Op == Same)
}

// startsBadly reports whether a change begins with the tail of what stands
// before it: a closing brace or a blank line.
func startsBadly(line string) bool {
	line = strings.TrimSpace(line)
	return line == "}" || line == ""
}
