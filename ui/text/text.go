// Package text measures, cuts and cleans text for the screen. Widths are terminal cells;
// strings may carry style sequences unless said otherwise. Text from outside passes Line
// or Clean first: nothing else here removes control sequences. The package must not know
// themes, panes or the session.
package text

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/internal/printable"
)

// TabWidth is how many cells a tab stop spans.
const TabWidth = 4

// maxClean bounds how much of one string is looked at, in bytes.
const maxClean = 64 << 10

// Clean is printable.Text for what is drawn: bounded, with spaces for tabs.
func Clean(s string) string {
	if len(s) > maxClean {
		s = s[:maxClean]
	}
	if isPlain(s) {
		return s
	}
	s = printable.Text(s)
	var b strings.Builder
	b.Grow(len(s))
	col := 0
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch {
		case printable.Joins(r):
		case r == '\n':
			b.WriteByte('\n')
			col = 0
		case r == '\t':
			pad := TabWidth - col%TabWidth
			b.WriteString(strings.Repeat(" ", pad))
			col += pad
		default:
			b.WriteRune(r)
			col++
		}
	}
	return b.String()
}

// isPlain reports whether the text is printable ASCII and newlines only.
func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '\n' && (c < 0x20 || c > 0x7e) {
			return false
		}
	}
	return true
}

// Line is Clean for text that must stay in one line: newlines become ⏎.
func Line(s string) string {
	s = Clean(s)
	if strings.IndexByte(s, '\n') >= 0 {
		s = strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "⏎")
	}
	return s
}

// Width is the number of cells that s takes.
func Width(s string) int {
	if plainWidth(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

func plainWidth(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c > 0x7e {
			return false
		}
	}
	return true
}

// Cut shortens s to at most w cells, with … where something is missing.
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	return ansi.Truncate(s, w, "…")
}

// Fit cuts or fills s to exactly w cells.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := Width(s)
	if n > w {
		s = ansi.Truncate(s, w, "…")
		n = Width(s)
	}
	if n < w {
		s += strings.Repeat(" ", w-n)
	}
	return s
}

// Sides puts left and right at the ends of w cells; left is cut first, and
// right goes when there is no room for both.
func Sides(left, right string, w int) string {
	n := Width(right)
	if n == 0 || n+4 > w {
		return Fit(left, w)
	}
	return Fit(left, w-n-1) + " " + right
}

// CutPlace shortens a file with a line, "pipeline.go:29", to at most w cells, in the
// middle of the file's name: "pip…ine.go:29". Where that is too little, the line is left.
func CutPlace(place string, w int) string {
	if Width(place) <= w {
		return place
	}
	colon := strings.LastIndexByte(place, ':')
	if colon < 0 {
		return CutLeft(place, w)
	}
	end := max(strings.LastIndexByte(place[:colon], '.'), 0)
	room := w - Width(place[end:])
	if room < 3 {
		return CutLeft(place[colon:], w)
	}
	head := Cut(place[:end], room-(room-1)/2)
	return head + strings.TrimPrefix(CutLeft(place[:end], (room-1)/2+1), "…") + place[end:]
}

// CutLeft shortens s from the left to at most w cells.
func CutLeft(s string, w int) string {
	n := Width(s)
	if n <= w {
		return s
	}
	if w <= 1 {
		return strings.Repeat("…", max(w, 0))
	}
	return ansi.TruncateLeft(s, n-w+1, "…")
}

// Path shortens a path from the left, at a slash where that leaves something.
func Path(path string, w int) string {
	if Width(path) <= w {
		return path
	}
	for rest := path; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return CutLeft(path, w)
		}
		rest = rest[i+1:]
		if Width(rest)+2 <= w {
			return "…/" + rest
		}
	}
}

// Rows breaks plain text into rows of w cells, as a terminal does: at the last
// cell, wherever that is in a word. There are at most limit rows; a cut last one
// ends in ….
func Rows(s string, w, limit int) []string {
	if w <= 0 || limit <= 0 {
		return nil
	}
	if Width(s) <= w {
		return []string{s}
	}
	rows := strings.Split(ansi.Hardwrap(s, w, true), "\n")
	if len(rows) > limit {
		rows = rows[:limit]
		rows[limit-1] = ansi.Truncate(rows[limit-1], w-1, "") + "…"
	}
	return rows
}
