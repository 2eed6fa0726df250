package pane

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// textSearch is a text that is looked for in a sheet, and where it is.
type textSearch struct {
	*sheet
	text string
	of   *inspect.Source // that was searched
	hits []inspect.Found
	from visit // where one stood when the search began
	to   visit // where it has led to
}

// forget ends the search.
func (p *textSearch) forget() { *p = textSearch{sheet: p.sheet} }

// found are the places where the text is in the file that is shown.
func (p *textSearch) found() []inspect.Found {
	if p.text != "" && p.src != nil && p.of != p.src {
		p.of, p.hits = p.src, p.src.Find(p.text)
	}
	return p.hits
}

// SetFilter looks for a text and goes to the first place at or after where one
// stood when the search began, or else to the first of all. Without any it goes
// back there.
func (p *textSearch) SetFilter(s string) {
	from := p.from
	if p.text == "" || p.standing() != p.to {
		from = p.standing()
	}
	*p = textSearch{sheet: p.sheet, text: s, from: from}
	if s == "" {
		return
	}
	p.stand(from)
	if hits := p.found(); len(hits) > 0 {
		p.goToHit(hits[p.hitFrom(p.cursor, p.cell)%len(hits)])
	}
	p.to = p.standing()
}

// DropFilter ends a search that was not kept: everything is as before it.
func (p *textSearch) DropFilter() {
	if p.text != "" && p.standing() == p.to {
		p.stand(p.from)
	}
	p.forget()
}

// Filter returns what is searched for.
func (p *textSearch) Filter() string { return p.text }

// hitFrom is the first place at or after a position; their number when all are
// before it.
func (p *textSearch) hitFrom(line, cell int) int {
	i, _ := slices.BinarySearchFunc(p.found(), inspect.Found{Line: line, Cell: cell}, func(a, b inspect.Found) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Cell - b.Cell
	})
	return i
}

// Count says which of the places the cursor is at, from 1, and how many
// there are; 0 when it is at none.
func (p *textSearch) Count() (at, all int) {
	hits := p.found()
	if i := p.hitFrom(p.cursor, p.cell); i < len(hits) && hits[i].Line == p.cursor && hits[i].Cell == p.cell {
		at = i + 1
	}
	return at, len(hits)
}

// nextMatch goes to the place after or before the cursor, around the end.
func (p *textSearch) nextMatch(d int) Effect {
	hits := p.found()
	switch {
	case p.text == "":
		return Say{"nothing is searched for: / searches"}
	case len(hits) == 0:
		return Say{fmt.Sprintf("%q is not in %s", text.Line(p.text), p.base())}
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
	return Say{fmt.Sprintf("%d/%d  %s", at, all, text.Line(p.text))}
}

// goToHit puts the cursor on a place and scrolls no more than needed.
func (p *textSearch) goToHit(f inspect.Found) {
	far := f.Line < p.top || f.Line >= p.top+p.rows()-1
	p.cursor, p.cell = f.Line, f.Cell
	if far {
		p.top = f.Line - p.rows()*2/5
	}
	p.clamp()
	room := p.room()
	if room > 0 && (f.Cell < p.left || f.Cell+f.Width > p.sight()) {
		p.left = max(f.Cell-room/2, 0)
		if f.Cell+f.Width <= room {
			p.left = 0
		}
	}
}
