// Package roletest lists one intent of each kind, for tests that try all of
// them as each role through each frontend.
package roletest

import (
	"reflect"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
)

// Intents returns one intent of each kind.
func Intents() []intent.Intent {
	return []intent.Intent{
		intent.Run{Motion: debugger.Continue}, intent.StepOn{Motion: debugger.Next}, intent.Halt{}, intent.Restart{}, intent.Jump{}, intent.Checkpoint{}, intent.Type{Text: "x"},
		intent.Resize{Cols: 80, Rows: 24},
		intent.Evaluate{Input: "set x = 1"}, intent.CancelCommand{}, intent.Dismiss{Name: "lea"}, intent.ToggleBreakpoint{File: "/main.go", Line: 1},
		intent.SetBreakpoint{}, intent.AmendBreakpoint{}, intent.EnableBreakpoint{ID: 1}, intent.ClearBreakpoint{ID: 1},
		intent.Ask{}, intent.PreviewPrompt{}, intent.Mute{}, intent.Unmute{}, intent.StopAt{}, intent.Consent{}, intent.Cancel{},
		intent.AskQuestion{}, intent.CancelQuestion{}, intent.Prepare{Candidate: "c1"}, intent.Approve{Candidate: "c1"},
		intent.Allow{What: "network"}, intent.Reject{Candidate: "c1"}, intent.Propose{}, intent.Revise{Candidate: "c1"}, intent.AssertRow{Candidate: "c1"}, intent.Confirm{Candidate: "c1"}, intent.Compare{Candidate: "c1"},
		intent.LeaveHunks{Candidate: "c1"}, intent.Undo{}, intent.Note{Text: "hello"}, intent.Quit{}, intent.Snapshot{},
	}
}

// Name is the name of an intent's type.
func Name(i intent.Intent) string { return reflect.TypeOf(i).Name() }
