//go:build go1.21

package replay

import (
	"math/rand"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"
)

// maker makes inputs of the calls that were recorded: these, then what differs from them
// in one place, then at random. The same calls give the same inputs.
type maker struct {
	calls  []Call // the recorded ones, then all that were made
	ready  []Call
	at     int
	seen   map[string]bool
	values map[string][]Node // parts of the recorded calls, by type
	random *rand.Rand
	bases  int // how many of calls have been varied
	known  int // how many calls were recorded
	in     map[int][]reflect.Type
}

// maxValues bounds how many values of one type are put in place of another.
const maxValues = 12

func newMaker(calls []Call, in map[int][]reflect.Type) *maker {
	m := &maker{seen: map[string]bool{}, values: map[string][]Node{}, random: rand.New(rand.NewSource(1)), in: in}
	for _, c := range calls {
		if _, ok := in[c.Func]; ok {
			m.add(c, 0)
		}
	}
	m.known = len(m.ready)
	for _, c := range m.ready {
		for _, a := range c.Args {
			m.collect(a)
		}
	}
	m.calls = append(m.calls, m.ready...)
	return m
}

func (m *maker) add(c Call, away int) {
	key := strconv.Itoa(c.Func)
	for _, a := range c.Args {
		key += "\x02" + flat(a)
	}
	if m.seen[key] || c.Size() > maxNodes {
		return
	}
	m.seen[key] = true
	c.Away = away
	m.ready = append(m.ready, c)
}

// collect keeps values by their types.
func (m *maker) collect(n Node) {
	if n.Type != "" && n.Kind != Same && !refers(n) {
		kept := m.values[n.Type]
		text := flat(n)
		for _, k := range kept {
			if flat(k) == text {
				text = ""
				break
			}
		}
		if text != "" && len(kept) < maxValues {
			m.values[n.Type] = append(kept, n)
		}
	}
	for _, c := range n.Nodes {
		m.collect(c)
	}
}

// refers reports whether a value has pointers to its own parts: it cannot be put elsewhere.
func refers(n Node) bool {
	if n.Kind == Same {
		return true
	}
	for _, c := range n.Nodes {
		if refers(c) {
			return true
		}
	}
	return false
}

func (m *maker) next() (Call, bool) {
	for m.at >= len(m.ready) {
		if len(m.calls) == 0 {
			return Call{}, false
		}
		if m.bases < m.known {
			m.neighbors(m.calls[m.bases])
			m.bases++
			continue
		}
		if m.bases == m.known { // all of these may be varied further
			m.calls = append([]Call{}, m.ready...)
			m.bases++
		}
		was := len(m.ready)
		for try := 0; try < 100 && len(m.ready) == was; try++ {
			m.atRandom(m.calls[m.random.Intn(len(m.calls))])
		}
		if len(m.ready) == was {
			return Call{}, false
		}
	}
	c := m.ready[m.at]
	m.at++
	return c, true
}

// maxPlaces bounds the parts of a call that are varied.
const maxPlaces = 64

// neighbors adds the calls that differ from one in one place.
func (m *maker) neighbors(c Call) {
	for _, path := range places(c) {
		for _, n := range m.variants(c, at(c, path)) {
			m.add(with(c, path, n), 1)
		}
	}
}

// atRandom adds a call that differs in several places.
func (m *maker) atRandom(c Call) {
	for i := 1 + m.random.Intn(3); i > 0; i-- {
		paths := places(c)
		if len(paths) == 0 {
			return
		}
		path := paths[m.random.Intn(len(paths))]
		list := m.variants(c, at(c, path))
		if n := at(c, path); n.Kind == Int || n.Kind == Uint {
			list = append(list, integer(n, int64(m.random.Intn(1<<uint(m.random.Intn(16)+1))), m.random.Intn(2) == 0)...)
		}
		if len(list) == 0 {
			return
		}
		c = with(c, path, list[m.random.Intn(len(list))])
	}
	m.add(c, 2)
}

// places are the parts of a call that may differ: not the private fields of a struct, which
// go together in ways that only its own package knows.
func places(c Call) [][]int {
	var list [][]int
	var walk func(n Node, path []int)
	walk = func(n Node, path []int) {
		if len(list) >= maxPlaces || n.Kind == Same {
			return
		}
		list = append(list, append([]int{}, path...))
		switch n.Kind {
		case Slice, Array, Map, Pointer, Interface:
			for i, child := range n.Nodes {
				walk(child, append(path, i))
			}
		case Struct:
			for i, child := range n.Nodes {
				if name := n.Names[i]; name != "" && name[0] >= 'A' && name[0] <= 'Z' {
					walk(child, append(path, i))
				}
			}
		}
	}
	for i, a := range c.Args {
		walk(a, []int{i})
	}
	return list
}

