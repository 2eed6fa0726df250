// Package intent holds what frontends want done: one type for each intent, and who hands
// it over. The engine carries them out.
package intent

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
)

// Intent is what a frontend wants done. The engine carries it out and says what
// happened by events; a refused intent is answered by a session.Notice.
type Intent interface{ intent() }

type (
	// Run lets the target go on; the fields other than Motion are those of
	// debugger.Move.
	Run struct {
		Motion    debugger.Motion
		Goroutine debugger.GoroutineID // that steps or calls; 0: the one of the stop
		Frame     int                  // StepOut leaves this frame; Expr is evaluated there
		Expr      string               // CallFunction
		Unsafe    bool                 // CallFunction
		Callee    uint64               // StepCall: debugger.Call.PC
		Location  string               // ContinueTo, in Delve's syntax
		File      string               // ContinueTo: absolute, with Line
		Line      int
		KeepStep  bool // Continue goes on with an interrupted step, Stop.Step
	}
	// StepOn is a step that follows the one under way, wherever that ends. Where anything else
	// has stopped the target meanwhile, it is dropped.
	StepOn struct{ Motion debugger.Motion }
	// Halt interrupts the running target.
	Halt struct{}
	// Restart starts the target again from its beginning, building first when
	// sources changed, unless NoBuild. From is a checkpoint of a recorded target.
	Restart struct {
		NoBuild bool
		NoInput bool // what was typed before is not typed again
		From    string
		SetArgs bool // Args are the target's arguments from now on
		Args    []string
	}
	// Jump sets the next statement of the stopped goroutine, within its
	// function, without running what lies between.
	Jump struct {
		At       debugger.FrameRef
		Location string // in Delve's syntax, or else File and Line
		File     string // absolute
		Line     int
	}
	// Checkpoint remembers the moment of a recorded target.
	Checkpoint struct{ Where string }
	// Type sends text to the target's terminal.
	Type struct{ Text string }
	// Resize makes the target's terminal as large as what it is shown in, in cells.
	// It is for targets that draw: what prints lines has the same size everywhere.
	Resize struct{ Cols, Rows int }
	// Evaluate evaluates an expression or runs a command of the command line
	// ("break main.go:10", "x.terms = nil", "len(x.docs)") in a frame. Where a frame
	// was selected after the event Seen, by a stop or an earlier line of the same
	// participant, that frame counts. Without Seen, all events so far were seen.
	Evaluate struct {
		At    debugger.FrameRef
		Input string
		Seen  uint64
	}
	// CancelCommand ends the line of the command line that is being carried
	// out, and drops those that wait for it.
	CancelCommand struct{}
	// Dismiss does CancelCommand for the lines that a participant has given: they
	// may give none any more.
	Dismiss struct{ Name string }
	// ToggleBreakpoint sets or clears a breakpoint on a line.
	ToggleBreakpoint struct {
		File string // absolute
		Line int
	}
	// SetBreakpoint sets a breakpoint, whose ID is given by the engine. Without a
	// target it waits for one.
	SetBreakpoint struct{ Breakpoint debugger.Breakpoint }
	// AmendBreakpoint replaces the breakpoint of that ID.
	AmendBreakpoint struct{ Breakpoint debugger.Breakpoint }
	// EnableBreakpoint switches a breakpoint on or off.
	EnableBreakpoint struct {
		ID int
		On bool
	}
	// ClearBreakpoint removes a breakpoint.
	ClearBreakpoint struct{ ID int }
	// Ask asks for candidates. Profile "" asks all selected profiles; Profiles
	// selects others from now on: names of profiles, "auto", models by their id.
	// Reason is what was wrong with earlier ones. A Draft, from a Preview, is
	// sent as it is, to Profile or else to the first that is selected.
	Ask struct {
		Profile, Reason string
		Profiles        []string
		Draft           *Draft
	}
	// PreviewPrompt prepares what Ask would send, without sending it:
	// live.State.Preview then holds it. Profile "" is the first that is selected.
	PreviewPrompt struct{ Profile, Reason string }
	// Mute has panics, or a test's failures, at the place where the target is held
	// not stop it any more: in this session, or in the module from now on.
	Mute struct{ Module bool }
	// StopAt says which panics stop the target from its next start on.
	StopAt struct{ Panics debugger.PanicMode }
	// Unmute has a muted place stop again.
	Unmute struct{ Fingerprint string }
	// Consent answers live.State.Consent: whether prompts of this project may go to
	// a model that runs on another machine.
	Consent struct {
		Host, Model string
		Given       bool
	}
	// Cancel stops whatever models are being asked.
	Cancel struct{}
	// AskQuestion asks something about the paused program; an empty Text asks
	// for an explanation of the stop. Profile "" takes the first one. The reply
	// is words, never an edit.
	AskQuestion struct {
		At            debugger.FrameRef // the frame the person is looking at
		Text, Profile string
	}
	// CancelQuestion stops the reply under way.
	CancelQuestion struct{}
	// Prepare tells that a candidate is likely to be approved next: its proved
	// binary is launched, and held before its first instruction.
	Prepare struct {
		Candidate   string
		WithoutTest bool
	}
	// Approve applies a candidate and, unless WithoutTest, its regression test,
	// restarts the target and judges. Test is the name of the test that a person has
	// read, whose new answers are confirmed with it; empty where nobody has.
	Approve struct {
		Candidate   string
		WithoutTest bool
		Test        string
	}
	// AssertRow puts a row of what a candidate changes into its regression test, or takes
	// it out again.
	AssertRow struct {
		Candidate string
		Row       int // of its Behavior, from 0
	}
	// Allow lets the proofs of this session do what the sandbox blocks
	// (verdict.AllowNetwork, verdict.AllowFiles); what was inconclusive is proved again.
	Allow struct{ What string }
	// Compare finds out next what a candidate changes in what functions answer: a person
	// looks at it.
	Compare struct{ Candidate string }
	// Confirm says that what a candidate does instead of the work that failed is right.
	Confirm struct{ Candidate string }
	// Reject rejects a candidate.
	Reject struct{ Candidate, Reason string }
	// Propose makes a candidate of somebody's own edits: files holds the new
	// contents by path relative to the root, Replace what else is replaced, in order.
	// It is proved as any other.
	Propose struct {
		Files              map[string]string
		Replace            []patch.Replacement
		Title, Explanation string
	}
	// Revise makes a new candidate from one: files holds the new contents by
	// path relative to the root (a file equal to its original is left out).
	Revise struct {
		Candidate string
		Files     map[string]string
		Title     string
	}
	// LeaveHunks makes a new candidate without some hunks: indexes into
	// patch.Hunks of each file.
	LeaveHunks struct {
		Candidate string
		Left      map[string][]int
	}
	// Undo restores the files of the last applied candidate.
	Undo struct{}
	// Note adds the person's words to the log, about what Pin names, if anything.
	Note struct {
		Text string
		Pin  *session.Pin
	}
	// Snapshot keeps the held target in a file next to the log.
	Snapshot struct{}
	// Quit ends the session with an outcome (docs/reference/exit-codes.md); "quit" when empty. A
	// target that was started elsewhere runs on, unless Kill.
	Quit struct {
		Outcome, Error, Hint string
		Kill                 bool
	}
)

