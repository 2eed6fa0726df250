package verify

import (
	"bytes"
	"strings"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
)

// mostPrinted bounds what is kept of what a candidate's run printed, in bytes.
const mostPrinted = 400

// durations differ from run to run.
var durations = lazyregexp.New(`\b\d+(\.\d+)?(ns|µs|ms|s)\b`)

// digest keeps, of what a candidate's run printed, the lines that the unpatched
// program did not print before it stopped: the first and the last of them. Of a
// program that draws a screen it keeps nothing.
func digest(c control, out []byte) string {
	if output.Draws(out) {
		return ""
	}
	out = normal(out)
	same, n := 0, 0
	for line := range bytes.Lines(c.before) {
		end := bytes.IndexByte(out[same:], '\n') + 1
		if end == 0 || !bytes.Equal(out[same:same+end], line) && (n >= len(c.varies) || !c.varies[n]) {
			break
		}
		same, n = same+end, n+1
	}
	text := strings.TrimSpace(durations.ReplaceAllString(finding.Clean(string(bounded(out[same:]))), "…"))
	if len(text) <= mostPrinted {
		return text
	}
	head, tail := text[:mostPrinted/2], text[len(text)-mostPrinted/2:]
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(head, "") + "\n…\n" + strings.ToValidUTF8(tail, "")
}

// varying tells which lines differ between outputs of the same program; false where
// they do not even have as many lines.
func varying(outputs [][]byte) (lines []bool, same bool) {
	first := bytes.Split(outputs[0], []byte("\n"))
	lines = make([]bool, len(first))
	for _, other := range outputs[1:] {
		split := bytes.Split(other, []byte("\n"))
		if len(split) != len(first) {
			return nil, false
		}
		for i := range first {
			lines[i] = lines[i] || !bytes.Equal(first[i], split[i])
		}
	}
	return lines, true
}

// masked empties the lines of an output that differ from run to run.
func (c control) masked(out []byte) []byte {
	lines := bytes.Split(out, []byte("\n"))
	for i := range lines {
		if i < len(c.varies) && c.varies[i] {
			lines[i] = nil
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// bounded leaves out the middle of a long text, as clean would its end.
func bounded(text []byte) []byte {
	if len(text) <= finding.MaxDetail {
		return text
	}
	return append(append(bytes.Clone(text[:finding.MaxDetail/2]), "\n…\n"...), text[len(text)-finding.MaxDetail/2+8:]...)
}

// changesBefore reports whether what the program prints before the site may well be
// what the candidate is about: it changes code that runs before the site is
// reached, in another function or above it.
func (a *patched) changesBefore(s subject.Site) bool {
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") || a.v.Subject.Workspace.Abs(e.File) != s.File {
			return true
		}
		first, last := functionLines(e.Before, s.Line)
		for _, h := range patch.Hunks(e) {
			at := h.OldStart - 1 // the line before, for what is added
			for _, l := range h.Lines {
				if l.Op != patch.Add {
					at = l.Old
				}
				if l.Op != patch.Same && (at < first || at > last || at < s.Line) {
					return true
				}
			}
		}
	}
	return false
}

// functionLines are the first and the last line of the function at a line; 0
// where there is none.
func functionLines(source string, line int) (first, last int) {
	f := syntax.Parse(source)
	if f == nil || f.At(line) == nil {
		return 0, 0
	}
	fn := f.At(line)
	return f.Line(fn.Pos()), f.Line(fn.End())
}
