package dap

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// The breakpoints that an editor sends as one list of each kind, whatever the file.
const (
	functions    = "function"
	instructions = "instruction"
	data         = "data"
)

// listed is such a list: what the editor wants, and the session's numbers of it.
type listed struct {
	wants []debugger.Breakpoint
	ids   map[string]int // by location, or by what is watched
	// refused: the editor could not set them, because it does not drive.
	refused bool
}

// keyOf tells the breakpoints of a list apart.
func keyOf(b debugger.Breakpoint) string { return b.Location + b.Watch }

// setFunctionBreakpoints takes the breakpoints at functions as the editor shows them.
func (s points) setFunctionBreakpoints(m *dap.SetFunctionBreakpointsRequest) error {
	var wants []debugger.Breakpoint
	for _, f := range m.Arguments.Breakpoints {
		wants = append(wants, debugger.Breakpoint{Location: strings.TrimSpace(f.Name), Cond: f.Condition, HitCond: f.HitCondition})
	}
	a := &dap.SetFunctionBreakpointsResponse{Response: response(m.GetRequest())}
	var err error
	if a.Body.Breakpoints, err = s.setList(functions, wants); err != nil {
		return err
	}
	s.send(a)
	return nil
}

// setInstructionBreakpoints takes the breakpoints at instructions.
func (s points) setInstructionBreakpoints(m *dap.SetInstructionBreakpointsRequest) error {
	var wants []debugger.Breakpoint
	for _, i := range m.Arguments.Breakpoints {
		at, err := address(i.InstructionReference, i.Offset)
		if err != nil {
			return err
		}
		wants = append(wants, debugger.Breakpoint{Location: fmt.Sprintf("*%#x", at), Cond: i.Condition, HitCond: i.HitCondition, Session: true})
	}
	a := &dap.SetInstructionBreakpointsResponse{Response: response(m.GetRequest())}
	var err error
	if a.Body.Breakpoints, err = s.setList(instructions, wants); err != nil {
		return err
	}
	s.send(a)
	return nil
}

// dataBreakpointInfo says what of a variable can be watched.
func (s points) dataBreakpointInfo(m *dap.DataBreakpointInfoRequest) error {
	expr := m.Arguments.Name
	if m.Arguments.VariablesReference != 0 {
		c, err := s.refs.valueOf(m.Arguments.VariablesReference)
		if err != nil {
			return err
		}
		if expr, err = looking(s).exprOf(c, m.Arguments.Name); err != nil {
			return err
		}
	}
	a := &dap.DataBreakpointInfoResponse{Response: response(m.GetRequest())}
	a.Body.Description = session.Clean(expr)
	if expr == "" || strings.ContainsAny(expr, "\n\r") {
		a.Body.Description = session.Clean(m.Arguments.Name) + " cannot be watched"
	} else {
		a.Body.DataId, a.Body.AccessTypes = expr, []dap.DataBreakpointAccessType{"write", "readWrite", "read"}
	}
	s.send(a)
	return nil
}

// watchKinds are the session's words for access types.
var watchKinds = map[dap.DataBreakpointAccessType]string{"": debugger.WatchWrite, "write": debugger.WatchWrite, "read": debugger.WatchRead, "readWrite": debugger.WatchReadWrite}

// setDataBreakpoints takes the watchpoints as the editor shows them.
func (s points) setDataBreakpoints(m *dap.SetDataBreakpointsRequest) error {
	at, err := s.frameFor(0)
	if err != nil && len(m.Arguments.Breakpoints) > 0 {
		return err
	}
	var wants []debugger.Breakpoint
	for _, d := range m.Arguments.Breakpoints {
		wants = append(wants, debugger.Breakpoint{Watch: d.DataId, WatchKind: watchKinds[d.AccessType], At: at, Cond: d.Condition, HitCond: d.HitCondition})
	}
	a := &dap.SetDataBreakpointsResponse{Response: response(m.GetRequest())}
	if a.Body.Breakpoints, err = s.setList(data, wants); err != nil {
		return err
	}
	s.send(a)
	return nil
}

// setList takes a list of breakpoints of a kind: it clears what this editor had set and
// does not want any more, sets what is new, and changes what has changed.
func (s points) setList(kind string, wants []debugger.Breakpoint) ([]dap.Breakpoint, error) {
	if len(wants) > maxBreaks {
		return nil, errTooMany
	}
	s.setting.Lock()
	defer s.setting.Unlock()
	s.place(true)
	defer s.place(false)
	s.mu.Lock()
	list := s.breaks.lists[kind]
	s.mu.Unlock()
	answers := make([]dap.Breakpoint, 0, len(wants)) // [] is what editors expect, not null
	ids := map[string]int{}
	for _, want := range wants {
		id, one := s.setListed(list.ids[keyOf(want)], want)
		if id != 0 {
			ids[keyOf(want)] = id
		}
		answers = append(answers, one)
	}
	for key, id := range list.ids {
		if ids[key] == 0 {
			s.clear(id)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks.lists[kind] = listed{wants, ids, s.mayNot() != nil}
	return answers, nil
}

// setListed sets a breakpoint of a list, or changes the one of that number; id is 0
// where it could not be set.
func (s points) setListed(id int, want debugger.Breakpoint) (int, dap.Breakpoint) {
	if err := s.mayNot(); err != nil {
		return id, dap.Breakpoint{Id: id, Message: session.Clean(err.Error())}
	}
	for _, old := range s.seat.State().Breakpoints {
		if old.ID != id || id == 0 {
			continue
		}
		if old.Cond == want.Cond && old.HitCond == want.HitCond {
			return s.knows(old)
		}
		old.Cond, old.HitCond = want.Cond, want.HitCond
		want = old
	}
	b, err := s.put(want)
	if err != nil {
		return 0, dap.Breakpoint{Message: session.Clean(err.Error())}
	}
	return s.knows(b)
}

// knows notes that the editor shows a breakpoint.
func (s points) knows(b debugger.Breakpoint) (int, dap.Breakpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks.known[b.ID] = &shownBreak{shows: true}
	return b.ID, s.shown(b)
}

// fulfillLists sets the lists that the editor has sent while it only looked on.
func (s points) fulfillLists() {
	s.mu.Lock()
	var kinds []string
	for kind, list := range s.breaks.lists {
		if list.refused {
			kinds = append(kinds, kind)
		}
	}
	s.mu.Unlock()
	for _, kind := range kinds {
		s.mu.Lock()
		wants := s.breaks.lists[kind].wants
		s.mu.Unlock()
		list, _ := s.setList(kind, wants) // as many as were taken before
		for _, one := range list {
			if one.Id != 0 {
				m := &dap.BreakpointEvent{Event: event("breakpoint")}
				m.Body.Reason, m.Body.Breakpoint = "new", one
				s.send(m)
			}
		}
	}
}

// clear clears a breakpoint that the editor has set, and waits until it is gone; false
// where it may not.
func (s points) clear(id int) bool {
	s.mu.Lock()
	s.forgetBreak(id)
	s.mu.Unlock()
	before := s.now().Seq
	if s.seat.Try(intent.ClearBreakpoint{ID: id}) != nil {
		return false
	}
	_ = s.until(before, func(e session.Event) (bool, error) { // another participant may have cleared it
		gone, ok := e.Body.(*session.BreakpointCleared)
		return ok && gone.ID == id, nil
	})
	return true
}

// address is a place in memory as an editor names it: "0x46c0e0".
func address(reference string, offset int) (uint64, error) {
	at, err := strconv.ParseUint(reference, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not an address", reference)
	}
	return at + uint64(offset), nil
}
