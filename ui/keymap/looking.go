package keymap

// driving are the actions that only who has the wheel of a shared session can do
// something with, and those that only the host can.
var driving = map[Action]bool{
	Continue: true, Next: true, StepIn: true, StepOut: true, Breakpoint: true, RunTo: true, StepCall: true, BreakError: true, Trace: true,
	StepInstr: true, NextInstr: true, JumpTo: true, Rewind: true, RevNext: true, RevStep: true, RevOut: true, Checkpoint: true,
	Again: true, Fresh: true, Restart: true, Type: true,
	Ask: true, AskProfile: true, Cancel: true, Approve: true, Confirm: true, Edit: true, Reject: true, Mute: true, Allow: true, Undo: true,
	SetValue: true, Watch: true, WatchExpr: true, Question: true, Snapshot: true,
}

// looking is why an action can do nothing for who only looks on.
func looking(b Binding, t Table) func(Facts) string {
	if !driving[b.Action] {
		return b.Why
	}
	wheel := t.Key(Wheel)
	return func(f Facts) string {
		if f.Looks {
			return "you are looking on: " + wheel + " asks for the wheel"
		}
		return b.Why(f)
	}
}
