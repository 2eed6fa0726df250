package behavior

import (
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// Delta is a place where two answers differ.
type Delta struct {
	Argument      bool   // in what an argument leads to, not in a result
	Path          string // ".order", "[2].name"
	Before, After replay.Node
}

// maxDeltas bounds how many places are listed.
const maxDeltas = 16

// deltas lists where two answers differ. Fields that only one version of a struct has are no
// difference; two errors are none where anyError is set.
func deltas(a, b replay.Outcome, anyError bool) []Delta {
	m := &matcher{ids: map[int]int{}, anyError: anyError}
	m.list("", "result ", a.Results, b.Results)
	results := len(m.deltas)
	m.list("", "argument ", a.After, b.After)
	for i := results; i < len(m.deltas); i++ {
		m.deltas[i].Argument = true
	}
	return m.deltas
}

// matcher compares values in which pointers have numbers.
type matcher struct {
	ids      map[int]int // of a value before: its number after
	anyError bool
	deltas   []Delta
}

// list compares values one by one.
func (m *matcher) list(path, name string, a, b []replay.Node) {
	for i := range max(len(a), len(b)) {
		at := path
		if name != "" && max(len(a), len(b)) > 1 {
			at += name + strconv.Itoa(i+1)
		}
		if name == "" {
			at += "[" + strconv.Itoa(i) + "]"
		}
		var x, y replay.Node
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		m.node(at, x, y)
	}
}

func (m *matcher) node(path string, a, b replay.Node) {
	if len(m.deltas) >= maxDeltas {
		return
	}
	if differ, known := m.special(a, b); known {
		if differ {
			m.deltas = append(m.deltas, Delta{Path: path, Before: a, After: b})
		}
		return
	}
	differ := a.Kind != b.Kind || a.Type != b.Type || a.Kind != replay.Func && a.Text != b.Text || a.ID == 0 != (b.ID == 0)
	if a.ID != 0 && !differ {
		was, known := m.ids[a.ID]
		differ = known && was != b.ID
		m.ids[a.ID] = b.ID
	}
	if differ {
		m.deltas = append(m.deltas, Delta{Path: path, Before: a, After: b})
		return
	}
	switch a.Kind {
	case replay.Struct:
		for i, name := range a.Names {
			if j := slices.Index(b.Names, name); j >= 0 {
				m.node(path+"."+name, a.Nodes[i], b.Nodes[j])
			}
		}
	case replay.Pointer, replay.Interface:
		if len(a.Nodes) == 1 && len(b.Nodes) == 1 {
			m.node(path, a.Nodes[0], b.Nodes[0])
		}
	case replay.Slice, replay.Array:
		if len(a.Nodes) != len(b.Nodes) {
			m.deltas = append(m.deltas, Delta{Path: path, Before: a, After: b})
			return
		}
		m.list(path, "", a.Nodes, b.Nodes)
	case replay.Map, replay.SyncMap:
		m.pairs(path, a, b)
	}
}

// special compares errors and locks, of which not every part counts.
func (m *matcher) special(a, b replay.Node) (differ, known bool) {
	switch {
	case isError(a) && isError(b):
		_, lost := lostError(a, b)
		return lost && !m.anyError, true
	case isLock(a) && isLock(b):
		return lockWords(a) != lockWords(b), true
	}
	return false, false
}

// pairs compares the values of the keys that both maps have.
func (m *matcher) pairs(path string, a, b replay.Node) {
	if len(a.Nodes) != len(b.Nodes) {
		m.deltas = append(m.deltas, Delta{Path: path, Before: a, After: b})
		return
	}
	for i := 0; i+1 < len(a.Nodes); i += 2 {
		was := len(m.deltas)
		if m.node(path, a.Nodes[i], b.Nodes[i]); len(m.deltas) > was {
			m.deltas = append(m.deltas[:was], Delta{Path: path, Before: a, After: b}) // other keys
			return
		}
		key, _ := replay.Source(a.Nodes[i], "")
		m.node(path+"["+key+"]", a.Nodes[i+1], b.Nodes[i+1])
	}
}
