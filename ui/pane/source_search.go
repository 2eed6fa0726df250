package pane

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// searched is a text that is looked for, and where it stands.
type searched struct {
	text string
	src  *inspect.Source // that was searched
	hits []inspect.Found
	from visit // where one stood when the search began
	to   visit // where it has led to
}

// found are the places where the text stands in the file that is shown.
func (p *Source) found() []inspect.Found {
	if p.search.text != "" && p.src != nil && p.search.src != p.src {
		p.search.src, p.search.hits = p.src, p.src.Find(p.search.text)
	}
	return p.search.hits
}

// SetFilter looks for a text and goes to the first place at or behind where one
// stood when the search began, or else to the first of all. Without any it goes
// back there.
func (p *Source) SetFilter(s string) {
	from := p.search.from
	if p.search.text == "" || p.standing() != p.search.to {
		from = p.standing()
	}
	p.search = searched{text: s, from: from}
	if s == "" {
		return
	}
	p.stand(from)
	if hits := p.found(); len(hits) > 0 {
		p.goToHit(hits[p.hitFrom(p.cursor, p.cell)%len(hits)])
	}
	p.search.to = p.standing()
}

// DropFilter ends a search that was not kept: everything is as before it.
func (p *Source) DropFilter() {
	if p.search.text != "" && p.standing() == p.search.to {
		p.stand(p.search.from)
	}
	p.search = searched{}
}

// standing is where the cursor and the window are, stand puts them there.
func (p *Source) standing() visit {
	return visit{cursor: p.cursor, top: p.top, left: p.left, cell: p.cell}
}

func (p *Source) stand(v visit) { p.cursor, p.top, p.left, p.cell = v.cursor, v.top, v.left, v.cell }

// Filter returns what is searched for.
func (p *Source) Filter() string { return p.search.text }

// hitFrom is the first place at or behind a position; their number when all are
// before it.
func (p *Source) hitFrom(line, cell int) int {
	i, _ := slices.BinarySearchFunc(p.found(), inspect.Found{Line: line, Cell: cell}, func(a, b inspect.Found) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Cell - b.Cell
	})
	return i
}

// Count says which of the places the cursor stands at, from 1, and how many
// there are; 0 when it stands at none.
func (p *Source) Count() (at, all int) {
	hits := p.found()
	if i := p.hitFrom(p.cursor, p.cell); i < len(hits) && hits[i].Line == p.cursor && hits[i].Cell == p.cell {
		at = i + 1
	}
	return at, len(hits)
}

// nextMatch goes to the place behind or before the cursor, around the end.
func (p *Source) nextMatch(d int) Effect {
	hits := p.found()
	switch {
	case p.search.text == "":
		return Say{"nothing is searched for: / searches"}
	case len(hits) == 0:
		return Say{fmt.Sprintf("%q is not in %s", text.Line(p.search.text), p.base())}
	}
	i := p.hitFrom(p.cursor, p.cell)
	at, _ := p.Count()
	switch {
	case d > 0 && at > 0:
		i++
	case d < 0:
		i--
	}
	p.goToHit(hits[(i+len(hits))%len(hits)])
	at, all := p.Count()
	return Say{fmt.Sprintf("%d/%d  %s", at, all, text.Line(p.search.text))}
}

// goToHit puts the cursor on a place and scrolls no more than needed.
func (p *Source) goToHit(f inspect.Found) {
	far := f.Line < p.top || f.Line >= p.top+p.rows()-1
	p.cursor, p.cell = f.Line, f.Cell
	if far {
		p.top = f.Line - p.rows()*2/5
	}
	p.clamp()
	room := p.room()
	if room > 0 && (f.Cell < p.left || f.Cell+f.Width > p.left+room) {
		p.left = max(f.Cell-room/2, 0)
		if f.Cell+f.Width <= room {
			p.left = 0
		}
	}
}
