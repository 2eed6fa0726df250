package prompt

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/theme"
)

func key(name string) tea.KeyPressMsg {
	codes := map[string]tea.Key{"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
		"esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "ctrl+r": {Code: 'r', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl}}
	if k, ok := codes[name]; ok {
		return tea.KeyPressMsg(k)
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func command(lines ...string) *Command {
	c := &Command{}
	c.SetTable(console.NewTable())
	c.History.Set(lines)
	c.Open()
	return c
}

// press types keys; a word in brackets is one key.
func press(c *Command, keys ...string) Asks {
	last := Nothing
	for _, k := range keys {
		if strings.HasPrefix(k, "[") {
			last = c.Key(key(strings.Trim(k, "[]")))
			continue
		}
		for _, r := range k {
			last = c.Key(key(string(r)))
		}
	}
	return last
}

func TestHistory(t *testing.T) {
	c := command("print a", "stack", "print b")
	for _, step := range []struct{ keys, want string }{
		{"dra", "dra"}, {"[up]", "print b"}, {"[up]", "stack"}, {"[up]", "print a"}, {"[up]", "print a"}, {"[down]", "stack"}, {"[down]", "print b"}, {"[down]", "dra"},
	} {
		press(c, step.keys)
		if c.Text() != step.want {
			t.Fatalf("after %s: %q, want %q", step.keys, c.Text(), step.want)
		}
	}
	c.Set("stack")
	if line, fresh := c.Enter(); line != "stack" || !fresh || c.History.Len() != 4 {
		t.Errorf("entered %q, fresh %v, %d lines", line, fresh, c.History.Len())
	}
	c.Set("stack")
	if _, fresh := c.Enter(); fresh {
		t.Error("the same line twice is remembered twice")
	}
	c.Set(" secret")
	if _, fresh := c.Enter(); fresh {
		t.Error("a line that begins with a space is remembered")
	}
}

func TestSearchThroughTheHistory(t *testing.T) {
	c := command("print Alpha", "stack", "print beta", "locals")
	for _, step := range []struct{ keys, want string }{
		{"[ctrl+r]", ""}, {"pri", "print beta"}, {"[ctrl+r]", "print Alpha"}, {"nt b", "print Alpha"}, {"[ctrl+u]", ""}, {"alpha", "print Alpha"},
		{"[backspace]", "print Alpha"}, {"x", "print Alpha"}, {"[esc]", ""},
	} {
		press(c, step.keys)
		if c.Text() != step.want {
			t.Fatalf("after %s: %q, want %q", step.keys, c.Text(), step.want)
		}
	}
	press(c, "[ctrl+r]", "sta")
	if line, _ := c.Enter(); line != "stack" {
		t.Errorf("enter takes %q", line)
	}
}

func TestCompletion(t *testing.T) {
	c := command()
	if press(c, "p it", "[tab]") != Complete || c.Wanted().Word != "it" {
		t.Fatalf("wanted: %+v", c.Wanted())
	}
	c.SetOffers([]string{"item", "items"}, true)
	if c.Text() != "p item" || !c.Waiting() {
		t.Errorf("the first that is known: %q", c.Text())
	}
	c.SetOffers([]string{"it2", "item", "items", "itself"}, false) // more has come
	press(c, "[tab]")
	if c.Text() != "p items" {
		t.Errorf("the next: %q", c.Text())
	}
	press(c, "[shift+tab]", "[shift+tab]")
	if c.Text() != "p it2" {
		t.Errorf("back: %q", c.Text())
	}
	press(c, "[esc]")
	if c.Text() != "p it" {
		t.Errorf("esc drops it: %q", c.Text())
	}
	press(c, "[tab]")
	c.SetOffers([]string{"iterate", "iteration"}, false)
	if c.Text() != "p iterat" {
		t.Errorf("what all have in common: %q", c.Text())
	}
	press(c, "i", "[tab]")
	c.SetOffers([]string{"iteration"}, false)
	if offers, _ := c.Offers(); c.Text() != "p iteration" || len(offers) != 0 {
		t.Errorf("the only one: %q, %q", c.Text(), offers)
	}
	press(c, "x", "[tab]")
	press(c, "y")
	c.SetOffers([]string{"late"}, false)
	if c.Text() != "p iterationxy" {
		t.Errorf("an answer that comes too late: %q", c.Text())
	}
}

func listing(n int) session.Evaluated {
	lines := make([]session.Line, n)
	for i := range lines {
		lines[i] = session.Line{Text: fmt.Sprintf("main.Function%d", i), Run: fmt.Sprintf("list main.Function%d", i)}
	}
	e := session.Evaluated{Input: "funcs", Lines: lines[:200], Left: n - 200, Whole: session.NewListing(lines)}
	return e
}

func TestPanelOfALongAnswer(t *testing.T) {
	th := theme.New(true, colorprofile.ASCII)
	p := NewPanel()
	short := session.Evaluated{Input: "stack", Lines: []session.Line{{Text: "0 main.f", Place: &session.Place{Frame: &debugger.FrameRef{Goroutine: 1}}}}}
	p.Sync([]session.Evaluated{short, listing(10_000)}, 2, 60)
	p.Resize(8)
	view := p.View(th)
	if len(view) != 8 || !strings.Contains(view[0], "funcs") || !strings.Contains(view[7], "Function6") {
		t.Fatalf("it begins with\n%s", strings.Join(view, "\n"))
	}
	p.ScrollBy(1 << 30)
	if view = p.View(th); !strings.Contains(view[7], "Function9999") {
		t.Errorf("its end is\n%s", strings.Join(view, "\n"))
	}
	p.StartFilter()
	for _, r := range "function99" {
		p.Filtering().Key(key(string(r)))
		p.Filter()
	}
	if view = p.View(th); !strings.Contains(view[0], "Function99") || p.Note() != "111 lines with function99" {
		t.Errorf("%s:\n%s", p.Note(), strings.Join(view, "\n"))
	}
	p.EndFilter(true)
	p.Move(1)
	p.Move(-1)
	if _, l, ok := p.Selected(); !ok || !strings.HasPrefix(l.Run, "list main.Function99") {
		t.Errorf("selected: %+v", l)
	}
	if !p.Click(2) {
		t.Error("a click leads nowhere")
	}
	p.Sync([]session.Evaluated{short}, 3, 60)
	p.Resize(8)
	p.Move(-1)
	if _, l, ok := p.Selected(); !ok || l.Place == nil {
		t.Errorf("after another answer: %+v", l)
	}
}

func TestAFoldedPanelTakesNoRows(t *testing.T) {
	one := session.Evaluated{Input: "x", Lines: make([]session.Line, 3)}
	two := session.Evaluated{Input: "y", Lines: make([]session.Line, 5)}
	for name, unfold := range map[string]func(p *Panel){
		"a page":      func(p *Panel) { p.Page(-1) },
		"the cursor":  func(p *Panel) { p.Move(-1) },
		"a filter":    (*Panel).StartFilter,
		"one more":    func(p *Panel) { p.Sync([]session.Evaluated{one, two, two}, 3, 60) },
		"not folding": func(*Panel) {},
	} {
		p := NewPanel()
		p.Sync([]session.Evaluated{one, two}, 2, 60)
		if got := p.Rows(4); got != 10 || p.Rows(0) != 6 {
			t.Errorf("it wants %d rows, and %d with nothing before", got, p.Rows(0))
		}
		if name != "not folding" {
			p.Fold()
			if p.Sync([]session.Evaluated{one, two}, 2, 60); p.Rows(4) != 0 || p.Empty() {
				t.Errorf("folded it wants %d rows", p.Rows(4))
			}
		}
		if unfold(p); p.Rows(0) < 6 {
			t.Errorf("%s brings %d rows", name, p.Rows(0))
		}
	}
}

func TestPanelSaysWhatWasLetGo(t *testing.T) {
	e := listing(500)
	e.Whole.Release()
	p := NewPanel()
	p.Sync([]session.Evaluated{e}, 1, 60)
	p.Resize(300)
	view := strings.Join(p.View(theme.New(true, colorprofile.ASCII)), "\n")
	if !strings.Contains(view, "300 more lines are not kept") || !strings.Contains(view, "Function199") {
		t.Error(view[len(view)-200:])
	}
}

func BenchmarkFilter(b *testing.B) {
	p := NewPanel()
	p.Sync([]session.Evaluated{listing(100_000)}, 1, 120)
	p.Resize(20)
	for b.Loop() {
		p.setFilter("")
		p.setFilter("n77")
	}
}

// A line that is wider than the panel goes on in the next row, and all its rows lead
// where it does.
func TestThePanelWraps(t *testing.T) {
	p := NewPanel()
	place := &session.Place{File: "main.go", Line: 12}
	p.Sync([]session.Evaluated{{Input: "bt", Lines: []session.Line{{Text: "0 main.(*Index).Add with a very long list of words behind it", Place: place}}}}, 1, 40)
	p.Resize(8)
	view := p.View(theme.New(true, colorprofile.ASCII))
	if len(view) != 3 || !strings.Contains(view[1], "0 main.(*Index).Add") || !strings.Contains(view[2], "behind it") {
		t.Fatalf("the panel is\n%s", strings.Join(view, "\n"))
	}
	p.Move(-1)
	if _, l, ok := p.Selected(); !ok || l.Place != place {
		t.Errorf("the second row leads to %+v", l)
	}
}

// TestGoroutinesTakeARowEach: the address behind a place goes before a line is broken, and
// then the folder.
func TestGoroutinesTakeARowEach(t *testing.T) {
	lines := []session.Line{
		{Text: "1    chan receive   main.Summarize  examples/deadlock/pipeline.go:29  0x4a3a6a"},
		{Text: "17   GC sweep wait  runtime.gopark  /usr/local/go/src/runtime/proc.go:463  0x47988e"},
		{Text: "18   select         main.watchTheWholeDirectory  /home/ann/programs/watcher/load.go:8  0x47988e"},
		{Text: "x = 0x47988e " + strings.Repeat("word ", 16)},
	}
	var got []string
	for _, l := range wrapped(lines, 80) {
		got = append(got, l.Text)
	}
	want := "1    chan receive   main.Summarize  examples/deadlock/pipeline.go:29|" +
		"17   GC sweep wait  runtime.gopark  /usr/local/go/src/runtime/proc.go:463|" +
		"18   select         main.watchTheWholeDirectory  load.go:8|x = 0x47988e word"
	if all := strings.Join(got, "|"); !strings.HasPrefix(all, want) || len(got) != 5 {
		t.Errorf("rows:\n%s", strings.Join(got, "\n"))
	}
}

// TestWhatIsTypedReplacesAValue that the line was opened with; a key that moves keeps it.
func TestWhatIsTypedReplacesAValue(t *testing.T) {
	for keys, want := range map[string]string{"9.5": "s = 9.5", "[backspace]": "s = ", "[backspace] 7": "s = 7", "[end] 1": "s = 1231", "[backspace] 4 5": "s = 45"} {
		c := command()
		c.SetChosen("s = ", "123")
		if c.Typing() != nil {
			t.Errorf("%q is taken for a command", c.Text())
		}
		for _, k := range strings.Fields(keys) {
			if k == "[end]" {
				c.Line.Key(tea.KeyPressMsg{Code: tea.KeyEnd})
				continue
			}
			press(c, k)
		}
		if got := c.Text(); got != want {
			t.Errorf("%s: %q, want %q", keys, got, want)
		}
	}
}
