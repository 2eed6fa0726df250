package lines

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

// word is a command of this frontend; all others are the command line's.
type word struct {
	name, args, help string
	need             need
	do               func(f *frontend, rest string) error
}

// words are what keys do on the screen, in the order of the help.
var words []word

func init() { // the help lists them all
	words = []word{
		{"help", "[COMMAND]", "this list, or what a command of the command line does", needNothing, (*frontend).help},
		{"status", "", "what the program is doing", needNothing, (*frontend).status},
		{"why", "[EXPRESSION]", "print again what happened at this stop, or how a value got where it is", needHeld, (*frontend).why},
		{"here", "", "the selected frame: function, line, values", needHeld, (*frontend).here},
		{"output", "[N]", "the last lines that the program printed", needNothing, (*frontend).tail},
		{"type", "TEXT", "type a line into the program", needLaunched, (*frontend).typeText},
		{"halt", "", "interrupt the running program", needLaunched, func(f *frontend, _ string) error { f.Do(intent.Halt{}); return nil }},
		{"wait", "[TIME]", "wait until the program stops, or for a time such as 2s", needLaunched, (*frontend).wait},
		{"fixes", "", "the fixes and what was proved of them", needSettled, func(f *frontend, _ string) error { f.listFixes(); return nil }},
		{"show", "[N]", "a fix: its checks and its diff", needSettled, (*frontend).showFix},
		{"test", "N ROW", "put an input of what fix N changes into its test, as show numbers it, or take it out", needSettled, (*frontend).assertRow},
		{"fix", "[PROFILE]", "ask for more fixes", needHeld, func(f *frontend, rest string) error { f.send(intent.Ask{Profile: rest}, soon, decided); return nil }},
		{"stop-asking", "", "stop asking the models", needNothing, func(f *frontend, _ string) error { f.Do(intent.Cancel{}); return nil }},
		{"approve", "[N] [without test]", "apply a fix, after y, and restart", needSettled, (*frontend).approveFix},
		{"confirm", "[N]", "confirm what a fix does instead", needSettled, (*frontend).confirmFix},
		{"reject", "N [REASON]", "reject a fix; the reason goes to the model", needSettled, (*frontend).rejectFix},
		{"leave", "N HUNK …", "make a fix without some of its hunks, counted from 1", needSettled, (*frontend).leave},
		{"undo", "", "undo the last applied change, after y", needHeld, (*frontend).undo},
		{"allow", "network|files", "let the proofs use what the sandbox blocked, after y", needHeld, (*frontend).allow},
		{"mute", "[module]", "panics here no longer stop, in this session or the module", needHeld, (*frontend).mute},
		{"muted", "", "the muted places", needNothing, (*frontend).listMuted},
		{"unmute", "N", "unmute one of them", needNothing, (*frontend).unmute},
		{"agree", "", "send the waiting prompt to another machine", needConsent, func(f *frontend, _ string) error { return f.consented(true) }},
		{"decline", "", "do not", needConsent, func(f *frontend, _ string) error { return f.consented(false) }},
		{"quit", "", "end the session", needHeld, func(f *frontend, _ string) error { f.quit(); return nil }},
	}
}

func findWord(name string) (word, bool) {
	i := slices.IndexFunc(words, func(w word) bool { return w.name == name })
	if i < 0 {
		return word{}, false
	}
	return words[i], true
}

// needOf is what a line of a script waits for.
func needOf(line string) need {
	name, rest := split(line)
	switch {
	case name == "" || strings.HasPrefix(name, "#"):
		return needNothing
	case name == "wait" && rest == "":
		return needHeld
	}
	if w, ok := findWord(name); ok {
		return w.need
	}
	if slices.Contains(breaking, name) {
		return needUnstarted
	}
	return needHeld
}

// breaking are the commands that set breakpoints: at the beginning of a script they are for the
// program's start, which does not wait for lines.
var breaking = []string{"break", "b", "trace", "t", "condition", "cond", "on", "toggle"}

// carryOut does what a line says.
func (f *frontend) carryOut(text string) {
	if f.answer != nil {
		f.reply(text)
		return
	}
	text = strings.TrimPrefix(strings.TrimSpace(text), ":") // as on the screen
	name, rest := split(text)
	if name == "" || strings.HasPrefix(name, "#") {
		return
	}
	if f.opts.Script {
		f.say("> %s", session.Clean(text)) // whose blanks count: it is what was typed
	}
	if f.past && name == "0" && rest == "" {
		f.quit()
		return
	}
	w, ours := findWord(name)
	if !ours && f.room.carryOut(text) {
		return
	}
	if !ours || rest != "" && (name == "help" || name == "why") {
		f.command(text)
		return
	}
	if err := w.do(f, rest); err != nil {
		f.say("error: %s", line(err.Error()))
	}
}

// evaluate hands a line to the command line.
func (f *frontend) evaluate(text string) {
	most := soon
	if name, _ := split(text); name == "why" || name == "back" || name == "rev" || name == "rewind" {
		most = time.Minute // the program is built and run
	}
	f.send(intent.Evaluate{At: f.at, Input: text}, most, func(e session.Event) bool {
		switch b := e.Body.(type) {
		case *session.Evaluated:
			return strings.TrimSpace(b.Input) == text
		case *session.Resumed:
			return b.Motion != debugger.CallFunction // which is over before its line is
		case *session.Notice, *session.BuildStarted, *session.Launched, *session.Questioned:
			return true
		}
		return false
	})
}

