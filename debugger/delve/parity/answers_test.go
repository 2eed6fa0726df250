//go:build linux

package parity

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// run is a line that both are given at the stop, and how their answers compare.
type run struct {
	command string // of dlv, by its name
	line    string
	compare string
	ours    string // where our line is another
}

// runs are given in this order to the same server.
var runs = []run{
	{"print", "print factor", "values", ""},
	{"print", "print c", "values", ""},
	{"print", "print c.Tags[1]", "values", ""},
	{"print", "print c.Stock", "values", ""},
	{"print", "print %x c.Count", "lines", ""},
	{"print", "print main.seller", "values", ""},
	{"print", "frame 1 print queue", "channel", ""},
	{"print", "frame 1 print orders", "channel", ""},
	{"print", "frame 1 print bytes", "values", ""},
	{"whatis", "whatis c", "type", ""},
	{"whatis", "whatis main.seller", "type", ""},
	{"whatis", "whatis main.Crate", "type", ""},
	{"args", "args", "heads", ""},
	{"args", "args -v", "values", ""},
	{"args", "frame 1 args", "nothing", ""},
	{"locals", "locals", "heads", ""},
	{"locals", "frame 1 locals", "heads", ""},
	{"locals", "frame 1 locals -v ^b", "values", ""},
	{"vars", "vars ^main\\.", "heads", ""},
	{"vars", "vars -v main.Opened", "values", ""},
	{"funcs", "funcs ^main\\.", "lines", ""},
	{"types", "types ^main\\.", "lines", ""},
	{"sources", "sources market/main.go$", "lines", ""},
	{"packages", "packages ^(main|fmt|os)$", "lines", ""},
	{"stack", "stack", "frames", "stack -all"}, // dlv leaves nothing out
	{"stack", "stack 1", "frames", "stack 1 -all"},
	{"stack", "bt -full", "full frames", "bt -full -all"},
	{"stack", "stack -defer", "deferred calls", "stack -defer -all"},
	{"stack", "stack -mode simple", "frames", "stack -mode simple -all"},
	{"deferred", "deferred 1 args", "nothing", ""},
	{"goroutines", "goroutines", "goroutines", ""},
	{"goroutines", "goroutines -r", "goroutines", ""},
	{"goroutines", "goroutines -g", "goroutines", ""},
	{"goroutines", "goroutines -s", "goroutines", ""},
	{"goroutines", "goroutines -with user", "goroutines", ""},
	{"goroutines", "goroutines -without label hall=east -with user", "goroutines", ""},
	{"goroutines", "goroutines -with userloc wait", "goroutines", ""},
	{"goroutines", "goroutines -with label shift=n1 -t 4", "frames", "goroutines -with label shift=n1 -t 4 -all"},
	{"goroutines", "goroutines -with label shift=n1 -l", "labels", ""},
	{"goroutines", "goroutines -group userloc", "groups", ""},
	{"goroutines", "goroutines -group label shift", "groups", ""},
	{"goroutines", "goroutines -with running -exec print main.Opened", "executed", ""},
	{"goroutine", "goroutine", "goroutine", ""},
	{"threads", "threads", "threads", ""},
	{"regs", "regs", "registers", ""},
	{"regs", "regs -a", "registers", ""},
	{"examinemem", "x -fmt hex -count 16 -size 1 -x &main.Opened", "bytes", ""},
	{"examinemem", "x -fmt hex -count 3 -size 8 -x c", "bytes", ""},
	{"disassemble", "disassemble", "code", ""},
	{"disassemble", "disassemble -l main.double", "code", ""},
	{"list", "list", "source", ""},
	{"list", "list main.double", "source", ""},
	{"list", "frame 1 list", "source", ""},
	{"target", "target list", "processes", ""},
	{"display", "display -a factor", "values", ""},
	{"display", "display", "values", ""},
	{"frame", "frame 1", "frame", ""},
	{"up", "up", "frame", ""},
	{"down", "down", "frame", ""},
	{"help", "help", "commands", ""},
}

func TestAnswers(t *testing.T) {
	d, o := meet(t)
	for _, r := range runs {
		t.Run(r.line, func(t *testing.T) {
			d.t, o.t = t, t
			check(t, r, d.say(r.line), o.say(cmp.Or(r.ours, r.line)))
		})
	}
	d.t, o.t = t, t
}

