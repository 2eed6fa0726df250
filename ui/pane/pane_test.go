package pane

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
)

// began is when the sessions of the tests begin.
var began = time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC)

// lines are what a pane shows, without colors.
func lines(p Pane) []string {
	var out []string
	for _, l := range p.View(true) {
		out = append(out, strings.TrimRight(ansi.Strip(l), " "))
	}
	return out
}

// newSource is the source pane on a line of a file of a hundred lines, which has
// been read; nothing is held.
func newSource(t *testing.T, line int) (p *Source, c *Context, file string) {
	t.Helper()
	keys, err := keymap.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "word%d := %d\n", i+1, i+1)
	}
	file = filepath.Join(t.TempDir(), "some.txt")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c = &Context{State: session.NewState(), Now: began, Keys: keys, Store: inspect.NewStore()}
	for _, need := range c.Store.NeedSource(file) {
		if c.Store.Begin(need) {
			c.Store.Take(inspect.Answer{Tag: c.Store.Tag(), Key: need.Key, Result: need.Read(t.Context(), nil)})
		}
	}
	p = NewSource()
	p.Resize(60, 10)
	p.Look(c, file, line)
	p.Sync(c)
	return p, c, file
}

// at is the line that a source pane's cursor is on.
func at(p *Source) int {
	_, line, _ := p.Line()
	return line
}

func TestTheSourceShowsWhereItIsSentTo(t *testing.T) {
	p, c, file := newSource(t, 40)
	if got := at(p); got != 40 {
		t.Errorf("the cursor is on line %d", got)
	}
	if shown := strings.Join(lines(p), "\n"); !strings.Contains(shown, "word40 := 40") || len(lines(p)) > 10 {
		t.Errorf("shown is\n%s", shown)
	}
	p.Visit(c, file, 80, 0)
	p.Sync(c)
	if got := at(p); got != 80 || p.Visits() != 1 {
		t.Errorf("the cursor is on line %d, after %d visits", got, p.Visits())
	}
	if !p.Return() || at(p) != 40 {
		t.Errorf("the cursor returns to line %d", at(p))
	}
	if p.Return() {
		t.Error("it goes back beyond the first place")
	}
}

func TestTheSourceMovesWithinItsLines(t *testing.T) {
	p, _, _ := newSource(t, 40)
	for _, step := range []struct {
		key  keymap.Action
		want int
	}{{keymap.Down, 41}, {keymap.Up, 40}, {keymap.Bottom, 100}, {keymap.Down, 100}, {keymap.Top, 1}, {keymap.Up, 1}} {
		if _, ok := p.Key(step.key); !ok || at(p) != step.want {
			t.Errorf("%s leads to line %d, want %d", step.key, at(p), step.want)
		}
	}
	if _, ok := p.Key(keymap.Approve); ok {
		t.Error("the source knows what to approve")
	}
	if e := p.Extent(); e.All != 100 || e.Top != 0 {
		t.Errorf("the extent is %v", e)
	}
}

func TestASearchThatIsDroppedMovesNothing(t *testing.T) {
	p, _, _ := newSource(t, 40)
	p.SetFilter("word5")
	if i, all := p.Count(); at(p) != 50 || all != 11 || i != 2 {
		t.Errorf("the search leads to line %d, match %d of %d", at(p), i, all)
	}
	p.DropFilter()
	if at(p) != 40 || p.Filter() != "" {
		t.Errorf("without the search the cursor is on line %d", at(p))
	}
	p.SetFilter("word5")
	for _, step := range []struct {
		key  keymap.Action
		want int
	}{{keymap.NextMatch, 51}, {keymap.PreviousMatch, 50}, {keymap.PreviousMatch, 5}, {keymap.PreviousMatch, 59}, {keymap.NextMatch, 5}} {
		if _, _ = p.Key(step.key); at(p) != step.want {
			t.Errorf("%s leads to line %d, want %d", step.key, at(p), step.want)
		}
	}
	p.SetFilter("nowhere")
	if effect, _ := p.Key(keymap.NextMatch); effect != (Say{`"nowhere" is not in some.txt`}) {
		t.Errorf("a search without a match says %v", effect)
	}
}

func TestAClickInTheGutterSetsABreakpoint(t *testing.T) {
	p, _, file := newSource(t, 40)
	y := slices.IndexFunc(lines(p), func(l string) bool { return strings.Contains(l, "word42 ") })
	if got := p.ClickAt(0, y, false); got != (ToggleBreakpoint{file, 42}) {
		t.Errorf("a click in the gutter leads to %v", got)
	}
	if got, want := p.ClickAt(0, y+1, true), (Say{"line 43: R runs to it, b sets or clears a breakpoint"}); got != want || at(p) != 43 {
		t.Errorf("a click that only selects leads to %v, line %d", got, at(p))
	}
	if got := p.ClickAt(20, y, false); got != nil || at(p) != 42 {
		t.Errorf("a click leads to %v, line %d", got, at(p))
	}
	p.Key(keymap.Bottom)
	if got := p.ClickAt(0, 50, false); got != nil {
		t.Errorf("a click after the last line leads to %v", got)
	}
}