// send hands an intent over whose answer a script waits for, for some time at
// most: not every intent leads to an event.
func (f *frontend) send(i intent.Intent, most time.Duration, answer func(session.Event) bool) {
	f.sent = &sent{at: f.opts.Clock(), wait: most, answer: answer}
	f.Do(i)
}

// decided tells the events that answer what was decided about a fix.
func decided(e session.Event) bool {
	switch e.Body.(type) {
	case *session.Decided, *session.Undone, *session.ApplyFailed, *session.Allowed, *session.Asked, *session.Proposed, *session.Notice:
		return true
	}
	return false
}

// restarted tells the events that come of an approval: it is applied and started
// again, or was refused.
func restarted(e session.Event) bool {
	switch e.Body.(type) {
	case *session.ApplyFailed, *session.BuildStarted, *session.BuildFinished, *session.BuildFailed, *session.Launched,
		*session.LaunchFailed, *session.Judged:
		return true
	}
	return false
}

// soon bounds the wait for what needs no work.
const soon = 5 * time.Second

// ask asks a question that only y answers with yes.
func (f *frontend) ask(question, yes string, do func()) {
	f.say("%s y %s, n goes back", question, yes)
	f.answer = func(agreed bool) {
		if agreed {
			do()
			return
		}
		f.say("nothing was done")
	}
}

// reply answers the question.
func (f *frontend) reply(text string) {
	answer := f.answer
	f.answer = nil
	answer(strings.TrimSpace(text) == "y")
}

func (f *frontend) help(string) error {
	for _, w := range words {
		f.say("%s: %s", strings.TrimSpace(w.name+" "+w.args), w.help)
	}
	if f.opts.Seat != nil {
		f.say("share lets others in by ssh; people lists who is here and how to admit them, give them the wheel and talk")
	}
	f.say("any other line is one of the command line: continue, next, step, stepout, break, print, stack, locals, goroutines, an expression, x = 5")
	return nil
}

func (f *frontend) status(string) error {
	s := f.state
	switch s.Phase {
	case session.PhaseNew, session.PhaseBuilding:
		f.say("the program is being built")
	case session.PhaseBroken:
		f.say("the build failed; restart builds again")
	case session.PhaseStarting:
		f.say("the program is being started")
	case session.PhaseRunning:
		f.say("the program is running; halt interrupts it")
	case session.PhaseStopped:
		stop, _ := s.CurrentStop()
		f.say("%s; continue lets it run on", stopWords(stop.Stop))
	default:
		f.say("the program has ended; restart starts it again")
	}
	if n := len(f.candidates()); n > 0 {
		f.say("there are %d fixes; %d are being proved", n, len(f.live.Proving))
	}
	if a, ok := s.Undoable(); ok {
		f.say("%s is applied; undo takes it back", called(a.Candidate))
	}
	return nil
}

func (f *frontend) why(string) error {
	stop, ok := f.state.CurrentStop()
	if !ok {
		return fmt.Errorf("the program is not stopped")
	}
	at := f.at
	f.stopped(&session.Stopped{Stop: stop.Stop, Ran: stop.Ran})
	f.at, f.asked = at, true
	if words := stop.Why(); words != "" {
		f.say("why: %s", line(words))
	}
	return nil
}

func (f *frontend) here(string) error {
	frame, err := f.current()
	if err != nil {
		return err
	}
	f.place(frame)
	return nil
}

// tailRows is how many lines output prints when no number is given.
const tailRows = 20

func (f *frontend) tail(rest string) error {
	n := tailRows
	if rest != "" {
		if _, err := fmt.Sscan(rest, &n); err != nil || n < 1 {
			return fmt.Errorf("output %s: want a number of lines", rest)
		}
	}
	if f.echo.buffer == nil {
		f.say("the program has printed nothing")
		return nil
	}
	for _, row := range f.echo.buffer.View(-1, n).Rows {
		fmt.Fprintln(f.out, mark+session.Clean(row))
	}
	return nil
}

func (f *frontend) typeText(rest string) error {
	f.Do(intent.Type{Text: rest + "\n"})
	return nil
}

func (f *frontend) wait(rest string) error {
	if rest == "" {
		return nil // what it waits for has come
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 {
		return fmt.Errorf("wait %s: want a time such as 2s", rest)
	}
	f.until = f.opts.Clock().Add(d)
	return nil
}

func (f *frontend) showFix(rest string) error {
	c, err := f.named(rest)
	if err != nil {
		return err
	}
	f.show(c)
	return nil
}

func (f *frontend) approveFix(rest string) error {
	rest, without := strings.CutSuffix(rest, "without test")
	c, err := f.named(strings.TrimSpace(rest))
	if err != nil {
		return err
	}
	if other := f.state.AppliedInstead(c.ID); other != "" {
		return fmt.Errorf("%s is applied in place of %s: undo takes it back", called(other), called(c.ID))
	}
	f.approve(c, without)
	return nil
}

func (f *frontend) confirmFix(rest string) error {
	c, err := f.named(strings.TrimSpace(rest))
	if err != nil {
		return err
	}
	f.send(intent.Confirm{Candidate: c.ID}, soon, decided)
	return nil
}

func (f *frontend) rejectFix(rest string) error {
	n, reason := split(rest)
	if n == "" {
		return fmt.Errorf("reject which fix? reject N REASON")
	}
	c, err := f.named(n)
	if err != nil {
		return err
	}
	f.send(intent.Reject{Candidate: c.ID, Reason: reason}, soon, decided)
	return nil
}
