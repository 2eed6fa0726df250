package engine

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// shop is a program for the command line: it stops where it is asked to.
const shop = `
-- go.mod --
module example.org/shop

go 1.26
-- main.go --
package main

import "fmt"

type Item struct {
	Name  string
	Price int
	Tags  []string
}

var visits = 41

func total(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Price
	}
	return sum
}

func double(n int) int { return 2 * n }

func main() {
	items := []Item{{"pen", 120, []string{"office"}}, {"cup", 800, nil}, {"mug", 950, nil}}
	stock := map[string]*Item{"pen": &items[0]}
	visits++
	n := total(items)
	defer fmt.Println("bye")
	fmt.Println(n, len(stock), double(n), visits)
}
-- count.star --
def command_count(name):
    "counts what a slice holds"
    v = eval(None, name).Variable
    print("%s has %d" % (name, v.Len))

def main():
    print("price", tgt.item.Price)
    dlv_command("next")
    dlv_command("print sum")
-- commands.txt --
# a comment
print items[1].Name
nonsense nothing
up
locals items
`

// run carries out a line and returns its answer.
func (p *player) run(line string) session.Evaluated {
	p.t.Helper()
	seen := len(p.state.Transcript)
	at := debugger.FrameRef{}
	if stop, ok := p.state.CurrentStop(); ok {
		at = debugger.FrameRef{Goroutine: stop.Stop.Goroutine}
		if f, ok := stop.Stop.SelectedFrame(); ok {
			at.Frame = f.Index
		}
	}
	p.engine.Do(intent.Evaluate{At: at, Input: line})
	state := p.until("an answer to "+line, func(s session.State) bool { return len(s.Transcript) > seen })
	return state.Transcript[len(state.Transcript)-1]
}

// say carries out a line and checks what its answer holds.
func (p *player) say(line string, want ...string) session.Evaluated {
	p.t.Helper()
	a := p.run(line)
	text := a.Answer()
	for _, w := range want {
		if !strings.Contains(text, w) {
			p.t.Errorf("%s: no %q in\n%s", line, w, text)
		}
	}
	return a
}

func shopping(t *testing.T) (*player, string) {
	t.Helper()
	dir := module(t, shop)
	p := play(t, options.Session{Target: options.Target{Dir: dir}})
	p.until("an exit", func(s session.State) bool { return s.Phase == session.PhaseExited })
	p.say("break main.go:16", "breakpoint 1 set")
	p.engine.Do(intent.Evaluate{Input: "restart"})
	p.until("a stop", func(s session.State) bool { return s.Phase == session.PhaseStopped })
	return p, dir
}

// A value that only the program can make is made by a call of it; a slice grows in
// the array it has. What cannot be done says why.
func TestStringsAndSlicesAreSet(t *testing.T) {
	p, _ := shopping(t)
	p.say(`set item.Name = "fountain pen"`, "all goroutines run", `item.Name = "fountain pen"`)
	p.say(`items[1].Name = "bowl"`, `items[1].Name = "bowl"`)
	p.say("sum = double(21)", "sum = 42")
	p.say("items = append(items, items[0])", "items is full (len 3, cap 3)", "call a function of the program")
	p.say("items = items[:1]")
	p.say("items = append(items, items[0])", "len 2")
	p.say(`items[0].Tags = append(items[0].Tags, nothere)`, "is full")
	p.say("frame 1")
	p.say(`frame 1 set n = double(4)`, "innermost frame")
}

// Lines that were given at once are carried out as if each had waited for the answer to the
// one before: in the frame that it has selected.
func TestLinesGivenAtOnceFollowTheFrame(t *testing.T) {
	p, _ := shopping(t)
	stop, _ := p.state.CurrentStop()
	at := debugger.FrameRef{Goroutine: stop.Stop.Goroutine}
	before, seen := len(p.state.Transcript), p.state.Seq
	lines := []string{"up", "p len(items)", "down", "p sum", "up", "next", "p sum"}
	for _, line := range lines {
		p.engine.Do(intent.Evaluate{At: at, Input: line, Seen: seen})
	}
	p.until("all answers", func(s session.State) bool { return len(s.Transcript) == before+len(lines)-1 })
	for i, frame := range []int{0, 1, 1, 0, 0, 0} { // next answers with a stop
		if a := p.state.Transcript[before+i]; a.At.Frame != frame {
			t.Errorf("%q is carried out in frame %d, not %d: %s", a.Input, a.At.Frame, frame, a.Answer())
		}
	}
	p.engine.Do(intent.Evaluate{At: debugger.FrameRef{Goroutine: at.Goroutine, Frame: 1}, Input: "p 1", Seen: p.state.Seq})
	p.until("an answer", func(s session.State) bool { return len(s.Transcript) == before+len(lines) })
	if a := p.state.Transcript[before+len(lines)-1]; a.At.Frame != 1 {
		t.Errorf("what was chosen since is frame 1, not %d", a.At.Frame)
	}
}

