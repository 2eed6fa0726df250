// Package role defines what each participant of a shared session may do: one table of all
// intents of the engine, by what they lead to.
//
// It decides and does nothing else. An intent that is not in the table is
// refused to everybody, and a test fails.
package role

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
)

// ErrRefused is returned where a participant's role does not include what was asked for.
var ErrRefused = errors.New("your role does not include this")

// Role is what a participant may do.
type Role int

// The roles. An agent with the wheel runs the target, but does not decide about fixes.
const (
	Viewer         Role = iota // looks around and talks
	Agent                      // a program: also proposes fixes, which are proved in the sandbox
	Approver                   // an agent that the host has trusted to apply what it proposes
	AgentDriver                // an Agent with the wheel
	ApproverDriver             // an Approver with the wheel
	Driver                     // one at a time: runs the target, evaluates, asks models, edits, decides
	Host                       // whose session it is
)

// WithWheel is the role of who has the wheel.
func (r Role) WithWheel() Role {
	switch r {
	case Agent:
		return AgentDriver
	case Approver:
		return ApproverDriver
	}
	return Driver
}

// IsAgent reports whether the role is one of a program.
func (r Role) IsAgent() bool { return r >= Agent && r <= ApproverDriver }

// String names the role.
func (r Role) String() string {
	return [...]string{"viewer", "agent", "agent that may apply", "agent that drives", "agent that drives and may apply", "driver", "host"}[r]
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
	Drive                     // the target runs or changes, a command is carried out
	Decide                    // a model is asked, something is decided about a fix
	Own                       // what leaves this machine, what proofs may do, the end of the session
)

// effects is the table. TestEveryIntentHasAnEffect holds it complete.
var effects = map[reflect.Type]Effect{
	reflect.TypeFor[intent.Note]():    Talk,
	reflect.TypeFor[intent.Compare](): Talk, // which fix is looked at: only what is found out first depends on it

	reflect.TypeFor[intent.Propose](): Propose,

	reflect.TypeFor[intent.Approve](): Approve,
	reflect.TypeFor[intent.Undo]():    Approve,

	reflect.TypeFor[intent.Run]():              Drive,
	reflect.TypeFor[intent.Halt]():             Drive,
	reflect.TypeFor[intent.Restart]():          Drive,
	reflect.TypeFor[intent.StepOn]():           Drive,
	reflect.TypeFor[intent.Jump]():             Drive,
	reflect.TypeFor[intent.Checkpoint]():       Drive,
	reflect.TypeFor[intent.Type]():             Drive,
	reflect.TypeFor[intent.Resize]():           Drive,
	reflect.TypeFor[intent.Evaluate]():         Drive,
	reflect.TypeFor[intent.CancelCommand]():    Drive,
	reflect.TypeFor[intent.ToggleBreakpoint](): Drive,
	reflect.TypeFor[intent.SetBreakpoint]():    Drive,
	reflect.TypeFor[intent.AmendBreakpoint]():  Drive,
	reflect.TypeFor[intent.EnableBreakpoint](): Drive,
	reflect.TypeFor[intent.ClearBreakpoint]():  Drive,
	reflect.TypeFor[intent.Ask]():              Decide,
	reflect.TypeFor[intent.PreviewPrompt]():    Decide,
	reflect.TypeFor[intent.Cancel]():           Decide,
	reflect.TypeFor[intent.AskQuestion]():      Decide,
	reflect.TypeFor[intent.CancelQuestion]():   Decide,
	reflect.TypeFor[intent.Prepare]():          Decide,
	reflect.TypeFor[intent.Reject]():           Decide,
	reflect.TypeFor[intent.Revise]():           Decide,
	reflect.TypeFor[intent.LeaveHunks]():       Decide,
	reflect.TypeFor[intent.AssertRow]():        Decide,
	reflect.TypeFor[intent.Confirm]():          Decide,
	reflect.TypeFor[intent.Dismiss]():          Own,
	reflect.TypeFor[intent.Unmute]():           Own, // which also concerns later sessions
	reflect.TypeFor[intent.Mute]():             Own,
	reflect.TypeFor[intent.StopAt]():           Own,
	reflect.TypeFor[intent.Consent]():          Own,
	reflect.TypeFor[intent.Allow]():            Own,
	reflect.TypeFor[intent.Quit]():             Own,
	reflect.TypeFor[intent.Snapshot]():         Own, // the memory of the target, in a file
}

// may lists the effects of each role.
var may = map[Role][]Effect{
	Viewer:         {Talk},
	Agent:          {Talk, Propose},
	Approver:       {Talk, Propose, Approve},
	AgentDriver:    {Talk, Propose, Drive},
	ApproverDriver: {Talk, Propose, Approve, Drive},
	Driver:         {Talk, Propose, Approve, Drive, Decide},
	Host:           {Talk, Propose, Approve, Drive, Decide, Own},
}

// Of is what an intent leads to; 0 for one that is not in the table.
func Of(i intent.Intent) Effect { return effects[reflect.TypeOf(i)] }

// Check tells why a participant may not hand over an intent; nil where it may.
func (r Role) Check(i intent.Intent) error {
	of := Of(i)
	for _, e := range may[r] {
		if e == of {
			return nil
		}
	}
	switch {
	case of == Own || of == 0:
		return fmt.Errorf("only the host may do this: %w", ErrRefused)
	case (r == Agent || r == AgentDriver) && of == Approve:
		return advice.Add(fmt.Errorf("a person approves what an agent proposes: %w", ErrRefused), "ask for approval; the session can be started with --agent-may-apply")
	case r.IsAgent() && of == Decide:
		return fmt.Errorf("a person decides about fixes, and asks models: %w", ErrRefused)
	case r.IsAgent():
		return advice.Add(fmt.Errorf("you do not drive: %w", ErrRefused), "the person was asked for the wheel, which lets you run the program; wait, for wheel, tells when you have it")
	}
	return advice.Add(fmt.Errorf("you are looking on; only the driver and the host may do this: %w", ErrRefused), "ask for the wheel: @")
}
