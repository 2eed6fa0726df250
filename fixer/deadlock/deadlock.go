// Package deadlock has the rules for goroutines that wait forever: for one another, for a lock
// that was not released, on a channel that nobody uses.
package deadlock

import (
	"cmp"
	"fmt"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/waits"
	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// deadlock: every goroutine waits. What each of them waits for is read from
// the paused program; why nothing will ever wake it is looked for in the code.
type deadlock struct {
	*proposal.Proposal
	waiters []waiter
	main    *waiter
	chain   chain
}

// Propose explains a deadlock, and offers what would wake a goroutine.
func Propose(f *proposal.Proposal) {
	d := &deadlock{Proposal: f, chain: newChain()}
	d.waiters = d.waiting()
	if f.Case.Stop.Hangs() { // the others may go on
		d.waiters = d.of(waitLock, waitRLock)
	}
	if len(d.waiters) == 0 {
		return
	}
	for i := range d.waiters {
		if d.waiters[i].main {
			d.main = &d.waiters[i]
		}
	}
	d.describe()
	otherWaits{d}.nilChannels()
	lockWaits{d}.locks()
	sendWaits{d}.sending()
	receiveWaits{d}.receiveConcurrently()
	receiveWaits{d}.neverClosed()
	if why := &d.Diagnosis; !syntax.Mentions(why.Sentence, why.Expr) {
		why.Expr, why.Value = "", "" // it is not to blame: another one is named
	}
}

// say puts the cause in place of the plain description, once.
func (d *deadlock) say(pos token.Pos, format string, args ...any) {
	if d.Diagnosis.Origin != "" {
		return
	}
	d.Diagnosis.Sentence = fmt.Sprintf(format, args...)
	d.Diagnosis.Origin = d.RelWhere(pos)
}

// describe says who waits for what.
func (d *deadlock) describe() {
	first := d.waiters[0]
	diagnosis := evidence.Diagnosis{Value: "blocked"}
	if first.on != nil {
		diagnosis.Expr = d.onText(first)
	}
	parts := make([]string, 0, 3)
	for i, w := range d.waiters {
		if i == 3 {
			parts = append(parts, "and others wait too")
			break
		}
		parts = append(parts, d.waitText(w))
	}
	diagnosis.Sentence = "every goroutine waits: " + strings.Join(parts, "; ")
	if len(d.waiters) == 1 && first.count <= 1 {
		diagnosis.Sentence = parts[0] + ", and no other goroutine is left that could end this"
	}
	found, err := waits.Find(d.Ctx, d.Case.Inspect)
	switch n := len(found.Goroutines); {
	case err != nil || n == 0:
	case found.Lost && d.Case.Stop.Hangs(): // where it was left locked is looked for
		diagnosis.Sentence = found.Sentence
	case !found.Lost && (n > 1 || d.Case.Stop.Hangs()):
		diagnosis.Sentence = found.Sentence
		diagnosis.Origin = fmt.Sprintf("%s:%d", d.Case.Workspace.Rel(found.File), found.Line)
	}
	d.Diagnosis = diagnosis
}

// waitText says what one goroutine, or several, wait for.
func (d *deadlock) waitText(w waiter) string {
	who := d.whereWaits(w)
	verb := w.verb()
	if w.count > 1 {
		who = fmt.Sprintf("%d goroutines in %s", w.count, who)
	}
	on := ""
	if w.on != nil {
		on = " " + d.onText(w)
	}
	switch w.kind {
	case waitSend:
		return fmt.Sprintf("%s %s to send on%s", who, verb, on)
	case waitReceive:
		return fmt.Sprintf("%s %s to receive from%s", who, verb, on)
	case waitSelect:
		return fmt.Sprintf("%s %s in a select", who, verb)
	case waitForever:
		return fmt.Sprintf("%s %s forever in an empty select", who, verb)
	case waitGroup:
		return fmt.Sprintf("%s %s for%s to reach zero", who, verb, on)
	case waitLock, waitRLock:
		return fmt.Sprintf("%s %s for the lock%s", who, verb, on)
	case waitCond:
		return fmt.Sprintf("%s %s for a signal on%s", who, verb, on)
	}
	if w.library != "" {
		return fmt.Sprintf("%s %s in %s", who, verb, debugger.ShortFunction(w.library))
	}
	return fmt.Sprintf("%s %s", who, verb)
}

// onText names what a goroutine waits for.
func (d *deadlock) onText(w waiter) string { return cmp.Or(d.receiverText(w.Place), d.Text(w.on)) }

func (w waiter) verb() string {
	if w.count > 1 {
		return "wait"
	}
	return "waits"
}

// of lists the waiters of the given kinds whose place is known.
func (d *deadlock) of(kinds ...waitKind) []waiter {
	var list []waiter
	for _, w := range d.waiters {
		for _, k := range kinds {
			if w.kind == k && w.File != nil {
				list = append(list, w)
			}
		}
	}
	return list
}
