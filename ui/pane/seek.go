package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// BeginFilter settles what is going to be typed: a search where the cursor is
// on an unfolded collection or in it, else a filter of the variables.
func (p *Locals) BeginFilter() {
	p.begun, p.target = true, ""
	if n := p.collectionHere(); n != nil {
		p.target = n.path
	}
}

// SetFilter keeps the variables whose name, type or value holds the text, or
// searches a collection: see package search for what can be looked for there.
// "#1234" goes to an element.
func (p *Locals) SetFilter(s string) {
	if p.c == nil {
		p.filter = s
		return
	}
	if number, ok := strings.CutPrefix(s, "#"); ok {
		if i, err := strconv.ParseInt(strings.TrimSpace(strings.ReplaceAll(number, ",", "")), 0, 64); err == nil {
			p.goTo(i)
		}
		return
	}
	in := p.scope
	if p.begun {
		in = p.target
	}
	switch {
	case in == "":
		p.filter = s
		p.rebuild()
	case s == "":
		p.endSearch()
	default:
		p.search(in, s)
	}
}

// search looks for something in a collection.
func (p *Locals) search(path, s string) {
	n, _ := p.tree.find(path)
	if n == nil || n.many == nil {
		return
	}
	p.scope, p.query, p.land = path, s, true
	p.c.Store.Search(n.frame, n.many.of, s)
	p.rebuild()
}

// Filter returns what was typed: for the search, or for the variables.
func (p *Locals) Filter() string {
	switch {
	case p.begun && p.target == "", p.scope == "" && !p.begun:
		return p.filter
	case p.scope == "" || p.begun && p.scope != p.target:
		return ""
	}
	return p.query
}

// landOnHit puts the cursor on the first hit as soon as there is one.
func (p *Locals) landOnHit() {
	s := p.c.Store.Searching()
	if !p.land || s == nil {
		return
	}
	_, row := p.tree.find(p.scope)
	if p.land = len(s.Hits) == 0; !p.land {
		row++
	}
	p.moveTo(row)
}

// Scope says what the filter would be for: an unfolded collection, or nothing in
// particular.
func (p *Locals) Scope() string {
	if p.c == nil {
		return ""
	}
	if s := p.c.Store.Searching(); p.scope != "" && s != nil {
		return text.Line(s.Of.Name) + ": " + searchNote(s)
	}
	if n, _ := p.tree.find(p.target); p.target != "" && n != nil {
		return "in " + text.Line(n.v.Name) + ", or # and a number"
	}
	return ""
}

// endSearch leaves the search and stays at the element that it has led to.
func (p *Locals) endSearch() {
	n, scope := p.current(), p.scope
	at := int64(-1)
	if n != nil && scope != "" && n.parent == scope {
		at = n.index
	}
	p.leaveSearch()
	p.rebuild()
	if at >= 0 {
		p.goToIn(scope, at)
	}
}

func (p *Locals) leaveSearch() {
	if p.scope != "" {
		p.c.Store.Search(p.c.At, debugger.Variable{}, "")
	}
	p.scope, p.query, p.begun = "", "", false
}

// searchOf is the search in a collection; nil where there is none.
func (p *Locals) searchOf(path string) *inspect.Search {
	if p.scope == "" || p.scope != path {
		return nil
	}
	return p.c.Store.Searching()
}

func searchNote(s *inspect.Search) string {
	hits := text.Plural(int64(len(s.Hits)), "hit")
	switch {
	case s.Err != "":
		return hits + ", then: " + text.Line(s.Err)
	case s.Full():
		return "the first " + hits + "; type more to narrow down"
	case s.Over():
		return hits + " in " + text.Count(s.All)
	}
	return fmt.Sprintf("%s in %s of %s (%d %%)", hits, text.Count(s.Done), text.Count(s.All), s.Done*100/max(s.All, 1))
}

// collectionHere is the innermost unfolded collection or text that the cursor
// is on or in; nil without one.
func (p *Locals) collectionHere() *node {
	for row := p.cursor; row >= 0; row = p.tree.parentRow(row) {
		found := p.tree.rows(row, row+1)
		if len(found) == 0 {
			return nil
		}
		if found[0].many != nil {
			return found[0]
		}
	}
	return nil
}

// goTo puts the cursor on an element of the collection here, which is unfolded
// for it.
func (p *Locals) goTo(i int64) {
	n := p.collectionHere()
	if n == nil {
		if n = p.current(); n == nil || !collection(n.v.Deref().Kind) {
			return
		}
		p.toggle(n, true)
	}
	p.goToIn(n.path, i)
}

func (p *Locals) goToIn(path string, i int64) {
	n, row := p.tree.find(path)
	if n == nil || n.many == nil || n.many.count == 0 {
		return
	}
	i = max(min(i, n.many.count-1), 0)
	p.moveTo(row + n.rowOf(i))
}
