package ui

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
)

// memoryInspector also finds and reads memory: the elements are squares, the
// memory is of letters.
type memoryInspector struct{ fakeInspector }

func (memoryInspector) ReadMemory(_ context.Context, addr uint64, n int) ([]byte, error) {
	data := make([]byte, n)
	for i := range data {
		data[i] = "abcdefghijklmno\n"[(addr+uint64(i))%16]
	}
	return data, nil
}

func (i memoryInspector) String(ctx context.Context, _ debugger.FrameRef, v debugger.Variable, p debugger.Page) (string, error) {
	data, err := i.ReadMemory(ctx, v.Base+uint64(p.Start), p.Count)
	return string(data), err
}

func (i memoryInspector) Find(_ context.Context, _ debugger.FrameRef, v debugger.Variable, match func(*debugger.Variable) bool, p debugger.Page) (found []int64, looked int, err error) {
	for looked < min(p.Count, 1_000_000) {
		n := p.Start + looked
		one := debugger.Variable{Kind: reflect.Int, Value: strconv.Itoa(n * n)}
		if match(&one) {
			found = append(found, int64(n))
		}
		looked++
	}
	return found, looked, nil
}

// memoryEngine is an engine whose inspector does more.
type memoryEngine struct{ *fakeEngine }

func (f memoryEngine) Inspector() debugger.Inspector { return memoryInspector{f.inspect} }

func list(name string, n int) debugger.Variable {
	v := debugger.Variable{Name: name, Expr: name, Type: "[]int", Kind: reflect.Slice, Value: fmt.Sprintf("[]int len %d cap %d", n, n), Len: int64(n), Cap: int64(n), Unloaded: int64(n) - 64}
	for i := range min(n, 64) {
		v.Children = append(v.Children, debugger.Variable{Name: fmt.Sprintf("[%d]", i), Expr: fmt.Sprintf("%s[%d]", name, i), Type: "int", Kind: reflect.Int, Value: strconv.Itoa(i * i)})
	}
	return v
}

// playLocals shows a stop with some variables, with the locals in focus.
func playLocals(t testing.TB, w, h int, vars ...debugger.Variable) *stage {
	t.Helper()
	f := sceneStopped()
	stop := panicStop()
	stop.Stop.Frames[3].Args, stop.Stop.Frames[3].Locals = nil, vars
	f.add(stop)
	for _, v := range vars {
		f.inspect.children[v.Expr] = int(v.Len)
	}
	s := play(t, f, w, h)
	s.Engine = memoryEngine{f}
	s.press("3")
	return s
}

// TestTenMillionElements goes through a slice that nobody can load.
func TestTenMillionElements(t *testing.T) {
	s := playLocals(t, 120, 40, list("numbers", 10_000_000), integer("after", "7"))
	s.press("z", "enter", "G", "k")
	shows(t, s, "[9999999]  99999980000001")
	s.press("pgup")
	shows(t, s, "[9999970]  99999400000900")
	s.press("/", "#", "1", "2", "3", "4", "5", "6", "7", "enter")
	shows(t, s, "[1234567]  1524155677489")
	s.press("h")
	shows(t, s, "▾ numbers")
	s.press("h", "j")
	shows(t, s, "▸ numbers")
	golden(t, "locals-folded-again", s.screenText())
}

func shows(t testing.TB, s *stage, want string) {
	t.Helper()
	if text := s.screenText(); !strings.Contains(text, want) {
		t.Errorf("no %q:\n%s", want, text)
	}
}

// TestSearchInACollection finds elements and stays at the one that was chosen.
func TestSearchInACollection(t *testing.T) {
	s := playLocals(t, 120, 40, list("numbers", 3_000_000), integer("after", "7"))
	s.press("z", "enter")
	s.press("/")
	s.send(tea.PasteMsg{Content: "> 8999988000004"})
	shows(t, s, "1 hit in 3,000,000")
	shows(t, s, "[2999999]  8999994000001")
	golden(t, "locals-found", s.screenText())
	s.press("enter")
	s.press("esc")
	shows(t, s, "[2999998]  8999988000004")
	if v, ok := s.Panes.Locals.Selected(); !ok || v.Name != "[2999999]" {
		t.Errorf("the cursor is on %v", v.Name)
	}
	s.press("k", "k")
	if v, ok := s.Panes.Locals.Selected(); !ok || v.Name != "[2999997]" {
		t.Errorf("the cursor is on %v", v.Name)
	}
}

