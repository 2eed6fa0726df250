// Package goroutines filters, groups and orders goroutines, of which there may be
// hundreds of thousands, so that a screen can show a part of them at any moment.
// It reads nothing and draws nothing.
package goroutines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
)

// Words explains the language of queries, in one line.
const Words = "text · state:waiting · wait:chan · wait>5s · label:k=v · chan:0xc000… · func:main.work · start: · go: · file: · id:7 · user · system · sort:wait · -not"

// Orders are what sort: may be followed by.
var Orders = []string{"count", "wait", "id", "place"}

// Query says which goroutines are wanted, and in which order: those for which
// every term holds.
type Query struct {
	Text string // as it was written
	Sort string // one of Orders; "count" when nothing is said
	// Note says what of it was not understood; empty when all was.
	Note  string
	terms []term
}

// term is a condition. What it says of a kind or of a set of labels is found
// out once for all goroutines that have them in common.
type term struct {
	not    bool
	kind   func(*inspect.Kind) bool                // nil: says nothing of kinds
	labels func(map[string]string) bool            // nil: nothing of labels
	one    func(g *inspect.Goroutines, i int) bool // nil: nothing of single ones
	stacks bool                                    // depends on the frames of a kind
}

// Empty reports whether the query holds for all goroutines.
func (q Query) Empty() bool { return len(q.terms) == 0 }

// Stacks reports whether what it holds for changes with stacks that are read.
func (q Query) Stacks() bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.stacks })
}

// Parse reads a query. It does not fail: what is no condition is text to look
// for, and Note says so where something else was meant.
func Parse(s string) Query {
	q := Query{Text: s, Sort: Orders[0]}
	for _, word := range strings.Fields(s) {
		bare, not := strings.CutPrefix(word, "-")
		if bare == "" {
			continue
		}
		if order, ok := strings.CutPrefix(bare, "sort:"); ok {
			q.sort(order)
			continue
		}
		t, note := parseTerm(bare)
		if note != "" {
			q.Note = note
		}
		t.not = not
		q.terms = append(q.terms, t)
	}
	return q
}

func (q *Query) sort(order string) {
	for _, o := range Orders {
		if order != "" && strings.HasPrefix(o, strings.ToLower(order)) {
			q.Sort = o
			return
		}
	}
	if order != "" {
		q.Note = fmt.Sprintf("sort:%s is none of %s", order, strings.Join(Orders, ", "))
	}
}

// conditions are the words with a colon.
var conditions = map[string]func(value string) term{
	"state": func(v string) term {
		return term{kind: func(k *inspect.Kind) bool { return strings.HasPrefix(k.State, v) }}
	},
	"wait": func(v string) term {
		return term{kind: func(k *inspect.Kind) bool { return k.WaitReason != "" && holds(k.WaitReason, v) }}
	},
	"func": func(v string) term {
		return term{stacks: true, kind: func(k *inspect.Kind) bool {
			return inStack(k, func(f debugger.Frame) bool { return holds(f.Function, v) })
		}}
	},
	"file": func(v string) term {
		return term{stacks: true, kind: func(k *inspect.Kind) bool {
			return inStack(k, func(f debugger.Frame) bool { return holds(place(f), v) })
		}}
	},
	"start": func(v string) term {
		return term{kind: func(k *inspect.Kind) bool { return holds(k.Start.Function, v) }}
	},
	"go": func(v string) term {
		return term{kind: func(k *inspect.Kind) bool { return holds(k.GoAt.Function+" "+place(k.GoAt), v) }}
	},
	"label": label,
	"id":    number,
	"chan": func(v string) term {
		addr, ok := address(v)
		return term{one: func(g *inspect.Goroutines, i int) bool { return ok && slices.Contains(g.Channels(i), addr) }}
	},
	"lock": func(v string) term {
		addr, ok := address(v)
		return term{one: func(g *inspect.Goroutines, i int) bool { return ok && waitsOn(g, i, addr) }}
	},
}

func parseTerm(word string) (t term, note string) {
	switch word {
	case "user", "system":
		return term{kind: func(k *inspect.Kind) bool { return k.System == (word == "system") }}, ""
	}
	if t, ok := waited(word); ok {
		return t, ""
	}
	key, value, found := strings.Cut(word, ":")
	if make := conditions[strings.ToLower(key)]; found && make != nil {
		if value == "" {
			return term{}, "" // still being typed
		}
		if _, ok := address(value); !ok && (key == "chan" || key == "lock") {
			note = fmt.Sprintf("%s: wants an address such as 0xc000012345", key)
		}
		if key != "label" {
			value = strings.ToLower(value)
		}
		return make(value), note
	}
	if found && !strings.ContainsAny(key, ".*(/") && key != "" {
		note = fmt.Sprintf("%s: is no word of the filter, it is looked for as text", key)
	}
	return text(word), note
}

