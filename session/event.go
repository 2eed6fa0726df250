// Package session defines the record of a debugging session: events, the state they fold
// into, the journal file that holds them, and the markdown made from them. It knows
// neither Bubble Tea nor Delve nor a model.
package session

import (
	"fmt"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Event is one thing that happened. Seq counts from 1 without gaps.
type Event struct {
	Seq   uint64
	At    time.Time
	Actor string // "engine", "person", "model:ollama/qwen3-coder", a peer's name
	Body  Body
}

// Body is what happened; one of the types below, or Unknown.
type Body interface{ Kind() string }

// Started opens a session.
type Started struct {
	ID        string              `json:"id"` // "20261120-170203"
	Package   string              `json:"package"`
	Args      []string            `json:"args"`
	Dir       string              `json:"dir"` // working directory of the target, absolute
	Stdin     string              `json:"stdin,omitempty"`
	Test      bool                `json:"test,omitempty"`
	Fix       bool                `json:"fix,omitempty"`         // pausetui fix has started it
	Repro     string              `json:"repro,omitempty"`       // the repro command, run on every start of the target
	After     string              `json:"repro_after,omitempty"` // … once it printed this; empty: once it listens
	Workspace workspace.Workspace `json:"workspace"`
	Version   string              `json:"version"` // of pausetui
	Sandbox   string              `json:"sandbox"` // "full", "landlock", "none"
	Profiles  []string            `json:"profiles,omitempty"`
	LogNote   string              `json:"log_note,omitempty"` // why the logs are not in debug/
	Launch    Launch              `json:"launch,omitzero"`
	Choice    Choice              `json:"choice,omitzero"`
	Mode      LaunchMode          `json:"way,omitzero"`
}

// Launch is how the target is built and started, beyond what Started says: what
// is needed to do it again when the session is resumed.
type Launch struct {
	Tags       string   `json:"tags,omitempty"`
	Race       bool     `json:"race,omitempty"`
	BuildFlags []string `json:"build_flags,omitempty"`
	Env        []string `json:"env,omitempty"` // K=V, added to the environment
	Panics     string   `json:"panics,omitempty"`
	// Filter chooses by package the panics that stop though the target lives on.
	Filter     debugger.PanicFilter `json:"filter,omitzero"`
	NoFailures bool                 `json:"no_failures,omitempty"` // a failing test does not stop
}

// Choice is what a person has said of how fixes are made: what a session that
// is resumed goes on with, unless something else is said then. What opens this
// machine to others is not part of it: a journal may come from elsewhere.
type Choice struct {
	Offline       bool     `json:"offline,omitempty"`
	Models        []string `json:"models,omitempty"` // PROVIDER/NAME
	Profiles      []string `json:"profiles,omitempty"`
	Prompt        string   `json:"prompt,omitempty"`
	MaxCandidates int      `json:"max_candidates,omitempty"` // a stop; 0: the default
	MaxRounds     *int     `json:"max_rounds,omitempty"`     // nil: the default
	Commit        bool     `json:"commit,omitempty"`
}

// BuildStarted: a build of the target has begun.
type BuildStarted struct {
	Reason string `json:"reason"` // "launch", "restart", "retry"
}

// BuildFinished: the binary is there.
type BuildFinished struct {
	Binary string        `json:"binary"`
	Inputs string        `json:"inputs"`
	Took   time.Duration `json:"took"`
	Proved string        `json:"proved,omitempty"` // the candidate whose proved binary is used instead of a build
}

// BuildFailed: nothing can run until the source is fixed.
type BuildFailed struct {
	Diagnostics []build.Diagnostic `json:"diagnostics"`
	Output      string             `json:"output,omitempty"`
	Message     string             `json:"message"`
	Hint        string             `json:"hint,omitempty"`
	// Built tells, in State, that it compiled and could not be launched.
	Built bool `json:"-"`
}

// LaunchFailed: the target is built, and the debugger could not start it.
type LaunchFailed struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Launched: the target runs under the debugger.
type Launched struct {
	PID   int           `json:"pid"`
	Round int           `json:"round"` // counts launches in this session, from 1
	Took  time.Duration `json:"took"`
	// Abilities say what can be done with it; nil: all that can be done with a
	// program that was built and started here.
	Abilities *debugger.Abilities `json:"abilities,omitempty"`
}

// Note says in a line how the target was obtained.
func (l Launched) Note() string {
	can := l.Can()
	switch {
	case can.Of == "" || can.Input:
		return fmt.Sprintf("launched, round %d, process %d", l.Round, l.PID)
	case !can.Run && l.PID == 0:
		return "opened " + can.Of
	case !can.Run:
		return fmt.Sprintf("opened %s, of process %d", can.Of, l.PID)
	}
	if can.Of == OfPast {
		return "held in the past"
	}
	return fmt.Sprintf("took over %s, round %d, process %d", can.Of, l.Round, l.PID)
}

// OfPast is Abilities.Of of a run in the past.
const OfPast = "the past"

// Can says what can be done with the target.
func (l Launched) Can() debugger.Abilities {
	if l.Abilities == nil {
		return debugger.Built
	}
	return *l.Abilities
}

// Resumed: the target runs again.
type Resumed struct {
	Motion debugger.Motion `json:"motion"`
	// What the motion was given, in words: "main.go:42", "x.Reset(3)", "parse".
	Words string `json:"words,omitempty"`
	// The goroutine that was to move, where it is not that of the stop before.
	Goroutine debugger.GoroutineID `json:"goroutine,omitempty"`
}

// Input: something was typed into the target.
type Input struct {
	After time.Duration `json:"after"` // since the launch, without the time that the target was held
	Text  string        `json:"text"`
	// Cols and Rows are the size of the terminal then, where the target draws on it.
	Cols int `json:"cols,omitempty"`
	Rows int `json:"rows,omitempty"`
}

// ReproStarted: the repro command runs.
type ReproStarted struct {
	Round   int    `json:"round"`
	Command string `json:"command"`
}

// ReproEnded: that command has ended.
type ReproEnded struct {
	Round   int           `json:"round"`
	Exit    int           `json:"exit"`             // exit code; -1 when a signal ended it
	Signal  string        `json:"signal,omitempty"` // "killed"; empty when it exited
	Output  string        `json:"output,omitempty"` // the beginning of what it printed, without control sequences
	Dropped int64         `json:"dropped,omitempty"`
	Took    time.Duration `json:"took"`
	Err     string        `json:"err,omitempty"` // why it could not be run
}

// OutputKept says where the target's output of a round is kept and how much
// there was.
type OutputKept struct {
	Round   int    `json:"round"`
	File    string `json:"file,omitempty"`
	Bytes   int64  `json:"bytes"`
	Lines   int64  `json:"lines"`
	Dropped int64  `json:"dropped"` // bytes of the middle that are not in the file
	Tail    string `json:"tail"`    // the last lines, at most 4 KiB
}

// Stopped: the target does not run.
type Stopped struct {
	Stop debugger.Stop `json:"stop"`
	Ran  time.Duration `json:"ran"` // since the launch of this round, without the time that the target was held
}

// Diagnosed: why it stopped, in one sentence.
type Diagnosed struct {
	Diagnosis evidence.Diagnosis `json:"diagnosis"`
}

// BreakpointSet and BreakpointCleared change the breakpoints.
type BreakpointSet struct {
	Breakpoint debugger.Breakpoint `json:"breakpoint"`
}

// BreakpointCleared removes a breakpoint.
type BreakpointCleared struct {
	ID int `json:"id"`
}

// TracepointHit: a tracepoint was passed. Not every hit is an event:
// of many in a short time only some are written down, and the last as soon as no more come.
type TracepointHit struct {
	Hit debugger.TraceHit `json:"hit"`
	// Missed counts the hits of this tracepoint since its last event that were
	// not written down.
	Missed uint64 `json:"missed,omitempty"`
}

// ArgumentsSet: the target is started with other arguments from now on.
type ArgumentsSet struct {
	Args []string `json:"args"`
	// Foreign: an agent or a guest has chosen them.
	Foreign bool `json:"foreign,omitempty"`
}

// Jumped: the next statement of a goroutine was set, without running any.
type Jumped struct {
	Stop debugger.Stop `json:"stop"` // as it is now
	From string        `json:"from"` // "main.go:42"
}

// TestsMade: regression tests were made from the values of the stop, the one
// that calls the innermost function first, or why there is none. Which of them
// fails without a candidate and passes with it, if any, is for its proof.
type TestsMade struct {
	Tests   []patch.RegressionTest `json:"tests,omitempty"`
	Refused string                 `json:"refused,omitempty"`
}

// Allowed: a person allowed the proofs of this session something that the
// sandbox blocks: verdict.AllowNetwork, verdict.AllowFiles.
type Allowed struct {
	What string `json:"what"`
}

// Consented: a person said whether prompts of this project, with values of the
// program, may go to a model that runs on another machine.
type Consented struct {
	Host  string `json:"host"`
	Model string `json:"model"` // "ollama/gpt-oss:120b-cloud"
	Given bool   `json:"given"`
	Once  bool   `json:"once,omitempty"` // for this session only; else it is remembered for the project
}

// Muted: panics, or a test's failures, at a place no longer stop the target.
type Muted struct {
	Site   debugger.Site `json:"site"`
	Module bool          `json:"module,omitempty"` // in later sessions of the module, too
}

// Unmuted: they stop it again.
type Unmuted struct {
	Site debugger.Site `json:"site"`
}

// Asked: a proposer was asked for candidates.
type Asked struct {
	Request string       `json:"request"` // id, "a1"
	Source  patch.Source `json:"source"`
	Round   int          `json:"round"`
	// Prompt is the exact prompt, as sent; in the journal it comes in Prompted.
	Prompt string `json:"prompt,omitempty"`
	// Why the model and the prompt were chosen, where they were not named; in the
	// journal it comes in Prompted.
	Why string `json:"why,omitempty"`
}

// Prompted: a model is being sent this prompt.
type Prompted struct {
	Request string       `json:"request"`
	Source  patch.Source `json:"source"` // with the names the provider gave
	Prompt  string       `json:"prompt"`
	Why     string       `json:"why,omitempty"` // this model and this prompt were chosen
}

// Canceled is the Err of what was canceled.
const Canceled = "cancelled" // as journals have it

// Answered: a proposer has ended; its candidates are separate events.
type Answered struct {
	Request      string        `json:"request"`
	Text         string        `json:"text,omitempty"` // the raw answer, bounded
	PromptTokens int           `json:"prompt_tokens,omitempty"`
	Tokens       int           `json:"tokens,omitempty"`
	Cost         float64       `json:"cost,omitempty"` // in the currency of the configured price
	Took         time.Duration `json:"took"`
	Candidates   int           `json:"candidates"`
	Err          string        `json:"err,omitempty"`  // why there is nothing, or less, to show
	Hint         string        `json:"hint,omitempty"` // what to do about it
	// Failed is the kind of Err: unusable, gave-up, provider, refused, aborted, limit.
	Failed Failed `json:"failed,omitempty"`
}

// Proposed: there is a candidate.
type Proposed struct {
	Request   string          `json:"request"`
	Candidate patch.Candidate `json:"candidate"`
	// Record is what was measured of the proposer on this class of stop; nil when
	// nothing was.
	Record *Record `json:"record,omitempty"`
}

// Agreed: another proposer made the same change as a candidate that is there
// already.
type Agreed struct {
	Candidate string       `json:"candidate"`
	Request   string       `json:"request,omitempty"`
	Source    patch.Source `json:"source"`
	// Again: the candidate's verdict asked a person to confirm it, and the candidate is proved
	// again, as a change of Source.
	Again bool `json:"again,omitempty"`
}

// Checked: one check of a candidate has ended.
type Checked struct {
	Candidate string        `json:"candidate"`
	Check     verdict.Check `json:"check"`
}

// Proved: all checks of a candidate have ended.
type Proved struct {
	Candidate string          `json:"candidate"`
	Verdict   verdict.Verdict `json:"verdict"`
}

// Decision is what a person (or fix --apply) decided about a candidate.
type Decision string

// The decisions.
const (
	Approved  Decision = "approved"
	Rejected  Decision = "rejected"
	Edited    Decision = "edited"    // another version was made of it, which can be decided on as well
	Confirmed Decision = "confirmed" // what it answers instead is right; it can still be approved or rejected
)

// Decided: a candidate was approved, rejected, edited or confirmed.
type Decided struct {
	Candidate string   `json:"candidate"`
	Decision  Decision `json:"decision"`
	Reason    string   `json:"reason,omitempty"`
	// WithoutTest: approved, but its regression test is left out.
	WithoutTest bool `json:"without_test,omitempty"`
	// TestConfirmed: approved, and what the test has as new answers is confirmed.
	TestConfirmed bool `json:"test_confirmed,omitempty"`
}

// FileChange is one file of an apply or undo, by the SHA-256 of its contents.
type FileChange struct {
	File   string `json:"file"`
	Before string `json:"before"` // empty when the file did not exist
	After  string `json:"after"`
}

// Applying: the files are about to be written. Together with the candidate's
// edits it is enough to complete or roll back an interrupted apply.
type Applying struct {
	Candidate string       `json:"candidate"`
	Files     []FileChange `json:"files"`
	Undo      bool         `json:"undo,omitempty"`
	// Edits are what is written, where the files have changed besides the candidate: these
	// changes are kept.
	Edits []patch.Edit `json:"edits,omitempty"`
}

// Applied: every file is written.
type Applied struct {
	Candidate string       `json:"candidate"`
	Files     []FileChange `json:"files"`
}

// Undone: every file is as it was before the candidate was applied.
type Undone struct {
	Candidate string       `json:"candidate"`
	Files     []FileChange `json:"files"`
	Reason    string       `json:"reason,omitempty"` // empty when a person asked
}

// ApplyFailed: no file was changed.
type ApplyFailed struct {
	Candidate string `json:"candidate"`
	Err       string `json:"err"`
	Hint      string `json:"hint,omitempty"`
	Undo      bool   `json:"undo,omitempty"`
	// Conflict is how a file differs from what was expected, as a diff.
	Conflict string `json:"conflict,omitempty"`
}

// Committed: the change of a candidate is one git commit.
type Committed struct {
	Candidate string `json:"candidate"`
	Hash      string `json:"hash"`
	Subject   string `json:"subject"`
	Undo      bool   `json:"undo,omitempty"` // the commit takes the change back
}

// CommitFailed: there is no commit of the change, which is in the source (or
// taken back) all the same.
type CommitFailed struct {
	Candidate string `json:"candidate"`
	Err       string `json:"err"`
	Hint      string `json:"hint,omitempty"`
	Undo      bool   `json:"undo,omitempty"`
}

// Reopened: a session that had ended, or was killed, goes on.
type Reopened struct {
	Version string `json:"version"`       // of pausetui
	Cut     int64  `json:"cut,omitempty"` // bytes of a torn last line of the journal, which were cut off
}

// Judgement is the verdict of a restart (ARCHITECTURE.md, "What happens at a panic").
type Judgement string

// The judgements.
const (
	Fixed      Judgement = "fixed"
	CameBack   Judgement = "came-back"
	NotReached Judgement = "not-reached"
)

// Judged: what the restart showed about the applied candidate.
type Judged struct {
	Candidate string    `json:"candidate"`
	Judgement Judgement `json:"judgement"`
	Evidence  string    `json:"evidence"` // "no panic at index.go:42, exit 0"
}

// Ended closes a session.
type Ended struct {
	Outcome string `json:"outcome"` // docs/reference/exit-codes.md, or "quit"
	Error   string `json:"error,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// Unknown is an event of a kind this version does not know; it is kept as it is.
type Unknown struct {
	Name string
	Raw  []byte
}
