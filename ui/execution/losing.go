package execution

import (
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/ui/dialog"
)

// Agreed is an intent that the person has confirmed, once for this stop.
type Agreed struct{ do intent.Intent }

// Move lets the target run. Where that ends the program, and the stop with it, or a step
// leads out of the person's code, it asks first, once for each stop.
func (ex *Execution) Move(do intent.Intent) {
	stop := ex.Ctx.Stop.Stop
	ask, line := losing(stop, do), ex.Ctx.Live.Command
	back := line != nil && engine.LeadsBack(line.Line) // then the engine refuses it
	if ask == nil || back || !ex.Ctx.Held || !ex.Ctx.State.Can.Run || ex.refused(do) || ex.agreed == ex.Ctx.Store.Tag().Stop {
		ex.Engine.Do(do)
		return
	}
	ask.Do = Agreed{do: do}
	ex.Dialog = ask
}

// losing is the question before a move that gives a stop away; nil for others.
func losing(stop debugger.Stop, do intent.Intent) *dialog.Confirm {
	run, ok := do.(intent.Run)
	switch {
	case stop.Dies():
		words := "It does not survive this panic"
		if stop.Reason == debugger.ReasonFatal {
			words = "It does not survive this fatal error"
		}
		const after = " After that, this stop shows only what you have looked at."
		switch {
		case !stop.Begins():
			words += ": every step runs it to its end."
		case ok && run.Motion.Steps():
			return &dialog.Confirm{Head: "Leave the panic?", Yes: "steps",
				Body: []string{words + ": a step goes to its deferred calls, and it ends with the last of them." + after}}
		default:
			words += ": it ends after its deferred calls."
		}
		return &dialog.Confirm{Head: "End the program?", Yes: "ends it", Body: []string{words + after}}
	case ok && run.Motion.Steps() && stop.Panic != nil && stop.Panic.Recovered:
		words := "It has been recovered: a step continues in the function that recovered it, not where it began."
		if stop.Begins() {
			words = "A deferred call recovers it: a step goes to the deferred calls, not on from where it began."
		}
		return &dialog.Confirm{Head: "Leave the panic?", Yes: "steps", Body: []string{words}}
	}
	return nil
}

// refused reports whether the person's part in a shared session does not include
// the intent: then there is nothing to ask, and the engine's door says why.
func (ex *Execution) refused(do intent.Intent) bool {
	return ex.Opts.Seat != nil && ex.Opts.Seat.RoleNow().Check(do) != nil
}

// Agree carries out what the person has confirmed.
func (ex *Execution) Agree(what Agreed) {
	ex.agreed = ex.Ctx.Store.Tag().Stop
	ex.Engine.Do(what.do)
}
