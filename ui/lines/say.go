package lines

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// happened tells an event.
func (f *frontend) happened(e session.Event) {
	if f.opts.Beside {
		f.besides(e)
		return
	}
	switch b := e.Body.(type) {
	case *session.Started:
		f.started(b)
	case *session.BuildStarted:
		f.say("building")
	case *session.BuildFinished:
		if b.Proved != "" {
			f.say("nothing to build: the binary that proved %s is used", called(b.Proved))
		} else {
			f.say("built in %s", seconds(b.Took))
		}
	case *session.BuildFailed:
		f.buildFailed(b)
	case *session.LaunchFailed:
		f.say("the program could not be started: %s", line(b.Message))
		f.hint(b.Hint)
	case *session.Launched:
		f.asked = false
		if f.state.Started.Mode.Starts() && b.Can().Run {
			f.say("running, process %d", b.PID)
		} else {
			f.say("%s", b.Note())
		}
	case *session.Resumed:
		if b.Motion != debugger.Continue {
			return // it ends soon
		}
		f.say("running")
	case *session.Stopped:
		f.stopped(b)
	case *session.Diagnosed:
		if words := whyWords(f.state, b); words != "" {
			f.say("%s", words)
		}
	case *session.TracepointHit:
		if f.opts.Beside { // else the output has all of them, in their places
			f.traced(b.Hit, b.Missed)
		}
	case *session.BreakpointSet:
		if f.sent == nil { // else the answer says it
			f.say("%s", breakpointWords(f.rel, b.Breakpoint))
		}
	case *session.BreakpointCleared:
		if f.sent == nil {
			f.say("breakpoint %d is gone", b.ID)
		}
	case *session.Muted:
		f.say("muted: %s", line(session.SiteWords(b.Site)))
	case *session.Unmuted:
		f.say("no longer muted: %s", line(session.SiteWords(b.Site)))
	case *session.Displayed:
		if e.Actor == session.EngineActor { // else the answer of display says it
			f.shows = time.Time{}
			f.displayed(b.List)
		}
	case *session.Evaluated:
		f.evaluated(b)
	case *session.Notice:
		f.notice(e.Actor, b)
	case *session.ReproStarted:
		f.say("the repro command runs: %s", line(b.Command))
	case *session.ReproEnded:
		f.say("%s", line(session.ReplyWords(*b)))
	case *session.Ended:
		if !f.past || b.Error != "" { // the present goes on
			f.endedWords(b)
		}
	default:
		f.fixed(e)
	}
}

// whyWords says why the program has crashed, which may have gone on meanwhile; empty
// where that is not known.
func whyWords(s session.State, b *session.Diagnosed) string {
	switch {
	case b.Diagnosis.Sentence == "":
		return ""
	case b.Diagnosis.Observed != "":
		return "seen: " + line(b.Diagnosis.Observed)
	case s.Current == s.CaseIndex():
		stop, _ := s.CurrentStop()
		if stop.Diagnosis = &b.Diagnosis; stop.Why() == "" { // the stop has said it
			return ""
		}
		return "why: " + line(b.Diagnosis.Sentence)
	}
	return "why it stopped before: " + line(b.Diagnosis.Sentence)
}

func (f *frontend) started(b *session.Started) {
	verb := "debugging"
	if b.Test {
		verb = "debugging the tests of"
	}
	f.say("pausetui %s: %s %s", line(b.Version), verb, strings.TrimSpace(line(b.Target())+" "+b.Arguments()))
	if b.LogNote != "" {
		f.say("%s", line(b.LogNote))
	}
	if !f.opts.Script {
		f.say("help lists the commands")
	}
}

func (f *frontend) buildFailed(b *session.BuildFailed) {
	f.say("the build failed: %s", line(b.Message))
	for i, d := range b.Diagnostics {
		if i == 10 {
			f.say("and %d more", len(b.Diagnostics)-i)
			break
		}
		if d.File == "" {
			f.say("%s", line(d.Message))
			continue
		}
		f.say("%s line %d: %s", f.rel(d.File), d.Line, line(d.Message))
	}
	if f.state.Phase == session.PhaseStopped {
		f.say("the program is held as it was")
	}
	f.hint(b.Hint)
}

