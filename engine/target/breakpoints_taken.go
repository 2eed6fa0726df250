package target

import (
	"github.com/pausetui/pausetui/session"
)

// Take puts into the list what a script, or another client of the same server, has done
// with breakpoints. Those of another client are not kept for later sessions.
func (bs *Breakpoints) Take(actor string, another bool) error {
	if bs.Runner == nil || bs.Runner.targetless() {
		return nil
	}
	set, gone, err := bs.Runner.Round.Target.TakeBreakpoints(bs.Ctx)
	if err != nil {
		return err
	}
	for _, b := range set {
		ours := bs.Ours(b.ID)
		if ours == 0 {
			b.Session = another
			bs.Last++
			ours = bs.Last
		}
		bs.landed(actor, ours, b)
	}
	for _, theirs := range gone {
		if ours := bs.Ours(theirs); ours != 0 {
			delete(bs.InTarget, ours)
			bs.Append(actor, &session.BreakpointCleared{ID: ours})
			bs.changed = true
		}
	}
	return nil
}
