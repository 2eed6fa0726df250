package index

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
)

// maxTokens bounds what one request is counted with: a journal may come from
// elsewhere, and sums must not overflow.
const maxTokens = 1 << 40

// Bounds of what is read and stored of a journal, in bytes.
const (
	maxCode = 64 << 10
	maxText = 4 << 10
)

// Session is a session as a list shows it. Texts come from journals and are not
// cleaned.
type Session struct {
	Name        string // of its files: "20261120-170203-nil-map-write"
	At          time.Time
	Seconds     float64 // from start to end
	Target      string
	Package     string // import path of the culprit function
	Class       string // of the first crash; empty without one
	Message     string
	Function    string // the culprit, without its package
	File        string // relative to the module's root
	Line        int
	Fingerprint string
	Outcome     string   // docs/reference/exit-codes.md; "quit", "running" or "killed"
	Applied     []string // candidates whose change is in the source
	Judged      []string // as in session.FrontMatter, like Judgement
	Judgement   string
	Decided     []string // who approved or rejected
	Models      []string
	Prompts     []string
	Stops       int
	Candidates  int
	Verified    int
	Error       string // why the journal cannot be read
}

// record is what is stored of a journal.
type record struct {
	Session
	size, changed                  int64
	toStop, toVerified, toDecision time.Duration // since the session began, or since the stop; negative: never
	proposals                      []proposal
	requests                       []request
	code, reasons                  string
	crashes                        []crash // of each class the first, in their order
}

// crash is a class of crashes of a session.
type crash struct {
	class, message, function string
	fixed                    bool // a fix of one was applied, and judged so
}

// classes are those of all crashes.
func (r *record) classes() []string {
	var list []string
	for _, c := range r.crashes {
		list = append(list, c.class)
	}
	return list
}

type proposal struct {
	provider, model, prompt, effect, judgement string
	failed                                     session.Failed
	passes, verified, masking, applied         bool
}

type request struct {
	provider, model, prompt string
	failed                  session.Failed
	in, out                 int
	cost                    float64
}

// judgements are those of all changes that were applied, also of those undone.
func (r *record) judgements() []string {
	var list []string
	for _, c := range r.proposals {
		if c.judgement != "" && !slices.Contains(list, c.judgement) {
			list = append(list, c.judgement)
		}
	}
	return list
}

// effects are the kinds of the fixes that were proposed.
func (r *record) effects() []string {
	var list []string
	for _, c := range r.proposals {
		if c.effect != "" && !slices.Contains(list, c.effect) {
			list = append(list, c.effect)
		}
	}
	return list
}

// readJournal reads what is stored of a journal. Where it cannot be read, the
// record says why. The error is ctx's.
func readJournal(ctx context.Context, j journal) (record, error) {
	r := record{Session: Session{Name: j.Name, At: j.At()}, size: j.size, changed: j.changed, toStop: -1, toVerified: -1, toDecision: -1}
	if j.problem != "" {
		r.Outcome, r.Error = "unreadable", j.problem
		return r, nil
	}
	s, events, err := session.Recall(ctx, j.Journal)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil && !errors.Is(err, session.ErrTorn) || len(events) == 0 {
		r.Outcome, r.Error = "unreadable", "it is empty"
		if err != nil {
			r.Error = err.Error()
		}
		return r, nil
	}
	if err != nil {
		r.Error = err.Error()
	}
	r.summary(session.Summarize(s))
	r.culprit(s)
	r.crashed(s)
	r.times(s)
	r.people(events)
	r.proposed(s)
	if life := j.Life(); life != session.Over {
		r.Outcome = string(life)
	}
	return r, nil
}

func (r *record) summary(f session.FrontMatter) {
	if at, err := time.Parse(time.RFC3339, f.Date); err == nil {
		r.At = at
	}
	r.Seconds, r.Target, r.Class, r.Message = f.Seconds, f.Target, f.Class, bounded(f.Message, maxText)
	r.Fingerprint, r.Outcome, r.Applied, r.Judged, r.Judgement = f.Fingerprint, f.Outcome, f.Applied, f.Judged, f.Judgement
	r.Models, r.Prompts, r.Stops, r.Candidates, r.Verified = f.Models, f.Prompts, f.Stops, f.Candidates, f.Verified
}

// culprit is where the first crash happened.
func (r *record) culprit(s session.State) {
	for _, stop := range s.Stops {
		if !stop.Stop.Crashed() {
			continue
		}
		f, ok := stop.Stop.SelectedFrame()
		if !ok {
			return
		}
		r.Function, r.Line = session.ShortFunction(f.Function), f.Line
		r.File = path.Clean(s.Started.Workspace.Rel(f.File))
		if pkg, symbol := debugger.CutFunction(f.Function); symbol != "" {
			r.Package = pkg
		}
		return
	}
}