func (f *frontend) notice(actor string, b *session.Notice) {
	if !f.room.concerns(b) {
		return
	}
	switch b.Level {
	case "note":
		f.say("%s%s", f.room.speaker(actor), line(b.Text))
	case "error", "warn":
		f.say("%s: %s", map[string]string{"error": "error", "warn": "warning"}[b.Level], line(b.Text))
	default:
		f.say("%s", line(b.Text))
	}
	f.hint(b.Hint)
}

func (p *printer) endedWords(b *session.Ended) {
	if b.Error != "" {
		p.say("error: %s", line(b.Error))
		p.hint(b.Hint)
	}
	p.say("session ended: %s", line(b.Outcome))
}

// evaluated prints the answer of the command line, and where it led.
func (f *frontend) evaluated(b *session.Evaluated) {
	answer := *b
	answer.Err = ""
	if text := answer.Answer(); text != "" {
		f.print(text)
	}
	if b.Err != "" {
		f.say("error: %s", line(b.Err))
		f.hint(b.Hint)
	}
	if b.Select == nil || *b.Select == f.at {
		return
	}
	f.at = *b.Select
	if err := f.here(""); err != nil {
		f.say("error: %s", line(err.Error()))
	}
}

// traced prints a hit of a tracepoint, and how many were left out before it.
func (f *frontend) traced(h debugger.TraceHit, missed uint64) {
	i := slices.IndexFunc(f.state.Breakpoints, func(b debugger.Breakpoint) bool {
		// Returns are on other lines than the function begins.
		return b.Trace && b.OnReturn == h.Returns && (b.IsAt(h.File, h.Line) || h.Returns && b.Function == h.Function)
	})
	if i >= 0 {
		h.Breakpoint = f.state.Breakpoints[i].ID // our number
	}
	what := "passed"
	if h.Returns {
		what = "returns from"
	}
	words := fmt.Sprintf("tracepoint %d: %s %s", h.Breakpoint, what, line(h.Function))
	if h.File != "" {
		words += fmt.Sprintf(", %s line %d", f.rel(h.File), h.Line)
	}
	for _, v := range h.Values {
		if words += ", "; v.Name != "" {
			words += line(v.Name) + " = "
		}
		words += session.Short(v, 80)
	}
	if missed > 0 {
		words += fmt.Sprintf(", and %d hits before it", missed)
	}
	f.say("%s", words)
	f.stack(h.Stack)
}

// consent says that a prompt waits for a person to agree.
func (f *frontend) consent() {
	w := f.live.Consent
	switch {
	case w == nil:
		f.said = live.Wanted{}
	case *w != f.said:
		f.said = *w
		f.say("%s runs on another machine, %s: prompts hold code and values of this program. agree sends them, decline does not", line(w.Model), line(w.Host))
	}
}

func breakpointWords(rel func(string) string, b debugger.Breakpoint) string {
	words := fmt.Sprintf("%s %d", b.Kind(), b.ID)
	switch {
	case b.Watch != "":
		words += " on " + line(b.Watch)
	case b.File != "" && b.Line > 0:
		words += fmt.Sprintf(" at %s line %d", rel(b.File), b.Line)
	case b.Location != "":
		words += " at " + line(b.Location)
	}
	if b.Cond != "" {
		words += " if " + line(b.Cond)
	}
	if b.Disabled {
		words += ", switched off"
	}
	if b.Why != "" {
		words += ": " + line(b.Why)
	}
	return words
}

// rel is a path as people say it: relative to the module.
func (f *frontend) rel(file string) string { return line(f.state.Started.Workspace.Rel(file)) }

// line makes text from outside safe to print in one line.
func line(text string) string { return strings.Join(strings.Fields(session.Clean(text)), " ") }

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f seconds", d.Seconds()) }
