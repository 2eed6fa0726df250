package mcp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pausetui/pausetui/session"
)

type (
	waitIn struct {
		For     string `json:"for,omitempty" jsonschema:"stop (when left out): the program stops or ends; proof: the proof of the fix has ended; decision: a person has decided about the fix, and an applied one is judged; wheel: you may drive"`
		ID      string `json:"id,omitempty" jsonschema:"the fix, as in c1"`
		Seconds int    `json:"seconds,omitempty" jsonschema:"at most 600; 50 when left out"`
	}
	contextOut struct {
		Status     statusOut `json:"status"`
		Source     string    `json:"source,omitempty" jsonschema:"lines around the place"`
		Stack      string    `json:"stack,omitempty"`
		Values     string    `json:"values,omitempty" jsonschema:"arguments and local variables of the frame at the place"`
		Goroutines string    `json:"goroutines,omitempty"`
		Output     string    `json:"output,omitempty" jsonschema:"the last lines that the program has printed"`
	}
)

// The bounds of a wait.
const (
	usualWait   = 50 * time.Second // clients give up after a minute
	longestWait = 10 * time.Minute
)

// wait returns the status when what is waited for has happened, or the time is over.
func (s *server) wait(ctx context.Context, r *mcp.CallToolRequest, in waitIn) (*mcp.CallToolResult, statusOut, error) {
	_, known := s.seat.State().Candidate(in.ID)
	switch in.For {
	case "", "stop", "wheel":
	case "proof", "decision":
		if !known {
			return nil, statusOut{}, fmt.Errorf("there is no fix %q", in.ID)
		}
	default:
		return nil, statusOut{}, fmt.Errorf("for is %q: want stop, proof, decision or wheel", in.For)
	}
	timed, cancel := context.WithTimeout(ctx, patience(in.Seconds))
	defer cancel()
	defer progress(ctx, r, func() string { return string(s.seat.State().Phase) })()
	err := s.until(timed, func(st session.State) bool { return s.happened(st, in) })
	if in.For == "wheel" {
		err = s.untilDriving(timed)
	}
	if err != nil && timed.Err() == nil {
		return nil, statusOut{}, err
	}
	return nil, s.statusNow(), ctx.Err()
}

// happened reports whether what is waited for has happened.
func (s *server) happened(st session.State, in waitIn) bool {
	c, _ := st.Candidate(in.ID)
	switch in.For {
	case "proof":
		return !c.Proving()
	case "decision":
		return c.Decision == session.Rejected || c.Decision == session.Approved && st.Judged != nil && st.Judged.Candidate == in.ID
	case "wheel":
		return true
	}
	switch st.Phase {
	case session.PhaseStopped, session.PhaseExited, session.PhaseBroken, session.PhaseEnded:
		return true
	}
	return false
}

// until waits until the state is as wanted.
func (s *server) until(ctx context.Context, done func(session.State) bool) error {
	for {
		st := s.seat.State()
		if done(st) {
			return nil
		}
		if _, err := s.seat.Wait(ctx, st.Seq, math.MaxUint64); err != nil {
			return err
		}
	}
}

// untilDriving waits until the agent may run the program.
func (s *server) untilDriving(ctx context.Context) error {
	version := uint64(0)
	for !s.seat.RoleNow().Drives() {
		if !s.seat.Wanting() {
			return errors.New("the person keeps the wheel; they may give it later, with wheel and your name")
		}
		v, err := s.seat.Watch(ctx, version)
		if err != nil {
			return err
		}
		version = v.Version
	}
	return nil
}

// tick is how often a client hears that a call goes on.
const tick = 5 * time.Second

// progress tells the client that a call goes on, if it wants to hear that; stop ends it.
func progress(ctx context.Context, r *mcp.CallToolRequest, words func() string) (stop func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() {
		for n := 1; ; n++ {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Message: words()}) // it has left
			select {
			case <-time.After(tick):
			case <-ctx.Done():
				return
			}
		}
	})
	return func() { cancel(); work.Wait() }
}

// context is what is needed first at a stop.
func (s *server) context(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, contextOut, error) {
	out := s.contextNow(ctx)
	return nil, out, ctx.Err()
}

func (s *server) contextNow(ctx context.Context) contextOut {
	out := contextOut{Status: s.statusNow(), Output: s.printed()}
	if out.Status.Phase != string(session.PhaseStopped) {
		return out
	}
	look := func(name string, arguments map[string]any) string {
		text, err := s.seat.UseTool(ctx, name, arguments)
		if err != nil {
			return s.text(withHint(err).Error())
		}
		return text
	}
	if file, line, ok := s.place(); ok {
		out.Source = look("source", map[string]any{"of": fmt.Sprintf("%s:%d-%d", file, max(line-8, 1), line+8)})
	}
	out.Stack, out.Values, out.Goroutines = look("stack", nil), look("values", nil), look("goroutines", nil)
	return out
}

// The bounds of what the program has printed.
const (
	maxPrinted = 20       // lines,
	maxOutput  = 4 << 10  // bytes,
	readOutput = 64 << 10 // and the bytes that are searched for secrets
)

// printed are the last lines that the program has printed, as data. Secrets are hidden
// before the text is cut.
func (s *server) printed() string {
	text := strings.TrimSpace(s.bounded(s.seat.Output().Tail(readOutput), readOutput))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	text = strings.Join(lines[max(len(lines)-maxPrinted, 0):], "\n")
	if len(text) > maxOutput {
		text = "…" + strings.ToValidUTF8(text[len(text)-maxOutput:], "")
	}
	const fence = "```"
	return fence + "text data\n" + strings.ReplaceAll(text, fence, "` ` `") + "\n" + fence
}

// place is where the program is held.
func (s *server) place() (file string, line int, ok bool) {
	st := s.seat.State()
	if stop, held := st.CurrentStop(); held {
		if f, ok := stop.Stop.SelectedFrame(); ok && f.File != "" {
			return st.Started.Workspace.Rel(f.File), f.Line, true
		}
	}
	return "", 0, false
}