// text looks everywhere.
func text(word string) term {
	v := strings.ToLower(word)
	return term{
		one:    number(word).one,
		stacks: true,
		kind: func(k *inspect.Kind) bool {
			return holds(k.State+" "+k.WaitReason+" "+k.Start.Function, v) ||
				inStack(k, func(f debugger.Frame) bool { return holds(f.Function+" "+place(f), v) })
		},
		labels: func(labels map[string]string) bool {
			for name, value := range labels {
				if holds(name+"="+value, v) {
					return true
				}
			}
			return false
		},
	}
}

// number is a goroutine's; what is no number is none's.
func number(v string) term {
	id, err := strconv.ParseInt(v, 10, 64)
	return term{one: func(g *inspect.Goroutines, i int) bool { return err == nil && int64(g.All[i].ID) == id }}
}

func label(v string) term {
	name, value, exact := strings.Cut(v, "=")
	return term{labels: func(labels map[string]string) bool {
		got, ok := labels[name]
		return ok && (!exact || got == value)
	}}
}

// waited reads "wait>5s".
func waited(word string) (term, bool) {
	rest, ok := strings.CutPrefix(word, "wait")
	if !ok || rest == "" {
		return term{}, false
	}
	for _, sign := range []string{">=", "<=", ">", "<"} {
		v, ok := strings.CutPrefix(rest, sign)
		if !ok {
			continue
		}
		if v == "" {
			return term{}, true
		}
		limit, err := time.ParseDuration(v)
		if err != nil {
			limit, err = time.ParseDuration(v + "s")
		}
		if err != nil {
			return term{}, false
		}
		return term{one: func(g *inspect.Goroutines, i int) bool {
			w := g.All[i].Waited
			return w > 0 && (sign[0] == '>' && w > limit || sign[0] == '<' && w < limit || len(sign) == 2 && w == limit)
		}}, true
	}
	return term{}, false
}

func holds(s, lower string) bool { return strings.Contains(strings.ToLower(s), lower) }

// inStack reports whether a frame of a stack passes; of one that was not read, the
// frames that are known.
func inStack(k *inspect.Kind, ok func(debugger.Frame) bool) bool {
	if len(k.Frames) > 0 {
		return slices.ContainsFunc(k.Frames, ok)
	}
	return ok(k.Current) || ok(k.User) || ok(k.Start)
}

func place(f debugger.Frame) string { return f.File + ":" + strconv.Itoa(f.Line) }

func address(s string) (uint64, bool) {
	n, err := strconv.ParseUint(strings.ToLower(s), 0, 64)
	return n, err == nil && n != 0
}

func waitsOn(g *inspect.Goroutines, i int, addr uint64) bool {
	if g.Waits == nil || i >= len(g.Waits.Of) || g.Waits.Of[i] < 0 {
		return false
	}
	for _, on := range g.Waits.Graph.Parties[g.Waits.Of[i]].On {
		if on.Addr == addr {
			return true
		}
	}
	return false
}

// matcher applies a query; it remembers what a term says of a kind or a set of
// labels.
type matcher struct {
	q      Query
	g      *inspect.Goroutines
	kinds  [][]int8 // by term and kind: 0 unknown, 1 yes, -1 no
	labels [][]int8
}

func newMatcher(q Query, g *inspect.Goroutines) *matcher {
	return &matcher{q: q, g: g, kinds: make([][]int8, len(q.terms)), labels: make([][]int8, len(q.terms))}
}

func (m *matcher) match(i int) bool {
	for n := range m.q.terms {
		if t := &m.q.terms[n]; m.term(n, t, i) == t.not {
			return false
		}
	}
	return true
}

func (m *matcher) term(n int, t *term, i int) bool {
	if t.kind == nil && t.labels == nil && t.one == nil {
		return !t.not // nothing said yet
	}
	if t.kind != nil {
		k := int(m.g.All[i].Kind)
		known := &m.kinds[n]
		for len(*known) <= k {
			*known = append(*known, said(t.kind(m.g.Kinds[len(*known)])))
		}
		if (*known)[k] > 0 {
			return true
		}
	}
	if t.labels != nil {
		set := m.g.LabelSet(i)
		known := &m.labels[n]
		for len(*known) <= set {
			*known = append(*known, 0)
		}
		if (*known)[set] == 0 {
			(*known)[set] = said(t.labels(m.g.Labels(i)))
		}
		if (*known)[set] > 0 {
			return true
		}
	}
	return t.one != nil && t.one(m.g, i)
}

func said(yes bool) int8 {
	if yes {
		return 1
	}
	return -1
}
