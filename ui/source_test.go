package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/ui/layout"
)

// sceneSource is a panic in a file with uncommitted changes, breakpoints of all
// kinds, and a program whose names are known.
func sceneSource(t testing.TB) *fakeEngine {
	t.Helper()
	f := sceneStopped()
	playEngine(f)
	index := filepath.Join(root(), "index.go")
	f.sources.about = map[string]live.About{index: {Stale: "changed at 17:02:03, after the build", Marks: map[int]navigate.Mark{
		29: navigate.Removed, 38: navigate.Changed, 39: navigate.Added, 40: navigate.Added, 44: navigate.Applied}}}
	for i, b := range []debugger.Breakpoint{{Line: 34}, {Line: 39, Cond: "doc > 1"}, {Line: 40, Trace: true}, {Line: 41, Disabled: true},
		{Line: 44, Place: debugger.PlaceLost}} {
		b.ID, b.File = i+1, index
		f.add(&session.BreakpointSet{Breakpoint: b})
	}
	x := navigate.NewIndexer()
	x.Build(context.Background(), navigate.Subject{Workspace: workspace.Workspace{Dir: root(), Root: root(),
		Modules: []workspace.Module{{Path: "example.com/indexer", Dir: root(), Main: true}}}})
	known, err := x.Wait(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	f.sources.index = known
	f.sources.definition = navigate.Answer{Title: "Definition of NewIndex", Hits: []navigate.Hit{
		{Place: navigate.Place{File: index, Line: 19, Column: 6}, Name: "NewIndex", Text: "func NewIndex(docs []Doc) *Index {"}}}
	f.sources.callers = navigate.Answer{Title: "Callers of (*Index).Add", Note: "in your packages", Hits: []navigate.Hit{
		{Place: navigate.Place{File: index, Line: 27, Column: 6}, Name: "(*Index).Build", Text: "x.Add(strings.ToLower(term), i)"},
		{Place: navigate.Place{File: filepath.Join(root(), "main.go"), Line: 15, Column: 4}, Name: "main", Note: "may call", Text: "x.Build()"}}}
	f.inspect.code = instructions(index)
	return f
}

// instructions is a piece of a function as it is disassembled.
func instructions(file string) []debugger.Instruction {
	var list []debugger.Instruction
	add := func(line int, words ...string) {
		for _, w := range words {
			pc := uint64(0x4a3900 + 5*len(list))
			list = append(list, debugger.Instruction{Location: debugger.Location{File: file, Line: line, PC: pc, Function: "main.(*Index).Add"}, Text: w})
		}
	}
	add(38, "CMPQ SP, 0x10(R14)", "JBE 0x4a39a5", "PUSHQ BP", "MOVQ SP, BP", "SUBQ $0x78, SP")
	add(39, "MOVQ 0x18(AX), AX", "LEAQ main..typeAssert.0(SB), BX", "CALL runtime.mapaccess1_faststr(SB)", "MOVQ 0x8(AX), CX")
	add(40, "TESTQ CX, CX", "JLE 0x4a3977")
	add(43, "MOVQ 0x88(SP), AX", "LEAQ type:*+35360(SB), AX", "CALL AX", "NOPL")
	list[len(list)-2].To = &debugger.Location{Function: "runtime.mapassign_faststr"}
	add(44, "INCQ 0x20(AX)", "RET")
	return list
}

// sourceViews are the golden views of the source and of what leads through it.
var sourceViews = []struct {
	name string
	keys []string
}{
	{"source", nil},
	{"source-search", []string{"/", "t", "e", "r", "m", "enter", ".", "."}},
	{"source-typing-search", []string{"/", "D", "o", "c"}},
	{"source-names", []string{"l", "l", "l"}},
	{"source-code", []string{"D"}},
	{"source-elsewhere", []string{"d"}},
	{"finder", []string{"ctrl+o"}},
	{"finder-typed", []string{"ctrl+o", "i", "x", "b", "u", "i", "l", "d"}},
	{"finder-line", []string{"ctrl+o", ":", "2", "0"}},
	{"callers", []string{"C", "down"}},
}

func TestGoldenSource(t *testing.T) {
	for _, v := range sourceViews {
		for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
			name := fmt.Sprintf("%s-%dx%d", v.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				s := play(t, sceneSource(t), size[0], size[1])
				s.press(v.keys...)
				checkSize(t, s.lines(), size[0], size[1])
				golden(t, name, s.screenText())
			})
		}
	}
}

