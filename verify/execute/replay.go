package execute

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// replayed says what became of the command that was to make the program fail,
// or that there was none.
func (v *Runner) replayed(r sandbox.Result) string {
	switch {
	case len(v.Subject.Run.Input) > 0 && r.Repro == nil:
		return finding.After("; ", wasTyped(r))
	case r.Repro == nil && !r.Alive() && v.Subject.Stop.Crashed() && (v.Subject.Stop.Panic.Recovered || v.Subject.Stop.Panic.Thrown):
		return "; it may have recovered the panic: its output shows none"
	case r.Repro == nil && (r.Alive() || v.Subject.Stop.LivesOn()):
		return "; nothing replays what was sent to it: --repro CMD replays the request"
	case r.Repro == nil:
		return ""
	case !r.Repro.Started:
		return "; " + unstarted(v)
	}
	return "; " + replyOf(v, r.Repro)
}

// notThere says that the shell has not found the repro command, or a part of it; empty
// where it has.
func notThere(r sandbox.Result) string {
	const notFound = 127 // the exit code of a shell
	if r.Repro == nil || !r.Repro.Ended || r.Repro.Exit != notFound {
		return ""
	}
	return fmt.Sprintf("the repro command is not found: %q; there, only the module and the system's directories are seen", finding.LastLine(r.Repro.Output))
}

// unstarted says what the repro command waits for in vain.
func unstarted(v *Runner) string {
	if text := v.Subject.Run.Repro.After; text != "" {
		return fmt.Sprintf("it never printed %q, which %s waits for", text, replayerText(v))
	}
	return "it never listened on a TCP port, which " + replayerText(v) + " waits for"
}

// Unanswered decides a run in which the command that makes the unpatched
// program fail was not run, or not to its end.
func (v *Runner) Unanswered(c Control, r sandbox.Result) (verdict.Check, bool) {
	switch {
	case r.Repro == nil, c.repro == nil || !c.repro.Started:
		return verdict.Check{}, false
	case !r.Repro.Started && r.Alive():
		return finding.Inconclusive("still running after %s: %s%s", finding.Short(r.Took), unstarted(v), Refused(r)), true
	case !r.Repro.Started && len(r.Blocked) > 0:
		return finding.Inconclusive("it %s%s: %s%s", Ending(r), Said(r), unstarted(v), Refused(r)), true
	case !r.Repro.Started:
		return finding.Elsewhere(finding.Fail("it %s%s: %s", Ending(r), Said(r), unstarted(v)), "it %s: %s", EndingClass(r), unstarted(v)), true
	}
	return verdict.Check{}, false
}

// Answered reports whether the program lives on and the repro command ended
// well: it has got its answer.
func Answered(r sandbox.Result) bool {
	return r.Alive() && r.Repro != nil && r.Repro.Ended && r.Repro.Exit == 0
}

// LivesOn says that a program was still running, and since when it was watched.
func LivesOn(r sandbox.Result) string {
	if r.Repro != nil && r.Repro.Ended {
		return "it lives on"
	}
	return "still running after " + finding.Short(r.Took).String()
}

// Answers says how the repro command ended, and how without the
// candidate, where it tells something.
func (v *Runner) Answers(c Control, r sandbox.Result) string {
	if r.Repro == nil || !r.Repro.Started {
		return ""
	}
	now := endingOfRepro(r.Repro)
	if c.repro == nil || !c.repro.Started {
		return "; " + replayerText(v) + " " + now
	}
	before := endingOfRepro(c.repro)
	switch {
	case c.unsteady && r.Repro.Ended: // what it prints says nothing of the change
		return fmt.Sprintf("; %s ended with %d", replayerText(v), r.Repro.Exit)
	case now == before:
		return "; " + replayerText(v) + " " + now + ", as without the change"
	}
	return "; " + replayerText(v) + " " + now + "; without the change it " + before
}

// replayerText names the repro command.
func replayerText(v *Runner) string {
	if v.Subject.Run.Repro.Captured {
		return "the repeated request"
	}
	return "the repro command"
}

// replyOf quotes how the repro command ended.
func replyOf(v *Runner, a *sandbox.ReproResult) string {
	return replayerText(v) + " " + endingOfRepro(a)
}

func endingOfRepro(a *sandbox.ReproResult) string {
	how := "had not ended"
	switch {
	case a.Ended && a.Signal != "":
		how = "was killed by " + a.Signal
	case a.Ended:
		how = fmt.Sprintf("ended with %d", a.Exit)
	}
	if line := finding.LastLine(a.Output); line != "" {
		return how + fmt.Sprintf(" and printed %q", line)
	}
	return how + " and printed nothing"
}

// SharedNetwork explains why no command can be run next to the program here.
func (v *Runner) SharedNetwork() string {
	why := "this sandbox has no network of its own"
	if slices.Contains(v.Opts.Allow, verdict.AllowNetwork) {
		why = "with the real network allowed there is none of its own"
	}
	return why + ", and the paused program holds its ports, which its arguments and environment do not name: " +
		replayerText(v) + " would not reach the fix"
}
