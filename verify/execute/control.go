package execute

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// ByItself reports whether a run ended with an exit code of its own that is not 0.
func ByItself(r sandbox.Result) bool {
	return r.ExitCode > 0 && !r.Alive() && r.Signal == "" && r.Limit == "" && len(r.Blocked) == 0
}

// wasTyped says what became of the recorded input in a run that has not ended.
func wasTyped(r sandbox.Result) string {
	switch {
	case !r.Alive():
		return ""
	case r.ReadAll:
		return "it has read all that was typed again"
	}
	return "it has not read all that was typed again"
}

// varying tells which lines differ between outputs of the same program; false where
// they do not even have as many lines.
func varying(outputs [][]byte) (lines []bool, same bool) {
	first := bytes.Split(outputs[0], []byte("\n"))
	lines = make([]bool, len(first))
	for _, other := range outputs[1:] {
		split := bytes.Split(other, []byte("\n"))
		if len(split) != len(first) {
			return nil, false
		}
		for i := range first {
			lines[i] = lines[i] || !bytes.Equal(first[i], split[i])
		}
	}
	return lines, true
}

// masked empties the lines of an output that differ from run to run.
func (c Control) masked(out []byte) []byte {
	lines := bytes.Split(out, []byte("\n"))
	for i := range lines {
		if i < len(c.varies) && c.varies[i] {
			lines[i] = nil
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// Control is the unpatched binary run in the sandbox: what the candidates are
// compared with.
type Control struct {
	Why      string   // why nothing can be compared; empty when it crashed as the target did
	Needs    []string // then what would have to be allowed
	blocked  []string // what the sandbox refused it, though it crashed as it should
	Before   []byte   // what it printed before the crash
	reports  [][]byte // what each control printed before it, with what its tests report
	varies   []bool   // the lines of before that differ between the controls: by a time, a port, an address
	Agreed   bool     // but for these the controls, two or more, printed the same before the crash
	defers   bool     // a function that the panic left had deferred calls: they may have printed the last of before
	Silent   bool     // a server has recovered the panic and printed nothing: a probe has seen it
	Others   []crash.Crash
	Instead  []crash.Crash        // the crashes of the runs that did not crash as the target did
	repro    *sandbox.ReproResult // what became of the repro command; nil without one
	unsteady bool                 // the repro command ended or printed differently in each run
	runs     int                  // how often it was run
	hits     int                  // in how many of these it crashed as the target did
	alive    int                  // and in how many it was still running when its time was up
	Took     time.Duration        // the longest time that it took to the crash
}

// controlWall is how long the control may take to crash: longer than the target
// did, because two run at once and the sandbox takes its share.
func (v *Runner) controlWall() time.Duration {
	if v.fromOutside() || v.Subject.Stop.Hangs() {
		return leastWall // whatever came from outside, and when, does not come again, and a person halts late
	}
	return min(max(leastWall, 5*v.Subject.Ran), 2*v.Opts.Timeout)
}

// fromOutside reports whether what a server stopped at came from outside, and nothing
// sends it again: neither a command nor the recorded keys.
func (v *Runner) fromOutside() bool {
	return v.Subject.Stop.LivesOn() && !v.Subject.Stop.Hangs() && v.Subject.Run.Repro.Command == "" && len(v.Subject.Run.Input) == 0
}

// CrashOf finds the site's crash in a run of the control; why says what came
// instead.
func (v *Runner) CrashOf(s subject.Site, r sandbox.Result) (found crash.Crash, why string) {
	for _, c := range subject.Crashes(v.Target, s, r) {
		if v.SameFault(s, c) {
			return c, ""
		}
	}
	if absent := notThere(r); absent != "" {
		return found, absent
	}
	if c, ok := crash.Parse(r.Output); ok {
		return found, "the unpatched program stopped with another crash: " + v.Describe(c) + v.hidden() + v.missing() + Refused(r) + v.perhaps(r)
	}
	return found, "the unpatched program " + Ending(r) + Said(r) + v.replayed(r) + v.hidden() + v.missing() + Refused(r) + v.perhaps(r)
}

// Ending says how a run ended.
func Ending(r sandbox.Result) string {
	switch {
	case r.Alive():
		return fmt.Sprintf("was still running after %s", finding.Short(r.Took))
	case r.Limit != "":
		return "went over the sandbox's limit of " + r.Limit
	case r.Signal != "":
		return "was killed by " + r.Signal
	}
	return fmt.Sprintf("ended with exit code %d", r.ExitCode)
}

// EndingOf is how a run ended, as a value.
func EndingOf(r sandbox.Result) *verdict.Ending {
	e := &verdict.Ending{Exit: r.ExitCode, Signal: r.Signal, Alive: r.Alive(), Ran: r.Took}
	if e.Signal != "" || e.Alive {
		e.Exit = -1
	}
	if r.Repro != nil && r.Repro.Ended {
		e.Reply = &r.Repro.Exit
	}
	return e
}

// Normal makes outputs comparable: a terminal ends lines its own way, a log has the time of
// its run, and the report of a test how long it took.
func Normal(output []byte) []byte {
	output = bytes.ReplaceAll(output, []byte("\r\n"), []byte("\n"))
	output = testTimes.ReplaceAll(output, []byte("$1(…)"))
	return moments.ReplaceAllFunc(output, func(text []byte) []byte {
		day, err := time.ParseInLocation(time.DateOnly, strings.ReplaceAll(string(text[:len(time.DateOnly)]), "/", "-"), time.Local)
		if away := time.Since(day); err != nil || away < -24*time.Hour || away > 48*time.Hour {
			return text // a date that the program is about
		}
		return []byte("…")
	})
}

// moments are dates with a time, as logs have them.
var moments = lazyregexp.New(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?`)

// testTimes are how long tests took, as the testing package reports it.
var testTimes = lazyregexp.New(`(?m)^( *--- (?:PASS|FAIL|SKIP): \S+ )\(\d+\.\d+s\)`)

// reports are those of the testing package on the test that panics.
var reports = lazyregexp.New(`( *--- FAIL: [^\n]*\n)+$`)

// printed is what the program printed before it crashed: of a test, without
// what the testing package says of the panic.
func (v *Runner) printed(before []byte) []byte {
	before = Normal(before)
	if v.Subject.Build.Test {
		before = reports.ReplaceAll(before, nil)
	}
	return before
}

// Limited decides a run that went over a limit other than time.
func Limited(r sandbox.Result) (verdict.Check, bool) {
	if r.Limit == "" || r.Alive() {
		return verdict.Check{}, false
	}
	return finding.Inconclusive("it %s", Ending(r)), true
}

// Compare holds the output against what the control printed before it crashed.
// note names the first line that differs; early tells that the output ends
// before that point.
func Compare(c Control, r sandbox.Result) (note string, early bool) {
	if !c.Agreed || r.Dropped > 0 || output.Draws(r.Output) { // what is drawn depends on the time
		return "", false
	}
	out, before := c.masked(Normal(r.Output)), c.masked(c.Before)
	if bytes.HasPrefix(out, before) {
		return "", false
	}
	if bytes.HasPrefix(before, out) {
		return "", true
	}
	want, got := strings.Split(string(before), "\n"), strings.Split(string(out), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			if c.defers && inOrder(want[i:], got[min(i, len(got)):]) {
				return "", false
			}
			is := ""
			if i < len(got) {
				is = got[i]
			}
			return fmt.Sprintf("line %d of the output differs before the failing line: %q, was %q", i+1, cut(is), cut(want[i])), false
		}
	}
	return "", false
}

// inOrder reports whether lines are among others, in their order.
func inOrder(lines, others []string) bool {
	for _, other := range others {
		if len(lines) > 0 && lines[0] == other {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// defers reports whether a function on the stack of the stop has deferred calls by then, which
// the panic makes before the program ends.
func defers(ctx context.Context, s subject.Subject) bool {
	if s.Code == nil {
		return false
	}
	code, err := s.Code(ctx)
	return err == nil && slices.ContainsFunc(s.Stop.Frames, func(frame debugger.Frame) bool {
		fn, ok := code.FuncAt(frame.File, frame.Line)
		return ok && frame.User && fn.Decl.Body != nil && defersBefore(code, fn.Decl.Body, frame.Line)
	})
}

// defersBefore reports whether a function defers a call before a line.
func defersBefore(code *workspace.Code, body *ast.BlockStmt, line int) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok { // another function, unless the line is in it
			return code.Fset.Position(lit.Pos()).Line <= line && line <= code.Fset.Position(lit.End()).Line
		}
		if d, ok := n.(*ast.DeferStmt); ok && code.Fset.Position(d.Pos()).Line < line {
			found = true
		}
		return !found
	})
	return found
}

// Noted adds a note, and turns a pass into a warning because of it, unless the
// candidate changes what comes before: then the note is what it is about.
func Noted(c verdict.Check, note string, earlier bool) verdict.Check {
	if note == "" {
		return c
	}
	if c.Status == verdict.Pass && !earlier {
		c.Status = verdict.Warn
	}
	c.Detail += "; " + note
	return c
}

func cut(s string) string { return s[:min(len(s), 100)] }

// EndingClass says how a run ended, but for its exit code: that is a byte of the
// candidate's choice.
func EndingClass(r sandbox.Result) string {
	if r.Alive() || r.Limit != "" || r.Signal != "" || r.ExitCode == 0 {
		return Ending(r)
	}
	return "ended with an exit code that is not 0"
}