// TestGoldenSourceStyled holds the colors of the signs, of matches and of the
// cursor's name, in both themes.
func TestGoldenSourceStyled(t *testing.T) {
	for name, dark := range map[string]bool{"dark": true, "light": false} {
		s := play(t, sceneSource(t), 120, 36)
		s.appearance.Look.Dark = dark
		s.appearance.SetTheme()
		s.press("/", "t", "e", "r", "m", "enter", "k", "D")
		source := s.Panes.Source.View(true)
		golden(t, "source-styled-"+name, strings.ReplaceAll(strings.Join(source, "\n")+"\n", "\x1b", "␛"))
	}
}

func TestEverySizeOfTheSource(t *testing.T) {
	for _, v := range sourceViews {
		s := play(t, sceneSource(t), 120, 36)
		s.press(v.keys...)
		for w := 30; w <= 220; w += 17 {
			for h := 8; h <= 70; h += 9 {
				s.send(tea.WindowSizeMsg{Width: w, Height: h})
				checkSize(t, s.lines(), w, h)
			}
		}
	}
}

// place is where the source is.
func (s *stage) sourcePlace() string {
	file, line, _ := s.Panes.Source.Line()
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

func (s *stage) wantPlace(want string) {
	s.t.Helper()
	if got := s.sourcePlace(); got != want {
		s.t.Errorf("the source is at %s, want %s", got, want)
	}
}

func TestDefinitionAndBack(t *testing.T) {
	s := play(t, sceneSource(t), 120, 36)
	s.wantPlace("index.go:43")
	s.press("d")
	s.wantPlace("index.go:19")
	if at := s.Panes.Source.At(); at.Name != "NewIndex" {
		t.Errorf("the cursor is on %q", at.Name)
	}
	s.press("ctrl+o", "m", "a", "i", "n", ".", "g", "o", "enter")
	s.wantPlace("main.go:1")
	s.press("esc")
	s.wantPlace("index.go:19")
	s.press("esc")
	s.wantPlace("index.go:43")
	s.press("esc") // nowhere to go
	s.wantPlace("index.go:43")
	s.press("d", "g", "enter") // the stop's own line
	s.wantPlace("index.go:43")
}

func TestCallersOpen(t *testing.T) {
	s := play(t, sceneSource(t), 120, 36)
	s.press("C", "m", "a", "y", "enter") // narrowed down to one
	s.wantPlace("main.go:15")
	if s.Focus != layout.Source || s.Dialog != nil {
		t.Error("the place is not in front")
	}
	s.press("esc")
	s.wantPlace("index.go:43")
}

// What is not known yet comes by itself, unless the person went elsewhere.
func TestDefinitionThatTakesTime(t *testing.T) {
	f := sceneSource(t)
	f.sources.loading = true
	s := play(t, f, 120, 36)
	_, cmd := s.Update(keyPress("d"))
	if !strings.Contains(s.screenText(), "loading types…") {
		t.Error("nothing says that types are loaded")
	}
	s.run(cmd)
	s.wantPlace("index.go:19")
	s.press("esc")
	_, cmd = s.Update(keyPress("d"))
	s.press("k")
	s.run(cmd)
	s.wantPlace("index.go:42")
	_, cmd = s.Update(keyPress("d"))
	s.press("esc")
	s.run(cmd)
	s.wantPlace("index.go:42")
}

// Enter after fast typing opens what was typed, not what was listed before.
func TestFinderWaitsForWhatWasTyped(t *testing.T) {
	s := play(t, sceneSource(t), 120, 36)
	s.press("ctrl+o")
	var late []tea.Cmd
	for _, k := range []string{"N", "e", "w", "I", "n", "d", "e", "x", "enter"} {
		_, cmd := s.Update(keyPress(k))
		late = append(late, cmd)
	}
	if s.Dialog == nil {
		t.Fatal("the finder has opened something else")
	}
	for _, cmd := range late {
		s.run(cmd)
	}
	s.wantPlace("index.go:19")
}

// The finder works while the target runs, and leads to the source.
func TestFinderWhileRunning(t *testing.T) {
	f := sceneRunning()
	playEngine(f)
	f.sources = sceneSource(t).sources
	s := play(t, f, 80, 24)
	s.press("ctrl+o", "l", "o", "a", "d", ".", "g", "o", ":", "8", "enter")
	s.wantPlace("load.go:8")
	if !strings.Contains(s.screenText(), "load.go") {
		t.Errorf("nothing names the file:\n%s", s.screenText())
	}
	s.press("b")
	if i, ok := f.last().(intent.ToggleBreakpoint); !ok || i.Line != 8 {
		t.Errorf("b is %+v", f.last())
	}
}

func TestClicksInTheSource(t *testing.T) {
	f := sceneSource(t)
	s := play(t, f, 120, 36)
	in := s.PaneInner(layout.Source)
	row := -1
	for i, l := range s.Panes.Source.View(true) {
		if strings.Contains(ansi.Strip(l), "39+") {
			row = i
		}
	}
	click := tea.Mouse{X: in.X + 1, Y: in.Y + row, Button: tea.MouseLeft}
	s.send(tea.MouseClickMsg(click))
	if i, ok := f.last().(intent.ToggleBreakpoint); !ok || i.Line != 39 {
		t.Errorf("a click in the gutter is %+v", f.last())
	}
	click.X = in.X + 6 + strings.Index("    seen := len(x.terms[term])", "terms")
	s.send(tea.MouseClickMsg(click))
	if at := s.Panes.Source.At(); at.Name != "terms" || at.Line != 39 {
		t.Errorf("a click on a name: %+v", at)
	}
	before := len(f.intents)
	for _, mouse := range []tea.Mouse{{Button: tea.MouseRight}, {Button: tea.MouseLeft, Mod: tea.ModCtrl}, {Button: tea.MouseLeft, Mod: tea.ModAlt}} {
		mouse.X, mouse.Y = click.X, click.Y
		s.send(tea.MouseClickMsg(mouse))
		if len(f.intents) > before || s.Dialog != nil || !strings.Contains(s.screenText(), "line 39: R runs to it") {
			t.Errorf("%+v leads to %+v, dialog %v\n%s", mouse, f.last(), s.Dialog, s.screenText())
		}
	}
}

// A search counts, goes around and is dropped.
func TestSearchInTheSource(t *testing.T) {
	s := play(t, sceneSource(t), 120, 36)
	s.press("/", "n", "o", "n", "e", "x")
	s.wantPlace("index.go:43") // nothing matches: it stays where it began
	s.press("esc", "/", "n", "e", "w", "i", "n", "d", "e", "x", "enter")
	s.wantPlace("index.go:18")
	s.press(".")
	s.wantPlace("index.go:19")
	if !strings.Contains(s.screenText(), "2/2  newindex") {
		t.Errorf("no count:\n%s", s.screenText())
	}
	s.press(".")
	s.wantPlace("index.go:18")
	s.press(",")
	s.wantPlace("index.go:19")
	s.press("esc")
	if s.Panes.Source.Filter() != "" {
		t.Error("esc keeps the search")
	}
	s.wantPlace("index.go:19")
}

// Changed lines are gone through where no candidate is open.
func TestChangedLines(t *testing.T) {
	s := play(t, sceneSource(t), 120, 36)
	s.press("{")
	s.wantPlace("index.go:38")
	s.press("{")
	s.wantPlace("index.go:29")
	s.press("}", "}")
	s.wantPlace("index.go:44")
}

// Where the source is not here, what is known is shown, and the instructions.
func TestMissingSource(t *testing.T) {
	f := sceneSource(t)
	list := panicStack()[3:]
	list[0].File, list[0].PC = "/gone/index.go", f.inspect.code[12].PC
	for i := range f.inspect.code {
		f.inspect.code[i].File = "/gone/index.go"
	}
	f.add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonStep, Goroutine: 1, Frames: list, Selected: 0, Goroutines: 13}})
	s := play(t, f, 120, 36)
	s.press("1")
	for _, want := range []string{"The source cannot be shown", "(*Index).Add is at", "line 43", "D shows the instructions"} {
		said := strings.Join(strings.Fields(ansi.Strip(strings.Join(s.Panes.Source.View(true), " "))), " ")
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}
	s.press("D")
	if !strings.Contains(s.screenText(), "▶ 0x4a393c") {
		t.Errorf("the instruction is not shown:\n%s", s.screenText())
	}
	s.press("d")
	if !strings.Contains(s.screenText(), "there is no") {
		t.Errorf("d says nothing:\n%s", s.screenText())
	}
}

