package pane

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// deepest bounds how far values are unfolded in values.
const deepest = 60

// build makes the tree of what is known now.
func (p *Locals) build() tree {
	var t tree
	p.addRoots(&t)
	if !p.known {
		return t
	}
	var vars []debugger.Variable
	for _, v := range p.frame.Variables() {
		if matches(v.Name+" "+v.Type+" "+v.Value, p.filter) {
			vars = append(vars, v)
		}
	}
	vars, gone := apart(vars)
	align := alignment(vars)
	for _, v := range vars {
		t.add(p.value(v, place{frame: p.c.At, path: p.frame.Function + "/" + v.Name, align: align, index: -1, local: true}))
	}
	if len(gone) > 0 {
		words := fmt.Sprintf("%d optimized away: %s", len(gone), strings.Join(gone, ", "))
		t.add(&node{kind: isNote, index: -1, size: 1, words: text.Cut(words, max(p.width-2, 0))})
	}
	return t
}

// apart takes the variables that are optimized away from the others, if there are
// several: their names fit in one line.
func apart(vars []debugger.Variable) (rest []debugger.Variable, gone []string) {
	for _, v := range vars {
		if session.OptimizedAway(v.Unreadable) {
			gone = append(gone, text.Line(v.Name))
		} else {
			rest = append(rest, v)
		}
	}
	if len(gone) < 2 {
		return vars, nil
	}
	return rest, gone
}

// alignment is the width of the names of a group.
func alignment(vars []debugger.Variable) int {
	align := 0
	for _, v := range vars {
		w := text.Width(text.Line(v.Name))
		if v.Shadowed {
			w += 2 // parentheses
		}
		align = max(align, w)
	}
	return min(align, maxName)
}

// maxName is how wide a name may be before it is out of line.
const maxName = 18

// place is where a value is in the tree.
type place struct {
	frame  debugger.FrameRef
	path   string
	parent string
	index  int64
	depth  int
	align  int
	raw    bool
	local  bool // a variable of the frame itself
	view   view // of the collection that it is in
	above  []uint64
}

func (at place) child(name string) place {
	return place{frame: at.frame, path: at.path + "/" + name, index: -1, depth: at.depth + 1, view: at.view, above: at.above}
}

// value makes the node of a value, with all that is open below it.
func (p *Locals) value(v debugger.Variable, at place) *node {
	n := &node{v: v, frame: at.frame, path: at.path, parent: at.parent, index: at.index, depth: at.depth, align: at.align, raw: at.raw, size: 1}
	if at.local && v.Shadowed { // as dlv writes it
		n.v.Name = "(" + v.Name + ")"
	}
	n.view = p.viewOf(v, at)
	meant := p.meaning(n)
	n.leaf = !v.Expandable() && len(meant.Rows) == 0 && !p.opensAsText(n) || corrupt(v.Deref()) || n.shown == format.Hidden
	if at.local && v.Unset {
		n.leaf, n.note = true, session.NotSet(v)
		if v.DeclLine > int64(p.frame.Line) {
			n.note += ": declared at line " + fmt.Sprint(v.DeclLine)
		}
	}
	if n.open = !n.leaf && p.open[n.path]; !n.open || at.depth >= deepest {
		return n
	}
	below := at
	below.raw = at.raw
	if len(meant.Rows) > 0 && !n.raw {
		p.addMeaning(n, meant.Rows, below)
		return n
	}
	p.expand(n, v, below)
	return n
}

// addMeaning shows what a value holds, and below it how it is made.
func (p *Locals) addMeaning(n *node, rows []debugger.Variable, at place) {
	align := alignment(rows)
	for i, r := range rows {
		c := at.child(fmt.Sprint("#", i))
		c.align, c.raw = align, true
		n.addChild(p.value(r, c))
	}
	if n.v.Expandable() {
		c := at.child("fields")
		c.align, c.raw = align, true
		own := n.v
		own.Name, own.Kind = "fields", reflect.Struct
		made := p.value(own, c)
		if made.open {
			made = &node{v: own, frame: at.frame, path: made.path, index: -1, depth: made.depth, align: align, raw: true, open: true, size: 1}
			p.expand(made, n.v, c)
		}
		made.bare, made.view = true, viewFields
		n.addChild(made)
	}
}

