package waits

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// written is a graph as text, for the tests.
func written(g Graph) string {
	var b strings.Builder
	for _, l := range g.Lines() {
		b.WriteString(strings.Repeat("  ", l.Depth))
		switch {
		case l.Party < 0 && l.Cycle > 0:
			fmt.Fprintf(&b, "circle of %d", l.Cycle)
		case l.Party < 0:
			fmt.Fprintf(&b, "nobody has %s %#x", l.Lost.Kind, l.Lost.Addr)
		default:
			p := g.Parties[l.Party]
			fmt.Fprintf(&b, "%d", p.First)
			if p.Count > 1 {
				fmt.Fprintf(&b, " ×%d", p.Count)
			}
			if l.Edge != nil {
				fmt.Fprintf(&b, " for %d, %s %s", g.Parties[l.Edge.To].First, l.Edge.On.Kind, l.Edge.Via.Expr)
			}
			if l.Also > 0 {
				fmt.Fprintf(&b, " +%d", l.Also)
			}
			if l.Last {
				b.WriteString(" ↺")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// graph builds one from parties written as "1 wants m8" and facts written as
// "18 holds m8".
func graph(t *testing.T, text string) Graph {
	t.Helper()
	facts := Facts{Held: map[uint64][]Holder{}, Unlocking: map[uint64][]Holder{}, Known: map[uint64][]Holder{}}
	var parties []Party
	index := map[debugger.GoroutineID]int{}
	party := func(id debugger.GoroutineID) int {
		i, ok := index[id]
		if !ok {
			i = len(parties)
			index[id] = i
			parties = append(parties, Party{First: id, Count: 1})
		}
		return i
	}
	for line := range strings.Lines(text) {
		var id debugger.GoroutineID
		var verb, what string
		if n, _ := fmt.Sscan(line, &id, &verb, &what); n != 3 {
			continue
		}
		on := Object{Kind: map[byte]Kind{'m': Mutex, 'r': RWMutex, 'c': Channel, 'g': Group}[what[0]]}
		if _, err := fmt.Sscan(what[1:], &on.Addr); err != nil {
			t.Fatal(err)
		}
		i := party(id)
		switch verb {
		case "wants", "receives", "sends", "reads", "writes":
			parties[i].On = append(parties[i].On, on)
			parties[i].Reason = map[string]string{"wants": "sync.Mutex.Lock", "receives": "chan receive", "sends": "chan send", "reads": "sync.RWMutex.RLock", "writes": "sync.RWMutex.Lock"}[verb]
		case "holds", "shares":
			facts.Held[on.Addr] = append(facts.Held[on.Addr], Holder{Goroutine: id, Expr: what, Read: verb == "shares"})
		case "unlocks":
			facts.Unlocking[on.Addr] = append(facts.Unlocking[on.Addr], Holder{Goroutine: id, Expr: what, Doubtful: true})
		case "has", "hears", "talks":
			typ := map[string]string{"has": "chan int", "hears": "<-chan int", "talks": "chan<- int"}[verb]
			facts.Known[on.Addr] = append(facts.Known[on.Addr], Holder{Goroutine: id, Expr: what, Type: typ})
		case "sends-to", "receives-from", "closes", "finishes":
			what := map[string]does{"sends-to": sends, "receives-from": receives, "closes": closes, "finishes": finishes}[verb]
			facts.Known[on.Addr] = append(facts.Known[on.Addr], Holder{Goroutine: id, Expr: strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), Type: "chan int", Does: what})
		default:
			_, _ = fmt.Sscan(what[1:], &parties[i].Count)
		}
	}
	return NewGraph(parties, facts, func(id debugger.GoroutineID) int {
		if i, ok := index[id]; ok {
			return i
		}
		return -1
	})
}

// A writer that only waits is never said to hold the lock.
func TestAPendingWriterHoldsNothing(t *testing.T) {
	for _, waiter := range []string{"6 reads r1", "6 wants m1"} {
		g := graph(t, "9 writes r1\n"+waiter)
		if len(g.Edges[1]) != 1 {
			t.Errorf("%s: %+v", waiter, g.Edges)
			continue
		}
		if h := g.Edges[1][0].Via; h.Goroutine != 9 || !h.Pending || h.Frame != -1 {
			t.Errorf("%s: %+v", waiter, h)
		}
	}
	g := graph(t, "9 writes r1\n7 holds r1\n6 reads r1")
	if list := g.Edges[2]; len(list) != 2 || list[0].Via.Pending || !list[1].Via.Pending {
		t.Errorf("%+v", list)
	}
}

func TestChains(t *testing.T) {
	for name, test := range map[string]struct{ graph, want string }{
		"two locks": {"18 wants m1\n19 wants m2\n18 holds m2\n19 holds m1", `
circle of 2
  18 for 19, mutex m1
  19 for 18, mutex m2 ↺
`},
		"and those waiting": {"1 receives c7\n18 wants m1\n19 wants m2\n18 holds m2\n19 holds m1\n20 wants m2\n20 talks c7\n1 has c7", `
circle of 2
  18 for 19, mutex m1
    20 for 18, mutex m2
      1 for 20, chan c7
  19 for 18, mutex m2 ↺
`},
		"itself": {"5 wants m1\n5 holds m1", `
circle of 1
  5 for 5, mutex m1 ↺
`},
		"three": {"1 wants m1\n2 wants m2\n3 wants m3\n2 holds m1\n3 holds m2\n1 holds m3", `
circle of 3
  1 for 2, mutex m1
  2 for 3, mutex m2
  3 for 1, mutex m3 ↺
`},
		"one who sleeps": {"5 holds m1\n6 wants m1\n6 count n100\n7 wants m1\n8 receives c9\n8 count n40", `
5
  6 ×100 for 5, mutex m1
  7 for 5, mutex m1
nobody has chan 0x9
  8 ×40
`},
		"only the other end counts": {"1 receives c9\n2 hears c9\n3 talks c9", `
3
  1 for 3, chan c9
`},
		"a send": {"1 sends c9\n2 hears c9\n3 talks c9", `
2
  1 for 2, chan c9
`},
		"several may": {"1 receives c9\n2 talks c9\n3 talks c9\n3 wants g4", `
2
  1 for 2, chan c9 +1
nobody has waitgroup 0x4
  3
`},
		"two that wait for the same": {"1 receives c9\n2 receives c9\n1 has c9\n2 has c9", `
nobody has chan 0x9
  1
  2
`},
		"has it and does nothing with it": {"1 wants g1\n3 has g1\n4 has g1\n4 finishes g1\n5 finishes g1\n3 receives c9\n1 closes c9\n4 sends-to c9\n5 sends-to c9\n4 wants m4\n5 wants m5\n4 holds m5\n5 holds m4", `
circle of 2
  4 for 5, mutex m4
    1 for 4, waitgroup g1 +1
      3 for 1, chan c9 +2
  5 for 4, mutex m5 ↺
`},
		"a possible circle is none": {"1 receives c1\n2 receives c2\n1 has c2\n2 has c1", `
1 for 2, chan c1
  2 for 1, chan c2
`},
		"a writer waits between two readings": {"22 reads r1\n22 shares r1\n26 writes r1\n27 reads r1", `
circle of 2
  22 for 26, rwmutex r1
  26 for 22, rwmutex r1 ↺
    27 for 26, rwmutex r1
`},
		"another one unlocks it": {"5 wants m1\n5 holds m1\n6 unlocks m1", `
6
  5 for 6, mutex m1
`},
		"who unlocks it waits for it": {"5 wants m1\n5 holds m1\n6 wants m1\n6 unlocks m1", `
circle of 1
  5 for 5, mutex m1 ↺
    6 for 5, mutex m1
`},
		"one of two holds it": {"5 wants m1\n5 holds m1\n6 holds m1", `
6
  5 for 6, mutex m1
`},
		"nothing": {"1 holds m1", "\n"},
	} {
		if got := "\n" + written(graph(t, test.graph)); got != test.want {
			t.Errorf("%s:%swant%s", name, got, test.want)
		}
	}
}

// Who waits for several goroutines waits, above all, for the next one of its circle.
func TestNextIsOfTheCircle(t *testing.T) {
	g := graph(t, "1 writes r1\n2 shares r1\n3 shares r1\n3 wants m4\n1 holds m4\n5 holds m6")
	if e, ok := g.Next(0); !ok || g.Parties[e.To].First != 3 || g.Edges[0][0].To == e.To {
		t.Errorf("%+v, %v", e, ok)
	}
	if e, ok := g.Next(3); ok {
		t.Errorf("%+v", e)
	}
}

// Who waits has a line, whatever for; who does not wait has one only if others wait for it.
func TestEveryWaitHasALine(t *testing.T) {
	reasons := []string{"chan receive", "chan send (nil chan)", "select", "select (no cases)", "semacquire", "sync.Cond.Wait", "sleep", "IO wait", "syscall", "waiting", "wait reason 99", ""}
	var parties []Party
	for i, reason := range reasons {
		parties = append(parties, Party{First: debugger.GoroutineID(i + 1), Count: 1, Reason: reason, Many: i == 0})
	}
	g := NewGraph(parties, Facts{}, func(debugger.GoroutineID) int { return -1 })
	var rest Rest
	got := map[Rest][]string{}
	for _, l := range g.Lines() {
		if l.Party < 0 {
			rest = l.Rest
			continue
		}
		got[rest] = append(got[rest], g.Parties[l.Party].Reason)
	}
	want := map[Rest][]string{
		Many:    {"chan receive"},
		Unknown: {"chan send (nil chan)", "select", "select (no cases)", "semacquire", "sync.Cond.Wait", "waiting"},
		Outside: {"sleep", "IO wait", "syscall", "wait reason 99"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("they are under %v, want %v", got, want)
	}
}

// What a library's function receives from could not be read: it may be what is waited for,
// so that who only has the channel is not drawn.
func TestWhatALibraryDoesMayBeUnread(t *testing.T) {
	on := Object{Channel, 0x10}
	parties := []Party{{First: 1, Count: 1}, {First: 2, Count: 1, On: []Object{on}, Reason: "chan send"}, {First: 3, Count: 1}}
	partyOf := func(g debugger.GoroutineID) int { return int(g) - 1 }
	facts := Facts{Known: map[uint64][]Holder{0x10: {{Goroutine: 1, Expr: "pool.queue", Type: "chan int"}}}}
	if g := NewGraph(parties, facts, partyOf); len(g.Edges[1]) != 1 {
		t.Errorf("who has the channel: %+v", g.Edges)
	}
	facts.Unread = []Holder{{Goroutine: 3, Expr: "queue", Does: receives}}
	if g := NewGraph(parties, facts, partyOf); len(g.Edges[1]) != 0 {
		t.Errorf("a library may receive from it: %+v", g.Edges)
	}
	facts.Known[0x10] = append(facts.Known[0x10], Holder{Goroutine: 3, Expr: "queue", Type: "chan int", Does: receives})
	if g := NewGraph(parties, facts, partyOf); len(g.Edges[1]) != 1 || g.Edges[1][0].To != 2 {
		t.Errorf("a library receives from it: %+v", g.Edges)
	}
}
