package session

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// event writes one event's part of the story; many need no words.
func (w *story) event(e Event) {
	switch b := e.Body.(type) {
	case *Started:
		w.started(b)
	case *BuildFinished:
		if b.Proved != "" {
			w.line(e, "built: nothing to build, the binary that proved %s is used", Called(b.Proved))
		} else {
			w.line(e, "built in %s", printable.Duration(b.Took))
		}
	case *BuildFailed:
		w.buildFailed(b)
	case *LaunchFailed:
		w.line(e, "could not be launched: %s%s", b.Message, reason(b.Hint))
	case *Launched:
		w.line(e, "%s", b.Note())
	case *Stopped:
		w.stopped(e, b)
	case *Diagnosed:
		w.diagnosed(b)
	case *Asked:
		again := ""
		if b.Round > 1 {
			again = fmt.Sprintf(" again, try %d", b.Round)
		}
		w.line(e, "asked %s for fixes%s", sourceName(b.Source), again)
	case *Prompted:
		if b.Why != "" {
			w.line(e, "chosen: %s, %s", sourceName(b.Source), b.Why)
		}
	case *Answered:
		w.answered(e, b)
	case *Proposed:
		w.proposed(b)
	case *Agreed:
		w.line(e, "%s proposed the same change as %s", sourceName(b.Source), Called(b.Candidate))
	case *TestsMade:
		if b.Refused != "" {
			w.line(e, "no regression test: %s", b.Refused)
		}
	case *Proved:
		w.proved(b)
	case *Compared:
		w.compared(b)
	case *Asserted:
		w.asserting(b)
	default:
		w.act(e)
	}
}

// act writes what was done, and what came of it.
func (w *story) act(e Event) {
	switch b := e.Body.(type) {
	case *Evaluated:
		w.evaluated(b)
	case *Probed:
		w.probed(e, b)
	case *Questioned:
		w.questioned(e, b)
	case *Replied:
		w.reply(e, b)
	case *Decided:
		without := ""
		if b.WithoutTest {
			without = ", without its regression test"
		}
		w.line(e, "**%s %s** by %s%s%s", b.Decision, Called(b.Candidate), e.Actor, without, reason(b.Reason))
	case *Allowed:
		w.line(e, "**allowed** by %s for the proofs of this session: %s", e.Actor, b.What)
	case *Consented:
		w.consented(e, b)
	case *Muted:
		w.line(e, "**muted** by %s %s: %s", e.Actor, b.until(), SiteWords(b.Site))
	case *Unmuted:
		w.line(e, "**no longer muted**: %s", SiteWords(b.Site))
	case *Applied:
		w.written = w.written.applyPatch(b)
		w.line(e, "**applied %s** to %s", Called(b.Candidate), fileList(b.Files))
	case *Undone:
		w.line(e, "**undone %s**: %s as before%s", Called(b.Candidate), fileList(b.Files), reason(b.Reason))
	case *ApplyFailed:
		w.line(e, "could not write %s: %s%s", Called(b.Candidate), b.Err, reason(b.Hint))
		w.fence("diff", b.Conflict)
	case *Committed:
		w.line(e, "committed %s: %s", code(b.Hash), b.Subject)
	case *CommitFailed:
		w.line(e, "%s: %s%s", Called(b.Candidate), b.Err, reason(b.Hint))
	case *Reopened:
		w.reopened(e, b)
	case *TracepointHit:
		w.line(e, "%s", TraceLine(b.Hit)+MissedNote(b.Missed))
		w.callers(b.Hit.Stack)
	case *Jumped:
		w.line(e, "**jumped** from %s to %s", b.From, code(place(w.state, b.Stop)))
	case *Judged:
		w.judged(b)
	case *ReproStarted:
		w.line(e, "repro: %s", code(b.Command))
	case *ReproEnded:
		w.replied(e, b)
	case *OutputKept:
		w.output(b)
	case *HookRan:
		w.line(e, "%s", b.Words())
	case *Notice:
		w.line(e, "%s: %s%s", w.noticeHead(e, b), b.Text, reason(b.Hint))
	case *Ended:
		w.line(e, "session ended: %s", b.Outcome)
		if b.Error != "" {
			w.line(e, "error: %s%s", b.Error, reason(b.Hint))
		}
	}
}