// expand adds the children of a value. What a pointer or an interface holds
// takes the place of a child of its own.
func (p *Locals) expand(n *node, v debugger.Variable, at place) {
	for range deepest {
		if p.cycle(n, v, at) {
			return
		}
		if v.Kind == reflect.Pointer && len(v.Children) == 1 && v.Children[0].Addr != 0 {
			at.above = append(at.above[:len(at.above):len(at.above)], v.Children[0].Addr)
		}
		if p.asText(n, v) {
			p.addText(n, v, at)
			return
		}
		if collection(v.Kind) {
			p.addElements(n, v, at)
			return
		}
		list, more, err := p.c.Store.Children(at.frame, v)
		if len(list) == 1 && list[0].Name == "" && more == 0 && (list[0].Expandable() || list[0].Kind == reflect.String) {
			v = list[0]
			continue
		}
		align := alignment(list)
		for i, child := range list {
			name := child.Name
			if name == "" || name == "_" {
				name = fmt.Sprint(name, "#", i)
			}
			c := at.child(name)
			c.align, c.raw = align, false
			n.addChild(p.value(child, c))
		}
		if more > 0 || err != "" {
			p.addMissing(n, v, at, more, err)
		}
		return
	}
}

// addMissing adds the row for what is being read.
func (p *Locals) addMissing(n *node, v debugger.Variable, at place, more int64, err string) {
	row := missing(v, at, err, func() []inspect.Need { return p.c.Store.NeedChildren(at.frame, v) })
	if v.Expr == "" && more > 0 && err == "" {
		row.words, row.need = text.Plural(more, "part")+" has no name here, so it cannot be read", nil
	}
	n.addChild(row)
}

// missing is the row for what is being read, or could not be.
func missing(v debugger.Variable, at place, err string, need func() []inspect.Need) *node {
	row := &node{kind: isNote, frame: at.frame, depth: at.depth + 1, index: -1, size: 1, words: "…", err: err, owner: v.Expr}
	if err == "" {
		row.need = need
	}
	return row
}

// cycle says so where a pointer leads back to a value above.
func (p *Locals) cycle(n *node, v debugger.Variable, at place) bool {
	if v.Kind != reflect.Pointer || len(v.Children) != 1 || !slices.Contains(at.above, v.Children[0].Addr) || p.views[n.path] == viewOn {
		return false
	}
	n.addChild(&node{kind: isNote, depth: at.depth + 1, index: -1, size: 1, words: "↻ the same value is above (v continues here)"})
	return true
}

// collection tells the kinds whose children are counted.
func collection(k reflect.Kind) bool {
	return k == reflect.Slice || k == reflect.Array || k == reflect.Map || k == reflect.Chan
}

// addElements hangs the elements of a collection under it: all of them, or
// those that a search has found.
func (p *Locals) addElements(n *node, v debugger.Variable, at place) {
	m := &many{of: v, count: v.Len}
	path := at.path
	search := p.searchOf(path)
	if search != nil {
		m.only(search.Hits)
		n.note = searchNote(search)
	}
	align := len(fmt.Sprint(max(v.Len-1, 0))) + 2
	if v.Kind == reflect.Map {
		align = max(alignment(v.Children), 6)
	}
	m.make = func(row int64) *node {
		i := row
		if m.number != nil {
			i = m.number(row)
		}
		return p.element(v, i, place{frame: at.frame, path: fmt.Sprintf("%s/#%d", path, i), parent: path, index: i, depth: at.depth + 1,
			align: min(align, maxName), view: n.view, above: at.above}, search != nil)
	}
	n.many = m
	n.size += int(m.count)
	opened := make([]int64, 0, len(p.inside[path]))
	for i := range p.inside[path] {
		opened = append(opened, i)
	}
	slices.Sort(opened)
	for _, i := range opened {
		row := i
		if search != nil {
			found, ok := slices.BinarySearch(search.Hits, i)
			if !ok {
				continue
			}
			row = int64(found)
		}
		if row >= m.count {
			continue
		}
		c := m.make(row)
		m.open, m.at = append(m.open, c), append(m.at, row)
		n.size += c.size - 1
	}
}

// element is the row of an element, which may not have been read yet.
func (p *Locals) element(v debugger.Variable, i int64, at place, alone bool) *node {
	child, err, ok := p.c.Store.Element(at.frame, v, i)
	if ok {
		return p.value(child, at)
	}
	n := &node{kind: isNote, frame: at.frame, path: at.path, parent: at.parent, index: i, depth: at.depth, align: at.align, size: 1, owner: v.Expr}
	n.words = text.Fit(fmt.Sprintf("[%d]", i), at.align) + "  …"
	if v.Kind == reflect.Map {
		n.words = text.Fit("…", at.align)
	}
	if err != "" {
		n.err = strings.TrimSpace(fmt.Sprintf("[%d]  %s", i, err))
		return n
	}
	n.need = func() []inspect.Need { return p.c.Store.NeedElement(at.frame, v, i, alone) }
	return n
}
