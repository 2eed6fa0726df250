package mcp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

type (
	nothing struct{}

	statusOut struct {
		Phase      string         `json:"phase" jsonschema:"new, building, broken, starting, running, stopped, exited or ended"`
		Role       string         `json:"role" jsonschema:"what you may do in this session"`
		Reason     string         `json:"reason,omitempty" jsonschema:"why it does not run: panic, fatal, test, breakpoint, step, watch, halt, entry, exited or signal"`
		Error      string         `json:"error,omitempty" jsonschema:"what has failed: the build, the start, or the condition of a breakpoint"`
		Exit       *int           `json:"exit,omitempty" jsonschema:"the exit code, -1 where a signal ended it"`
		Class      string         `json:"class,omitempty" jsonschema:"the kind of crash"`
		Message    string         `json:"message,omitempty"`
		Place      string         `json:"place,omitempty"`
		Diagnosis  string         `json:"diagnosis,omitempty"`
		Judgement  string         `json:"judgement,omitempty" jsonschema:"what the restart with the last applied fix has shown: fixed, came-back or not-reached, with the evidence"`
		Candidates []candidateOut `json:"candidates,omitempty" jsonschema:"fixes of this stop, without their diffs"`
		Log        string         `json:"log" jsonschema:"resource that holds the log of the session"`
	}
	candidateIn struct {
		ID string `json:"id" jsonschema:"as in c1"`
	}
	candidateOut struct {
		ID          string     `json:"id"`
		By          string     `json:"by" jsonschema:"who proposed it"`
		Title       string     `json:"title"`
		Explanation string     `json:"explanation,omitempty"`
		Proved      bool       `json:"proved" jsonschema:"all its checks have ended"`
		Verified    bool       `json:"verified"`
		Why         string     `json:"why,omitempty" jsonschema:"why it is not verified"`
		Effect      string     `json:"effect,omitempty" jsonschema:"repairs, declines, skips or hides"`
		Evidence    []string   `json:"evidence,omitempty"`
		Checks      []checkOut `json:"checks,omitempty"`
		Behavior    *changeOut `json:"behavior,omitempty" jsonschema:"what it changes in what functions answer; it comes after the proofs"`
		Decision    string     `json:"decision,omitempty"`
		Reason      string     `json:"reason,omitempty" jsonschema:"why it was rejected"`
		Judgement   string     `json:"judgement,omitempty" jsonschema:"what the restart with it has shown"`
		Applied     bool       `json:"applied,omitempty"`
		MadeFrom    string     `json:"made_from,omitempty" jsonschema:"the candidate that a person edited, which this is the result of"`
		Instead     string     `json:"applied_instead,omitempty" jsonschema:"the applied candidate of which this is another version: it cannot be applied as well"`
		Diff        string     `json:"diff,omitempty"`
	}
	changeOut struct {
		Status string `json:"status" jsonschema:"pass, warn where something changes that worked, skip where nothing was compared"`
		Detail string `json:"detail,omitempty"`
		Tried  int    `json:"tried" jsonschema:"inputs"`
		Same   int    `json:"same" jsonschema:"inputs that are answered as before"`
	}
	checkOut struct {
		Name   string `json:"name"`
		Status string `json:"status" jsonschema:"pass, fail, warn, skip or inconclusive"`
		Detail string `json:"detail,omitempty"`
		Output string `json:"output,omitempty"`
	}
	pastIn struct {
		Query string `json:"query,omitempty" jsonschema:"words and fields as in pausetui sessions list; all when left out"`
		Limit int    `json:"limit,omitempty" jsonschema:"at most 50"`
	}
	pastOut struct {
		Sessions []string `json:"sessions"`
	}
	approvalIn struct {
		ID     string `json:"id" jsonschema:"as in c1"`
		Reason string `json:"reason"`
	}
	approvalOut struct {
		Done string `json:"done"`
		Diff string `json:"diff,omitempty" jsonschema:"where nobody could be asked"`
	}
	noteIn struct {
		Text string `json:"text"`
	}
	doneOut struct {
		Done string `json:"done"`
	}
)

func (s *server) status(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, statusOut, error) {
	return nil, s.statusNow(), nil
}

func (s *server) statusNow() statusOut {
	st := s.seat.State()
	out := statusOut{Phase: string(st.Phase), Role: s.seat.RoleNow().String(), Log: logURI}
	if st.Build != nil {
		out.Error = s.text(st.Build.Message)
		for i, d := range st.Build.Diagnostics {
			if i < 10 {
				out.Error += s.text(fmt.Sprintf("\n%s:%d: %s", st.Started.Workspace.Rel(d.File), d.Line, d.Message))
			}
		}
	}
	if st.Judged != nil {
		out.Judgement = s.judgement(st.Judged)
	}
	if stop, ok := st.CurrentStop(); ok {
		s.describeStop(stop, &out)
	}
	if file, line, ok := s.place(); ok {
		out.Place = fmt.Sprintf("%s:%d", file, line)
	}
	if i := st.CaseIndex(); i >= 0 {
		for _, c := range st.Stops[i].Candidates {
			one := s.describe(st, c)
			one.Diff, one.Checks, one.Behavior, one.Explanation = "", nil, nil, ""
			out.Candidates = append(out.Candidates, one)
		}
	}
	return out
}

