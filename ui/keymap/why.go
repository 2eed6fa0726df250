package keymap

import "github.com/pausetui/pausetui/session"

// Why an action is disabled, in the words of the help and the palette; "" where
// it is enabled. A need is what several actions share.

func always(Facts) string { return "" }

func needHeld(f Facts) string {
	switch {
	case f.Held():
		return ""
	case f.Running():
		return "the program is running: ctrl+c halts it"
	case f.Phase == session.PhaseExited:
		if !f.Can.Restart {
			return "the program has ended, and cannot be started again from here"
		}
		return "the program has ended: r starts it again"
	}
	return "there is no stopped program yet"
}

// needRun is for what lets the target run.
func needRun(f Facts) string {
	if f.Review {
		return "a fix is open: esc closes it first"
	}
	if f.Held() && !f.Can.Run {
		return f.Can.Cannot("run")
	}
	return needHeld(f)
}

func needRunning(f Facts) string {
	if f.Running() {
		return ""
	}
	return "the program is not running"
}

func needCandidate(f Facts) string {
	switch {
	case f.Candidate:
		return ""
	case f.Candidates > 0:
		return "no fix is selected: [ and ] select one"
	case f.Crash:
		return "there are no fixes yet: f asks for some"
	}
	return "fixes come after a panic"
}

func needUndecided(f Facts) string {
	if why := needCandidate(f); why != "" {
		return why
	}
	return f.Decided
}

func whyConfirm(f Facts) string {
	if why := needUndecided(f); why != "" {
		return why
	}
	if f.Asks {
		return ""
	}
	return "this fix has nothing to confirm"
}

func needReview(f Facts) string {
	if f.Review {
		return ""
	}
	return "open a fix first: enter in the fixes pane (6)"
}

func whySplit(f Facts) string {
	if f.Page && f.Rows == 0 {
		return "no answer changes: there is nothing to put into a test"
	}
	return needReview(f)
}

func needCrash(f Facts) string {
	if f.Crash {
		return ""
	}
	if f.History {
		return "fixes and histories are of the present: 0 returns to it"
	}
	return "fixes are asked for at a panic; nothing has panicked"
}

// needHistory is for the history of a value, which a run up to the crash records.
func needHistory(f Facts) string {
	if f.History {
		return needCrash(f)
	}
	if !f.Crash || !f.AtCrash {
		return "a history ends with a crash: this stop is none"
	}
	if !f.Can.Run {
		return f.Can.Cannot("run again")
	}
	return ""
}

// whyBrowser disables, in the debugger, what belongs to the browser of sessions.
func whyBrowser(Facts) string { return "in pausetui sessions" }

// whySnapshot: a core dump and a trace cannot run, and are kept already.
func whySnapshot(f Facts) string {
	if f.Alive() && !f.Can.Run {
		return f.Can.Cannot("be dumped")
	}
	return needHeld(f)
}

func whyValue(f Facts) string {
	if !f.Value {
		return "put the cursor on a value first (pane 3)"
	}
	return ""
}

func whyHolder(f Facts) string {
	if why := needHeld(f); why != "" || f.Waits {
		return why
	}
	return "this goroutine waits for nothing: choose one that does (pane 4)"
}

func whyToStop(f Facts) string {
	if f.History {
		return "" // returns to the present, whatever the run does
	}
	if why := needHeld(f); why != "" || f.Elsewhere {
		return why
	}
	return "this is where it stopped"
}

func whySet(f Facts) string {
	if f.Alive() && !f.Can.Write {
		return f.Can.Cannot("be written to")
	}
	if why := needHeld(f); why != "" {
		return why
	}
	return whyValue(f)
}

func whyWatch(f Facts) string {
	if why := needRun(f); why != "" {
		return why
	}
	return whyValue(f)
}

func whyType(f Facts) string {
	if !f.Can.Input && f.Alive() {
		return f.Can.Cannot("be typed into: its input is not ours")
	}
	if f.Stdin != "" {
		return "the program reads its input from " + f.Stdin
	}
	return needRunning(f)
}

func whyRelease(f Facts) string {
	if !f.Typing {
		return "nothing is typed into the program"
	}
	return ""
}

