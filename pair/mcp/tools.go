package mcp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// proofPatience is how long a verdict is waited for in one call.
const proofPatience = 10 * time.Minute

type (
	nothing struct{}

	statusOut struct {
		Phase      string         `json:"phase" jsonschema:"new, building, broken, starting, running, stopped, exited or ended"`
		Role       string         `json:"role" jsonschema:"what you may do in this session"`
		Class      string         `json:"class,omitempty" jsonschema:"the kind of crash"`
		Message    string         `json:"message,omitempty"`
		Place      string         `json:"place,omitempty"`
		Diagnosis  string         `json:"diagnosis,omitempty"`
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
		Effect      string     `json:"effect,omitempty" jsonschema:"repairs, declines, skips or hides"`
		Evidence    []string   `json:"evidence,omitempty"`
		Checks      []checkOut `json:"checks,omitempty"`
		Behavior    *changeOut `json:"behavior,omitempty" jsonschema:"what it changes in what functions answer; it comes after the proofs"`
		Decision    string     `json:"decision,omitempty"`
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
	proposeIn struct {
		Title       string            `json:"title" jsonschema:"one line, imperative"`
		Explanation string            `json:"explanation,omitempty" jsonschema:"which value is bad, where it comes from, what the change does"`
		Files       map[string]string `json:"files" jsonschema:"the whole new contents of each changed file, by its path relative to the module root"`
	}
	approvalIn struct {
		ID     string `json:"id" jsonschema:"as in c1"`
		Reason string `json:"reason"`
	}
	noteIn struct {
		Text string `json:"text"`
	}
	doneOut struct {
		Done string `json:"done"`
	}
)

func (s *server) status(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, statusOut, error) {
	st := s.seat.State()
	out := statusOut{Phase: string(st.Phase), Role: s.seat.RoleNow().String(), Log: logURI}
	if stop, ok := st.CurrentStop(); ok {
		if p := stop.Stop.Panic; p != nil {
			out.Class, out.Message = string(p.Class), s.text(p.Message)
		}
		if f, ok := stop.Stop.SelectedFrame(); ok {
			out.Place = fmt.Sprintf("%s:%d", st.Started.Workspace.Rel(f.File), f.Line)
		}
		if stop.Diagnosis != nil {
			out.Diagnosis = s.text(stop.Diagnosis.Sentence)
		}
	}
	if i := st.CaseIndex(); i >= 0 {
		for _, c := range st.Stops[i].Candidates {
			one := s.describe(st, c)
			one.Diff, one.Checks, one.Behavior, one.Explanation = "", nil, nil, ""
			out.Candidates = append(out.Candidates, one)
		}
	}
	return nil, out, nil
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
		Proved: c.Verdict != nil, Verified: c.Verified(), Effect: string(c.Effect()), Decision: string(c.Decision), Applied: st.IsApplied(c.ID), MadeFrom: c.Parent, Instead: st.AppliedInstead(c.ID),
		Diff: s.bounded(c.Diff(), 32<<10)}
	for _, k := range c.Checks {
		k = s.checkForAgent(k)
		out.Checks = append(out.Checks, checkOut{k.Name, string(k.Status), s.bounded(k.Detail, 2<<10), s.bounded(k.Output, 8<<10)})
	}
	if c.Behavior != nil {
		out.Behavior = changes(*c.Behavior)
	}
	if c.Verdict != nil {
		for _, e := range c.Verdict.Evidence {
			out.Evidence = append(out.Evidence, s.text(e.Detail))
		}
	}
	return out
}