func (Mute) intent()             {}
func (Unmute) intent()           {}
func (StopAt) intent()           {}
func (Run) intent()              {}
func (Halt) intent()             {}
func (Restart) intent()          {}
func (Type) intent()             {}
func (Resize) intent()           {}
func (CancelCommand) intent()    {}
func (Dismiss) intent()          {}
func (Evaluate) intent()         {}
func (ToggleBreakpoint) intent() {}
func (SetBreakpoint) intent()    {}
func (AmendBreakpoint) intent()  {}
func (EnableBreakpoint) intent() {}
func (ClearBreakpoint) intent()  {}
func (Jump) intent()             {}
func (StepOn) intent()           {}
func (Checkpoint) intent()       {}
func (Ask) intent()              {}
func (PreviewPrompt) intent()    {}
func (Consent) intent()          {}
func (Cancel) intent()           {}
func (AskQuestion) intent()      {}
func (CancelQuestion) intent()   {}
func (Prepare) intent()          {}
func (Approve) intent()          {}
func (AssertRow) intent()        {}
func (Allow) intent()            {}
func (Compare) intent()          {}
func (Confirm) intent()          {}
func (Reject) intent()           {}
func (Propose) intent()          {}
func (Revise) intent()           {}
func (LeaveHunks) intent()       {}
func (Undo) intent()             {}
func (Note) intent()             {}
func (Snapshot) intent()         {}
func (Quit) intent()             {}

// Draft is a question that is about to be sent: its sections, which may be
// dropped, and its messages, which may be edited.
type Draft = prompts.Draft

// Author is who hands over an intent. The zero value is the person at the
// keyboard of a session that is not shared.
type Author struct {
	Name  string // in the journal; options.Session.Actor when empty
	Guest bool   // has no right to the files, and the end, of the session
}
