package dap

import (
	"fmt"
	"slices"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// breaks are the session's breakpoints as one editor knows them. An editor sends
// all breakpoints of a file that it shows. The rules are:
//
//   - It changes only what differs from what it sent before: a condition that
//     another participant has set stays where the editor does not know it.
//   - It clears only breakpoints that it has set or that were announced to it, and
//     that it does not show any more.
//   - What a viewer's editor wants is kept, and set when it gets the wheel.
type breaks struct {
	known   map[int]*shownBreak // by the session's numbers
	numbers map[int]int         // the editor's, of those that were numbered before they were set
	wishes  map[string][]wish   // by file
	sent    map[string][]int    // lines that the editor has sent last, by file
	lists   map[string]listed   // those that are sent as one list, by kind
	last    int                 // number of a wish
	takesUp bool                // the editor shows breakpoints that are announced to it
	placing bool                // a request is setting breakpoints: its response announces them
}

// shownBreak is a breakpoint that the editor has sent, or that was announced to it.
type shownBreak struct {
	file  string
	line  int
	shows bool                 // the editor has sent it
	sent  dap.SourceBreakpoint // … like this
}

// wish is a breakpoint, or a change of one, that the editor may not set yet.
type wish struct {
	number int // the editor's
	want   dap.SourceBreakpoint
}

// points is what an editor does with breakpoints.
type points struct{ *server }

// What an editor may want: breakpoints in all files or of a kind, and the bytes of one's
// texts, and of a file's path.
const (
	maxBreaks    = 5000
	maxBreakText = 2048
	maxPath      = 4096
)

// errTooMany is the answer to more breakpoints than maxBreaks.
var errTooMany = fmt.Errorf("at most %d breakpoints are taken", maxBreaks)

// wanted is how many of the breakpoints of a file are taken.
func (s points) wanted(file string, list []dap.SourceBreakpoint) (taken int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := maxBreaks
	if len(file) > maxPath {
		room = 0
	}
	for other, lines := range s.breaks.sent {
		if other != file {
			room -= len(lines)
		}
	}
	return min(len(list), max(room, 0))
}

// firstWish is above the numbers that a session gives.
const firstWish = 1 << 20

func newBreaks() breaks {
	return breaks{known: map[int]*shownBreak{}, numbers: map[int]int{}, wishes: map[string][]wish{}, sent: map[string][]int{}, lists: map[string]listed{}, last: firstWish}
}

// inSource reports whether an editor shows a breakpoint at a line of a file.
func inSource(b debugger.Breakpoint) bool { return b.File != "" && b.Line > 0 && b.Watch == "" }

// shown is a breakpoint as the editor knows it; s.mu is held.
func (s points) shown(b debugger.Breakpoint) dap.Breakpoint {
	one := dap.Breakpoint{Id: s.numberOf(b.ID), Verified: b.Enabled(), Line: b.Line, Message: session.Clean(b.Why)}
	if b.File != "" {
		one.Source = &dap.Source{Path: s.config.theirs(b.File)}
	}
	if stop, ok := s.state.CurrentStop(); ok && stop.Stop.Ended() && one.Verified {
		one.Verified, one.Message = false, "it is set when the program starts again"
	}
	return one
}

// numberOf is the editor's number of a breakpoint; s.mu is held.
func (s *server) numberOf(id int) int {
	if n, ok := s.breaks.numbers[id]; ok {
		return n
	}
	return id
}

// announce tells the editor of the breakpoints there are that it has not sent itself,
// and of those that were cleared while it attached. s.mu is held.
func (s points) announce() {
	for id := range s.breaks.known {
		if !slices.ContainsFunc(s.state.Breakpoints, func(b debugger.Breakpoint) bool { return b.ID == id }) {
			s.cleared(id)
		}
	}
	for _, b := range s.state.Breakpoints {
		if _, known := s.breaks.known[b.ID]; !known {
			s.tell(b, "")
		}
	}
}

// tell tells the editor of a breakpoint as it is now; actor has changed it. s.mu is held.
func (s points) tell(b debugger.Breakpoint, actor string) {
	reason := "changed"
	if _, known := s.breaks.known[b.ID]; !known {
		if !inSource(b) {
			return
		}
		reason = s.meet(b, actor)
	}
	if reason == "" {
		return
	}
	m := &dap.BreakpointEvent{Event: event("breakpoint")}
	m.Body.Reason, m.Body.Breakpoint = reason, s.shown(b)
	s.send(m)
}

// meet notes a breakpoint that is announced to the editor. It returns the reason of the
// event; empty where the response to a request announces it.
func (s points) meet(b debugger.Breakpoint, actor string) string {
	br := &s.breaks
	if br.placing && actor == s.seat.Name {
		return ""
	}
	br.known[b.ID] = &shownBreak{file: b.File, line: b.Line}
	for i, w := range br.wishes[b.File] { // another participant has set what the editor shows
		if w.want.Line != b.Line {
			continue
		}
		br.known[b.ID].shows, br.numbers[b.ID] = true, w.number
		if w.want.Condition == "" && w.want.HitCondition == "" && w.want.LogMessage == "" {
			br.wishes[b.File] = slices.Delete(br.wishes[b.File], i, i+1)
		}
		return "changed"
	}
	return "new"
}

// cleared tells the editor that a breakpoint is gone, with what it wanted of it; s.mu is held.
func (s points) cleared(id int) {
	was, known := s.breaks.known[id]
	if !known {
		return
	}
	s.breaks.wishes[was.file] = slices.DeleteFunc(s.breaks.wishes[was.file], func(w wish) bool { return w.want.Line == was.line })
	m := &dap.BreakpointEvent{Event: event("breakpoint")}
	m.Body.Reason, m.Body.Breakpoint.Id = "removed", s.numberOf(id)
	s.forgetBreak(id)
	s.send(m)
}

func (s points) forgetBreak(id int) {
	delete(s.breaks.known, id)
	delete(s.breaks.numbers, id)
	delete(s.messages, id)
}

// mayNot is why the editor may not set breakpoints now; nil where it may.
func (s points) mayNot() error { return s.seat.RoleNow().Check(intent.SetBreakpoint{}) }

// setBreakpoints takes the breakpoints of a file as the editor shows them now.
func (s points) setBreakpoints(m *dap.SetBreakpointsRequest) error {
	if len(m.Arguments.Breakpoints) > maxBreaks {
		return errTooMany
	}
	s.setting.Lock()
	defer s.setting.Unlock()
	s.place(true)
	defer s.place(false)
	file := s.config.ours(m.Arguments.Source.Path)
	have := s.breakpointsOf(file)
	p := placement{file: file, mayNot: s.mayNot(), named: map[int]bool{}}
	a := &dap.SetBreakpointsResponse{Response: response(m.GetRequest())}
	a.Body.Breakpoints = []dap.Breakpoint{}
	taken := s.wanted(file, m.Arguments.Breakpoints)
	for _, want := range m.Arguments.Breakpoints[:taken] {
		a.Body.Breakpoints = append(a.Body.Breakpoints, s.setOne(&p, have[want.Line], want))
	}
	for _, want := range m.Arguments.Breakpoints[taken:] {
		a.Body.Breakpoints = append(a.Body.Breakpoints, dap.Breakpoint{Line: want.Line, Message: errTooMany.Error()})
	}
	kept := s.drop(p, have)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.breaks.wishes, file)
	delete(s.breaks.sent, file)
	if len(p.wishes) > 0 {
		s.breaks.wishes[file] = p.wishes
	}
	for _, want := range m.Arguments.Breakpoints[:taken] {
		s.breaks.sent[file] = append(s.breaks.sent[file], want.Line)
	}
	s.send(a)
	for _, b := range kept { // the editor may not clear it, so that it has to show it again
		delete(s.breaks.known, b.ID)
		s.tell(b, "")
	}
	return nil
}

