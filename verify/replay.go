package verify

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// replayed says what became of the command that was to make the program fail,
// or that there was none.
func (v *target) replayed(r sandbox.Result) string {
	switch {
	case r.Aside == nil && (r.Alive() || v.subject.Stop.LivesOn()):
		return "; nothing replays what was sent to it: --repro CMD replays the request"
	case r.Aside == nil:
		return ""
	case !r.Aside.Started:
		return "; " + v.unstarted()
	}
	return "; " + v.replyOf(r.Aside)
}

// unstarted says what the command next to the program waits for in vain.
func (v *target) unstarted() string {
	if text := v.subject.Run.Repro.After; text != "" {
		return fmt.Sprintf("it never printed %q, which %s waits for", text, v.replayer())
	}
	return "it never listened on a TCP port, which " + v.replayer() + " waits for"
}

// unanswered decides a run in which the command that makes the unpatched
// program fail was not run, or not to its end.
func (v *target) unanswered(c control, r sandbox.Result) (verdict.Check, bool) {
	switch {
	case r.Aside == nil, c.aside == nil || !c.aside.Started:
		return verdict.Check{}, false
	case !r.Aside.Started && r.Alive():
		return inconclusive("still running after %s: %s%s", short(r.Took), v.unstarted(), refused(r)), true
	case !r.Aside.Started && len(r.Blocked) > 0:
		return inconclusive("it %s%s: %s%s", ending(r), said(r), v.unstarted(), refused(r)), true
	case !r.Aside.Started:
		return elsewhere(fail("it %s%s: %s", ending(r), said(r), v.unstarted()), "it %s: %s", endingClass(r), v.unstarted()), true
	}
	return verdict.Check{}, false
}

// answered reports whether the program lives on and the command next to it ended
// well: it has got its answer.
func answered(r sandbox.Result) bool {
	return r.Alive() && r.Aside != nil && r.Aside.Ended && r.Aside.Exit == 0
}

// livesOn says that a program was still running, and since when it was watched.
func livesOn(r sandbox.Result) string {
	if r.Aside != nil && r.Aside.Ended {
		return "it lives on"
	}
	return "still running after " + short(r.Took).String()
}

// answers says how the command next to the program ended, and how without the
// candidate, where it tells something.
func (v *target) answers(c control, r sandbox.Result) string {
	if r.Aside == nil || !r.Aside.Started {
		return ""
	}
	now := endingOfAside(r.Aside)
	if c.aside == nil || !c.aside.Started {
		return "; " + v.replayer() + " " + now
	}
	before := endingOfAside(c.aside)
	if now == before {
		return "; " + v.replayer() + " " + now + ", as without the change"
	}
	return "; " + v.replayer() + " " + now + "; without the change it " + before
}

// replayer names what is run next to the program.
func (v *target) replayer() string {
	if v.subject.Run.Repro.Captured {
		return "the repeated request"
	}
	return "the repro command"
}

// replyOf quotes how the command next to the program ended.
func (v *target) replyOf(a *sandbox.AsideResult) string {
	return v.replayer() + " " + endingOfAside(a)
}

func endingOfAside(a *sandbox.AsideResult) string {
	how := "had not ended"
	switch {
	case a.Ended && a.Signal != "":
		how = "was killed by " + a.Signal
	case a.Ended:
		how = fmt.Sprintf("ended with %d", a.Exit)
	}
	if line := lastLine(a.Output); line != "" {
		return how + fmt.Sprintf(" and printed %q", line)
	}
	return how + " and printed nothing"
}

// sharedNetwork explains why no command can be run next to the program here.
func (v *runner) sharedNetwork() string {
	why := "this sandbox has no network of its own"
	if slices.Contains(v.opts.Allow, verdict.AllowNetwork) {
		why = "with the real network allowed there is none of its own"
	}
	return why + ", and the paused program holds its ports, which its arguments and environment do not name: " +
		v.replayer() + " would not reach the candidate"
}
