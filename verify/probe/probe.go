package probe

import (
	"fmt"
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/instrument"
)

// Instrument has the function of the site count how far its calls come, and returns the
// files for that, by path: the one at path, and its package's counters. The goal is how far
// the control came when it crashed; token stands for having come further.
func Instrument(source, path string, s Site, g instrument.Goal, token uint64) (instrument.Overlay, error) {
	f, err := parse(source)
	if err != nil {
		return nil, err
	}
	body := f.body(s)
	if body == nil {
		return nil, fmt.Errorf("probe %q: %w", s.Name, ErrNoFunction)
	}
	for _, list := range blocksOf(body) {
		for _, stmt := range list {
			switch text := f.key(stmt); {
			case text == s.Faulting:
				f.Comes(stmt)
				f.Runs(stmt)
			case slices.Contains(s.Following, text):
				f.Passes(stmt)
			}
		}
	}
	o := instrument.Overlay{}
	o.AddProbe(path, f.Source, body, g, token)
	return o, nil
}

// Has reports whether the function of the site still has the statement that failed, as it
// was.
func (s Site) Has(source string) bool {
	f, err := parse(source)
	if err != nil {
		return false
	}
	body := f.body(s)
	return body != nil && slices.ContainsFunc(blocksOf(body), func(list []ast.Stmt) bool {
		return slices.ContainsFunc(list, func(stmt ast.Stmt) bool { return f.key(stmt) == s.Faulting })
	})
}

// body finds the body of the site's function, as it is now.
func (f file) body(s Site) *ast.BlockStmt {
	for _, fn := range f.Declared() {
		if !s.in(fn) {
			continue
		}
		if lits := literals(fn); s.Literal > 0 && s.Literal <= len(lits) {
			return lits[s.Literal-1].Body
		}
		return fn.Body
	}
	return nil
}

// Reached is how far a run came.
type Reached struct {
	instrument.Goal          // when a panic left the function, else at the end
	Hit             bool     // further than the goal
	Ran             bool     // the statement that failed ran as it is then
	Left            bool     // then the call was left, after no other statement behind the one that failed
	Raised          bool     // such a call was left by a panic of the program's own
	Began           bool     // the call that failed, or a later one, came to that statement
	Panics          uint64   // how often one left the function
	Line            int      // of the first of these
	By              []uint64 // the goroutines that have run the statement that failed, in calls that came further
}

// Read reads the counts of a run: count returns that of a point.
func Read(count func(point int) uint64, token uint64) Reached {
	r := Reached{Goal: instrument.Goal{Entered: count(instrument.Entered), Past: count(instrument.Past)}, Hit: count(instrument.Hit) == token, Ran: count(instrument.Ran) == token,
		Left: count(instrument.Left) == token, Raised: count(instrument.Raised) == token, Began: count(instrument.Began) == token,
		Panics: count(instrument.Panics), Line: int(count(instrument.PanicLine))}
	for slot := range instrument.Goroutines {
		if id := count(instrument.By + slot); id != 0 {
			r.By = append(r.By, id)
		}
	}
	if r.Panics > 0 {
		r.Goal = instrument.Goal{Entered: count(instrument.PanicCall), Past: count(instrument.PanicPast)}
	}
	return r
}
