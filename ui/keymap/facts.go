package keymap

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// Facts is all that decides whether a key does something here.
type Facts struct {
	Phase      session.Phase
	Can        debugger.Abilities // what can be done with the target
	Pane       int                // number of the focused pane
	Crash      bool               // there is a stop that fixes can be asked for
	AtCrash    bool               // the program is held there, not at a later stop
	Stopped    string             // at what the target is held, in words: "at a panic"; may be empty
	LivesOn    bool               // … and the target is held there, but need not end
	Muted      int                // places where panics do not stop
	Candidate  bool               // a candidate is selected
	Asks       bool               // it asks for what a person has to confirm
	Decided    string             // … and why there is nothing to decide about it; empty where there is
	Review     bool               // … and it is open
	Page       bool               // … with what it changes in what functions answer, not the diff
	Rows       int                // … inputs on which it answers differently
	Row        bool               // … one of which is open
	InTest     bool               // … or selected, and in the test of the fix
	Hunks      int                // hunks in it
	Candidates int                // in all
	Prompt     bool               // the prompt of what is selected is known
	Blocked    bool               // the sandbox blocked what the selected candidate's proof needs
	Line       bool               // the cursor is on a line of source
	Value      bool               // the cursor is on a value
	Waits      bool               // the goroutine that is looked at waits, as far as it is known
	Changes    bool               // … of a file that differs from the last commit
	Away       bool               // … elsewhere than where the selected frame is
	Elsewhere  bool               // another frame, or place, is selected than what has stopped
	Foreign    bool               // … of another goroutine
	Searching  bool               // … in which a text is searched for
	Undoable   bool               // an applied change can be taken back
	Found      bool               // the target is not built here: a binary, a process, a server, a dump
	Diagnostic bool               // a message of the compiler with a place is selected
	Unbuilt    bool               // the errors of a build are shown, and the program is held as before
	Filter     bool               // the focused pane can be filtered
	Asking     bool               // models are being asked
	Talked     bool               // there is a conversation
	Profiles   int                // profiles to choose from
	Past       bool               // an earlier stop is being looked at
	History    bool               // it is a session in the past
	Earlier    bool               // there is a stop before the one that is shown
	Stops      int                // stops that can be looked at
	Typing     bool               // keys go to the target
	Stdin      string             // the file that the target reads its input from; empty for the terminal
	Unseen     bool               // the fixes are where the goroutines were
	Looks      bool               // who is at the keys looks on in a shared session, and does not drive
	CameBack   bool               // the last applied candidate did not help
	Screen                        // how it is laid out
}

// Held reports whether the target is stopped and alive.
func (f Facts) Held() bool { return f.Phase == session.PhaseStopped }

// Running reports whether the target runs.
func (f Facts) Running() bool {
	return f.Phase == session.PhaseRunning || f.Phase == session.PhaseStarting
}

// Alive reports whether there is a target to lose.
func (f Facts) Alive() bool { return f.Held() || f.Running() }