// check compares two answers, and tries whether the comparison can fail: ours
// without a line, or a word, that it needs must not pass.
func check(t *testing.T, r run, theirs, ours string) {
	t.Helper()
	c, ok := comparisons[r.compare]
	if !ok {
		t.Fatalf("there is no comparison %q", r.compare)
	}
	if why := c.differs(theirs, ours); why != "" {
		t.Fatal(why)
	}
	lines := strings.SplitAfter(ours, "\n")
	for i := range lines {
		if c.differs(theirs, joined(slices.Delete(slices.Clone(lines), i, i+1))) != "" {
			return
		}
	}
	for _, fact := range c.theirs(theirs) {
		for _, word := range strings.Fields(fact) {
			if c.differs(theirs, strings.ReplaceAll(ours, word, "")) != "" {
				return
			}
		}
	}
	t.Error("the comparison passes whatever is missing from ours")
}

// motions are carried out by both, one after the other, on two servers.
var motions = []struct{ command, line string }{
	{"next", "next"}, {"step-instruction", "step-instruction"}, {"next-instruction", "next-instruction"}, {"next", "next 2"}, {"step", "step"},
	{"stepout", "stepout"}, {"call", "call main.double(4)"}, {"continue", "continue main.note"}, {"stepout", "so"},
}

func TestMotions(t *testing.T) {
	d, o := again(t)
	for _, m := range motions {
		d.say(m.line)
		o.say(m.line)
		if got, want := o.position(), d.position(); got != want {
			t.Fatalf("after %s: ours stands at %s, dlv at %s", m.line, got, want)
		}
	}
	d, o = again(t)
	d.say(fmt.Sprintf("jump %d", stopLine+1))
	o.say(fmt.Sprintf("jump %d", stopLine+1))
	if got, want := o.position(), d.position(); got != want {
		t.Errorf("after jump: ours stands at %s, dlv at %s", got, want)
	}
}

// again meets on two servers of the same program.
func again(t *testing.T) (*dlv, *ours) {
	d, _ := meet(t)
	_, o := meet(t)
	return d, o
}

func TestBreakpointsAreToldAlike(t *testing.T) {
	d, o := again(t)
	for _, line := range []string{"break main.double", "trace main.note", fmt.Sprintf("break here main.go:%d if factor > 1", stopLine+1), "break", "watch -w main.Opened"} {
		theirs, ours := d.say(line), o.say(line)
		if line == "watch -w main.Opened" {
			if !strings.Contains(theirs, "main.Opened") || !strings.Contains(ours, "main.Opened") {
				t.Errorf("watch:\n%s\n%s", theirs, ours)
			}
			continue
		}
		if why := comparisons["places"].differs(theirs, ours); why != "" {
			t.Errorf("%s: %s", line, why)
		}
	}
	d.say("condition -hitcount here > 1")
	o.say("condition -hitcount here > 1")
	d.say("on here print factor")
	o.say("on here print factor")
	d.say("toggle here")
	if ours := o.say("toggle here"); !strings.Contains(ours, "off") {
		t.Errorf("toggle: %s", ours)
	}
	theirs, ours := d.say("breakpoints"), o.say("breakpoints")
	if why := comparisons["places"].differs(userBreakpoints(theirs), ours); why != "" {
		t.Error(why)
	}
	for _, fact := range []string{"factor > 1", "> 1", "print factor", "main.Opened"} {
		if !strings.Contains(theirs, fact) || !strings.Contains(ours, fact) {
			t.Errorf("breakpoints: %q\n%s\n%s", fact, theirs, ours)
		}
	}
	if why := comparisons["places"].differs(d.say("clear here"), o.say("clear here")); why != "" {
		t.Error(why)
	}
	d.say("clearall")
	o.say("clearall")
	if left := o.say("breakpoints"); !strings.Contains(left, "no breakpoints") {
		t.Errorf("after clearall: %s", left)
	}
}