// changes is what a candidate changes in what functions answer.
func changes(b verdict.Behavior) *changeOut {
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

// propose hands a patch over and waits for its proof.
func (s *server) propose(ctx context.Context, _ *mcp.CallToolRequest, in proposeIn) (*mcp.CallToolResult, candidateOut, error) {
	ctx, cancel := context.WithTimeout(ctx, proofPatience)
	defer cancel()
	before := s.seat.State().Seq
	if err := s.seat.Try(engine.Propose{Title: in.Title, Explanation: in.Explanation, Files: in.Files}); err != nil {
		return nil, candidateOut{}, err
	}
	id := ""
	err := s.follow(ctx, before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.Proposed:
			if e.Actor == s.seat.Name && id == "" {
				id = b.Candidate.ID
			}
		case *session.Agreed:
			if e.Actor == s.seat.Name && id == "" {
				id = b.Candidate
				c, _ := s.seat.State().Candidate(id)
				return c.Verdict != nil, nil
			}
		case *session.Proved:
			return b.Candidate == id && id != "", nil
		case *session.Notice:
			if b.To == s.seat.Name && id == "" {
				return true, s.refusal(b)
			}
		case *session.Resumed, *session.Launched:
			return true, errors.New("the program went on before the proof had ended")
		}
		return false, nil
	})
	if err != nil {
		return nil, candidateOut{}, err
	}
	st := s.seat.State()
	c, _ := st.Candidate(id)
	return nil, s.describe(st, c), nil
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

func (s *server) askApproval(_ context.Context, _ *mcp.CallToolRequest, in approvalIn) (*mcp.CallToolResult, doneOut, error) {
	if _, ok := s.seat.State().Candidate(in.ID); !ok {
		return nil, doneOut{}, fmt.Errorf("there is no fix %q", in.ID)
	}
	if err := s.seat.Say("please approve "+in.ID+": "+in.Reason, &session.Pin{Candidate: in.ID}); err != nil {
		return nil, doneOut{}, err
	}
	return nil, doneOut{"the people in the session were asked; status says what they decide"}, nil
}

func (s *server) apply(ctx context.Context, _ *mcp.CallToolRequest, in candidateIn) (*mcp.CallToolResult, doneOut, error) {
	ctx, cancel := context.WithTimeout(ctx, proofPatience)
	defer cancel()
	c, ok := s.seat.State().Candidate(in.ID)
	switch {
	case !ok:
		return nil, doneOut{}, fmt.Errorf("there is no fix %q", in.ID)
	case !c.Verified():
		return nil, doneOut{}, fmt.Errorf("%s is not verified: only a person applies such a fix", in.ID)
	}
	if file := unproved(c); file != "" {
		return nil, doneOut{}, fmt.Errorf("%s changes %q, which no proof is about: only a person applies such a fix", in.ID, file)
	}
	if built := unbuilt(c); built != "" {
		return nil, doneOut{}, fmt.Errorf("%s has code that is %s: only a person applies such a fix", in.ID, s.text(built))
	}
	before := s.seat.State().Seq
	if err := s.seat.Try(engine.Approve{Candidate: in.ID}); err != nil {
		return nil, doneOut{}, err
	}
	words := ""
	err := s.follow(ctx, before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.ApplyFailed:
			return true, errors.New(s.text(b.Err))
		case *session.Judged:
			words = fmt.Sprintf("applied; %s: %s", b.Judgement, s.text(b.Evidence))
			return true, nil
		case *session.Notice:
			if b.To == s.seat.Name {
				return true, s.refusal(b)
			}
		}
		return false, nil
	})
	return nil, doneOut{words}, err
}

// unproved is a file of a candidate that other tools than the go command may run,
// or that says what the go command runs: scripts, makefiles, go.mod, settings of the
// runtime.
func unproved(c session.CandidateRecord) string {
	for _, e := range c.ToWrite() {
		if path.Ext(e.File) != ".go" || !slices.Equal(settings(e.Before), settings(e.After)) {
			return e.File
		}
	}
	return ""
}

// settings are the lines of a Go file that change the defaults of the runtime and the
// standard library.
func settings(source string) []string {
	var lines []string
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "//go:debug") {
			lines = append(lines, line)
		}
	}
	return lines
}

// unbuilt says which files of a candidate the proof has not built: those for other
// systems, or with tags. It is empty where all were.
func unbuilt(c session.CandidateRecord) string {
	if c.Verdict == nil {
		return ""
	}
	if check, ok := verdict.Find(c.Verdict.Checks, verdict.Build); ok && check.Status == verdict.Warn {
		return check.Detail
	}
	return ""
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