func (w *story) judged(b *Judged) {
	if w.written.stands(b) {
		w.printf("\n## Judgement: %s\n\n%s %s: %s\n", b.Judgement, judgeSign(b.Judgement), Called(b.Candidate), b.Evidence)
	}
	w.written = w.written.applyPatch(b)
}

func (w *story) consented(e Event, b *Consented) {
	switch {
	case !b.Given:
		w.line(e, "**declined** by %s: prompts do not go to %s at %s", e.Actor, b.Model, b.Host)
	case b.Once:
		w.line(e, "**agreed** by %s for this session: prompts, with values of the program, go to %s at %s", e.Actor, b.Model, b.Host)
	default:
		w.line(e, "**agreed** by %s for this project: prompts, with values of the program, go to %s at %s", e.Actor, b.Model, b.Host)
	}
}

// ReplyWords says how the repro command ended.
func ReplyWords(b ReproEnded) string {
	switch {
	case b.Err != "":
		return "the repro command could not be run: " + b.Err
	case b.Signal != "":
		return "the repro command was ended by a signal: " + b.Signal
	}
	return fmt.Sprintf("the repro command ended with %d", b.Exit)
}

func (w *story) replied(e Event, b *ReproEnded) {
	w.line(e, "%s", ReplyWords(*b))
	w.fence("", b.Output)
	if b.Dropped > 0 {
		w.printf("… and %d bytes\n\n", b.Dropped)
	}
}

func (w *story) line(e Event, format string, args ...any) {
	w.printf("- %s ", code(e.At.Format("15:04:05.000")))
	w.printf(format, args...)
	w.out.WriteByte('\n')
}

func (w *story) reopened(e Event, b *Reopened) {
	w.printf("\n## Resumed\n\n")
	w.line(e, "session resumed on %s", e.At.Format("2006-01-02"))
	if b.Cut > 0 {
		w.line(e, "the last line of the journal was torn: %d bytes were cut off", b.Cut)
	}
}

func (w *story) started(b *Started) {
	w.printf("%s in %s, %s, sandbox %s\n\n", code(command(b)), code(b.Workspace.Rel(b.Dir)), b.Workspace.Go, b.Sandbox)
	if b.LogNote != "" {
		w.printf("> %s\n\n", opening(b.LogNote))
	}
}

func (w *story) buildFailed(b *BuildFailed) {
	w.printf("\n## Build failed\n\n> %s\n\n", opening(b.Message))
	for _, d := range b.Diagnostics {
		at := markup("")
		if d.File != "" { // the go command's errors about modules are of no file
			at = code(fmt.Sprintf("%s:%d", w.state.Started.Workspace.Rel(d.File), d.Line)) + " "
		}
		w.printf("- %s%s\n", at, d.Message)
	}
}

func (w *story) stopped(e Event, b *Stopped) {
	w.stops++
	stop := b.Stop
	if !stop.Crashed() {
		words := stopWords(stop)
		if b.Ran > 0 {
			words += " after " + printable.Duration(b.Ran)
		}
		if at := place(w.state, stop); !stop.Ended() && at != "" {
			w.line(e, "%s · %s", words, code(at))
		} else {
			w.line(e, "%s", words)
		}
		if b := stop.Breakpoint; b != nil && b.Stack > 0 {
			w.callers(stop.Frames[:min(b.Stack, len(stop.Frames))])
		}
		return
	}
	p := stop.Panic
	w.printf("\n## Stop %d: %s\n\n", w.stops, p.Class.Words())
	w.fence("", p.Message)
	w.printf("goroutine %d · %s", stop.Goroutine, code(place(w.state, stop)))
	if b.Ran > 0 {
		w.printf(" · after %s", printable.Duration(b.Ran))
	}
	w.printf(" · fingerprint %s\n", code(p.Fingerprint))
	if stop.Block != nil {
		w.printf("\nin the block %s\n", BlockWords(*stop.Block))
	}
	if p.Value.Type != "" && (p.Class == debugger.Custom || p.Class == debugger.CustomError) {
		w.fence("", Tree(p.Value, 3))
	}
	if history := PanicHistory(*p); len(history) > 0 {
		w.out.WriteByte('\n')
		for _, line := range history {
			w.printf("- %s\n", opening(line))
		}
	}
	w.stack(stop)
	if f, ok := stop.SelectedFrame(); ok && f.Loaded {
		w.locals(f)
	}
}

