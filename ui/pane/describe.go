package pane

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/verify/verdict"
)

// describe says in one line what an event is; empty for those that are not
// worth a line.
func describe(e session.Event) (level, words string) {
	switch b := e.Body.(type) {
	case *session.Started:
		return "", strings.TrimSpace("session of " + b.Target() + " " + b.Arguments())
	case *session.HookRan:
		return "quiet", text.Line(b.Words())
	case *session.Notice:
		return noticeLevel(b.Level), joinHint(b.Text, b.Hint)
	case *session.Evaluated:
		return "quiet", ": " + b.Input
	case *session.BreakpointSet:
		return "quiet", text.Line(breakpointWords(b.Breakpoint))
	case *session.TracepointHit:
		return "", text.Line("▷ " + session.TraceLine(b.Hit) + session.MissedNote(b.Missed))
	case *session.Jumped:
		return "", "jumped from " + b.From + " to " + StopWords(b.Stop)
	case *session.BreakpointCleared:
		return "quiet", fmt.Sprintf("breakpoint %d cleared", b.ID)
	case *session.Muted:
		return "quiet", text.Line("muted: " + session.SiteWords(b.Site))
	case *session.Unmuted:
		return "quiet", text.Line("not muted any more: " + session.SiteWords(b.Site))
	case *session.Reopened:
		return "", "session resumed"
	case *session.Ended:
		return endLevel(b), joinHint("session ended: "+b.Outcome+prefixed(" · ", b.Error), b.Hint)
	}
	if level, words = describeRun(e.Body); words != "" {
		return level, words
	}
	if level, words = describeReview(e.Body); words != "" {
		return level, words
	}
	if level, words = describeTalk(e.Body); words != "" {
		return level, words
	}
	return describePatch(e.Body)
}

func describeRun(body session.Body) (level, words string) {
	switch b := body.(type) {
	case *session.BuildStarted:
		return "quiet", "building (" + b.Reason + ")"
	case *session.BuildFinished:
		if b.Proved != "" {
			return "quiet", "using the binary that proved " + Fix(b.Proved)
		}
		return "quiet", "built in " + text.Duration(b.Took)
	case *session.BuildFailed:
		return "error", joinHint("build failed: "+b.Message, b.Hint)
	case *session.Launched:
		if can := b.Can(); can.Of != "" && !can.Input {
			return "quiet", b.Note()
		}
		return "quiet", fmt.Sprintf("launched, pid %d, round %d", b.PID, b.Round)
	case *session.Resumed:
		return "quiet", strings.TrimSpace(string(b.Motion) + " " + text.Line(b.Words))
	case *session.Stopped:
		return stopLevel(b.Stop), "stopped: " + StopWords(b.Stop)
	case *session.Diagnosed:
		return "", b.Diagnosis.Words()
	case *session.ReproStarted:
		return "quiet", "repro: " + b.Command
	case *session.ReproEnded:
		level := "quiet"
		if b.Err != "" {
			level = "warn"
		}
		return level, session.ReplyWords(*b) + prefixed(": ", strings.Join(strings.Fields(b.Output), " "))
	}
	return "", ""
}

func describeReview(body session.Body) (level, words string) {
	switch b := body.(type) {
	case *session.Asked:
		if b.Round > 1 {
			return "quiet", fmt.Sprintf("asked %s again (%s, try %d)", Proposer(b.Source), b.Request, b.Round)
		}
		return "quiet", fmt.Sprintf("asked %s (%s)", Proposer(b.Source), b.Request)
	case *session.Prompted:
		if b.Why != "" {
			return "quiet", fmt.Sprintf("%s: %s with %s, %s", b.Request, Proposer(b.Source), b.Source.Prompt, b.Why)
		}
	case *session.Answered:
		if b.Err != "" {
			return "warn", joinHint(b.Request+": "+b.Err, b.Hint)
		}
		return "quiet", fmt.Sprintf("%s answered in %s: %s", b.Request, text.Duration(b.Took), fixes(b.Candidates))
	case *session.Proposed:
		return "", fmt.Sprintf("%s by %s: %s", Fix(b.Candidate.ID), Proposer(b.Candidate.Source), b.Candidate.Title)
	case *session.Agreed:
		return "quiet", fmt.Sprintf("%s proposed the same as %s", Proposer(b.Source), Fix(b.Candidate))
	case *session.TestsMade:
		if b.Refused != "" {
			return "quiet", "no regression test: " + b.Refused
		}
		return "quiet", text.Plural(int64(len(b.Tests)), "regression test") + " made from the captured values"
	case *session.Allowed:
		return "warn", "the proofs of this session may use: " + b.What
	case *session.Proved:
		switch {
		case !b.Verdict.Passes():
		case b.Verdict.Warns():
			return "warn", Fix(b.Candidate) + " " + b.Verdict.Label()
		case b.Verdict.Asks():
			return "", Fix(b.Candidate) + " " + b.Verdict.Label()
		default:
			return "good", Fix(b.Candidate) + " " + b.Verdict.Label()
		}
		return "warn", Fix(b.Candidate) + " not verified" + why(b.Verdict.Checks)
	case *session.Decided:
		return "", string(b.Decision) + " " + Fix(b.Candidate) + prefixed(": ", b.Reason)
	}
	return "", ""
}