// odd is a file that is hard to draw.
func odd() string {
	var b strings.Builder
	b.WriteString("package odd\r\n\r\nvar wide = \"日本語日本語日本語日本語\" // e\u0301 \x1b[31m\u202e bad \xff\xfe\r\n")
	b.WriteString("var long = \"" + strings.Repeat("0123456789", 60) + "\" + tail\n\tindented\t=\ttabs\n")
	for i := range 50_000 {
		fmt.Fprintf(&b, "func f%d(x int) int { return x + %d } // line\n", i, i)
	}
	return b.String()
}

// TestOddSource draws CRLF, wide and hidden characters, invalid bytes, long
// lines and 50,000 of them at many sizes and places.
func TestOddSource(t *testing.T) {
	file := filepath.Join(t.TempDir(), "odd.go")
	if err := os.WriteFile(file, []byte(odd()), 0o644); err != nil {
		t.Fatal(err)
	}
	s := play(t, sceneStopped(), 120, 36)
	s.Panes.Source.Look(s.Ctx, file, 4)
	s.press("l", "l")
	for range 12 {
		s.press("l")
		for _, w := range []int{40, 80, 121, 200} {
			s.send(tea.WindowSizeMsg{Width: w, Height: 24})
			checkSize(t, s.lines(), w, 24)
		}
	}
	if at := s.Panes.Source.At(); at.Name != "tail" || !strings.Contains(s.screenText(), "tail") {
		t.Errorf("the end of a long line is out of reach: %+v\n%s", at, s.screenText())
	}
	for range 14 {
		s.press("h")
	}
	if at := s.Panes.Source.At(); at.Name != "long" || !strings.Contains(s.screenText(), "var long") {
		t.Errorf("its beginning is out of reach: %+v\n%s", at, s.screenText())
	}
	s.press("/", "日", "enter")
	checkSize(t, s.lines(), 200, 24)
	if at, all := s.Panes.Source.Count(); at != 1 || all != 4 {
		t.Errorf("%d/%d", at, all)
	}
	s.press("esc", "G")
	s.wantPlace("odd.go:50005")
}

