package mcp

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// proofPatience is how long a verdict is waited for in one call.
const proofPatience = 10 * time.Minute

type (
	proposeIn struct {
		Title       string            `json:"title" jsonschema:"one line, imperative"`
		Explanation string            `json:"explanation,omitempty" jsonschema:"which value is bad, where it comes from, what the change does"`
		Edits       []editIn          `json:"edits,omitempty" jsonschema:"texts to replace"`
		Diff        string            `json:"diff,omitempty" jsonschema:"a unified diff, instead of edits; the numbers of its lines do not matter"`
		Files       map[string]string `json:"files,omitempty" jsonschema:"the whole new contents of files by their paths relative to the module root, instead of edits"`
	}
	editIn struct {
		File string `json:"file" jsonschema:"relative to the module root"`
		Old  string `json:"old" jsonschema:"the text to replace, exactly as it is in the file, and long enough to be there once; empty for a new file"`
		New  string `json:"new"`
	}
)

// replacements are the edits, or those of the diff.
func (in proposeIn) replacements() (list []patch.Replacement, err error) {
	for _, e := range in.Edits {
		list = append(list, patch.Replacement{File: e.File, Old: e.Old, New: e.New})
	}
	if in.Diff != "" {
		more, err := patch.FromDiff(in.Diff)
		return append(list, more...), err
	}
	if len(list) == 0 && len(in.Files) == 0 {
		return nil, errors.New("give edits, a diff or files")
	}
	return list, nil
}

// proving says which check of a candidate is under way.
func (s *server) proving(id string) string {
	now, cancel := context.WithCancel(context.Background())
	cancel() // what is known, without waiting
	u, _ := s.seat.Wait(now, s.seat.State().Seq, 0)
	if check := u.Live.Proving[id]; check != "" {
		return id + ": " + check
	}
	return "proving " + id
}

// failures counts the fixes of an agent that were not verified, in all sessions of its connection,
// with those that are being proved. How a fix fails tells a little of what it has read.
type failures struct{ atomic.Int32 }

// mostFailures is after how many no more are proved.
const mostFailures = 32

// begin counts a fix. The caller settles whether it has failed.
func (f *failures) begin() (settle func(failed bool), err error) {
	settle = func(failed bool) {
		if !failed {
			f.Add(-1)
		}
	}
	if f.Add(1) > mostFailures {
		settle(false)
		return nil, advice.Add(fmt.Errorf("%d of your fixes were not verified: no more are proved for you", mostFailures), "a person can start the agent's connection again")
	}
	return settle, nil
}

// propose hands a patch over and waits for its proof.
func (s *server) propose(ctx context.Context, r *mcp.CallToolRequest, in proposeIn) (*mcp.CallToolResult, candidateOut, error) {
	ctx, cancel := context.WithTimeout(ctx, proofPatience)
	defer cancel()
	replace, err := in.replacements()
	if err != nil {
		return nil, candidateOut{}, err
	}
	settle, err := s.failures.begin()
	if err != nil {
		return nil, candidateOut{}, err
	}
	id := ""
	defer func() {
		c, _ := s.seat.State().Candidate(id)
		settle(id != "" && !c.Verified())
	}()
	before := s.seat.State().Seq
	if err := s.seat.Try(intent.Propose{Title: in.Title, Explanation: in.Explanation, Files: in.Files, Replace: replace}); err != nil {
		return nil, candidateOut{}, err
	}
	var mu sync.Mutex
	defer progress(ctx, r, func() string {
		mu.Lock()
		defer mu.Unlock()
		return s.proving(id)
	})()
	err = s.follow(ctx, before, func(e session.Event) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
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
	if ctx.Err() != nil && id != "" {
		return nil, candidateOut{}, fmt.Errorf("the proof of %s goes on: candidate tells how it ends", id)
	}
	if err != nil {
		return nil, candidateOut{}, err
	}
	st := s.seat.State()
	c, _ := st.Candidate(id)
	return nil, s.describe(st, c), nil
}

func (s *server) askApproval(ctx context.Context, r *mcp.CallToolRequest, in approvalIn) (*mcp.CallToolResult, approvalOut, error) {
	c, ok := s.seat.State().Candidate(in.ID)
	if !ok {
		return nil, approvalOut{}, fmt.Errorf("there is no fix %q", in.ID)
	}
	if s.opts.Approve != nil {
		return s.askThroughClient(ctx, r, c, in.Reason)
	}
	if err := s.seat.Say("please approve "+in.ID+": "+in.Reason, &session.Pin{Candidate: in.ID}); err != nil {
		return nil, approvalOut{}, err
	}
	return nil, approvalOut{Done: "the people in the session were asked; wait, for decision, tells what they decide"}, nil
}

// approveKey is the question that a client asks its person.
const approveKey = "approve"

// askThroughClient asks the person at the agent's client, where nobody is in the session.
// Their yes has the effect of --agent-may-apply, for this fix.
func (s *server) askThroughClient(ctx context.Context, r *mcp.CallToolRequest, c session.CandidateRecord, reason string) (*mcp.CallToolResult, approvalOut, error) {
	diff := s.diffForAgent(c)
	err := s.notByAgent(c)
	if whole := len(c.Diff()); err == nil && whole > maxDiff {
		err = fmt.Errorf("the diff of %s has %d bytes, more than a question shows: only a person applies such a fix", c.ID, whole)
	}
	if err != nil {
		return nil, approvalOut{Done: "nobody is in this session who could approve it; " + err.Error() + ", with git apply", Diff: diff}, nil //nolint:nilerr // it is the answer
	}
	answer, asked := r.Params.InputResponses[approveKey].(*mcp.ElicitResult)
	p := r.Session.InitializeParams()
	switch {
	case asked && (answer.Action != "accept" || answer.Content[approveKey] != true):
		return nil, approvalOut{Done: "the person did not approve it"}, nil
	case asked:
		words, err := s.approve(ctx, r, c.ID, s.opts.Approve)
		return nil, approvalOut{Done: words}, err
	case p == nil || p.Capabilities == nil || p.Capabilities.Elicitation == nil:
		return nil, approvalOut{Done: "nobody is in this session who could approve it, and your client does not ask people: hand the diff over; git apply applies it", Diff: diff}, nil
	}
	// The diff comes before the words of the agent, which could look like another one.
	question := fmt.Sprintf("Apply the fix %s, %q?\n\n%s\n\nThe agent says: %s", c.ID, s.text(c.Title), s.bounded(c.Diff(), maxDiff), strings.Join(strings.Fields(s.text(reason)), " "))
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{approveKey: &mcp.ElicitParams{Mode: "form", Message: question, RequestedSchema: map[string]any{"type": "object",
		"properties": map[string]any{approveKey: map[string]any{"type": "boolean", "title": "Write it to the source, and run the program again"}}, "required": []string{approveKey}}}}}, approvalOut{}, nil
}