// callers writes the frames that a breakpoint prints.
func (w *story) callers(frames []debugger.Frame) {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintf(&b, "%-40s %s:%d\n", ShortFunction(f.Function), w.state.Started.Workspace.Rel(f.File), f.Line)
	}
	w.fence("", b.String())
}

func (w *story) stack(stop debugger.Stop) {
	var b strings.Builder
	var hidden debugger.Hidden
	for i, f := range stop.Frames {
		if f.Runtime {
			hidden.Add(f)
			continue
		}
		mark := "  "
		if i == stop.Selected {
			mark = "▸ "
		}
		fmt.Fprintf(&b, "%s%-40s %s:%d\n", mark, ShortFunction(f.Function), w.state.Started.Workspace.Rel(f.File), f.Line)
	}
	if hidden.Any() {
		fmt.Fprintf(&b, "  … %s\n", hidden.String())
	}
	if stop.MoreFrames {
		b.WriteString("  … and more\n")
	}
	w.out.WriteString("\n### Stack\n\n")
	w.fence("", b.String())
}

// treeLines is how many lines of a variable are written; the journal has all.
const treeLines = 24

func (w *story) locals(f debugger.Frame) {
	var b strings.Builder
	for _, v := range f.Variables() {
		lines := strings.SplitAfter(Tree(v, 2), "\n")
		if rest := len(lines) - treeLines; rest > 1 {
			lines = append(lines[:treeLines], fmt.Sprintf("    … %d more lines\n", rest-1))
		}
		b.WriteString(strings.Join(lines, ""))
	}
	if b.Len() == 0 {
		return
	}
	w.printf("\n### Locals of %s\n\n", ShortFunction(f.Function))
	w.fence("", b.String())
}

// cost says what an answer cost; nothing where no price is known.
func cost(c float64) string {
	if c == 0 {
		return ""
	}
	return fmt.Sprintf(", cost %.4f", c)
}

func (w *story) answered(e Event, b *Answered) {
	switch {
	case b.Err != "":
		w.line(e, "%s: %s%s", orWord(string(b.Failed), "no use"), b.Err, reason(b.Hint))
	case b.Tokens > 0:
		w.line(e, "%s in %s, %d tokens%s", b.Words(), printable.Duration(b.Took), b.Tokens, cost(b.Cost))
	default:
		w.line(e, "%s in %s", b.Words(), printable.Duration(b.Took))
	}
}

// orWord is a word, or another where it is empty.
func orWord(word, otherwise string) string {
	if word == "" {
		return otherwise
	}
	return word
}

func (w *story) proposed(b *Proposed) {
	c := b.Candidate
	w.printf("\n### Fix %s: %s\n\n", Number(c.ID), c.Title)
	w.printf("*%s*", sourceName(c.Source))
	if c.Parent != "" {
		w.printf(", made from %s", Called(c.Parent))
	}
	w.out.WriteString("\n\n")
	if c.Explanation != "" {
		w.printf("> %s\n", opening(c.Explanation))
	}
	for _, warning := range c.Warnings {
		w.printf("\n⚠ %s\n", warning)
	}
	w.fence("diff", patch.Visible(c.Diff()))
}