func whyFind(f Facts) string {
	if !f.Panes {
		return "there are no panes yet"
	}
	return ""
}

func whyMatch(f Facts) string {
	switch {
	case f.Pane != 1:
		return "for the source pane (1)"
	case !f.Searching:
		return "nothing is searched for: / searches"
	}
	return ""
}

func whyName(f Facts) string {
	switch {
	case f.Pane != 1:
		return "put the cursor on a name of the source first (pane 1)"
	case !f.Line:
		return "there is no source here yet"
	}
	return ""
}

func whyEditLine(f Facts) string {
	if !f.Line {
		return "there is no line of source here yet"
	}
	return ""
}

func whyDisassembly(f Facts) string {
	if f.Pane != 1 {
		return "for the source pane (1)"
	}
	return needHeld(f)
}

func whyHunk(f Facts) string {
	if f.Pane == 1 && f.Changes {
		return ""
	}
	return needReview(f)
}

func whyBreakpoint(f Facts) string {
	if !f.Can.Run && f.Alive() {
		return f.Can.Cannot("run to a breakpoint")
	}
	if !f.Line {
		return "put the cursor on a line of source first (pane 1)"
	}
	return ""
}

func whyRunTo(f Facts) string {
	if why := needRun(f); why != "" {
		return why
	}
	return whyBreakpoint(f)
}

func whyJump(f Facts) string {
	if f.Held() && !f.Can.Write {
		return f.Can.Cannot("be changed")
	}
	return whyRunTo(f)
}

func whyBreaks(f Facts) string {
	if !f.Can.Run && f.Alive() {
		return f.Can.Cannot("stop at breakpoints")
	}
	return ""
}

func needReverse(f Facts) string {
	switch {
	case f.History && f.Running():
		return "" // it follows the step under way
	case f.History && !f.Held():
		return "this run goes no further back: 0 returns to the present"
	}
	if why := needRun(f); why != "" {
		return why
	}
	if !f.Can.Reverse && !f.AtCrash {
		return "going back needs a crash, or a recording (--record, with rr installed)"
	}
	return ""
}

func whyRestart(f Facts) string {
	if f.Review {
		return needRun(f)
	}
	if f.Phase == session.PhaseNew || f.Phase == session.PhaseBuilding {
		return "a build is under way"
	}
	if !f.Can.Restart {
		return f.Can.Cannot("be started again")
	}
	return ""
}

func whyProfiles(f Facts) string {
	if f.Profiles == 0 {
		return "no profile is configured"
	}
	return needCrash(f)
}

func whyCancel(f Facts) string {
	if !f.Asking {
		return "no model is being asked"
	}
	return ""
}

func needCandidates(f Facts) string {
	if f.Candidates == 0 {
		return needCandidate(f)
	}
	return ""
}

func whyEdit(f Facts) string {
	if f.Diagnostic {
		return ""
	}
	return needCandidate(f)
}

func whyPrompt(f Facts) string {
	if !f.Prompt {
		return "there is no model to ask about a crash"
	}
	return ""
}

func whyMute(f Facts) string {
	if !f.LivesOn {
		return "only a panic that the program lives on after, or a failing test, can be muted"
	}
	return needHeld(f)
}

func whyMutes(f Facts) string {
	if f.Muted == 0 {
		return "no place is muted"
	}
	return ""
}

func whyAllow(f Facts) string {
	if !f.Blocked {
		return "the sandbox has blocked nothing that a proof needs"
	}
	return ""
}

func whyUndo(f Facts) string {
	if !f.Undoable {
		return "no change has been applied"
	}
	return ""
}

func whyFilter(f Facts) string {
	if !f.Filter {
		return "this pane has nothing to filter"
	}
	return ""
}

func whyQuestion(f Facts) string {
	if f.Talked {
		return "" // what was said can still be read
	}
	return needHeld(f)
}

func whyEarlier(f Facts) string {
	if !f.Earlier {
		return "there is no earlier stop"
	}
	return ""
}

func whyLater(f Facts) string {
	if !f.Past {
		return "this is the present"
	}
	return ""
}

func whyStops(f Facts) string {
	if f.Stops == 0 {
		return "it has not stopped yet"
	}
	return ""
}