// A script over the functions that models have, in a line or in a file.
func TestAScriptLooksAtTheProgram(t *testing.T) {
	p, dir := shopping(t)
	p.say(`script print(stop().function, eval("item.Price"))`, "main.total", "item.Price = 120")
	if err := os.WriteFile(filepath.Join(dir, "look.star"), []byte("for f in frames():\n    print(f.number, f.function, locals(f.number).keys())\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.say("script look.star", "main", `"items"`)
	p.say("script nosuch.star", "no such file")
	p.say(`script eval("double(1)")`, "script:1", "functions cannot be called")
}

func TestCommandsThatInspect(t *testing.T) {
	p, _ := shopping(t)
	p.say("p item.Price + 1", "121")
	p.say("items[2].Name", `"mug"`)
	p.say("print %x item.Price", "78")
	p.say("whatis items", "[]main.Item")
	p.say("whatis main.Item", "struct", "Price", "int")
	p.say("locals", "item = ", "sum = 0")
	p.say("locals ^su", "sum = 0")
	p.say("args -v", `Name = "pen"`, `"office"`)
	p.say("vars ^main", "main.visits = 42")
	p.say("stack", "main.total", "main.main", "main.go:27")
	p.say("bt 0", "main.total", "goes on")
	p.say("stack -defer -full -offsets", "items = ", "frame -")
	p.say("goroutines -t 3", "main.total", "goroutines")
	p.say("goroutines -with user", "main.total")
	p.say("goroutines -group user", "total: 1")
	p.say("goroutines -with user -exec print sum", "main.total", "0")
	p.say("goroutine", "goroutine 1", "runtime.main", "main.total")
	p.say("threads", "main.total")
	p.say("regs", "Rip = 0x")
	p.say("x -fmt dec -count 1 -size 8 -x &sum", "0x", "0")
	p.say("funcs ^main\\.", "main.double", "main.total")
	p.say("types ^main", "main.Item")
	p.say("sources main.go$", "main.go")
	p.say("packages ^main$", "main")
	p.say("libraries")
	p.say("list", "sum += item.Price")
	p.say("list main.double", "return 2 * n")
	p.say("disass", "main.total", "main.go:16")
	p.say("disassemble -l main.double", "main.double")
	p.say("target list", p.engine.program.Binary.Binary)
	p.say("help", "Running the program", "stack, bt")
	p.say("help bt", "stack [<depth>]", "-offsets")
	p.say("config -list", "source-list-line-count")
	p.say("checkpoints", "record")
	if a := p.say("frame 1", "main.main"); a.Select == nil || a.Select.Frame != 1 {
		t.Errorf("frame 1 selects %v", a.Select)
	}
	p.say("up locals stock", "stock = ")
	p.say("frame 7", "no frame 7")
	p.say("nothing", "no command and no variable nothing")
	p.say("breakpoint", "did you mean breakpoints?")
	if a := p.run("stack -fll"); a.Usage == "" || !strings.Contains(a.Err, "-full") {
		t.Errorf("a wrong option: %+v", a)
	}
}

func TestCommandsThatChange(t *testing.T) {
	p, dir := shopping(t)
	p.say("bp", "1 hit")
	p.say("sum = 5", "sum = 5")
	p.say("set sum = sum + 2", "sum = 7")
	p.say("display -a sum", "0: sum = 7")
	p.engine.Do(intent.Evaluate{Input: "next"}) // one step: with more, a stop between may have shown the change
	p.until("the display again", func(s session.State) bool {
		return len(s.Displays) == 1 && s.Displays[0].Value.Value == "127" && s.Displays[0].Before == "7"
	})
	p.say("display -d 0", "no longer displayed")
	p.say("b total:5", "breakpoint 2 set")
	p.say("cond 2 sum > 1", "if sum > 1")
	p.say("cond -hitcount 2 % 2", "hits % 2")
	p.say("on 2 print items[0].Name", "print items[0].Name")
	p.say("toggle 2", "off")
	p.say("breakpoints", "main.go:16", "(off)", "print items")
	p.say("breakpoints -save bps", "2 breakpoints saved")
	p.say("clear 1", "cleared")
	p.say("clearall", "breakpoint 2 cleared")
	p.say("source bps", "bp1", "bp2")
	p.say("bp", "main.go:16", "if sum > 1", "(off)")
	p.say("transcript log.txt")
	p.say("print sum")
	p.say("transcript -off")
	if data, err := os.ReadFile(filepath.Join(dir, "log.txt")); err != nil || !strings.Contains(string(data), "> print sum\n") {
		t.Errorf("transcript: %q, %v", data, err)
	}
	p.say("dump core.1", "is written")
	p.say("config alias print show")
	p.say("show sum", "sum = 127")
	p.say("config alias show")
	p.say("show sum", "error")
}

func TestScripts(t *testing.T) {
	p, _ := shopping(t)
	p.say("source commands.txt", `"cup"`, "commands.txt:3", "frame 1", "items = ")
	p.say("source count.star", "price 120", "sum = ")
	p.say(`count "items"`, "items has 3")
	p.say(`on 1 count "items"`, "is:")
	p.engine.Do(intent.Evaluate{Input: "continue"})
	p.until("the command at the breakpoint", func(s session.State) bool {
		last := s.Transcript[len(s.Transcript)-1]
		return last.Input == `count "items"` && strings.Contains(last.Answer(), "items has 3") && len(s.Stops) > 2
	})
	p.say("help count", "Counts what a slice holds", "on <breakpoint>")
	p.say("source -", "no Starlark prompt")
	p.say("source nowhere.star", "no such file")
}

// What a script does with breakpoints is as if the person had done it, under the numbers
// of the list.
func TestBreakpointsOfScripts(t *testing.T) {
	p, dir := shopping(t)
	script := func(text string) string {
		if err := os.WriteFile(filepath.Join(dir, "b.star"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "source b.star"
	}
	p.say(script(`b = create_breakpoint({"FunctionName": "main.double", "Name": "dbl", "Cond": "n==1"}).Breakpoint
print(b.ID, b.Name)
dlv_command("on %d print n" % b.ID)
`), "2 dbl")
	p.say("breakpoints", "2", "dbl", "main.double", "n == 1", "print n")
	p.say("break main.double", "there is a breakpoint already", "change that one")
	p.say(script(`b = get_breakpoint(2, "").Breakpoint
b.Cond = ""
amend_breakpoint(b)
print([(b.ID, b.Name) for b in breakpoints().Breakpoints if b.ID > 0])
`), `[(1, ""), (2, "dbl")]`)
	if b := p.state.Breakpoints[1]; b.Cond != "" || len(b.Print) != 1 || b.Disabled {
		t.Errorf("changed by a script: %+v", b)
	}
	p.say("toggle dbl")
	if b := p.state.Breakpoints[1]; !b.Disabled {
		t.Errorf("toggled: %+v", b)
	}
	p.say(script(`toggle_breakpoint(2)`))
	if b := p.state.Breakpoints[1]; b.Disabled {
		t.Errorf("toggled by a script: %+v", b)
	}
	p.say(script("clear_breakpoint(1)\nclear_breakpoint(7)"), "there is no breakpoint 7")
	if list := p.state.Breakpoints; len(list) != 1 || list[0].ID != 2 {
		t.Errorf("cleared by a script: %+v", list)
	}
	stops := len(p.state.Stops)
	p.engine.Do(intent.Evaluate{Input: "restart"}) // the list is set again in another target
	state := p.until("the script's breakpoint", func(s session.State) bool { return len(s.Stops) > stops })
	if stop := state.Stops[len(state.Stops)-1].Stop; stop.Breakpoint == nil || stop.Breakpoint.ID != 2 || len(stop.Printed) != 1 {
		t.Errorf("stopped: %+v", stop.Breakpoint)
	}
	p.say("clear dbl")
	if len(p.state.Breakpoints) != 0 {
		t.Errorf("cleared: %+v", p.state.Breakpoints)
	}
}

func TestLongAnswersAreBoundedInTheJournal(t *testing.T) {
	p, _ := shopping(t)
	a := p.run("funcs")
	lines, left := a.All()
	if len(a.Lines) != 200 || left != 0 || len(lines) < 1000 || a.Left != len(lines)-200 {
		t.Fatalf("%d lines of %d, %d left out", len(a.Lines), len(lines), a.Left)
	}
	for i := range keptListings {
		p.run(fmt.Sprintf("funcs .{%d}", i))
	}
	if again := p.state.Transcript[1]; again.Input != "funcs" || again.Whole.Lines() != nil {
		t.Errorf("%q still holds %d lines", again.Input, len(again.Whole.Lines()))
	}
	if _, left := p.state.Transcript[1].All(); left != len(lines)-200 {
		t.Errorf("%d lines are said to be left out", left)
	}
}

func TestScriptIsCanceled(t *testing.T) {
	p, dir := shopping(t)
	if err := os.WriteFile(filepath.Join(dir, "loop.star"), []byte("while True:\n    pass\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.engine.Do(intent.Evaluate{Input: "source loop.star"})
	for p.engine.snapshot().Command == nil {
		p.until("something", func(session.State) bool { return true })
	}
	p.engine.Do(intent.CancelCommand{})
	state := p.until("the script's end", func(s session.State) bool {
		return len(s.Transcript) > 0 && s.Transcript[len(s.Transcript)-1].Input == "source loop.star"
	})
	if a := state.Transcript[len(state.Transcript)-1]; !strings.Contains(a.Err, "cancel") {
		t.Errorf("it ended with %q", a.Err)
	}
}

func (e *Engine) snapshot() live.State {
	u, _ := e.Wait(context.Background(), math.MaxUint64, 0)
	return u.Live
}

// Every command says how it is written.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range console.NewTable().Commands() {
		if c.Help == "" || c.Group == "" || c.Run == nil {
			t.Errorf("%s lacks something", c.Name)
		}
	}
}
