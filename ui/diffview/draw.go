package diffview

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/ui/syntax"
)

// drawer draws the edits of one view.
type drawer struct {
	o     Options
	split bool
	view  *View

	// Of the edit being drawn:
	old, new [][]syntax.Span // its files, line by line
	digits   int             // the width of line numbers
	endings  bool            // its line endings are mixed, so they are shown
	skip     int             // cells of indentation that all lines of the hunk have, and that are not drawn
}

func (d *drawer) edit(e patch.Edit) {
	hunks := patch.Hunks(e)
	if len(hunks) == 0 {
		if e.Create { // an empty file
			d.heading(d.title(e), "")
		}
		return
	}
	d.old, d.new = d.o.Lines(e.Before), d.o.Lines(e.After)
	d.digits = max(2, len(fmt.Sprint(max(len(d.old), len(d.new)))))
	d.endings = mixedEndings(e.Before, e.After)
	for i, h := range hunks {
		ref := HunkRef{File: e.File, Hunk: i}
		d.view.Hunks = append(d.view.Hunks, ref)
		d.view.HunkLine[ref] = len(d.view.Lines)
		title := ink(d.o.Palette.Number).draw("⋯")
		if i == 0 {
			title = d.title(e)
		}
		left := d.o.Left[e.File][i]
		d.heading(title, d.box(ref, len(hunks), left))
		d.skip = 0
		if wide := d.o.Width; wide < narrow || d.split && wide/2 < narrow {
			d.skip = indentation(h)
		}
		if d.split {
			d.sideBySide(h, left)
		} else {
			d.unified(h, left)
		}
	}
}

func mixedEndings(texts ...string) bool {
	crlf, lf := 0, 0
	for _, t := range texts {
		crlf += strings.Count(t, "\r\n")
		lf += strings.Count(t, "\n")
	}
	return crlf > 0 && crlf < lf
}

// title is the path of an edit and what there is to say of it.
func (d *drawer) title(e patch.Edit) string {
	path, _ := syntax.Expand(e.File)
	var notes []string
	if e.Create {
		notes = append(notes, "new file")
	}
	if e.After == "" && e.Create {
		notes = append(notes, "empty")
	} else if e.After == "" {
		notes = append(notes, "emptied")
	}
	if n := d.o.Notes[e.File]; n != "" {
		n, _ = syntax.Expand(n)
		notes = append(notes, n)
	}
	note := ""
	for _, n := range notes {
		note += " · " + n
	}
	// Room for the box at the right; the note is shortened before the path does.
	room := max(d.o.Width-ansi.StringWidth("▸ hunk 10/10 ☑")-1, 1)
	note = ansi.Truncate(note, max(room-ansi.StringWidth(path), 0), "…")
	if over := ansi.StringWidth(path) - room; over > 0 {
		path = ansi.TruncateLeft(path, over+1, "…")
	}
	return ink(d.o.Palette.Path).strong().draw(path) + ink(d.o.Palette.Dim).draw(note)
}

// box tells which hunk this is, whether it is taken, and whether keys act on it.
func (d *drawer) box(ref HunkRef, count int, left bool) string {
	p := d.o.Palette
	word, sign := ink(p.Dim), ink(p.Taken).draw("☑")
	if left {
		sign = ink(p.Dim).draw("☐")
	}
	cursor := ""
	if ref == d.o.Cursor {
		word = ink(p.Focus)
		cursor = word.draw("▸ ")
	}
	return cursor + word.draw(fmt.Sprintf("hunk %d/%d ", ref.Hunk+1, count)) + sign
}

// heading adds a line with something at its left and at its right end.
func (d *drawer) heading(left, right string) {
	gap := d.o.Width - ansi.StringWidth(left) - ansi.StringWidth(right)
	if gap < 1 && right != "" {
		left = ansi.Truncate(left, max(d.o.Width-ansi.StringWidth(right)-1, 0), "…")
		gap = d.o.Width - ansi.StringWidth(left) - ansi.StringWidth(right)
	}
	d.add(left + strings.Repeat(" ", max(gap, 0)) + right)
}

// add appends a line, making sure of its width.
func (d *drawer) add(line string) {
	d.view.Lines = append(d.view.Lines, fit(line, d.o.Width))
}

// fit makes a line exactly so wide. Lines are drawn to measure; this holds
// where a terminal's rules join characters across the parts of a line.
func fit(line string, width int) string {
	w := ansi.StringWidth(line)
	if w > width {
		line = ansi.Truncate(line, width, "")
		w = ansi.StringWidth(line)
	}
	return line + strings.Repeat(" ", max(width-w, 0))
}

// narrow is the width, in cells, below which indentation that all lines have is
// left out.
const narrow = 60

// indentation is the number of cells that all lines of a hunk begin with.
func indentation(h patch.Hunk) int {
	least := -1
	for _, l := range h.Lines {
		text, _ := syntax.Expand(l.Text)
		if rest := strings.TrimLeft(text, " "); rest != "" && (least < 0 || len(text)-len(rest) < least) {
			least = len(text) - len(rest)
		}
	}
	return max(least, 0)
}

func (d *drawer) unified(h patch.Hunk, left bool) {
	for _, l := range h.Lines {
		for _, s := range d.line(l, l.Op != patch.Del, left, d.o.Width) {
			d.add(s)
		}
	}
}

// sideBySide draws the old text at the left and the new one at the right, each
// removed line next to the line that replaces it.
func (d *drawer) sideBySide(h patch.Hunk, left bool) {
	var dels, adds []patch.Line
	flush := func() {
		for i := range max(len(dels), len(adds)) {
			var a, b *patch.Line
			if i < len(dels) {
				a = &dels[i]
			}
			if i < len(adds) {
				b = &adds[i]
			}
			d.row(a, b, left)
		}
		dels, adds = dels[:0], adds[:0]
	}
	for _, l := range h.Lines {
		switch l.Op {
		case patch.Del:
			dels = append(dels, l)
		case patch.Add:
			adds = append(adds, l)
		default:
			flush()
			d.row(&l, &l, left)
		}
	}
	flush()
}

// row draws one line of each side, either of which may be missing.
func (d *drawer) row(a, b *patch.Line, left bool) {
	wide := (d.o.Width - 1) / 2
	rest := d.o.Width - 1 - wide
	var olds, news []string
	if a != nil {
		olds = d.line(*a, false, left, wide)
	}
	if b != nil {
		news = d.line(*b, true, left, rest)
	}
	bar := ink(d.o.Palette.Number).draw("│")
	for i := range max(len(olds), len(news)) {
		x, y := strings.Repeat(" ", wide), strings.Repeat(" ", rest)
		if i < len(olds) {
			x = fit(olds[i], wide)
		}
		if i < len(news) {
			y = fit(news[i], rest)
		}
		d.add(x + bar + y)
	}
}