// BenchmarkSource is one key and one frame at 200×60 with a file of 50,000
// lines, its changes and a search with a match on each.
func BenchmarkSource(b *testing.B) {
	file := filepath.Join(b.TempDir(), "odd.go")
	if err := os.WriteFile(file, []byte(odd()), 0o644); err != nil {
		b.Fatal(err)
	}
	f := sceneSource(b)
	marks := map[int]navigate.Mark{}
	for i := range 50_000 {
		marks[i] = navigate.Changed
	}
	f.sources.about[file] = live.About{Marks: marks}
	s := play(b, f, 200, 60)
	s.Panes.Source.Look(s.Ctx, file, 20_000)
	s.press("/", "l", "i", "n", "e", "enter")
	keys := []string{"j", "l", ".", "pgdown", "k", ",", "h", "G", "g"}
	b.ResetTimer()
	for i := range b.N {
		s.Update(keyPress(keys[i%len(keys)]))
		s.View()
	}
}

// What was found out about the place where a panic was raised first is not written where it was
// raised again.
func TestTheCauseIsNotWrittenWhereAPanicIsRaisedAgain(t *testing.T) {
	for _, again := range []bool{false, true} {
		f := sceneStopped()
		const cause = "└ elsewhere = nil"
		for i := range f.events {
			switch b := f.events[i].Body.(type) {
			case *session.Stopped:
				if b.Stop.Panic != nil && again {
					stop := *b
					p := *b.Stop.Panic
					p.Raised = []debugger.Frame{{Function: "main.worker"}}
					stop.Stop.Panic = &p
					f.events[i].Body = &stop
				}
			case *session.Diagnosed:
				found := *b
				found.Diagnosis.Expr, found.Diagnosis.Value = "elsewhere", "nil"
				f.events[i].Body = &found
			}
		}
		text := play(t, f, 120, 36).screenText()
		if strings.Contains(text, cause) == again {
			t.Errorf("raised again: %t:\n%s", again, text)
		}
	}
}
