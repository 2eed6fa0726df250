package behavior

import (
	"testing"

	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// A lock is compared by whether it is locked, not by who waits for it.
func TestLocksAreComparedByWhetherTheyAreLocked(t *testing.T) {
	number := func(n string) replay.Node { return replay.Node{Kind: replay.Int, Type: "int32", Text: n} }
	part := func(typ, name string, n replay.Node) replay.Node {
		return replay.Node{Kind: replay.Struct, Type: typ, Names: []string{name}, Nodes: []replay.Node{n}}
	}
	mutex := func(state string) replay.Node {
		return part("sync.Mutex", "mu", part("internal/sync.Mutex", "state", number(state)))
	}
	rw := func(state, readers string) replay.Node {
		return replay.Node{Kind: replay.Struct, Type: "sync.RWMutex", Names: []string{"w", "readerCount"},
			Nodes: []replay.Node{mutex(state), part("sync/atomic.Int32", "v", number(readers))}}
	}
	left := func(n replay.Node) replay.Outcome { return replay.Outcome{After: []replay.Node{n}} }
	for _, c := range []struct {
		before, after replay.Node
		was, now      string
	}{
		{mutex("1"), mutex("0"), "leaves locked", "leaves unlocked"},
		{mutex("9"), mutex("1"), "", ""},
		{rw("1", "0"), rw("0", "0"), "leaves locked", "leaves unlocked"},
		{rw("0", "2"), rw("0", "0"), "leaves locked for reading", "leaves unlocked"},
	} {
		d := Difference{Before: left(c.before), After: left(c.after), Deltas: deltas(left(c.before), left(c.after), false)}
		if len(d.Deltas) == 0 && c.was == "" {
			continue
		}
		if was, now := (Words{}).Outcomes(d); was != c.was || now != c.now {
			t.Errorf("%q, %q; want %q, %q", was, now, c.was, c.now)
		}
	}
}
