package conversation

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// page is an answer as drawn lines. Its citations are in the order of reading.
type page struct {
	lines []string
	cites []Citation
	at    []int // the line of each citation
}

// painter draws one answer, line by line.
type painter struct {
	page
	t        theme.Theme
	w        int
	known    func(string) bool
	selected int    // which citation is selected; -1 for none
	fence    string // the fence that is open
	done     int    // bytes of the answer that are drawn
}

func newPainter(t theme.Theme, w, selected int, known func(string) bool) painter {
	return painter{t: t, w: max(w, 8), selected: selected, known: known}
}

// render draws markdown, lightly: headings, lists, code, bold, citations.
// Markdown may come from a model: it is cleaned here.
func render(t theme.Theme, markdown string, w, selected int, known func(string) bool) page {
	p := newPainter(t, w, selected, known)
	p.whole(markdown)
	return p.rest(markdown)
}

// whole draws the lines that have ended, so that an answer that grows is drawn
// no further back than its last line.
func (p *painter) whole(markdown string) {
	for {
		n := strings.IndexByte(markdown[p.done:], '\n')
		if n < 0 {
			return
		}
		p.line(markdown[p.done : p.done+n])
		p.done += n + 1
	}
}

// rest is the page with the line that has not ended.
func (p painter) rest(markdown string) page {
	p.lines, p.cites, p.at = slices.Clip(p.lines), slices.Clip(p.cites), slices.Clip(p.at)
	if p.done < len(markdown) {
		p.line(markdown[p.done:])
	}
	for n := len(p.lines); n > 0 && p.lines[n-1] == ""; n-- {
		p.lines = p.lines[:n-1]
	}
	return p.page
}

func (p *painter) line(l string) {
	l = strings.TrimRight(text.Clean(l), " ")
	trimmed := strings.TrimSpace(l)
	mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`~"))]
	switch {
	case p.fence == "" && len(mark) >= 3:
		p.fence = mark
	case p.fence != "" && strings.HasPrefix(trimmed, p.fence) && strings.Trim(trimmed, "`~") == "":
		p.fence = ""
	case p.fence != "":
		p.lines = append(p.lines, p.t.Faint.Render("▏ ")+p.t.Value.Render(text.Cut(l, p.w-2)))
	default:
		p.block(l, trimmed)
	}
}

var item = lazyregexp.New(`^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$`)

func (p *painter) block(line, trimmed string) {
	switch m := item.FindStringSubmatch(line); {
	case trimmed == "":
		if n := len(p.lines); n > 0 && p.lines[n-1] != "" {
			p.lines = append(p.lines, "")
		}
	case m != nil:
		sign := m[2] + " "
		if strings.ContainsAny(m[2], "-*+") {
			sign = "• "
		}
		p.wrap(strings.Repeat(" ", min(len(m[1]), 6))+sign, spans(m[3], p.known))
	case strings.HasPrefix(trimmed, "#"):
		head := spans(strings.TrimSpace(strings.TrimLeft(trimmed, "#")), p.known)
		for i := range head {
			head[i].bold = true
		}
		p.wrap("", head)
	case strings.HasPrefix(trimmed, ">"):
		p.wrap("▏ ", spans(strings.TrimSpace(strings.TrimLeft(trimmed, "> ")), p.known))
	default:
		p.wrap("", spans(trimmed, p.known))
	}
}

// atom is a piece of text that is not broken. Where space is set a line may
// end before it.
type atom struct {
	text  string
	style theme.Style
	space bool
	cite  int // index of a citation; -1 for none
}

// wrap writes spans, the lines after the first as far in as what lead takes.
func (p *painter) wrap(lead string, list []span) {
	indent := text.Width(lead)
	room := max(p.w-indent, 4)
	var b strings.Builder
	used := 0
	end := func() {
		p.lines = append(p.lines, lead+b.String())
		b.Reset()
		used, lead = 0, strings.Repeat(" ", indent)
	}
	for _, word := range words(p.atoms(list, room)) {
		width, space := 0, word[0].space && used > 0
		for _, a := range word {
			width += text.Width(a.text)
		}
		if space {
			width++
		}
		if used > 0 && used+width > room {
			end()
			space = false
		}
		if space {
			b.WriteByte(' ')
			used++
		}
		for _, a := range word {
			if n := text.Width(a.text); used > 0 && used+n > room {
				end() // a word longer than the line
			}
			if a.cite >= 0 {
				p.at[a.cite] = len(p.lines)
			}
			b.WriteString(a.style.Render(a.text))
			used += text.Width(a.text)
		}
	}
	if used > 0 {
		end()
	}
}

// words groups atoms that have no space between them.
func words(list []atom) [][]atom {
	var out [][]atom
	for _, a := range list {
		if a.space || len(out) == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], a)
	}
	return out
}

func (p *painter) atoms(list []span, room int) []atom {
	var out []atom
	space := false
	for _, s := range list {
		if s.cite != nil {
			style := p.t.Match
			if len(p.cites) == p.selected {
				style = p.t.Tab
			}
			p.cites, p.at = append(p.cites, *s.cite), append(p.at, len(p.lines))
			out = append(out, atom{text.Cut(s.text, room), style, space, len(p.cites) - 1})
			space = false
			continue
		}
		style := p.t.Text
		switch {
		case s.code:
			style = p.t.Value
		case s.bold:
			style = p.t.Strong
		}
		space = space || strings.HasPrefix(s.text, " ")
		for i, w := range strings.Fields(s.text) {
			out = append(out, pieces(w, room, style, space || i > 0)...)
			space = false
		}
		space = space || strings.HasSuffix(s.text, " ")
	}
	return out
}

// pieces cuts a word that is wider than a line.
func pieces(word string, room int, style theme.Style, space bool) []atom {
	var out []atom
	for text.Width(word) > room {
		n, width := 0, 0
		for i, r := range word {
			if width += text.Width(string(r)); width > room {
				break
			}
			n = i + len(string(r))
		}
		if n == 0 {
			break
		}
		out = append(out, atom{word[:n], style, space, -1})
		word, space = word[n:], false
	}
	return append(out, atom{word, style, space, -1})
}
