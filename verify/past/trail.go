package past

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/history"
	"github.com/pausetui/pausetui/verify/history/record"
)

// Trail is which steps a run has made, up to its end.
type Trail struct {
	sites []Site
	first uint64 // the number of the first step that is kept
	steps []step
}

type step struct {
	record.Step

	depth int32 // calls around it, on its goroutine
}

// ErrNothing is returned where a run has counted no step.
var ErrNothing = errors.New("the run did not come to a statement of yours")

// Read reads the trail of a run from the file that it has written.
func (p *Plan) Read(file []byte) (*Trail, error) {
	if len(file) < record.Size {
		return nil, ErrNothing
	}
	all := binary.NativeEndian.Uint64(file[record.BegunAt:])
	steps := file[record.Size-8*record.Steps:]
	t := &Trail{sites: p.Sites}
	if all > record.Steps {
		t.first = all - record.Steps
	}
	for n := t.first; n < all; n++ {
		s := step{Step: record.ReadStep(binary.NativeEndian.Uint64(steps[8*(n%record.Steps):]))}
		if int(s.Site) >= len(p.Sites) {
			return nil, errors.New("the run has recorded something else")
		}
		t.steps = append(t.steps, s)
	}
	if len(t.steps) == 0 {
		return nil, ErrNothing
	}
	t.measure()
	return t, nil
}

// call is a function that has been entered and not left yet.
type call struct {
	function int
	leaving  bool // its last statement has begun
	at       Site // where its last step was
}

// measure finds out how deep each step is.
func (t *Trail) measure() {
	stacks := map[uint32][]call{}
	for i := range t.steps {
		s := &t.steps[i]
		site := t.sites[s.Site]
		stack := stacks[s.Goroutine]
		if site.Kind == Enter {
			stack = append(callers(stack, site.Name), call{function: site.Function, at: site})
		} else {
			if n := len(stack); n > 0 && stack[n-1].leaving {
				stack = stack[:n-1]
			}
			at := len(stack) - 1
			for at >= 0 && stack[at].function != site.Function {
				at--
			}
			if at < 0 { // it was entered before the first step, or is the body of a range over a function
				stack = append(stack, call{function: site.Function})
				at = len(stack) - 1
			}
			stack = stack[:at+1]
			stack[at].leaving = site.Kind == Return || site.Kind == End
			stack[at].at = site
		}
		s.depth = int32(len(stack))
		stacks[s.Goroutine] = stack
	}
}

// callers are the calls around one that begins: those that have returned before are not. Where
// a statement that returns calls something, that may be the one.
func callers(stack []call, name string) []call {
	for n := len(stack); n > 0 && stack[n-1].leaving; n-- {
		calls := slices.Contains(stack[n-1].at.Calls, name)
		if !stack[n-1].at.Leaves && (name == "" || calls || n < 2 || !slices.Contains(stack[n-2].at.Calls, name)) {
			break
		}
		stack = stack[:n-1]
	}
	return stack
}

// End is how many steps the run has made.
func (t *Trail) End() uint64 { return t.first + uint64(len(t.steps)) }

// Site is where the step begins that comes after some.
func (t *Trail) Site(begun uint64) (Site, bool) {
	if begun < t.first || begun >= t.End() {
		return Site{}, false
	}
	return t.sites[t.steps[begun-t.first].Site], true
}

// Same reports whether two runs have made the same steps, until so many had begun, as far as both
// are kept.
func (t *Trail) Same(other *Trail, until uint64) bool {
	a, b := t.before(until), other.before(until)
	if first := max(t.first, other.first); first < until {
		a, b = a[min(first-t.first, uint64(len(a))):], b[min(first-other.first, uint64(len(b))):]
	}
	return min(t.End(), until) == min(other.End(), until) && slices.EqualFunc(a, b, func(a, b step) bool { return a.Site == b.Site })
}

// HeldAlike reports whether a run that is held before a step has come to the same one as this run
// did after so many: the same statement, on a goroutine that has made as many steps.
func (t *Trail) HeldAlike(file []byte, begun uint64) bool {
	if len(file) < record.Size || begun < t.first || begun >= t.End() {
		return true // it is not known
	}
	words := file[record.Size-8*record.Steps:]
	read := func(n uint64) record.Step {
		return record.ReadStep(binary.NativeEndian.Uint64(words[8*(n%record.Steps):]))
	}
	held, recorded := read(begun), t.steps[begun-t.first]
	if held.Site != recorded.Site {
		return false
	}
	here, there := 0, 0
	for n := t.first; n < begun; n++ {
		if read(n).Goroutine == held.Goroutine {
			here++
		}
		if t.steps[n-t.first].Goroutine == recorded.Goroutine {
			there++
		}
	}
	return here == there
}

// Alike reports whether two runs of the same steps have had the same values, as far as they
// were noted, until so many steps had begun.
func (t *Trail) Alike(other *Trail, until uint64) bool {
	return slices.EqualFunc(t.before(until), other.before(until), func(a, b step) bool { return a.Seen == b.Seen })
}

// Passed reports whether the run went on after a step as if nothing had failed: its function
// came to another statement.
func (t *Trail) Passed(begun uint64) bool {
	at := t.steps[begun-t.first]
	for _, s := range t.steps[begun-t.first+1:] {
		site := t.sites[s.Site]
		if s.Goroutine != at.Goroutine || s.depth > at.depth {
			continue
		}
		return s.depth == at.depth && site.Kind != Enter && site.Function == t.sites[at.Site].Function
	}
	return false
}

