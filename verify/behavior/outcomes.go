package behavior

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/behavior/replay"
)

// maxLine bounds a line of what a run writes, in bytes.
const maxLine = 4 << 20

// MaxCalls is how many recorded calls of a function are made again.
const MaxCalls = 64

// PanicMark is in the line of a call that a panic has left.
const PanicMark = `"p":true`

// Recorded reads the calls that a run has recorded: at most MaxCalls of each function,
// evenly over the run, those that panicked among them. unable says why those that could
// not be written were not, by function.
func Recorded(text []byte) (calls []replay.Call, unable map[int]string) {
	unable = map[int]string{}
	byFunction := map[int][]replay.Call{}
	at := map[[2]uint64]int{}
	var order []int
	for line := range bytes.Lines(text) {
		var c replay.Call
		if json.Unmarshal(line, &c) != nil {
			continue // the last one may be cut
		}
		id := [2]uint64{uint64(c.Func), c.Num}
		if c.Args == nil && c.Panicked {
			if i, ok := at[id]; ok {
				byFunction[c.Func][i].Panicked = true
			}
			continue
		}
		if len(c.Args) == 1 && c.Args[0].Kind == "" {
			unable[c.Func] = c.Args[0].Text
			continue
		}
		if _, known := byFunction[c.Func]; !known {
			order = append(order, c.Func)
		}
		at[id] = len(byFunction[c.Func])
		byFunction[c.Func] = append(byFunction[c.Func], c)
	}
	for _, fn := range order {
		calls = append(calls, evenly(byFunction[fn])...)
	}
	return calls, unable
}

// evenly keeps MaxCalls calls, and those that panicked first.
func evenly(all []replay.Call) []replay.Call {
	var kept, others []replay.Call
	for _, c := range all {
		if c.Panicked && len(kept) < MaxCalls/2 {
			kept = append(kept, c)
		} else {
			others = append(others, c)
		}
	}
	room := MaxCalls - len(kept)
	if len(others) <= room {
		return append(kept, others...)
	}
	for i := range room {
		kept = append(kept, others[i*len(others)/room])
	}
	return kept
}

// In writes calls of a package main as its test binary has them: there the package has its
// import path.
func In(calls []replay.Call, importPath string) []replay.Call {
	var renamed func(nodes []replay.Node) []replay.Node
	renamed = func(nodes []replay.Node) []replay.Node {
		list := slices.Clone(nodes)
		for i, n := range list {
			list[i].Type = mains.ReplaceAllString(n.Type, "${1}"+importPath+".")
			if n.Kind == replay.Func {
				list[i].Text = mains.ReplaceAllString(n.Text, "${1}"+importPath+".")
			}
			list[i].Nodes, list[i].Wraps = renamed(n.Nodes), renamed(n.Wraps)
		}
		return list
	}
	list := slices.Clone(calls)
	for i, c := range list {
		list[i].Args = renamed(c.Args)
	}
	return list
}

var mains = lazyregexp.New(`(^|[^\w./-])main\.`)

// Input is what a run of the test reads: what to do, then the calls.
func Input(o replay.Order, calls []replay.Call) ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	if err := w.Encode(o); err != nil {
		return nil, fmt.Errorf("write the order of a replay: %w", err)
	}
	for _, c := range calls {
		if err := w.Encode(c); err != nil {
			return nil, fmt.Errorf("write the calls of a replay: %w", err)
		}
	}
	return b.Bytes(), nil
}

// Outcomes are what the calls of a run did.
type Outcomes struct {
	Calls    []replay.Call // where the run has made them
	Outcomes map[int]replay.Outcome
	Next     int  // the number of the first input that was not begun
	Open     bool // the run ended in the one before it
	Done     bool // all inputs were made
}

// Read adds what a run has written.
func (o *Outcomes) Read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	if o.Outcomes == nil {
		o.Outcomes = map[int]replay.Outcome{}
	}
	o.Open = false
	for lines.Scan() {
		var l replay.Line
		switch err := json.Unmarshal(lines.Bytes(), &l); {
		case err != nil:
			return nil //nolint:nilerr // the program ended while it wrote
		case l.Done:
			o.Done = true
		case l.Outcome == nil:
			o.Next, o.Open = l.Num+1, true
		default:
			o.Outcomes[l.Num], o.Open = checked(*l.Outcome), false
			if l.Call != nil && len(o.Calls) == l.Num {
				o.Calls = append(o.Calls, *l.Call)
			}
		}
	}
	return lines.Err()
}

// Limits of an outcome.
const (
	maxNodes = 20_000
	maxDepth = 100
	maxWords = 64 << 10 // bytes
)

// checked is an outcome as Run writes it: what a candidate has written itself to the file of
// outcomes may have any form, and is not compared.
func checked(o replay.Outcome) replay.Outcome {
	left := maxNodes
	if !whole(o.Results, 0, &left) || !whole(o.After, 0, &left) {
		return replay.Outcome{Lost: "has an outcome that cannot be read"}
	}
	for _, words := range []*string{&o.Panic, &o.Output, &o.Ended, &o.Lost} {
		*words = (*words)[:min(len(*words), maxWords)]
	}
	return o
}

// whole reports whether values have the parts that their kinds need, and are no larger than
// those that are written.
func whole(nodes []replay.Node, depth int, left *int) bool {
	if *left -= len(nodes); *left < 0 || depth > maxDepth {
		return false
	}
	for _, n := range nodes {
		ok := len(n.Text)+len(n.Type) <= 2*maxWords
		switch n.Kind {
		case replay.Pointer:
			ok = ok && len(n.Nodes) == 1
		case replay.Interface:
			ok = ok && (len(n.Nodes) == 1 || n.Text != "")
		case replay.Struct:
			ok = ok && len(n.Names) == len(n.Nodes)
		case replay.Map, replay.SyncMap:
			ok = ok && len(n.Nodes)%2 == 0
		}
		if !ok || !whole(n.Nodes, depth+1, left) || !whole(n.Wraps, depth+1, left) {
			return false
		}
	}
	return true
}

// Ended notes how a program ended whose last call did not come back.
func (o *Outcomes) Ended(code int, said string) {
	if !o.Open {
		return
	}
	how := replay.Exits
	if _, fatal, ok := strings.Cut("\n"+said, "\nfatal error: "); ok {
		how, _, _ = strings.Cut(fatal, "\n")
		how = "ends the program: " + how
	} else if _, fatal, ok := strings.Cut("\n"+said, "\npanic: "); ok {
		how, _, _ = strings.Cut(fatal, "\n")
		how = "panics in a goroutine: " + how
	} else if code != 0 {
		how = fmt.Sprintf("ends the program with %d", code)
	}
	o.Outcomes[o.Next-1] = replay.Outcome{Ended: how}
}