// describeStop says why the program does not run.
func (s *server) describeStop(stop session.StopRecord, out *statusOut) {
	out.Reason = string(stop.Stop.Reason)
	if stop.Stop.Fault != "" {
		out.Error = s.text(stop.Stop.Fault)
	}
	if e := stop.Stop.Exit; e != nil {
		out.Exit = &e.Code
	}
	if p := stop.Stop.Panic; p != nil {
		out.Class, out.Message = string(p.Class), s.text(p.Message)
	}
	if stop.Diagnosis != nil {
		out.Diagnosis = s.text(stop.Diagnosis.Words())
	}
}

func (s *server) judgement(j *session.Judged) string {
	return s.text(fmt.Sprintf("%s: %s", j.Judgement, j.Evidence))
}

func (s *server) candidate(_ context.Context, _ *mcp.CallToolRequest, in candidateIn) (*mcp.CallToolResult, candidateOut, error) {
	st := s.seat.State()
	c, ok := st.Candidate(in.ID)
	if !ok {
		return nil, candidateOut{}, fmt.Errorf("there is no fix %q", in.ID)
	}
	return nil, s.describe(st, c), nil
}

// describe is a candidate with its proof, without secrets and bounded.
func (s *server) describe(st session.State, c session.CandidateRecord) candidateOut {
	out := candidateOut{ID: c.ID, By: c.Source.Provider + "/" + c.Source.Model, Title: s.text(c.Title), Explanation: s.text(c.Explanation),
		Proved: c.Verdict != nil, Verified: c.Verified(), Why: s.whyNot(c), Decision: string(c.Decision), Reason: s.text(c.Reason), Applied: st.IsApplied(c.ID), MadeFrom: c.Parent, Instead: st.AppliedInstead(c.ID),
		Diff: s.diffForAgent(c)}
	if unseen(c) {
		out.Title, out.Explanation = remembered, ""
	}
	if c.Failed() != session.FailedBuild {
		out.Effect = string(c.Effect())
	}
	if st.Judged != nil && st.Judged.Candidate == c.ID {
		out.Judgement = s.judgement(st.Judged)
	}
	for _, k := range c.Checks {
		if k = s.checkForAgent(k); unseen(c) {
			k.Detail, k.Output = "", ""
		}
		out.Checks = append(out.Checks, checkOut{k.Name, string(k.Status), s.bounded(k.Detail, 2<<10), s.bounded(k.Output, 8<<10)})
	}
	if c.Behavior != nil {
		out.Behavior = changeOf(*c.Behavior)
	}
	if c.Verdict != nil {
		for _, e := range c.Verdict.Evidence {
			if !unseen(c) {
				out.Evidence = append(out.Evidence, s.text(e.Detail))
			}
		}
	}
	return out
}

// whyNot says why a candidate is not verified.
func (s *server) whyNot(c session.CandidateRecord) string {
	switch {
	case c.Cut:
		return "the program went on before its proof had ended"
	case c.Verdict == nil || c.Verified():
		return ""
	case unseen(c):
		return withheld
	case c.Masks():
		return s.text("it only " + string(c.Effect()) + ": the failing work is left out, or its failure is hidden")
	}
	if k, ok := c.Against(); ok {
		k = s.checkForAgent(k)
		return s.text(k.Name + ": " + string(k.Status) + ": " + k.Detail)
	}
	return "no check has shown that it works"
}

// changeOf is what a candidate changes in what functions answer.
func changeOf(b verdict.Behavior) *changeOut {
	b = behaviorForAgent(b)
	return &changeOut{Status: string(b.Status), Detail: b.Detail, Tried: b.Tried, Same: b.Same}
}

func (s *server) past(ctx context.Context, _ *mcp.CallToolRequest, in pastIn) (*mcp.CallToolResult, pastOut, error) {
	if s.opts.Past == nil {
		return nil, pastOut{Sessions: []string{}}, nil
	}
	if in.Limit <= 0 || in.Limit > 50 {
		in.Limit = 20
	}
	list, err := s.opts.Past(ctx, in.Query, in.Limit)
	for i := range list {
		list[i] = s.text(list[i])
	}
	if list == nil {
		list = []string{}
	}
	return nil, pastOut{list}, err
}

// refusal is an answer to this agent, with what can be done about it.
func (s *server) refusal(b *session.Notice) error {
	if b.Hint == "" {
		return errors.New(s.text(b.Text))
	}
	return fmt.Errorf("%s — %s", s.text(b.Text), s.text(b.Hint))
}

// follow hands events to take until it is done with them.
func (s *server) follow(ctx context.Context, after uint64, take func(session.Event) (bool, error)) error {
	for {
		u, err := s.seat.Wait(ctx, after, math.MaxUint64)
		for _, e := range u.Events {
			after = e.Seq
			if done, err := take(e); done || err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *server) note(_ context.Context, _ *mcp.CallToolRequest, in noteIn) (*mcp.CallToolResult, doneOut, error) {
	return nil, doneOut{"written"}, s.seat.Say(in.Text, nil)
}

// text is a text of the program's without secrets and control sequences.
func (s *server) text(t string) string { return s.bounded(t, 4<<10) }

func (s *server) bounded(t string, most int) string {
	t = session.Clean(s.seat.Screened(t))
	if len(t) <= most {
		return t
	}
	return strings.ToValidUTF8(t[:most], "") + fmt.Sprintf(" [… %d bytes left out]", len(t)-most)
}