func (w *story) proved(b *Proved) {
	word := b.Verdict.Label()
	if failed := (CandidateRecord{Verdict: &b.Verdict}).Failed(); failed != "" {
		word += ", " + string(failed)
	}
	w.printf("\n**Fix %s: %s**\n\n| check | | took | |\n| --- | --- | --- | --- |\n", Number(b.Candidate), word)
	for _, c := range b.Verdict.Checks {
		w.printf("| %s | %s %s | %s | %s |\n", c.Name, Sign(c.Status), c.Status, printable.Duration(c.Took), cell(c.Detail))
	}
	w.out.WriteString("\n")
	for _, e := range b.Verdict.Evidence {
		w.printf("- evidence (%s): %s\n", e.Kind, e.Detail)
	}
	if len(b.Verdict.Evidence) > 0 {
		w.out.WriteString("\n") // what follows is no part of the list
	}
	if t := b.Verdict.Test; t != nil {
		w.printf("Regression test %s, which calls %s: it fails without %s and passes with it%s.\n", code(t.Name), t.Calls, Called(b.Candidate), asserted(t))
		w.fence("diff", patch.Visible(patch.Candidate{Edits: []patch.Edit{t.Edit}}.Diff()))
	}
}

// compared writes what a candidate changes in what functions answer.
func (w *story) compared(b *Compared) {
	w.printf("\n**What %s changes:** %s\n", Called(b.Candidate), b.Behavior.Detail)
	if len(b.Behavior.Rows) > 0 {
		w.out.WriteString("\n| input | | before | now |\n| --- | --- | --- | --- |\n")
	}
	for _, r := range b.Behavior.Rows {
		w.printf("| %s | %s | %s | %s %s |\n", cell(r.Input), r.Origin(), cell(r.Before), Sign(r.Sign()), cell(r.After))
	}
	w.out.WriteString("\n")
	if len(b.Behavior.Rows) > 0 {
		w.printf("%s.\n\n", b.Behavior.Tally())
	}
	for _, a := range b.Behavior.Apart {
		w.printf("- %s\n", a.Words(a.From))
	}
	for _, l := range b.Behavior.Left {
		w.printf("- not compared: %s\n", l)
	}
}

// asserting writes the test that asserts what functions answer, or why there is none.
func (w *story) asserting(b *Asserted) {
	switch {
	case b.Test != nil && b.Why == "":
		w.printf("\nRegression test of %s, instead: %s%s.\n", Called(b.Candidate), code(b.Test.Name), asserted(b.Test))
		w.fence("diff", patch.Visible(patch.Candidate{Edits: []patch.Edit{b.Test.Edit}}.Diff()))
	case b.Why != "":
		w.printf("\nThe regression test of %s asserts no answer: %s.\n", Called(b.Candidate), b.Why)
	}
}

// asserted says what a regression test asserts.
func asserted(t *patch.RegressionTest) string {
	if t.Asserts == "" {
		return ""
	}
	return "; it asserts: " + t.Asserts
}

func (w *story) evaluated(b *Evaluated) {
	w.out.WriteString("\n")
	journaled := *b
	journaled.Whole = nil // the log is a function of the journal
	w.fence("", "> "+b.Input+"\n"+journaled.Answer())
}

func (w *story) output(b *OutputKept) {
	if b.Bytes == 0 {
		return
	}
	head := fmt.Sprintf("Output of round %d", b.Round)
	if w.state.Started.Mode.Kind == ModeTrace {
		head = "The trace"
	}
	w.printf("\n### %s\n\n%s, %s", head, counted(b.Lines, "line"), counted(b.Bytes, "byte"))
	if b.File != "" {
		w.printf(", kept in %s", code(b.File))
	}
	w.out.WriteString("; the end:\n")
	w.fence("", b.Tail)
}

// Sign is the mark of a check's status; it carries the meaning without color.
func Sign(s verdict.Status) string {
	switch s {
	case verdict.Pass:
		return "✓"
	case verdict.Fail:
		return "✗"
	case verdict.Warn:
		return "⚠"
	case verdict.Inconclusive:
		return "?"
	}
	return "–"
}

func judgeSign(j Judgement) string {
	switch j {
	case Fixed:
		return "✓"
	case CameBack:
		return "✗"
	}
	return "?"
}
