package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

var locks = map[string]formatter{
	"sync.Mutex":          mutex,
	"internal/sync.Mutex": mutex,
	"sync.RWMutex":        rwMutex,
	"sync.WaitGroup": func(d *describer, v debugger.Variable) (Value, error) {
		state, err := d.integer(v, "state.v")
		if err != nil {
			return Value{}, err
		}
		counter, waiting := int32(uint64(state)>>32), int64(uint32(state)&0x7fff_ffff) // the bit between is synctest's
		text := fmt.Sprintf("counter %d", counter)
		return Value{Text: text + waiters(waiting)}, nil
	},
	"sync.Once": func(d *describer, v debugger.Variable) (Value, error) {
		done, err := d.integer(v, "done.v")
		return Value{Text: choose(done != 0, "done", "not done yet")}, err
	},
	"sync.Cond": func(d *describer, v debugger.Variable) (Value, error) {
		wait, err := d.integer(v, "notify.wait")
		if err != nil {
			return Value{}, err
		}
		notified, err := d.integer(v, "notify.notify")
		if n := int64(uint32(wait - notified)); n > 0 {
			return Value{Text: fmt.Sprintf("%d waiting", n)}, err
		}
		return Value{Text: "no waiters"}, err
	},
	"sync.Pool": pool,
	"sync.Map":  syncMap,
}