// TestSearchIsCanceled ends a search that has not come far.
func TestSearchIsCanceled(t *testing.T) {
	s := playLocals(t, 120, 40, list("numbers", 10_000_000))
	s.press("enter", "/")
	s.Update(keyPress("7")) // no portion has been read
	if one := s.Ctx.Store.Searching(); one == nil || one.Done != 0 || len(s.Ctx.Store.NeedSearch()) != 1 {
		t.Fatalf("the search: %+v", one)
	}
	s.press("esc")
	if s.Ctx.Store.Searching() != nil || len(s.Ctx.Store.NeedSearch()) != 0 {
		t.Error("it goes on")
	}
}

func TestElementsUnfoldInCollections(t *testing.T) {
	v := list("rows", 500)
	for i := range v.Children {
		v.Children[i] = debugger.Variable{Name: v.Children[i].Name, Expr: v.Children[i].Expr, Type: "main.row", Kind: reflect.Struct, Value: "main.row{A: 1, B: 2}", Children: []debugger.Variable{integer("A", "1"), integer("B", "2")}}
	}
	s := playLocals(t, 120, 40, v, integer("after", "7"))
	s.press("z", "enter", "j", "j", "j", "enter", "j", "j")
	if v, _ := s.Panes.Locals.Selected(); v.Name != "B" {
		t.Errorf("the cursor is on %s", v.Name)
	}
	golden(t, "locals-elements", s.screenText())
	s.press("h")
	if v, _ := s.Panes.Locals.Selected(); v.Name != "[2]" {
		t.Errorf("fold leads to %s", v.Name)
	}
	s.press("G", "k")
	shows(t, s, "[499]")
	shows(t, s, "after")
	s.press("g", "j", "j", "j", "h")
	s.press("G")
	if v, _ := s.Panes.Locals.Selected(); v.Name != "after" {
		t.Errorf("the end is %s", v.Name)
	}
}

func letter(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Expr: name, Type: "int32", Kind: reflect.Int32, Value: value}
}

func bytesOf(name string, data string) debugger.Variable {
	v := debugger.Variable{Name: name, Expr: name, Type: "[]uint8", Kind: reflect.Slice, Value: "[]uint8 len 40 cap 40", Len: int64(len(data)), Base: 0x1000}
	for i, c := range []byte(data) {
		v.Children = append(v.Children, debugger.Variable{Name: fmt.Sprintf("[%d]", i), Type: "uint8", Kind: reflect.Uint8, Value: strconv.Itoa(int(c))})
	}
	return v
}

func TestViews(t *testing.T) {
	long := debugger.Variable{Name: "long", Expr: "long", Type: "string", Kind: reflect.String, Value: "abcdefghijklmno", Len: 100 << 20, Base: 0x4000}
	page := text1("page", strings.Repeat("one line\n\tand another that is long enough to stand out\n", 3))
	s := playLocals(t, 120, 40, integer("n", "-233"), letter("letter", "233"), bytesOf("raw", "hello, bytes that are long enough\x00\xff"), long, page,
		debugger.Variable{Name: "span", Expr: "span", Type: "time.Duration", FullType: "time.Duration", Kind: reflect.Int64, Value: "1500000000"})
	s.press("z")
	shows(t, s, "span    1.5s (1500000000)")
	for _, want := range []string{"-0xe9", "-0b1110_1001", "-0o351", "-233", "-233  int"} {
		s.press("v")
		shows(t, s, "n       "+want)
	}
	s.press("j", "v", "v", "v", "v")
	shows(t, s, "'é' 233")
	s.press("j", "v", "enter")
	shows(t, s, `len 35  "hello, bytes`)
	s.press("v")
	shows(t, s, "68 65 6c 6c 6f")
	golden(t, "locals-dump", s.screenText())
	s.press("h", "j", "enter", "/", "#", "6", "5", "5", "3", "6", "enter")
	shows(t, s, "0400000  abcdefghijklmno⏎abcdefghijklmno⏎")
	s.press("h", "h", "j", "enter")
	shows(t, s, "2      and another that is long")
	golden(t, "locals-lines", s.screenText())
}