// placement is what one request wants of the breakpoints of a file.
type placement struct {
	file   string
	mayNot error
	named  map[int]bool // the session's that it names
	added  bool         // it names others
	wishes []wish
}

func (s points) place(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks.placing = on
}

// breakpointsOf are the session's breakpoints in a file, by line.
func (s points) breakpointsOf(file string) map[int]debugger.Breakpoint {
	have := map[int]debugger.Breakpoint{}
	for _, b := range s.seat.State().Breakpoints {
		if b.File == file && inSource(b) {
			have[b.Line] = b
		}
	}
	return have
}

// setOne sets or changes a breakpoint, or keeps it for when the editor may; old is
// the one at that line, if there is one.
func (s points) setOne(p *placement, old debugger.Breakpoint, want dap.SourceBreakpoint) dap.Breakpoint {
	if n := len(want.Condition) + len(want.HitCondition) + len(want.LogMessage); n > maxBreakText {
		return dap.Breakpoint{Line: want.Line, Message: fmt.Sprintf("%d bytes of conditions and messages; at most %d are taken", n, maxBreakText)}
	}
	p.named[old.ID] = true
	var was shownBreak
	s.mu.Lock()
	p.added = p.added || old.ID == 0 && !slices.Contains(s.breaks.sent[p.file], want.Line)
	if k := s.breaks.known[old.ID]; k != nil {
		s.breaks.takesUp = s.breaks.takesUp || !k.shows
		k.shows, was = true, *k
	}
	s.mu.Unlock()
	b := merged(old, was.sent, want)
	b.File, b.Line = p.file, want.Line
	switch {
	case old.ID != 0 && same(b, old):
		return s.placed(old, want)
	case p.mayNot != nil:
		return s.wishFor(p, old, want)
	}
	b, err := s.put(b)
	if err != nil {
		return dap.Breakpoint{Line: want.Line, Message: session.Clean(err.Error())}
	}
	return s.placed(b, want)
}