// Returned reports whether a step, which returns, was followed by one of the caller: it has not
// failed, if nothing in its function recovers.
func (t *Trail) Returned(begun uint64) bool {
	at := t.steps[begun-t.first]
	if t.sites[at.Site].Kind != Return {
		return false
	}
	for _, s := range t.steps[begun-t.first+1:] {
		if s.Goroutine == at.Goroutine && s.depth < at.depth {
			return s.depth == at.depth-1
		}
	}
	return false
}

// Returns reports whether a step is a return statement.
func (t *Trail) Returns(begun uint64) bool {
	site, ok := t.Site(begun)
	return ok && site.Kind == Return
}

// All are the steps at a line, each as how many had begun before it.
func (t *Trail) All(file string, line int) (list []uint64) {
	for n := range t.steps {
		if t.at(n, file, line) {
			list = append(list, t.first+uint64(n))
		}
	}
	return list
}

// First is the number of the first step that is kept.
func (t *Trail) First() uint64 { return t.first }

// Whole reports whether all steps of the run are kept.
func (t *Trail) Whole() bool { return t.first == 0 }

// Left is how many steps had begun when a step had left its function, or the run came to the
// same place again.
func (t *Trail) Left(begun uint64) uint64 {
	at := t.steps[begun-t.first]
	for i, s := range t.steps[begun-t.first+1:] {
		n := begun + 1 + uint64(i)
		switch {
		case s.Site == at.Site:
			return max(n-1, begun+1)
		case s.Goroutine == at.Goroutine && s.depth <= at.depth:
			return n
		}
	}
	return t.End()
}

func (t *Trail) before(until uint64) []step {
	return t.steps[:min(uint64(len(t.steps)), max(until, t.first)-t.first)]
}

// Place is where a run is held: how many steps have begun, and at which line. Of several
// functions that have statements there it is that of the scope, if one is known.
type Place struct {
	Begun uint64
	File  string
	Line  int
	Scope history.Scope
}

// current is the index of the step that a run is in: the one that is about to begin there,
// or the last one at that line.
func (t *Trail) current(at Place) int {
	i := int(at.Begun - t.first)
	for _, n := range []int{i, i - 1} {
		if n >= 0 && n < len(t.steps) && t.at(n, at.File, at.Line) {
			return n
		}
	}
	const back = 10_000 // it has called something since, which has returned
	for n := min(i, len(t.steps)) - 1; n >= 0 && n > i-back; n-- {
		if t.at(n, at.File, at.Line) {
			return n
		}
	}
	return min(max(i, 0), len(t.steps)-1)
}

// Here is how many steps had begun before the one that a run is in.
func (t *Trail) Here(at Place) (begun uint64, ok bool) {
	if at.Begun < t.first || at.Begun > t.End() {
		return 0, false
	}
	return t.first + uint64(t.current(at)), true
}

func (t *Trail) at(n int, file string, line int) bool {
	site := t.sites[t.steps[n].Site]
	return site.Line == line && site.File == file
}

// Before is how many steps had begun when the last one at a place began, as far as the
// place's Begun, which may be of a moment within that step.
func (t *Trail) Before(at Place) (begun uint64, ok bool) {
	if at.Begun < t.first {
		return 0, false
	}
	for n := min(int(at.Begun-t.first), len(t.steps)-1); n >= 0; n-- {
		if t.at(n, at.File, at.Line) && (at.Scope == history.Scope{} || t.sites[t.steps[n].Site].Scope == at.Scope) {
			return t.first + uint64(n), true
		}
	}
	return 0, false
}

// Back is how many steps had begun at the moment that a motion backward leads to. Rewind
// stops where stops says so, or at the beginning. It is false where nothing is known to be before.
func (t *Trail) Back(motion debugger.Motion, from Place, stops func(Site) bool) (begun uint64, ok bool) {
	if begun := from.Begun; begun < t.first || begun > t.End() {
		return 0, false
	}
	i := t.current(from)
	if motion == debugger.Rewind {
		for n := i - 1; n >= 0; n-- {
			if stops(t.sites[t.steps[n].Site]) {
				return t.first + uint64(n), true
			}
		}
		return 0, true
	}
	now := t.steps[i]
	n := i - 1
	if from.Begun > t.first+uint64(i) && motion != debugger.ReverseStepOut { // it is within that step
		n = i
		if motion == debugger.ReverseStep {
			n = int(from.Begun-t.first) - 1
		}
	}
	for ; n >= 0; n-- {
		s := t.steps[n]
		if s.Goroutine != now.Goroutine {
			continue
		}
		if motion == debugger.ReverseStep || s.depth < now.depth || motion == debugger.ReverseNext && s.depth == now.depth {
			return t.first + uint64(n), true
		}
	}
	return 0, false
}

// Failed is how many steps had begun when the last one began that is at a place; of the last
// of all without such. Where goroutine is not 0, the others do not count.
func (t *Trail) Failed(goroutine int64, at func(Site) bool) uint64 {
	last, found := len(t.steps)-1, false
	for n := len(t.steps) - 1; n >= 0; n-- {
		s := t.steps[n]
		if goroutine != 0 && s.Goroutine != record.Short(goroutine) {
			continue
		}
		if !found {
			last, found = n, true
		}
		if at != nil && at(t.sites[s.Site]) {
			last = n
			break
		}
	}
	return t.first + uint64(last)
}
