package pane

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
)

// rowKind is what a row of the tree is.
type rowKind int

const (
	isValue rowKind = iota
	isNote          // words about the value above
	isBytes         // a line of a text or of a dump
)

// node is a value with its rows: its own, and those of its children while it is
// open. Few children are in list. Those of collections are made when
// they are looked at: they are counted, and only those that are open, and so
// take more than a row, are remembered.
type node struct {
	kind   rowKind
	v      debugger.Variable
	path   string
	parent string // path of the collection that it is an element of
	index  int64  // in that collection; -1 for others
	frame  debugger.FrameRef
	depth  int
	align  int  // width of the names in its group
	raw    bool // shown as it is made, not as it means
	view   view // how it is shown
	shown  string
	open   bool
	leaf   bool
	note   string // said after the value
	bare   bool   // its type says all
	words  string // of a note, or a line of bytes
	err    string // why something is missing here; enter tries again
	owner  string // expression of the value whose part is missing
	need   func() []inspect.Need

	size int // rows, with its own
	list []*node
	many *many
}

// many is the children of a collection.
type many struct {
	of     debugger.Variable
	count  int64                     // how many rows they would be with none open
	number func(row int64) int64     // the element that a row shows; nil: the same
	make   func(element int64) *node // a row
	open   []*node                   // those that are open, by their rows
	at     []int64                   // … their rows
}

// only keeps those of the elements that a search has found.
func (m *many) only(rows []int64) {
	m.count = int64(len(rows))
	m.number = func(row int64) int64 { return rows[row] }
}

// tree is what a pane shows.
type tree struct {
	size int
	list []*node
}

func (t *tree) add(n *node) {
	t.list = append(t.list, n)
	t.size += n.size
}

// addChild hangs a node under another.
func (n *node) addChild(c *node) {
	n.list = append(n.list, c)
	n.size += c.size
}

// rows returns the rows from one number to another, without making others.
func (t *tree) rows(from, to int) []*node {
	w := walk{from: from, to: to}
	for _, n := range t.list {
		if w.pos >= to {
			break
		}
		w.node(n)
	}
	return w.out
}

// walk goes over rows and skips what lies before from.
type walk struct {
	from, to, pos int
	out           []*node
}

func (w *walk) node(n *node) {
	if w.pos >= w.to || w.pos+n.size <= w.from {
		w.pos += n.size
		return
	}
	if w.pos >= w.from {
		w.out = append(w.out, n)
	}
	w.pos++
	for _, c := range n.list {
		w.node(c)
	}
	if n.many != nil {
		w.many(n.many)
	}
}

func (w *walk) many(m *many) {
	next := int64(0)
	for i, n := range m.open {
		w.closed(m, next, m.at[i])
		w.node(n)
		next = m.at[i] + 1
	}
	w.closed(m, next, m.count)
}

// closed makes those rows of a collection, none of them open, that are wanted.
func (w *walk) closed(m *many, from, to int64) {
	start := max(from, from+int64(w.from-w.pos))
	end := min(to, from+int64(w.to-w.pos))
	for row := start; row < end; row++ {
		w.out = append(w.out, m.make(row))
	}
	w.pos += int(to - from)
}

// parentRow is the row of the value that a row belongs to; -1 for the topmost.
func (t *tree) parentRow(row int) int {
	pos := 0
	for _, n := range t.list {
		if row < pos+n.size {
			if row == pos {
				return -1
			}
			return n.parentRow(row, pos)
		}
		pos += n.size
	}
	return -1
}

func (n *node) parentRow(row, pos int) int {
	at := pos + 1
	for _, c := range n.list {
		if row < at+c.size {
			if row == at {
				return pos
			}
			return c.parentRow(row, at)
		}
		at += c.size
	}
	if n.many == nil {
		return pos
	}
	next := int64(0)
	for i, c := range n.many.open {
		at += int(n.many.at[i] - next)
		if row < at {
			return pos
		}
		if row < at+c.size {
			if row == at {
				return pos
			}
			return c.parentRow(row, at)
		}
		at += c.size
		next = n.many.at[i] + 1
	}
	return pos
}

// find returns the node of a path among the open ones, and its row.
func (t *tree) find(path string) (*node, int) {
	pos := 0
	for _, n := range t.list {
		if found, at := n.find(path, pos); found != nil {
			return found, at
		}
		pos += n.size
	}
	return nil, 0
}

func (n *node) find(path string, pos int) (*node, int) {
	if n.path == path && n.kind == isValue {
		return n, pos
	}
	pos++
	for _, c := range n.list {
		if found, at := c.find(path, pos); found != nil {
			return found, at
		}
		pos += c.size
	}
	if n.many == nil {
		return nil, 0
	}
	next := int64(0)
	for i, c := range n.many.open {
		pos += int(n.many.at[i] - next)
		if found, at := c.find(path, pos); found != nil {
			return found, at
		}
		pos += c.size
		next = n.many.at[i] + 1
	}
	return nil, 0
}

// rowOf is the row of an element of a collection, counted from the
// collection's own.
func (n *node) rowOf(row int64) int {
	at := 1 + int(row)
	for i, c := range n.many.open {
		if n.many.at[i] < row {
			at += c.size - 1
		}
	}
	return at
}