// crashed are the classes of all crashes.
func (r *record) crashed(s session.State) {
	fixed := func(c session.CandidateRecord) bool {
		return slices.ContainsFunc(s.Applied, func(a session.AppliedRecord) bool {
			return a.Candidate == c.ID && a.Judgement == session.Fixed
		})
	}
	for _, stop := range s.Stops {
		if !stop.Stop.Crashed() {
			continue
		}
		found := crash{class: string(stop.Stop.Panic.Class), message: bounded(stop.Stop.Panic.Message, maxText)}
		if f, ok := stop.Stop.SelectedFrame(); ok {
			found.function = session.ShortFunction(f.Function)
		}
		at := slices.IndexFunc(r.crashes, func(c crash) bool { return c.class == found.class })
		if at < 0 {
			at = len(r.crashes)
			r.crashes = append(r.crashes, found)
		}
		r.crashes[at].fixed = r.crashes[at].fixed || slices.ContainsFunc(stop.Candidates, fixed)
	}
}

// times are how long it took to the first crash, and from there to the first
// verified candidate and to the first decision.
func (r *record) times(s session.State) {
	for _, stop := range s.Stops {
		if !stop.Stop.Crashed() {
			continue
		}
		r.toStop = max(stop.At.Sub(s.Opened), 0)
		for _, c := range stop.Candidates {
			if c.Verified() && !c.ProvedAt.IsZero() {
				r.toVerified = sooner(r.toVerified, c.ProvedAt.Sub(stop.At))
			}
		}
		return
	}
}

func sooner(a, b time.Duration) time.Duration {
	if a < 0 || b < a {
		return max(b, 0)
	}
	return a
}

// people are those who decided, with their reasons, and when the first did.
func (r *record) people(events []session.Event) {
	var stopped time.Time
	var reasons []string
	for _, e := range events {
		switch b := e.Body.(type) {
		case *session.Stopped:
			if stopped.IsZero() && b.Stop.Crashed() {
				stopped = e.At
			}
		case *session.Decided:
			if !slices.Contains(r.Decided, e.Actor) {
				r.Decided = append(r.Decided, e.Actor)
			}
			if !stopped.IsZero() {
				r.toDecision = sooner(r.toDecision, e.At.Sub(stopped))
			}
			reasons = append(reasons, b.Reason)
		case *session.Undone:
			reasons = append(reasons, b.Reason)
		case *session.Notice:
			if b.Level == "error" {
				reasons = append(reasons, b.Text)
			}
		}
	}
	r.reasons = bounded(strings.TrimSpace(strings.Join(reasons, "\n")), maxCode)
}

// proposed are the candidates and requests, and the code they are about.
func (r *record) proposed(s session.State) {
	var code strings.Builder
	for _, stop := range s.Stops {
		if d := stop.Diagnosis; d != nil {
			fmt.Fprintln(&code, d.Sentence)
		}
		for _, f := range stop.Stop.Frames {
			if f.User {
				fmt.Fprintln(&code, session.ShortFunction(f.Function))
			}
		}
		for _, c := range stop.Candidates {
			r.proposals = append(r.proposals, proposed(s, c))
			fmt.Fprintln(&code, c.Title, c.Explanation)
			for _, e := range c.Edits {
				if code.Len() < maxCode {
					code.WriteString(patch.Unified(e))
				}
			}
		}
	}
	r.code = bounded(code.String(), maxCode)
	for _, q := range s.Requests {
		a := q.Asked.Source
		asked := request{provider: a.Provider, model: a.Model, prompt: a.Prompt}
		if got := q.Answered; got != nil {
			asked.failed = got.Failed
			asked.in, asked.out, asked.cost = min(got.PromptTokens, maxTokens), min(got.Tokens, maxTokens), got.Cost
		}
		r.requests = append(r.requests, asked)
	}
}

func proposed(s session.State, c session.CandidateRecord) proposal {
	p := proposal{
		provider: c.Source.Provider, model: c.Source.Model, prompt: c.Source.Prompt, effect: string(c.Effect()),
		failed: c.Failed(), passes: c.Passes(), verified: c.Verified(), masking: c.Masks(),
	}
	for _, a := range s.Applied {
		if a.Candidate == c.ID {
			p.applied, p.judgement = true, string(a.Judgement)
		}
	}
	return p
}

func bounded(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
