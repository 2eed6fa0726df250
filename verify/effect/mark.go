package effect

import (
	"slices"

	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

// The numbers of what is counted: the points', then those of the changed functions, and
// at the end those of the moved statements.
const (
	maxMoves  = 8
	firstMove = instrument.Free - maxMoves
)

// Marked is a program text with marks.
type Marked struct {
	Points    []Point  // in the order of their numbers
	Functions []string // whose entries are counted after them
	Moves     []Move
	Main      bool // the returns of main, or of its tests, are counted
	Tests     bool // the ends of the test that was stopped are counted
	// Overlay are the marked files and those added to their packages, by path.
	Overlay instrument.Overlay
}

// Mark counts how often a run comes to each point, calls each changed function and runs
// each moved statement, and whether main returns or the program exits. path turns a file
// of a change into an absolute path.
func Mark(changes []Change, r Report, path func(file string) string) Marked {
	m := Marked{Points: r.Points[:min(len(r.Points), firstMove/2)], Moves: r.Moves, Overlay: instrument.Overlay{}}
	gone := slices.ContainsFunc(changes, func(ch Change) bool { return ch.Runs && ch.Line > 0 && Touches(ch) })
	for _, ch := range changes {
		before, s := syntax.Parse(ch.Before), instrument.Parse(ch.After)
		if s == nil {
			continue
		}
		for i, p := range m.Points {
			if p.File == ch.File {
				p.mark(s, i)
			}
		}
		for i, move := range m.Moves {
			for _, to := range move.places {
				switch {
				case to.file != ch.File:
				case to.past:
					s.Done(to.mark, firstMove+i)
				default:
					s.Reached(to.mark, firstMove+i, false)
				}
			}
		}
		if s.IsMarked() {
			m.calls(s, r.Changed)
		}
		if before != nil && (ch.Runs || gone) {
			unwinds(before, s, ch.Line, gone)
		}
		if ch.Ends {
			m.Main = s.Main() || m.Main
			if before != nil {
				s.Exits(before)
			}
		}
		if s.IsMarked() {
			m.Overlay.Add(path(ch.File), s)
		}
	}
	return m
}

// unwinds notes that an error of the runtime leaves the function at a line, or where that is
// not as it was, one of those that are changed or new: its work may be done there.
func unwinds(before *syntax.File, s *instrument.Source, line int, gone bool) {
	failed, was := before.At(line), before.Functions()
	for name, fn := range s.Functions() {
		switch old := was[name]; {
		case fn.Body == nil:
		case failed != nil && name == before.NameOf(failed), gone && (old == nil || before.Code(old) != s.Code(fn)):
			s.Unwinds(fn)
		}
	}
}

// mark counts in a point that the run comes to it.
func (p Point) mark(s *instrument.Source, n int) {
	switch {
	case p.Beyond != "":
		s.Within(p.Offset, p.TestEnd, n, p.Beyond)
	case p.key != "":
		s.Again(p.Offset, p.entered, n, p.key)
	case p.Holds:
		s.Holds(p.Offset, p.TestEnd, n)
	case p.TestEnd > 0:
		s.Fails(p.Offset, p.TestEnd, n, p.further)
	case p.Branch == ElseBranch:
		s.Else(p.Offset, n, p.Exit)
	case p.Branch == defaultBranch:
		s.Default(p.Offset, n, p.Exit)
	default:
		s.Reached(p.Offset, n, p.Exit)
	}
}

// calls counts the calls of the changed functions of a file that have points.
func (m *Marked) calls(s *instrument.Source, changed []string) {
	for _, fn := range s.Declared() {
		name, n := s.NameOf(fn), len(m.Points)+len(m.Functions)
		if n < firstMove && slices.Contains(changed, name) && slices.ContainsFunc(m.Points, func(p Point) bool { return p.Function == name }) {
			s.Called(fn, n)
			m.Functions = append(m.Functions, name)
		}
	}
}

// Reached is what a marked run came to.
type Reached struct {
	Last   int      // the number of the last point; -1 without one
	Points []uint64 // how often each point was reached
	Calls  map[string]uint64
	Moved  []uint64 // how often each moved statement ran
	// Returned: main came to its end, or to the os.Exit that ends it, or the tests
	// to theirs. Exited: an os.Exit that was there before has ended the program
	// with 0.
	Returned, Exited bool
	// Tested: the test that was stopped came to its end. Passed: without a failure.
	Tested, Passed bool
	// Unwound: an error of the runtime has left the function that failed.
	Unwound bool
}

// Read reads the counts of a run: count returns that of a point.
func (m Marked) Read(count func(point int) uint64) Reached {
	r := Reached{Last: int(count(instrument.Last)) - 1, Calls: map[string]uint64{}, Returned: count(instrument.Returns) > 0, Exited: count(instrument.Exits) > 0,
		Tested: count(instrument.Tested) > 0, Passed: count(instrument.Passed) > 0, Unwound: count(instrument.Unwound) > 0}
	for i := range m.Points {
		r.Points = append(r.Points, count(i))
	}
	for i := range m.Moves {
		r.Moved = append(r.Moved, count(firstMove+i))
	}
	for i, name := range m.Functions {
		r.Calls[name] = count(len(m.Points) + i)
	}
	if r.Last >= len(m.Points) {
		r.Last = -1
	}
	return r
}

// Always names a function every call of which came to a point that declines or
// leaves the work out; empty without one. A single call tells nothing.
func (m Marked) Always(r Reached) string {
	for name, calls := range r.Calls {
		left := uint64(0)
		for i, p := range m.Points {
			if p.Function == name && p.Exit {
				left += r.Points[i]
			}
		}
		if calls > 1 && left >= calls {
			return name
		}
	}
	return ""
}
