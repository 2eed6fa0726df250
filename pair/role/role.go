// Package role says what each participant of a shared session may do: one table
// of all intents of the engine, by what they lead to.
//
// It decides and does nothing else. An intent that is not in the table is
// refused to everybody, and a test fails.
package role

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
)

// ErrRefused is returned where a participant's role does not include what was asked for.
var ErrRefused = errors.New("your role does not include this")

// Role is what a participant may do.
type Role int

// The roles. Each may do what those before it may, but for an agent, which has
// no part in Drive.
const (
	Viewer   Role = iota // looks around and talks
	Agent                // a program: also proposes fixes, which are proved in the sandbox
	Approver             // an agent that the host has trusted to apply what it proposes
	Driver               // one at a time: runs the target, evaluates, asks models, edits, decides
	Host                 // whose session it is
)

// String names the role.
func (r Role) String() string {
	return [...]string{"viewer", "agent", "agent that may apply", "driver", "host"}[r]
}

// Drives reports whether the role runs the target.
func (r Role) Drives() bool { return slices.Contains(may[r], Drive) }

// Effect is what an intent leads to.
type Effect int

// The effects.
const (
	Talk    Effect = iota + 1 // words in the log
	Propose                   // a candidate, proved in the sandbox
	Approve                   // a change of the source, or taking one back
	Drive                     // the target runs or changes, a model is asked, a command is carried out
	Own                       // what leaves this machine, what proofs may do, the end of the session
)

// effects is the table. TestEveryIntentHasAnEffect holds it complete.
var effects = map[reflect.Type]Effect{
	reflect.TypeFor[engine.Note]():    Talk,
	reflect.TypeFor[engine.Compare](): Talk, // which fix is looked at: only what is found out first depends on it

	reflect.TypeFor[engine.Propose](): Propose,

	reflect.TypeFor[engine.Approve](): Approve,
	reflect.TypeFor[engine.Undo]():    Approve,

	reflect.TypeFor[engine.Run]():              Drive,
	reflect.TypeFor[engine.Halt]():             Drive,
	reflect.TypeFor[engine.Restart]():          Drive,
	reflect.TypeFor[engine.Jump]():             Drive,
	reflect.TypeFor[engine.Checkpoint]():       Drive,
	reflect.TypeFor[engine.Type]():             Drive,
	reflect.TypeFor[engine.Resize]():           Drive,
	reflect.TypeFor[engine.Evaluate]():         Drive,
	reflect.TypeFor[engine.CancelCommand]():    Drive,
	reflect.TypeFor[engine.ToggleBreakpoint](): Drive,
	reflect.TypeFor[engine.SetBreakpoint]():    Drive,
	reflect.TypeFor[engine.AmendBreakpoint]():  Drive,
	reflect.TypeFor[engine.EnableBreakpoint](): Drive,
	reflect.TypeFor[engine.ClearBreakpoint]():  Drive,
	reflect.TypeFor[engine.Ask]():              Drive,
	reflect.TypeFor[engine.PreviewPrompt]():    Drive,
	reflect.TypeFor[engine.Cancel]():           Drive,
	reflect.TypeFor[engine.AskQuestion]():      Drive,
	reflect.TypeFor[engine.CancelQuestion]():   Drive,
	reflect.TypeFor[engine.Prepare]():          Drive,
	reflect.TypeFor[engine.Reject]():           Drive,
	reflect.TypeFor[engine.Revise]():           Drive,
	reflect.TypeFor[engine.LeaveHunks]():       Drive,
	reflect.TypeFor[engine.AssertRow]():        Drive,
	reflect.TypeFor[engine.Confirm]():          Drive,
	reflect.TypeFor[engine.Dismiss]():          Own,
	reflect.TypeFor[engine.Unmute]():           Own, // which also concerns later sessions
	reflect.TypeFor[engine.Mute]():             Own,
	reflect.TypeFor[engine.Consent]():          Own,
	reflect.TypeFor[engine.Allow]():            Own,
	reflect.TypeFor[engine.Quit]():             Own,
	reflect.TypeFor[engine.Snapshot]():         Own, // the memory of the target, in a file
}

// may lists the effects of each role.
var may = map[Role][]Effect{
	Viewer:   {Talk},
	Agent:    {Talk, Propose},
	Approver: {Talk, Propose, Approve},
	Driver:   {Talk, Propose, Approve, Drive},
	Host:     {Talk, Propose, Approve, Drive, Own},
}

// Of is what an intent leads to; 0 for one that is not in the table.
func Of(i engine.Intent) Effect { return effects[reflect.TypeOf(i)] }

// Check tells why a participant may not hand over an intent; nil where it may.
func (r Role) Check(i engine.Intent) error {
	of := Of(i)
	for _, e := range may[r] {
		if e == of {
			return nil
		}
	}
	switch {
	case of == Own || of == 0:
		return fmt.Errorf("only the host may do this: %w", ErrRefused)
	case r == Agent && of == Approve:
		return advice.Add(fmt.Errorf("a person approves what an agent proposes: %w", ErrRefused), "ask for approval; the session can be started with --agent-may-apply")
	case r == Agent || r == Approver:
		return fmt.Errorf("an agent looks and proposes, and does not drive: %w", ErrRefused)
	}
	return advice.Add(fmt.Errorf("you are looking on; only the driver and the host may do this: %w", ErrRefused), "ask for the wheel: @")
}