func TestMeaningsAndTheirFields(t *testing.T) {
	mutex := debugger.Variable{Name: "mu", Expr: "mu", Type: "sync.Mutex", FullType: "sync.Mutex", Kind: reflect.Struct, Value: "sync.Mutex{…}", Children: []debugger.Variable{
		{Name: "mu", Expr: "mu.mu", Type: "internal/sync.Mutex", Kind: reflect.Struct, Children: []debugger.Variable{integer("state", "17"), integer("sema", "0")}}}}
	fault := debugger.Variable{Name: "err", Expr: "err", Type: "error", FullType: "error", Kind: reflect.Interface, Children: []debugger.Variable{{
		Type: "*fmt.wrapError", FullType: "*fmt.wrapError", Kind: reflect.Pointer, Value: "*fmt.wrapError 0xc0", Children: []debugger.Variable{{
			Type: "fmt.wrapError", FullType: "fmt.wrapError", Kind: reflect.Struct, Children: []debugger.Variable{text1("msg", "load: not there"),
				{Name: "err", Type: "error", FullType: "error", Kind: reflect.Interface, Children: []debugger.Variable{{
					Type: "*errors.errorString", FullType: "*errors.errorString", Kind: reflect.Pointer, Value: "*errors.errorString 0xc1", Children: []debugger.Variable{{
						Type: "errors.errorString", FullType: "errors.errorString", Kind: reflect.Struct, Children: []debugger.Variable{text1("s", "not there")}}}}}}}}}}}}
	money := debugger.Variable{Name: "price", Expr: "price", Type: "shop.Money", FullType: "example.com/shop.Money", Kind: reflect.Struct, Value: "shop.Money{Units: 12, Cents: 5}", Children: []debugger.Variable{integer("Units", "12"), integer("Cents", "5")}}
	s := playLocals(t, 120, 40, mutex, fault, money)
	var err error
	if s.Ctx.Store.Formats, err = format.Parse(map[string]string{"example.com/shop.Money": "{Units}.{Cents:02d} EUR"}); err != nil {
		t.Fatal(err)
	}
	s.press("z", "j", "enter", "g")
	shows(t, s, "mu     locked, 2 waiting  sync.Mutex")
	shows(t, s, "price  12.05 EUR")
	golden(t, "locals-meanings", s.screenText())
	s.press("v", "enter", "j", "v", "enter")
	shows(t, s, "sema   0")
}

// TestChangesAreMarked steps, and finds what has changed.
func TestChangesAreMarked(t *testing.T) {
	frame := func(count, inner string, at uint64) []debugger.Variable {
		x, n := indexVariable(), integer("n", count)
		x.Addr, n.Addr = at, at+8
		x.Children[0].Children[2].Value = inner
		return []debugger.Variable{x, n}
	}
	s := playLocals(t, 120, 40, frame("1", "0", 0x1000)...)
	step := func(vars []debugger.Variable) {
		stop := panicStop()
		stop.Stop.Reason, stop.Stop.Panic = debugger.ReasonStep, nil
		stop.Stop.Frames[3].Args, stop.Stop.Frames[3].Locals = nil, vars
		stop.Stop.Selected = 3
		s.fake.add(&session.Resumed{Motion: debugger.Next}, stop)
		s.catchUp()
	}
	step(frame("2", "5", 0x1000))
	s.press("3")
	shows(t, s, "n  2  Δ was 1  int")
	golden(t, "locals-changed", s.screenText())
	step(frame("2", "5", 0x1000))
	if text := s.screenText(); strings.Contains(text, "Δ") {
		t.Errorf("nothing has changed:\n%s", text)
	}
	step(frame("9", "5", 0x2000)) // another call of the function
	if text := s.screenText(); strings.Contains(text, "Δ") {
		t.Errorf("another call has nothing to compare with:\n%s", text)
	}
}

// TestReplacedReferencesAreMarked replaces a map and a channel by others of the same
// length, and a key of a map by another one.
func TestReplacedReferencesAreMarked(t *testing.T) {
	frame := func(base uint64, key string) []debugger.Variable {
		m := debugger.Variable{Name: "m", Expr: "m", Type: "map[string]int", Kind: reflect.Map, Value: "map[string]int len 1", Len: 1, Base: base, Addr: 0x1000,
			Children: []debugger.Variable{{Name: "[" + strconv.Quote(key) + "]", Expr: "m[" + strconv.Quote(key) + "]", Type: "int", Kind: reflect.Int, Value: "1"}}}
		c := debugger.Variable{Name: "c", Expr: "c", Type: "chan int", Kind: reflect.Chan, Value: "chan int len 0 cap 3", Cap: 3, Base: base + 8, Addr: 0x1008}
		return []debugger.Variable{m, c}
	}
	s := playLocals(t, 120, 40, frame(0xc000, "alice")...)
	step := func(vars []debugger.Variable) {
		stop := panicStop()
		stop.Stop.Reason, stop.Stop.Panic = debugger.ReasonStep, nil
		stop.Stop.Frames[3].Args, stop.Stop.Frames[3].Locals = nil, vars
		stop.Stop.Selected = 3
		s.fake.add(&session.Resumed{Motion: debugger.Next}, stop)
		s.catchUp()
	}
	step(frame(0xd000, "zoe"))
	s.press("3")
	shows(t, s, `m  map["zoe":1]  Δ was another, len 1`)
	shows(t, s, "c  len 0 cap 3  Δ was another, len 0")
	step(frame(0xd000, "yan"))
	shows(t, s, `m  map["yan":1]  Δ  map`)
	step(frame(0xd000, "yan"))
	if text := s.screenText(); strings.Contains(text, "Δ") {
		t.Errorf("nothing has changed:\n%s", text)
	}
}