// merged is a breakpoint with what an editor has changed since it sent it last.
func merged(b debugger.Breakpoint, was, want dap.SourceBreakpoint) debugger.Breakpoint {
	if want.Condition != was.Condition {
		b.Cond = want.Condition
	}
	if want.HitCondition != was.HitCondition {
		b.HitCond = want.HitCondition
	}
	if want.LogMessage != was.LogMessage {
		b.Trace, b.Print = want.LogMessage != "", logged(want.LogMessage)
	}
	return b
}

func same(a, b debugger.Breakpoint) bool {
	return a.Cond == b.Cond && a.HitCond == b.HitCond && a.Trace == b.Trace && slices.Equal(a.Print, b.Print)
}

// placed notes how the editor shows a breakpoint that is set.
func (s points) placed(b debugger.Breakpoint, want dap.SourceBreakpoint) dap.Breakpoint {
	s.keepMessage(b.ID, want.LogMessage)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks.known[b.ID] = &shownBreak{file: b.File, line: b.Line, shows: true, sent: want}
	return s.shown(b)
}

// wishFor keeps what the editor may not do yet.
func (s points) wishFor(p *placement, old debugger.Breakpoint, want dap.SourceBreakpoint) dap.Breakpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := dap.Breakpoint{Line: want.Line, Source: &dap.Source{Path: s.config.theirs(p.file)}}
	if old.ID != 0 {
		one = s.shown(old)
	}
	for _, w := range s.breaks.wishes[p.file] {
		if w.want.Line == want.Line {
			one.Id = w.number
		}
	}
	switch {
	case one.Id == 0:
		s.breaks.last++
		one.Id = s.breaks.last
	case old.ID != 0:
		s.breaks.numbers[old.ID] = one.Id
		if s.breaks.known[old.ID] == nil {
			s.breaks.known[old.ID] = &shownBreak{file: old.File, line: old.Line, shows: true}
		}
	}
	one.Message = session.Clean(p.mayNot.Error())
	p.wishes = append(p.wishes, wish{one.Id, want})
	return one
}

// put sets a breakpoint, or changes the one of its number, and waits for what became of it.
func (s points) put(b debugger.Breakpoint) (debugger.Breakpoint, error) {
	before := s.now().Seq
	var i intent.Intent = intent.SetBreakpoint{Breakpoint: b}
	if b.ID != 0 {
		i = intent.AmendBreakpoint{Breakpoint: b}
	}
	if err := s.seat.Try(i); err != nil {
		return b, err
	}
	err := s.until(before, func(e session.Event) (bool, error) {
		set, ok := e.Body.(*session.BreakpointSet)
		ok = ok && e.Actor == s.seat.Name
		if ok {
			b = set.Breakpoint
		}
		return ok, nil
	})
	return b, err
}

// drop clears what the editor does not show any more. It returns what it may not clear.
func (s points) drop(p placement, have map[int]debugger.Breakpoint) (kept []debugger.Breakpoint) {
	var dropped, unseen []debugger.Breakpoint
	s.mu.Lock()
	for _, b := range have {
		k := s.breaks.known[b.ID]
		switch {
		case p.named[b.ID] || k == nil:
		case k.shows:
			dropped = append(dropped, b)
		default:
			unseen = append(unseen, b)
		}
	}
	// A breakpoint that was announced and never sent was cleared in the editor, or the
	// editor does not show announced breakpoints at all.
	if !p.added && (len(dropped) == 0 || s.breaks.takesUp) {
		dropped = append(dropped, unseen...)
	}
	s.mu.Unlock()
	if p.mayNot != nil {
		return dropped
	}
	for _, b := range dropped {
		if !s.clear(b.ID) {
			kept = append(kept, b)
		}
	}
	return kept
}

// fulfill sets what the editor wanted while it only looked on.
func (s points) fulfill() {
	s.fulfillLists()
	s.setting.Lock()
	defer s.setting.Unlock()
	if s.mayNot() != nil {
		return
	}
	s.place(true)
	defer s.place(false)
	s.mu.Lock()
	wishes := s.breaks.wishes
	s.breaks.wishes = map[string][]wish{}
	s.mu.Unlock()
	for file, list := range wishes {
		have := s.breakpointsOf(file)
		for _, w := range list {
			p := placement{file: file, named: map[int]bool{}}
			old := have[w.want.Line]
			if w.number > firstWish && old.ID != 0 {
				s.renumber(old.ID, w.number)
			}
			one := s.setOne(&p, old, w.want)
			if old.ID == 0 && one.Id != 0 {
				s.renumber(one.Id, w.number)
			}
			one.Id = w.number
			m := &dap.BreakpointEvent{Event: event("breakpoint")}
			m.Body.Reason, m.Body.Breakpoint = "changed", one
			s.send(m)
		}
	}
}

func (s points) renumber(id, number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks.numbers[id] = number
}

// wishing reports whether the editor has wishes that can be fulfilled now.
func (s points) wishing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range s.breaks.lists {
		if len(list.ids) < len(list.wants) && list.refused {
			return s.configured && s.mayNot() == nil
		}
	}
	for _, list := range s.breaks.wishes {
		if len(list) > 0 {
			return s.configured && s.mayNot() == nil
		}
	}
	return false
}
