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

	"github.com/pausetui/pausetui/engine"
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
	reflect.TypeFor[engine.Note]():    Talk,
	reflect.TypeFor[engine.Compare](): Talk, // which fix is looked at: only what is found out first depends on it

	reflect.TypeFor[engine.Propose](): Propose,

	reflect.TypeFor[engine.Approve](): Approve,
	reflect.TypeFor[engine.Undo]():    Approve,

	reflect.TypeFor[engine.Run]():              Drive,
	reflect.TypeFor[engine.Halt]():             Drive,
	reflect.TypeFor[engine.Restart]():          Drive,
	reflect.TypeFor[engine.StepOn]():           Drive,
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
	reflect.TypeFor[engine.Ask]():              Decide,
	reflect.TypeFor[engine.PreviewPrompt]():    Decide,
	reflect.TypeFor[engine.Cancel]():           Decide,
	reflect.TypeFor[engine.AskQuestion]():      Decide,
	reflect.TypeFor[engine.CancelQuestion]():   Decide,
	reflect.TypeFor[engine.Prepare]():          Decide,
	reflect.TypeFor[engine.Reject]():           Decide,
	reflect.TypeFor[engine.Revise]():           Decide,
	reflect.TypeFor[engine.LeaveHunks]():       Decide,
	reflect.TypeFor[engine.AssertRow]():        Decide,
	reflect.TypeFor[engine.Confirm]():          Decide,
	reflect.TypeFor[engine.Dismiss]():          Own,
	reflect.TypeFor[engine.Unmute]():           Own, // which also concerns later sessions
	reflect.TypeFor[engine.Mute]():             Own,
	reflect.TypeFor[engine.StopAt]():           Own,
	reflect.TypeFor[engine.Consent]():          Own,
	reflect.TypeFor[engine.Allow]():            Own,
	reflect.TypeFor[engine.Quit]():             Own,
	reflect.TypeFor[engine.Snapshot]():         Own, // the memory of the target, in a file
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
	case (r == Agent || r == AgentDriver) && of == Approve:
		return advice.Add(fmt.Errorf("a person approves what an agent proposes: %w", ErrRefused), "ask for approval; the session can be started with --agent-may-apply")
	case r.IsAgent() && of == Decide:
		return fmt.Errorf("a person decides about fixes, and asks models: %w", ErrRefused)
	case r.IsAgent():
		return advice.Add(fmt.Errorf("you do not drive: %w", ErrRefused), "the person was asked for the wheel, which lets you run the program; wait, for wheel, tells when you have it")
	}
	return advice.Add(fmt.Errorf("you are looking on; only the driver and the host may do this: %w", ErrRefused), "ask for the wheel: @")
}