func choose(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

func waiters(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d waiting", n)
}

// mutex reads the state word of internal/sync.Mutex: locked, woken, starving,
// and above them how many wait.
func mutex(d *describer, v debugger.Variable) (Value, error) {
	state, err := d.integer(v, "mu.state")
	if errors.Is(err, ErrPlain) {
		state, err = d.integer(v, "state")
	}
	if err != nil {
		return Value{}, err
	}
	text := choose(state&1 != 0, "locked", "unlocked") + waiters(state>>3)
	return Value{Text: text + choose(state&4 != 0, ", starving", "")}, nil
}

const maxReaders = 1 << 30 // rwmutexMaxReaders of package sync

// rwMutex: a writer makes the count of readers negative.
func rwMutex(d *describer, v debugger.Variable) (Value, error) {
	readers, err := d.integer(v, "readerCount.v")
	if err != nil {
		return Value{}, err
	}
	leaving, err := d.integer(v, "readerWait.v")
	if err != nil {
		return Value{}, err
	}
	w, err := d.integer(v, "w.mu.state")
	if err != nil {
		return Value{}, err
	}
	writers := choose(w>>3 > 0, ", "+plural(w>>3, "writer waits", "writers wait"), "")
	switch {
	case readers < 0 && leaving > 0:
		return Value{Text: "read-locked " + plural(leaving, "time", "times") + ", a writer waits" + writers}, nil
	case readers < 0:
		n := readers + maxReaders
		return Value{Text: "write-locked" + choose(n > 0, ", "+plural(n, "reader waits", "readers wait"), "") + writers}, nil
	case readers > 0:
		return Value{Text: "read-locked " + plural(readers, "time", "times")}, nil
	}
	return Value{Text: "unlocked"}, nil
}

// pool counts what lies in a pool: one value and a chain of rings for each P.
func pool(d *describer, v debugger.Variable) (Value, error) {
	size, err := d.integer(v, "localSize")
	if err != nil {
		return Value{}, err
	}
	local, err := d.field(v, "local")
	if err != nil {
		return Value{}, err
	}
	addr := pointer(local)
	if size == 0 || addr == 0 {
		return Value{Text: "empty"}, nil
	}
	var out Value
	for i := range min(size, 64) {
		const stride = 128 // of sync.poolLocal, which is padded to it
		one, err := d.at("sync.poolLocal", addr+uint64(i)*stride)
		if err != nil {
			return Value{}, err
		}
		private, err := d.field(one, "poolLocalInternal.private")
		if err != nil {
			return Value{}, err
		}
		if !private.Nil {
			out.Rows = append(out.Rows, named(private, fmt.Sprintf("P%d", i)))
		}
		shared, err := d.field(one, "poolLocalInternal.shared.head")
		if err != nil {
			return Value{}, err
		}
		if err := d.chain(shared, i, &out); err != nil {
			return Value{}, err
		}
	}
	out.Text = choose(len(out.Rows) == 0, "empty", plural(int64(len(out.Rows)), "value", "values"))
	return out, nil
}

// chain adds what the newest ring of one P holds.
func (d *describer) chain(head debugger.Variable, p int64, out *Value) error {
	if head.Nil {
		return nil
	}
	vals, err := d.field(head, "poolDequeue.vals")
	if err != nil {
		return err
	}
	list, err := d.children(vals)
	if err != nil {
		return err
	}
	for _, v := range list {
		if !zeroWords(v) && v.Addr != 0 {
			held, err := d.at("interface {}", v.Addr)
			if err != nil {
				return err
			}
			out.Rows = append(out.Rows, named(held, fmt.Sprintf("P%d shared", p)))
		}
	}
	return nil
}

// zeroWords tells a struct of words that are all zero.
func zeroWords(v debugger.Variable) bool {
	for _, c := range v.Children {
		if !c.Nil && c.Value != "nil" && c.Value != "0" && c.Value != "unsafe.Pointer(0x0)" {
			return false
		}
	}
	return true
}

// pointer is the address in an unsafe.Pointer.
func pointer(v debugger.Variable) uint64 {
	text := strings.TrimPrefix(v.Value, "unsafe.Pointer")
	addr, err := strconv.ParseUint(strings.Trim(text, "()"), 0, 64)
	if err != nil {
		return 0
	}
	return addr
}

// syncMap lists the entries of the trie that a sync.Map is since Go 1.24
// (internal/sync.HashTrieMap).
func syncMap(d *describer, v debugger.Variable) (Value, error) {
	inited, err := d.integer(v, "m.inited.v")
	if err != nil {
		return Value{}, err
	}
	root, err := d.field(v, "m.root.v")
	if err != nil {
		return Value{}, err
	}
	out := Value{Text: "empty"}
	if addr := pointer(root); inited != 0 && addr != 0 {
		if err := d.trie(addr, 0, &out.Rows); err != nil {
			return Value{}, err
		}
	}
	if n := len(out.Rows); n > 0 {
		out.Text = plural(int64(n), "entry", "entries")
		if n >= maxRows {
			out.Text = "more than " + out.Text
		}
	}
	return out, nil
}

// The types of a sync.Map's nodes as the debug information names them.
const (
	trieNode     = "internal/sync.node[interface {},interface {}]"
	trieEntry    = "internal/sync.entry[interface {},interface {}]"
	trieIndirect = "internal/sync.indirect[interface {},interface {}]"
)

func (d *describer) trie(addr uint64, depth int, rows *[]debugger.Variable) error {
	if len(*rows) >= maxRows || depth > 20 { // 64 bits of hash, 4 a level
		return nil
	}
	node, err := d.at(trieNode, addr)
	if err != nil {
		return err
	}
	if isEntry, err := d.integer(node, "isEntry"); err != nil || isEntry != 0 {
		if err != nil {
			return err
		}
		return d.trieEntries(addr, rows)
	}
	inner, err := d.at(trieIndirect, addr)
	if err != nil {
		return err
	}
	list, err := d.field(inner, "children")
	if err != nil {
		return err
	}
	children, err := d.children(list)
	if err != nil {
		return err
	}
	for _, c := range children {
		p, err := d.field(c, "v")
		if err != nil {
			return err
		}
		if next := pointer(p); next != 0 {
			if err := d.trie(next, depth+1, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// trieEntries adds an entry and those with the same hash.
func (d *describer) trieEntries(addr uint64, rows *[]debugger.Variable) error {
	for range maxDepth {
		if addr == 0 {
			return nil
		}
		entry, err := d.at(trieEntry, addr)
		if err != nil {
			return err
		}
		key, err := d.field(entry, "key")
		if err != nil {
			return err
		}
		value, err := d.field(entry, "value")
		if err != nil {
			return err
		}
		held, err := d.pointee(value)
		if err != nil {
			return err
		}
		*rows = append(*rows, named(held, "["+d.plain(key)+"]"))
		overflow, err := d.field(entry, "overflow.v")
		if err != nil {
			return err
		}
		addr = pointer(overflow)
	}
	return nil
}