func TestTheLogFollowsUntilItIsScrolled(t *testing.T) {
	p := NewLog()
	p.Sync(&Context{})
	p.Resize(60, 5)
	add := func(from, to int) {
		var events []session.Event
		for i := from; i < to; i++ {
			events = append(events, session.Event{At: began, Body: &session.Notice{Level: "info", Text: fmt.Sprintf("notice %d", i)}})
		}
		p.Append(events)
	}
	add(0, 20)
	last := func() string { l := lines(p); return l[len(l)-1] }
	if got := last(); !strings.HasSuffix(got, "notice 19") {
		t.Errorf("the last line is %q", got)
	}
	p.ScrollBy(-6)
	add(20, 25)
	if got := last(); !strings.HasSuffix(got, "notice 13") {
		t.Errorf("after scrolling back the last line is %q", got)
	}
	p.ScrollBy(100)
	add(25, 26)
	if got := last(); !strings.HasSuffix(got, "notice 25") {
		t.Errorf("at the end again the last line is %q", got)
	}
}

func TestTheLogIsFilteredAndWrapped(t *testing.T) {
	p := NewLog()
	p.Sync(&Context{})
	p.Resize(30, 10)
	p.Append([]session.Event{
		{At: began, Body: &session.Notice{Text: "the first of them is long enough for two lines"}},
		{At: began, Body: &session.Notice{Text: "another\x1b[31m one"}},
	})
	all := lines(p)
	if len(all) != 4 && len(all) != 3 || !strings.HasPrefix(all[0], "17:02:03 the first") || !strings.HasPrefix(all[1], "         ") {
		t.Errorf("the log shows %q", all)
	}
	p.SetFilter("another")
	if got := lines(p); len(got) != 1 || got[0] != "17:02:03 another one" {
		t.Errorf("the filtered log shows %q", got)
	}
	p.SetFilter("")
	if got := lines(p); !slices.Equal(got, all) {
		t.Errorf("without a filter the log shows %q", got)
	}
}

func TestAScrollBarMarksWhatIsShown(t *testing.T) {
	for _, test := range []struct {
		e    Extent
		want string // of ten rows
	}{
		{Extent{0, 10, 10}, "----------"},
		{Extent{0, 10, 20}, "#####-----"},
		{Extent{10, 10, 20}, "-----#####"},
		{Extent{0, 1, 1000}, "#---------"},
		{Extent{999, 1, 1000}, "---------#"},
		{Extent{5000, 1, 1000}, "---------#"},
		{Extent{}, "----------"},
	} {
		got := ""
		for y := range 10 {
			if test.e.Covers(y, 10) {
				got += "#"
			} else {
				got += "-"
			}
		}
		if got != test.want {
			t.Errorf("%v: %s, want %s", test.e, got, test.want)
		}
	}
}

func TestAMessageOfTheCompilerIsSelected(t *testing.T) {
	c := &Context{State: session.NewState(), Store: inspect.NewStore()}
	c.State.Build = &session.BuildFailed{Message: "build \"./cmd\": 2 messages of the compiler", Diagnostics: []build.Diagnostic{
		{File: "/w/a.go", Line: 3, Column: 1, Message: "undefined: x"}, {Message: "too many errors\x1b[2J"},
	}}
	p := NewBroken()
	p.Sync(c)
	p.Resize(60, 20)
	if _, note := p.Title(); note != "" { // the message says how many
		t.Errorf("the title's note is %q", note)
	}
	if d, ok := p.Selected(); !ok || d.Line != 3 {
		t.Errorf("selected is %v", d)
	}
	if needs := p.Needs(); len(needs) == 0 {
		t.Error("the file of the selected message is not read")
	}
	p.Key(keymap.Down)
	if d, ok := p.Selected(); ok || d.Message != "too many errors\x1b[2J" {
		t.Errorf("after down %v is selected", d)
	}
	for _, l := range p.View(true) {
		if strings.Contains(l, "\x1b[2J") {
			t.Errorf("a message reaches the terminal as it is: %q", l)
		}
	}
	p.Key(keymap.Down)
	p.Key(keymap.Up)
	if d, _ := p.Selected(); d.Line != 3 {
		t.Errorf("after up %v is selected", d)
	}
}

// What has exited has no goroutines left to read.
func TestNothingIsReadOfWhatHasExited(t *testing.T) {
	_, c, _ := newSource(t, 1)
	c.Store.Stopped(3, debugger.Stop{Goroutines: 2})
	c.State.Phase = session.PhaseExited
	c.At.Goroutine = 1
	for _, p := range []Pane{NewGoroutines(), NewStack()} {
		p.Resize(60, 10)
		p.Sync(c)
		if shown := strings.Join(lines(p), "\n"); !strings.Contains(shown, "will be here") {
			t.Errorf("%T shows %q", p, shown)
		}
	}
}