func (s *server) apply(ctx context.Context, r *mcp.CallToolRequest, in candidateIn) (*mcp.CallToolResult, doneOut, error) {
	c, ok := s.seat.State().Candidate(in.ID)
	if !ok {
		return nil, doneOut{}, fmt.Errorf("there is no fix %q", in.ID)
	}
	if err := s.notByAgent(c); err != nil {
		return nil, doneOut{}, err
	}
	words, err := s.approve(ctx, r, in.ID, func(i intent.Approve) error { return s.seat.Try(i) })
	return nil, doneOut{words}, err
}

// notByAgent says why no agent applies a fix, whatever it may do.
func (s *server) notByAgent(c session.CandidateRecord) error {
	if !c.Verified() {
		return fmt.Errorf("%s is not verified: only a person applies such a fix", c.ID)
	}
	if file := unproved(c); file != "" {
		return fmt.Errorf("%s changes %q, which no proof is about: only a person applies such a fix", c.ID, file)
	}
	if built := unbuilt(c); built != "" {
		return fmt.Errorf("%s has code that is %s: only a person applies such a fix", c.ID, s.text(built))
	}
	return nil
}

// approve applies a fix and waits until it is judged.
func (s *server) approve(ctx context.Context, r *mcp.CallToolRequest, id string, try func(intent.Approve) error) (words string, err error) {
	ctx, cancel := context.WithTimeout(ctx, proofPatience)
	defer cancel()
	defer progress(ctx, r, func() string { return "applied: the program runs again" })()
	before := s.seat.State().Seq
	if err := try(intent.Approve{Candidate: id}); err != nil {
		return "", err
	}
	err = s.follow(ctx, before, func(e session.Event) (bool, error) {
		switch b := e.Body.(type) {
		case *session.ApplyFailed:
			return true, errors.New(s.text(b.Err))
		case *session.Judged:
			words = "applied; " + s.judgement(b)
			return true, nil
		case *session.Stopped:
			if !b.Stop.Crashed() && !b.Stop.Ended() {
				words = "applied; the program is held again before it can be judged: continue it, and status has the judgement"
				return true, nil
			}
		case *session.Notice:
			if b.To == s.seat.Name || s.opts.Approve != nil && b.To != "" {
				return true, s.refusal(b)
			}
		}
		return false, nil
	})
	return words, err
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

// settings are the directives of a Go file that change the defaults of the runtime and the
// standard library: comments above its package clause, as the go command finds them. A
// file that it cannot read has all its lines.
func settings(source string) (list []string) {
	if source == "" {
		return nil
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return strings.Split(source, "\n")
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:debug") {
				list = append(list, c.Text)
			}
		}
	}
	return list
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