// Counts of hits, results of calls and what is refused are alike, too.
func TestCountsAndCallsAreTheSame(t *testing.T) {
	d, o := again(t)
	for _, line := range []string{"break main.double", "continue", "continue"} {
		d.say(line)
		o.say(line)
	}
	theirs := found(`(?m)^Breakpoint .* main\.double\(\) .*\((\d+)\)$`)(d.say("breakpoints"))
	ours := found(`main\.double .*  (\d+) hits?$`)(strings.TrimSpace(o.say("breakpoints")))
	if !slices.Equal(theirs, ours) || len(ours) != 1 || ours[0] != "2" {
		t.Errorf("hits: dlv has %v, pausetui %v", theirs, ours)
	}
	d.say("clearall")
	o.say("clearall")
	for call, value := range map[string]string{"double(3)": "6", "double(x) + 1": "", "twice": ""} {
		theirs, errTheirs := d.try("call " + call)
		ours, errOurs := o.try("call " + call)
		if (errTheirs == nil) != (errOurs == "") || !strings.Contains(theirs, value) || !strings.Contains(ours, value) {
			t.Errorf("call %s:\n%s%v\n%s%s", call, theirs, errTheirs, ours, errOurs)
		}
	}
	for _, line := range []string{"print nothere", "call nothere(3)", "set nothere = 3", "frame 900", "goroutine 900"} {
		_, errTheirs := d.try(line)
		if _, errOurs := o.try(line); errTheirs == nil || errOurs == "" {
			t.Errorf("%s: dlv says %v, pausetui %q", line, errTheirs, errOurs)
		}
	}
}

// userBreakpoints leaves out those that Delve sets by itself, and its
// tracepoints at returns, which are one of ours.
func userBreakpoints(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "unrecovered-panic") && !strings.Contains(line, "runtime-fatal-throw") && !strings.Contains(line, "runtime.") {
			out = append(out, line)
		}
	}
	return joined(out)
}

func TestChangesAndFiles(t *testing.T) {
	d, o := again(t)
	for _, line := range []string{"set factor = 3.5", "set c.Count = 40"} {
		d.say(line)
		o.say(line)
	}
	for _, line := range []string{"print factor", "print c.Count"} {
		check(t, run{line: line, compare: "values"}, d.say(line), o.say(line))
	}
	script := filepath.Join(t.TempDir(), "script.star")
	text := "def command_twice(x):\n    print(2 * x)\ndef main():\n    print(eval(None, \"c\").Variable.Value.Label, tgt.factor)\n    dlv_command(\"print c.Count\")\n"
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	check(t, run{line: "source", compare: "values"}, d.say("source "+script), o.say("source "+script))
	theirs, ours := filepath.Join(t.TempDir(), "theirs"), filepath.Join(t.TempDir(), "ours")
	d.say("dump " + theirs)
	o.say("dump " + ours)
	for _, path := range []string{theirs, ours} {
		if info, err := os.Stat(path); err != nil || info.Size() < 1<<20 {
			t.Errorf("dump: %v, %v", info, err)
		}
	}
	d.say("transcript " + theirs + ".txt")
	o.say("transcript " + ours + ".txt")
	check(t, run{line: "print factor", compare: "values"}, d.say("print factor"), o.say("print factor"))
	d.say("transcript -off")
	o.say("transcript -off")
	for _, path := range []string{theirs, ours} {
		if data, err := os.ReadFile(path + ".txt"); err != nil || !strings.Contains(string(data), "3.5") {
			t.Errorf("transcript: %q, %v", data, err)
		}
	}
}

func TestSwitching(t *testing.T) {
	d, o := meet(t)
	list, _, err := o.host.target.Goroutines(t.Context(), debugger.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		if strings.HasPrefix(g.User.Function, "main.wait") {
			line := fmt.Sprintf("goroutine %d", g.ID)
			d.say(line)
			o.say(line)
			check(t, run{line: "stack", compare: "frames"}, d.say("stack"), o.say("stack -all"))
			check(t, run{line: "goroutine", compare: "goroutine"}, d.say("goroutine"), o.say("goroutine"))
			inside := fmt.Sprintf("goroutine %d stack 2", g.ID)
			check(t, run{line: inside, compare: "frames"}, d.say(inside), o.say(inside+" -all"))
			return
		}
	}
	t.Fatal("no goroutine waits")
}
