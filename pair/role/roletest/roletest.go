// Package roletest lists one intent of each kind, for tests that try all of
// them as each role through each frontend.
package roletest

import (
	"reflect"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
)

// Intents returns one intent of each kind.
func Intents() []engine.Intent {
	return []engine.Intent{
		engine.Run{Motion: debugger.Continue}, engine.StepOn{Motion: debugger.Next}, engine.Halt{}, engine.Restart{}, engine.Jump{}, engine.Checkpoint{}, engine.Type{Text: "x"},
		engine.Resize{Cols: 80, Rows: 24},
		engine.Evaluate{Input: "set x = 1"}, engine.CancelCommand{}, engine.Dismiss{Name: "lea"}, engine.ToggleBreakpoint{File: "/main.go", Line: 1},
		engine.SetBreakpoint{}, engine.AmendBreakpoint{}, engine.EnableBreakpoint{ID: 1}, engine.ClearBreakpoint{ID: 1},
		engine.Ask{}, engine.PreviewPrompt{}, engine.Mute{}, engine.Unmute{}, engine.StopAt{}, engine.Consent{}, engine.Cancel{},
		engine.AskQuestion{}, engine.CancelQuestion{}, engine.Prepare{Candidate: "c1"}, engine.Approve{Candidate: "c1"},
		engine.Allow{What: "network"}, engine.Reject{Candidate: "c1"}, engine.Propose{}, engine.Revise{Candidate: "c1"}, engine.AssertRow{Candidate: "c1"}, engine.Confirm{Candidate: "c1"}, engine.Compare{Candidate: "c1"},
		engine.LeaveHunks{Candidate: "c1"}, engine.Undo{}, engine.Note{Text: "hello"}, engine.Quit{}, engine.Snapshot{},
	}
}

// Name is the name of an intent's type.
func Name(i engine.Intent) string { return reflect.TypeOf(i).Name() }
