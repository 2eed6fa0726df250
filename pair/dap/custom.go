package dap

import (
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// The requests that the protocol does not have, for extensions of editors: the fixes as a
// list, and what is decided about one. docs/editors.md describes them.
const (
	fixesCommand  = "pausetui/fixes"
	decideCommand = "pausetui/decide"
)

// codec knows these requests, too.
var codec = func() *dap.Codec {
	c := dap.NewCodec()
	response := func() dap.Message { return &dap.Response{} }
	err := errors.Join(c.RegisterRequest(fixesCommand, func() dap.Message { return &fixesRequest{} }, response),
		c.RegisterRequest(decideCommand, func() dap.Message { return &decideRequest{} }, response))
	if err != nil {
		panic("dap: " + err.Error()) // a command is registered twice
	}
	return c
}()

type fixesRequest struct{ dap.Request }

// fixesResponse lists the fixes of the last crash, the best first.
type fixesResponse struct {
	dap.Response
	Body struct {
		Fixes []fix `json:"fixes"`
	} `json:"body"`
}

// fix is a fix as an extension sees it.
type fix struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	By       string   `json:"by"`
	Proving  bool     `json:"proving,omitempty"`
	Verified bool     `json:"verified,omitempty"`
	Effect   string   `json:"effect,omitempty"`   // repairs, declines, skips or hides
	Words    string   `json:"words,omitempty"`    // what was proved, in words
	Decision string   `json:"decision,omitempty"` // approved or rejected
	Files    []string `json:"files"`              // relative to the module
	Diff     string   `json:"diff"`
}

type decideRequest struct {
	dap.Request
	Arguments struct {
		ID       string `json:"id"`
		Decision string `json:"decision"` // approve, reject, confirm or undo
		Reason   string `json:"reason"`   // of reject
	} `json:"arguments"`
}

// custom carries out what the protocol does not have.
func (s *server) custom(m dap.RequestMessage) error {
	switch m := m.(type) {
	case *fixesRequest:
		s.listFixes(m)
		return nil
	case *decideRequest:
		return s.decide(m)
	}
	return s.move(m)
}

func (s *server) listFixes(m *fixesRequest) {
	st := s.seat.State() // never behind what the console has said
	a := &fixesResponse{Response: response(m.GetRequest())}
	a.Body.Fixes = []fix{}
	if i := st.CaseIndex(); i >= 0 {
		for _, c := range session.Rank(st.Stops[i].Candidates) {
			one := fix{ID: c.ID, Title: session.Clean(c.Title), By: session.Clean(c.Source.Who()), Proving: c.Proving(), Verified: c.Verified(), Effect: string(c.Effect()),
				Decision: string(c.Decision), Files: c.Files(), Diff: session.Clean(c.Diff())}
			if c.Verdict != nil {
				one.Words = session.Clean(c.Verdict.Label())
			}
			a.Body.Fixes = append(a.Body.Fixes, one)
		}
	}
	s.send(a)
}

// decide hands a decision over. What comes of it is told by events and in the console.
func (s *server) decide(m *decideRequest) error {
	id := m.Arguments.ID
	if _, ok := s.seat.State().Candidate(id); !ok && m.Arguments.Decision != "undo" {
		return fmt.Errorf("there is no fix %q", id)
	}
	var i intent.Intent
	switch m.Arguments.Decision {
	case "approve":
		i = intent.Approve{Candidate: id}
	case "reject":
		i = intent.Reject{Candidate: id, Reason: m.Arguments.Reason}
	case "confirm":
		i = intent.Confirm{Candidate: id}
	case "undo":
		i = intent.Undo{}
	default:
		return fmt.Errorf("decision %q: want approve, reject, confirm or undo", m.Arguments.Decision)
	}
	if err := s.seat.Try(i); err != nil {
		return err
	}
	a := response(m.GetRequest())
	s.send(&a)
	return nil
}