func at(c Call, path []int) Node {
	n := c.Args[path[0]]
	for _, i := range path[1:] {
		n = n.Nodes[i]
	}
	return n
}

// with returns a call with another value in one place.
func with(c Call, path []int, n Node) Call {
	args := append([]Node{}, c.Args...)
	args[path[0]] = within(args[path[0]], path[1:], n)
	c.Args, c.Num, c.Panicked = args, 0, false
	return c
}

func within(n Node, path []int, to Node) Node {
	if len(path) == 0 {
		return to
	}
	n.Nodes = append([]Node{}, n.Nodes...)
	n.Nodes[path[0]] = within(n.Nodes[path[0]], path[1:], to)
	return n
}

// variants are other values in place of one.
func (m *maker) variants(c Call, n Node) []Node {
	var list []Node
	switch n.Kind {
	case Bool:
		list = append(list, scalar(n, strconv.FormatBool(n.Text != "true")))
	case Int, Uint:
		for _, i := range lengths(c) {
			list = append(list, integer(n, i, false)...)
		}
		if v, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
			list = append(append(list, integer(n, v-1, false)...), integer(n, v+1, false)...)
		}
	case Float:
		list = append(list, scalar(n, "0"), scalar(n, "1"), scalar(n, "-1"), scalar(n, "0.5"))
	case String, Bytes:
		list = texts(n)
	case Slice:
		list = append(append(list, kind(n, Nil)), shorter(n)...)
	case Map:
		list = append(list, kind(n, Nil), kind(n, Map))
		for i := 0; i+1 < len(n.Nodes) && i < 8; i += 2 {
			list = append(list, children(n, append(append([]Node{}, n.Nodes[:i]...), n.Nodes[i+2:]...)))
		}
	case Pointer:
		list = append(list, kind(n, Nil))
	}
	if n.Kind != Interface { // by what is in it
		list = append(list, m.values[n.Type]...)
	}
	return list
}

func scalar(n Node, text string) Node { n.Text = text; return n }
func kind(n Node, k Kind) Node        { return Node{Kind: k, Type: n.Type} }
func children(n Node, nodes []Node) Node {
	n.Nodes = nodes
	return n
}

// integer is a node of the same type with another number; none where the type is unsigned and
// the number negative.
func integer(n Node, v int64, negative bool) []Node {
	if negative {
		v = -v
	}
	if n.Kind == Uint && v < 0 {
		return nil
	}
	return []Node{scalar(n, strconv.FormatInt(v, 10))}
}

// lengths are the numbers that are worth a try: around zero, and around the lengths of
// what the call has.
func lengths(c Call) []int64 {
	set := map[int64]bool{0: true, 1: true, -1: true}
	var walk func(n Node, depth int)
	walk = func(n Node, depth int) {
		length := int64(-1)
		switch n.Kind {
		case Slice, Array:
			length = int64(len(n.Nodes))
		case Map:
			length = int64(len(n.Nodes) / 2)
		case String, Bytes:
			s, _ := strconv.Unquote(n.Text)
			length = int64(len(s))
		}
		if length >= 0 && len(set) < 16 {
			set[length-1], set[length], set[length+1] = true, true, true
		}
		for i, child := range n.Nodes {
			if depth < 4 && i < 8 {
				walk(child, depth+1)
			}
		}
	}
	for _, a := range c.Args {
		walk(a, 0)
	}
	list := make([]int64, 0, len(set))
	for v := range set {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return list
}

// texts are the empty text, and those that are longer or shorter by one rune.
func texts(n Node) []Node {
	s, err := strconv.Unquote(n.Text)
	if err != nil {
		return nil
	}
	list := []Node{scalar(n, `""`)}
	if s == "" {
		return append(list[:0], scalar(n, `"a"`), scalar(n, `" "`))
	}
	_, first := utf8.DecodeRuneInString(s)
	_, last := utf8.DecodeLastRuneInString(s)
	for _, t := range []string{s[first:], s[:len(s)-last], s[:first] + s, s + s[len(s)-last:], s + "a"} {
		list = append(list, scalar(n, strconv.QuoteToASCII(t)))
	}
	return list
}

// shorter are a slice without elements, with one less, and with its first and last one
// twice.
func shorter(n Node) []Node {
	list := []Node{kind(n, Slice)}
	if len(n.Nodes) == 0 {
		return list
	}
	last := len(n.Nodes) - 1
	list = append(list, children(n, n.Nodes[1:]), children(n, n.Nodes[:last]), children(n, n.Nodes[:1]))
	if !refers(n) && n.Nodes[0].Kind != Pointer {
		list = append(list, children(n, append(append([]Node{}, n.Nodes[0]), n.Nodes...)),
			children(n, append(append([]Node{}, n.Nodes...), n.Nodes[last])))
	}
	return list
}