func describeTalk(body session.Body) (level, words string) {
	switch b := body.(type) {
	case *session.Probed:
		if b.Err != "" {
			return "warn", b.Request + " " + b.Words() + ": " + b.Err
		}
		return "quiet", b.Request + " " + b.Words()
	case *session.Questioned:
		if b.Text == "" {
			return "quiet", b.Question + ": explain this stop"
		}
		return "quiet", b.Question + ": " + b.Text
	case *session.Replied:
		if b.Err != "" {
			return "warn", joinHint(b.Question+": "+b.Err, b.Hint)
		}
		return "quiet", fmt.Sprintf("%s answered in %s", b.Question, text.Duration(b.Took))
	}
	return "", ""
}

func describePatch(body session.Body) (level, words string) {
	switch b := body.(type) {
	case *session.Applied:
		return "good", fmt.Sprintf("applied %s to %s", Fix(b.Candidate), fileList(b.Files))
	case *session.Undone:
		return "", fmt.Sprintf("undid %s: %s restored", Fix(b.Candidate), fileList(b.Files)) + prefixed(" · ", b.Reason)
	case *session.ApplyFailed:
		return "error", joinHint("nothing was changed: "+b.Err, b.Hint)
	case *session.Committed:
		return "good", fmt.Sprintf("committed %.12s: %s", b.Hash, b.Subject)
	case *session.CommitFailed:
		return "warn", joinHint(b.Err, b.Hint)
	case *session.Judged:
		level := map[session.Judgement]string{session.Fixed: "good", session.CameBack: "error", session.NotReached: "warn"}[b.Judgement]
		return level, fmt.Sprintf("judged %s: %s", b.Judgement, b.Evidence)
	}
	return "", ""
}

// fixes counts candidates: "1 fix", "3 fixes".
func fixes(n int) string {
	if n == 1 {
		return "1 fix"
	}
	return fmt.Sprintf("%d fixes", n)
}

func fileList(files []session.FileChange) string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.File
	}
	return strings.Join(names, ", ")
}

func why(checks []verdict.Check) string {
	if c := failed(checks); c != nil {
		return ": " + c.Name + prefixed(" · ", c.Detail)
	}
	return ""
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func joinHint(s, hint string) string { return s + prefixed(" — ", hint) }

func noticeLevel(level string) string {
	if level == "info" || level == "note" {
		return ""
	}
	return level
}

func endLevel(e *session.Ended) string {
	if e.Error != "" {
		return "error"
	}
	return "quiet"
}

func stopLevel(s debugger.Stop) string {
	if s.Panic != nil {
		return "error"
	}
	return ""
}

// StopWords says in a few words why the target does not run.
func StopWords(s debugger.Stop) string {
	switch {
	case s.Panic != nil:
		return s.Panic.Class.Words() + ": " + s.Panic.Message
	case s.Exit != nil:
		return ExitWords(*s.Exit)
	}
	at := ""
	if f, ok := s.SelectedFrame(); ok {
		at = " at " + text.Place(f.File, f.Line)
	}
	return text.Line(session.StopNote(s)) + at
}

// breakpointWords says in one line where a breakpoint is and what it does.
func breakpointWords(b debugger.Breakpoint) string {
	words := fmt.Sprintf("%s %d %s", b.Kind(), b.ID, BreakpointPlace(b))
	if b.Cond != "" {
		words += " if " + b.Cond
	}
	switch {
	case b.HitCond == "":
	case b.HitCondPerG:
		words += " hits of a goroutine " + b.HitCond
	default:
		words += " hits " + b.HitCond
	}
	switch {
	case b.Place == debugger.PlaceMoved:
		words += fmt.Sprintf(", moved from line %d", b.Was)
	case b.Place != "":
		words += ", " + b.Place + prefixed(": ", b.Why)
	case b.Disabled:
		words += ", off"
	}
	return words
}

// BreakpointPlace says where a breakpoint is.
func BreakpointPlace(b debugger.Breakpoint) string {
	place := b.Location
	switch {
	case b.Watch != "":
		return b.Watch
	case b.Places > 1 && b.Location != "":
		place = fmt.Sprintf("%s, %d places", b.Location, b.Places)
	case b.Line > 0 && b.Location != "" && b.Function != "":
		place = text.Function(b.Function) + "  " + text.Place(b.File, b.Line)
	case b.Line > 0:
		place = text.Place(b.File, b.Line)
	}
	switch {
	case b.OnError:
		place = "errors of " + functionOr(b, place)
	case b.OnReturn:
		place = "returns of " + functionOr(b, place)
	}
	return place
}

func functionOr(b debugger.Breakpoint, place string) string {
	if b.Function != "" && b.Places >= 1 && !strings.HasPrefix(b.Location, "/") {
		return text.Function(b.Function)
	}
	return place
}

// ExitWords says how a process ended.
func ExitWords(e debugger.Exit) string {
	if e.Signal != "" {
		return "killed by " + text.Line(e.Signal)
	}
	return fmt.Sprintf("exit %d", e.Code)
}
