package diffview

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/ui/syntax"
)

// look is how one line is drawn.
type look struct {
	sign   string
	gutter style // sign and number
	base   style // text
	word   style // changed words
	note   style // remarks that are no text of the file
	syntax syntax.Palette
}

func (d *drawer) look(op patch.Op, left bool) look {
	p := d.o.Palette
	k := look{sign: " ", gutter: ink(p.Number), note: ink(p.Dim), syntax: p.Syntax}
	var back, word, sign, text color.Color
	switch op {
	case patch.Add:
		k.sign, back, word, sign, text = "+", p.AddBack, p.AddWord, p.AddSign, p.AddText
	case patch.Del:
		k.sign, back, word, sign, text = "−", p.DelBack, p.DelWord, p.DelSign, p.DelText
	}
	if left {
		dim := ink(p.Dim)
		k.gutter, k.base, k.word, k.syntax = dim, dim, dim, syntax.Palette{}
		return k
	}
	if text != nil {
		k.syntax = syntax.Palette{Plain: text, Keyword: text, String: text, Number: text, Comment: text,
			Type: text, Function: text, Builtin: text, Operator: text}
	}
	if sign != nil {
		k.gutter = ink(sign)
	}
	if back != nil {
		k.gutter, k.base, k.note = k.gutter.back(back), k.base.back(back), k.note.back(back)
		if k.syntax.Plain == nil {
			k.syntax.Plain = p.TintText
		}
	}
	k.word = k.base
	if word != nil {
		k.word = k.word.back(word)
	}
	if p.Underline && op != patch.Same {
		k.word.underline = true
	}
	return k
}

// line draws one line of a diff in width cells, over several rows when it is
// long and Options.Wrap is set. asNew takes text and number from the new file.
func (d *drawer) line(l patch.Line, asNew, left bool, width int) []string {
	k := d.look(l.Op, left)
	number, spans := l.Old, d.spans(d.old, l.Old)
	if asNew {
		number, spans = l.New, d.spans(d.new, l.New)
	}
	head := fmt.Sprintf("%s %*d  ", k.sign, d.digits, number)
	room := max(width-ansi.StringWidth(head), 1)
	remark := d.remark(l)
	marks := cells(l)
	var rows []string
	for i, r := range d.rows(spans, room-ansi.StringWidth(remark)) {
		if i == 1 {
			head, remark = strings.Repeat(" ", ansi.StringWidth(head)), ""
		}
		text := paint(spans, marks, r, k)
		used := r.end - r.start
		if r.more {
			text += k.note.draw("…")
			used++
		}
		used += ansi.StringWidth(remark)
		text += k.note.draw(remark)
		if pad := room - used; pad > 0 {
			text += k.base.draw(strings.Repeat(" ", pad))
		}
		rows = append(rows, k.gutter.draw(head)+text)
	}
	return rows
}

func (d *drawer) spans(file [][]syntax.Span, number int) []syntax.Span {
	if number < 1 || number > len(file) {
		return nil
	}
	return file[number-1]
}

// remark says what a changed line's text cannot show.
func (d *drawer) remark(l patch.Line) string {
	if l.Op == patch.Same {
		return ""
	}
	s := ""
	if d.endings && strings.HasSuffix(l.Text, "\r") {
		s = " ␍"
	}
	if l.NoEOL {
		s += " ⊘ no newline"
	}
	return s
}

// span is a range of cells of a line.
type span struct {
	start, end int
	more       bool // text after it is cut off
}

// rows says which cells of a line each row on screen shows.
func (d *drawer) rows(spans []syntax.Span, room int) []span {
	total := syntax.Width(spans)
	from := min(d.skip, total)
	room = max(room, 1)
	if total-from <= room {
		return []span{{from, total, false}}
	}
	if !d.o.Wrap {
		return []span{{from, from + room - 1, true}}
	}
	return wrap(syntax.Text(spans), from, room)
}

// maxRows bounds the rows of one wrapped line; a minified file is not reviewed
// by scrolling through it.
const maxRows = 50

// wrap breaks a text, from a cell on, into rows of at most room cells.
func wrap(text string, from, room int) []span {
	var out []span
	for start, all := from, ansi.StringWidth(text); ; {
		end := syntax.Break(text, start, room)
		if end >= all || end <= start {
			return append(out, span{start, all, false})
		}
		if len(out) == maxRows-1 {
			return append(out, span{start, max(min(end, start+room-1), start), true})
		}
		out = append(out, span{start, end, false})
		start = end
	}
}

// cells returns the marked words of a line as cells.
func cells(l patch.Line) []span {
	if len(l.Marks) == 0 {
		return nil
	}
	var offsets []int
	for _, m := range l.Marks {
		offsets = append(offsets, m.Start, m.End)
	}
	text, at := syntax.Expand(l.Text, offsets...)
	var out []span
	for i := 0; i+1 < len(at); i += 2 {
		out = append(out, span{start: ansi.StringWidth(text[:at[i]]), end: ansi.StringWidth(text[:at[i+1]])})
	}
	return out
}

// paint draws the cells of a row, changed words in their own style.
func paint(line []syntax.Span, marks []span, r span, k look) string {
	var b strings.Builder
	part := func(from, to int, s style) {
		if to > from {
			b.WriteString(syntax.Paint(syntax.Cut(line, from, to-from), k.syntax, s.ansi()))
		}
	}
	at := r.start
	for _, m := range marks {
		start, end := max(m.start, at), min(m.end, r.end)
		if end <= start {
			continue
		}
		part(at, start, k.base)
		part(start, end, k.word)
		at = end
	}
	part(at, r.end, k.base)
	return b.String()
}