func TestValuesWithoutAValue(t *testing.T) {
	late := integer("late", "824634")
	late.DeclLine, late.Unset = 9999, true
	gone := integer("gone", "")
	gone.Unreadable = "optimized out"
	broken := debugger.Variable{Name: "broken", Expr: "broken", Type: "[]int", Kind: reflect.Slice, Value: "[]int len 4611686018427387904 cap 1", Len: 1 << 62, Cap: 1, Unloaded: 1 << 62}
	invalid := debugger.Variable{Name: "lost", Expr: "lost", Type: "*int", Kind: reflect.Pointer, Value: "*int 0x10", Children: []debugger.Variable{{Type: "int", Kind: reflect.Int, Addr: 0x10, Unreadable: "input/output error"}}}
	s := playLocals(t, 120, 40, late, gone, broken, invalid)
	s.press("z", "j", "j", "enter")
	golden(t, "locals-without", s.screenText())
}

// Variables that the compiler keeps nowhere share a line.
func TestOptimizedAwayVariablesShareALine(t *testing.T) {
	gone := func(name string) debugger.Variable {
		v := integer(name, "")
		v.Unreadable = "could not find loclist entry at 0x47a for address 0x48"
		return v
	}
	s := playLocals(t, 80, 24, gone("a"), integer("n", "41"), gone("b"), gone("c"))
	s.press("3")
	shows(t, s, "  n  41  int")
	shows(t, s, "3 optimized away: a, b, c")
	s.press("/", "b", "enter")
	shows(t, s, "b  optimized away: its place")
}

func TestRootsStandAbove(t *testing.T) {
	s := playLocals(t, 120, 40, integer("n", "1"))
	at := debugger.FrameRef{Goroutine: 1, Frame: 4}
	s.Panes.Locals.Show(s.Ctx, pane.Root{Expr: "len(x)", At: &at})
	s.Panes.Locals.Show(s.Ctx, pane.Root{Name: "kept", Expr: "n", Kept: true})
	s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	shows(t, s, "len(x)  unreadable: the program is running") // what the fake says
	if n := len(s.Panes.Locals.Roots()); n != 2 {
		t.Errorf("%d roots", n)
	}
	s.fake.add(&session.Resumed{Motion: debugger.Next}, panicStop())
	s.catchUp()
	if roots := s.Panes.Locals.Roots(); len(roots) != 1 || roots[0].Name != "kept" || !s.Panes.Locals.Hide("kept") {
		t.Errorf("after the stop: %v", roots)
	}
}

func TestCopySetAndWatch(t *testing.T) {
	s := playLocals(t, 120, 40, integer("n", "41"), list("few", 3))
	s.press("y")
	shows(t, s, "copied n, 2 bytes")
	s.press("j", "y")
	shows(t, s, "copied few, 14 bytes")
	s.press("Y")
	shows(t, s, "copied few")
	s.press("k", "W")
	want := intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Watch: "n", WatchKind: debugger.WatchWrite, At: s.Ctx.At}}
	if got := s.fake.last(); !reflect.DeepEqual(got, want) {
		t.Errorf("watch: %#v", got)
	}
	s.press("E")
	if !s.Commanding || s.command.Text() != "n = 41" {
		t.Errorf("set: %q", s.command.Text())
	}
	s.press("esc", "1", "Y")
	shows(t, s, "copied index.go:43")
	s.press("y")
	shows(t, s, "put the cursor on a value first")
}

// BenchmarkBrowse is one key and one frame while ten million elements are open.
func BenchmarkBrowse(b *testing.B) {
	s := playLocals(b, 200, 60, list("numbers", 10_000_000), integer("after", "7"))
	s.press("enter")
	keys := []string{"pgdown", "j", "G", "k", "g", "v"}
	b.ResetTimer()
	for i := range b.N {
		s.press(keys[i%len(keys)])
		s.View()
	}
}

// Shadowed variables are in parentheses, and in line with the others.
func TestShadowedVariablesAreInLine(t *testing.T) {
	shadowed := integer("msg", "1")
	shadowed.Shadowed = true
	s := playLocals(t, 120, 40, integer("m", "0"), shadowed, integer("msg", "2"))
	for _, row := range []string{"m      0  int", "(msg)  1  int", "msg    2  int"} {
		shows(t, s, row)
	}
}

// A program that has only set up its terminal has printed nothing.
func TestOutputWithoutWordsTakesNoRoom(t *testing.T) {
	f := sceneSilent()
	fmt.Fprint(f.out, "\x1b[?25l\x1b[?2004h")
	s := play(t, f, 160, 45)
	if !s.Lay.Panes[layout.Output].Empty() {
		t.Errorf("an empty output is shown:\n%s", s.screenText())
	}
}
