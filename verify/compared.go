package verify

import (
	"maps"
	"slices"
	"sync"

	"github.com/pausetui/pausetui/verify/behavior"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/verdict"
)

// compared is what came of calling the functions again that a candidate changes.
type compared struct{ parts []comparedPart }

// comparedPart is that of one package.
type comparedPart struct {
	part
	before answers
	now    map[int]replay.Outcome
	rows   []behavior.Difference // those of the candidate's Behavior, in order
}

// key tells the functions that are called from others, and with them the inputs.
func (p part) key() string { return p.dir + "\n" + names(p.functions) }

// comparisons are those of all candidates.
type comparisons struct {
	mu   sync.Mutex
	byID map[string]compared
}

// of is what came of a candidate; false where its functions were not called again.
func (cs *comparisons) of(id string) (compared, bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	c, ok := cs.byID[id]
	return c, ok
}

// add keeps what came of a candidate, and returns how it differs from those before it.
func (cs *comparisons) add(id string, c compared) []verdict.Apart {
	if len(c.parts) == 0 {
		return nil
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	var list []verdict.Apart
	for _, other := range slices.Sorted(maps.Keys(cs.byID)) {
		if a := c.apart(cs.byID[other]); other != id && a != (verdict.Apart{}) {
			a.From = other
			list = append(list, a)
		}
	}
	if cs.byID == nil {
		cs.byID = map[string]compared{}
	}
	cs.byID[id] = c
	return list
}

// apart is how a candidate differs from another one that changes the same functions.
func (c compared) apart(other compared) verdict.Apart {
	var a verdict.Apart
	if !slices.EqualFunc(c.parts, other.parts, func(p, q comparedPart) bool { return p.key() == q.key() }) {
		return a
	}
	for i, p := range c.parts {
		d, same := behavior.Apart(p.before.calls, p.before.first, p.before.again, other.parts[i].now, p.now)
		a.Same += same
		f, ok := p.function(d.Call.Func)
		if d.Kind == "" || !ok || a.Input != "" {
			continue
		}
		w := behavior.Words{Package: p.importPath}
		input, _ := w.Input(f, d.Call)
		there, here := w.Outcomes(d)
		a.Function, a.Input, a.There, a.Here = f.Display(), finding.Clean(input), finding.Clean(there), finding.Clean(here)
	}
	return a
}
