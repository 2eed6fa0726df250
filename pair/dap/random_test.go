package dap_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/pair"
)

// together is two editors and the host's screen on one session, and the breakpoints
// that there should be after what they did.
type together struct {
	t       *testing.T
	dice    *rand.Rand
	world   *world
	room    *pair.Room
	editors [2]*editor
	wheel   int            // which editor drives
	want    map[int]string // conditions, by line
	wishes  [2]map[int]string
}

// Two editors, one of which drives, and the screen set, change and clear breakpoints,
// restart and connect again: none is lost, and all three see the same.
func TestTwoEditorsAndTheScreenLoseNoBreakpoint(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := &together{t: t, dice: rand.New(rand.NewPCG(seed, 0)), want: map[int]string{}}
			g.world, g.room = newWorld(t)
			g.editors[0], g.editors[1] = attach(t, g.room, "nvim", true), attach(t, g.room, "code", false)
			g.wishes = [2]map[int]string{{}, {}}
			for n := range 200 {
				did := g.act()
				t.Log(n, did, "want", g.want, "wishes", g.wishes)
				g.compare(fmt.Sprintf("after action %d, %s", n, did))
			}
			for _, e := range g.editors {
				e.leave()
			}
		})
	}
}

// act does something and notes what should come of it.
func (g *together) act() string {
	at := 10 * (1 + g.dice.IntN(8))
	condition := []string{"", "i == 3", "len(s) > 1"}[g.dice.IntN(3)]
	switch g.dice.IntN(10) {
	case 0, 1:
		return g.host(at, condition)
	case 2:
		g.room.Host().Do(intent.Restart{})
		return "restart"
	case 3:
		return g.reconnect(g.dice.IntN(2))
	case 4:
		return g.give(1 - g.wheel)
	case 5, 6, 7:
		return g.toggle(g.wheel, at, condition)
	default:
		return g.toggle(1-g.wheel, at, condition)
	}
}

// host sets, changes or clears a breakpoint as the screen does.
func (g *together) host(at int, condition string) string {
	there := g.world.at(at)
	switch {
	case there.ID == 0:
		g.world.set(g.room, at, condition)
	case there.Cond == condition:
		g.room.Host().Do(intent.ClearBreakpoint{ID: there.ID})
		g.clear(at)
		return fmt.Sprint("the host clears ", at)
	default:
		there.Cond = condition
		g.room.Host().Do(intent.AmendBreakpoint{Breakpoint: there})
	}
	g.set(at, condition)
	return fmt.Sprintf("the host sets %d %s", at, condition)
}

// set notes what is set. With it, a wish without a condition of its own is fulfilled.
func (g *together) set(at int, condition string) {
	g.want[at] = condition
	for i := range g.wishes {
		if c, wished := g.wishes[i][at]; wished && c == "" {
			delete(g.wishes[i], at)
		}
	}
}

// clear notes what is cleared, for everybody.
func (g *together) clear(at int) {
	delete(g.want, at)
	for i := range g.wishes {
		delete(g.wishes[i], at)
	}
}

// toggle sets or clears a breakpoint in an editor.
func (g *together) toggle(who, at int, condition string) string {
	e := g.editors[who]
	_, there := g.want[at]
	_, wished := g.wishes[who][at]
	shows := e.has(at)
	e.toggle(at, condition)
	switch {
	case who != g.wheel && wished:
		delete(g.wishes[who], at)
	case who != g.wheel && !there:
		g.wishes[who][at] = condition
	case who != g.wheel: // what a viewer clears comes back
	case shows:
		g.clear(at)
	default:
		g.set(at, condition)
	}
	return fmt.Sprintf("%s toggles %d %s", e.name, at, condition)
}

// give gives the wheel to an editor, which gets what it wished for.
func (g *together) give(who int) string {
	e := g.editors[who]
	if err := g.room.Host().GiveWheel(e.seat.Name); err != nil {
		g.t.Fatal(err)
	}
	g.wheel = who
	for at, condition := range g.wishes[who] {
		if _, there := g.want[at]; !there || condition != "" {
			g.set(at, condition)
		}
	}
	g.wishes[who] = map[int]string{}
	return e.name + " gets the wheel"
}

// reconnect has an editor leave and come again with what it shows.
func (g *together) reconnect(who int) string {
	old := g.editors[who]
	old.leave()
	var shows []dap.SourceBreakpoint
	for _, l := range old.lines {
		shows = append(shows, l.SourceBreakpoint)
		now, there := g.want[l.Line]
		switch {
		case there && (l.Condition == "" || l.Condition == now):
		case who == g.wheel:
			g.set(l.Line, l.Condition)
		default:
			g.wishes[who][l.Line] = l.Condition
		}
	}
	g.editors[who] = attach(g.t, g.room, old.name, who == g.wheel, shows...)
	return old.name + " connects again"
}

// compare waits until all three see the breakpoints that there should be.
func (g *together) compare(when string) {
	g.t.Helper()
	var want []string
	for _, at := range slices.Sorted(maps.Keys(g.want)) {
		want = append(want, fmt.Sprint(at, g.want[at]))
	}
	testsupport.Until(g.t, func() string {
		if got := g.world.has(); got != fmt.Sprint(want) {
			return fmt.Sprintf("%s, there is %s, want %s", when, got, want)
		}
		for i, e := range g.editors {
			if got, want := e.shown(), g.shown(i); got != want {
				return fmt.Sprintf("%s, %s shows %s, want %s", when, e.name, got, want)
			}
		}
		return ""
	})
}

// shown are the lines that an editor should show, as editor.shown writes them.
func (g *together) shown(who int) string {
	all := maps.Clone(g.want)
	maps.Copy(all, g.wishes[who])
	var list []string
	for _, at := range slices.Sorted(maps.Keys(all)) {
		text := fmt.Sprint(at)
		if _, set := g.want[at]; !set {
			text += "?"
		}
		list = append(list, text)
	}
	return fmt.Sprint(list)
}

// at is the session's breakpoint at a line.
func (w *world) at(line int) (found debugger.Breakpoint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.list {
		if b.Line == line {
			found = b
		}
	}
	return found
}

// has reports whether the editor shows a breakpoint at a line.
func (e *editor) has(at int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.lines, func(l *line) bool { return l.Line == at })
}
