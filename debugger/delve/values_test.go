//go:build linux

package delve

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
)

// stopAtValues stops the fixture of values at its panic.
func stopAtValues(t *testing.T) (*Target, debugger.FrameRef, debugger.Frame) {
	t.Helper()
	target := launch(t, "values")
	stop := resume(t, target, debugger.Continue)
	frame, ok := stop.SelectedFrame()
	if !ok || frame.Function != "main.(*index).look" {
		t.Fatalf("stopped in %v", functions(stop.Frames))
	}
	return target, debugger.FrameRef{Goroutine: stop.Goroutine, Frame: frame.Index}, frame
}

func find(t *testing.T, frame debugger.Frame, name string) debugger.Variable {
	t.Helper()
	var last debugger.Variable
	for _, v := range frame.Variables() {
		if v.Name == name && !v.Shadowed {
			return v
		}
		if v.Name == name {
			last = v
		}
	}
	if last.Name == "" {
		t.Fatalf("no variable %s", name)
	}
	return last
}

func TestValues(t *testing.T) {
	_, _, frame := stopAtValues(t)
	for name, want := range map[string]struct{ value, typ string }{
		"number":        {"42", "int"},
		"negative":      {"-7", "int"},
		"small":         {"200", "uint8"},
		"ratio":         {"1.5", "float64"},
		"yes":           {"true", "bool"},
		"letter":        {"233", "int32"},
		"text":          {"go\tlang", "string"},
		"raw":           {"\xffa", "string"},
		"quote":         {`say "hi"`, "string"},
		"shade":         {"green (1)", "main.color"},
		"array":         {"[3]int len 3", "[3]int"},
		"slice":         {"[]int len 200 cap 300", "[]int"},
		"part":          {"[]int len 2 cap 290", "[]int"},
		"empty":         {"[]int len 0 cap 0", "[]int"},
		"none":          {"nil", "[]int"},
		"byName":        {"map[string]int len 150", "map[string]int"},
		"noMap":         {"nil", "map[string]int"},
		"pp":            {"&main.point{X: 3, Y: 4}", "*main.point"},
		"noPointer":     {"nil", "*main.point"},
		"anything":      {"main.point{X: 5, Y: 6}", "interface {}"},
		"pointerInside": {"&main.point{X: 7, Y: 8}", "interface {}"},
		"numberInside":  {"int(9)", "interface {}"},
		"nothing":       {"nil", "interface {}"},
		"form":          {"main.point{X: 2, Y: 3}", "main.shape"},
		"jobs":          {"chan int len 1 cap 3", "chan int"},
		"call":          {"main.(*index).look.func1", "func() int"},
		"generic":       {`main.pair[string, []int]{First: "a", Second: []int len 2 cap 2}`, "main.pair[string, []int]"},
		"moment":        {"2023-11-14T22:13:20Z", "time.Time"},
		"span":          {"3000000000", "time.Duration"},
		"wave":          {"(1 + -2i)", "complex128"},
		"term":          {"go", "string"},
		"shadow":        {"inner", "string"},
		"found":         {"0", "int"},
		"err":           {"nil", "error"},
	} {
		v := find(t, frame, name)
		if v.Value != want.value || v.Type != want.typ {
			t.Errorf("%s: %q of type %q, want %q of %q", name, v.Value, v.Type, want.value, want.typ)
		}
		if (want.value == "nil") != v.Nil {
			t.Errorf("%s: nil is %v", name, v.Nil)
		}
	}
	for name, want := range map[string]reflect.Kind{"number": reflect.Int, "small": reflect.Uint8, "letter": reflect.Int32} {
		if got := find(t, frame, name).Kind; got != want {
			t.Errorf("%s is of kind %s, want %s", name, got, want)
		}
	}
	long := find(t, frame, "long")
	if long.Len != 2000 || len(long.Value) != convert.StringLoad {
		t.Errorf("long: %d of %d", len(long.Value), long.Len)
	}
	receiver := find(t, frame, "x").Deref()
	if terms, ok := receiver.Child("terms"); !ok || !terms.Nil || terms.Expr != "x.terms" {
		t.Errorf("x.terms: %+v", terms)
	}
	shadowed := 0
	for _, v := range frame.Locals {
		if v.Name == "shadow" && v.Shadowed && v.Value == "1" {
			shadowed++
		}
	}
	if shadowed != 1 {
		t.Errorf("shadowed variables: %d", shadowed)
	}
}

// TestEveryExprReadsTheSameAgain walks all that is loaded, and one step
// further, and evaluates each expression.
func TestEveryExprReadsTheSameAgain(t *testing.T) {
	target, at, frame := stopAtValues(t)
	seen := 0
	var walk func(v debugger.Variable, depth int)
	walk = func(v debugger.Variable, depth int) {
		if v.Expr == "" {
			t.Errorf("%s (%s) has no expression", v.Name, v.Type)
			return
		}
		seen++
		again, err := target.Evaluate(t.Context(), at, v.Expr)
		if err != nil {
			t.Errorf("%s: %v", v.Expr, err)
			return
		}
		if again.Kind != v.Kind || again.Len != v.Len || again.Nil != v.Nil || again.Type != v.Type ||
			basic(v.Kind) && again.Value != v.Value {
			t.Errorf("%s: %s %q, again %s %q", v.Expr, v.Type, v.Value, again.Type, again.Value)
		}
		children := v.Children
		if len(children) > 5 {
			children = append(children[:2:2], children[len(children)-2:]...)
		}
		if v.Unloaded > 0 && depth < 4 {
			more, err := target.Children(t.Context(), at, v, debugger.Page{Start: len(v.Children), Count: 2})
			if err != nil || len(more) == 0 {
				t.Errorf("%s: %d unloaded of %d: %v", v.Expr, v.Unloaded, v.Len, err)
			}
			children = append(children, more...)
		}
		for _, c := range children {
			walk(c, depth+1)
		}
	}
	for _, v := range frame.Variables() {
		if v.Type == "time.Time" { // whose location leads into the time package's tables
			continue
		}
		walk(v, 0)
	}
	if seen < 150 {
		t.Errorf("only %d expressions", seen)
	}
}

func basic(kind reflect.Kind) bool {
	return kind >= reflect.Bool && kind <= reflect.Complex128 || kind == reflect.String
}

func TestChildrenPage(t *testing.T) {
	target, at, frame := stopAtValues(t)
	slice := find(t, frame, "slice")
	if len(slice.Children) != convert.ArrayLoad || slice.Unloaded != 200-convert.ArrayLoad {
		t.Errorf("slice: %d loaded, %d not", len(slice.Children), slice.Unloaded)
	}
	var all []string
	for start := 0; ; {
		page, err := target.Children(t.Context(), at, slice, debugger.Page{Start: start, Count: 70})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for i, v := range page {
			if want := fmt.Sprintf("[%d]", start+i); v.Name != want || v.Expr != "slice"+want {
				t.Errorf("child %d: %q %q", start+i, v.Name, v.Expr)
			}
			all = append(all, v.Value)
		}
		start += len(page)
	}
	if len(all) != 200 || all[199] != fmt.Sprint(199*199) || all[70] != fmt.Sprint(70*70) {
		t.Errorf("%d elements: %v", len(all), all)
	}

	byName := find(t, frame, "byName")
	names := map[string]bool{}
	for start := 0; start < 150; start += 40 {
		page, err := target.Children(t.Context(), at, byName, debugger.Page{Start: start, Count: 40})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range page {
			names[v.Name] = true
		}
	}
	if len(names) != 150 || !names[`["name 149"]`] {
		t.Errorf("%d entries", len(names))
	}

	list := find(t, frame, "list")
	for _, id := range []string{"1", "2", "3"} {
		deref, err := target.Children(t.Context(), at, list, debugger.Page{})
		if err != nil || len(deref) != 1 {
			t.Fatalf("%s: %v, %v", list.Expr, deref, err)
		}
		base, _ := deref[0].Child("base")
		if got, err := target.Evaluate(t.Context(), at, base.Expr+".ID"); err != nil || got.Value != id {
			t.Errorf("%s: %q, %v", base.Expr, got.Value, err)
		}
		list, _ = deref[0].Child("next")
	}
}

func TestLongStrings(t *testing.T) {
	target, at, frame := stopAtValues(t)
	long := find(t, frame, "long")
	var text strings.Builder
	for text.Len() < 2000 {
		part, err := target.String(t.Context(), at, long, debugger.Page{Start: text.Len(), Count: 700})
		if err != nil || part == "" {
			t.Fatalf("after %d bytes: %q, %v", text.Len(), part, err)
		}
		text.WriteString(part)
	}
	if text.String() != strings.Repeat("0123456789", 200) {
		t.Errorf("%d bytes differ", text.Len())
	}
}

// TestNoStackIsThatDeep: a number of an agent, or of whoever looks on, does not end
// the debugger. Delve makes room for all frames down to it.
func TestNoStackIsThatDeep(t *testing.T) {
	target, at, _ := stopAtValues(t)
	for _, n := range []int{1 << 30, 1<<31 - 1, math.MaxInt, -1, math.MinInt} {
		deep := debugger.FrameRef{Goroutine: at.Goroutine, Frame: n}
		if _, err := target.Load(t.Context(), deep); err == nil {
			t.Errorf("frame %d was loaded", n)
		}
		if _, err := target.Evaluate(t.Context(), deep, "number"); err == nil {
			t.Errorf("frame %d has values", n)
		}
		if frames, _, err := target.Frames(t.Context(), at.Goroutine, debugger.Page{Start: n, Count: 5}); err == nil && len(frames) > 0 && n > 0 {
			t.Errorf("there are frames from %d on: %v", n, frames)
		}
	}
	if v, err := target.Evaluate(t.Context(), at, "number"); err != nil || v.Value != "42" {
		t.Errorf("the debugger has not survived: %v, %v", v.Value, err)
	}
}

func TestEvaluateAndSet(t *testing.T) {
	target, at, _ := stopAtValues(t)
	for expr, want := range map[string]string{
		"number + 1":             "43",
		"1 << (number - 40)":     "4",
		"len(slice)":             "200",
		"slice[2:4]":             "[]int len 2 cap 298",
		"x.docs[1]":              "second",
		"points[0].X":            "1",
		"byNumber[7].Y":          "8",
		"anything.(data).X":      "5",
		"failure.(data).msg":     "outer: inner",
		"x.base.ID == 99":        "true",
		`text + "!"`:             "go\tlang!",
		"grid[2]":                "[3]int len 3",
		"list.next.next.base.ID": "3",
	} {
		got, err := target.Evaluate(t.Context(), at, expr)
		if err != nil || got.Value != want {
			t.Errorf("%s = %q, %v; want %q", expr, got.Value, err, want)
		}
	}
	// what was typed is repeated, not the path that Delve was asked with
	if got, err := target.Evaluate(t.Context(), at, "min(number, 99)"); err != nil || got.Name != "min(number, 99)" || got.Value != "42" {
		t.Errorf("min: %+v, %v", got, err) // not an argument's name
	}
	if got, err := target.Evaluate(t.Context(), at, "time.UTC == nil"); err != nil || got.Name != "time.UTC == nil" || got.Value != "false" {
		t.Errorf("time.UTC == nil: %q = %q, %v", got.Name, got.Value, err)
	}
	for _, far := range []string{"1 << 99999999999", "1 << number << 99999999999", "1 << (1 << 60)", "1 << (number << 40)", "len(slice[:1<<99999999999])"} {
		if got, err := target.Evaluate(t.Context(), at, far); err == nil || !strings.Contains(err.Error(), "at most 512 bits") {
			t.Errorf("%s = %q, %v", far, got.Value, err)
		}
	}
	for _, absent := range []string{"byNumber[12345]", `noMap["x"]`} {
		if got, err := target.Evaluate(t.Context(), at, absent); !errors.Is(err, debugger.ErrNoKey) {
			t.Errorf("%s = %q, %v", absent, got.Value, err)
		}
	}
	for _, bad := range []string{"nothere", "1 +", "x.nofield", "slice[900]", ""} {
		if got, err := target.Evaluate(t.Context(), at, bad); err == nil {
			t.Errorf("%q = %q", bad, got.Value)
		}
	}
	taken, err := target.Evaluate(t.Context(), at, "&points[0]")
	if err != nil || taken.Kind != reflect.Pointer || taken.Nil || !taken.Expandable() {
		t.Errorf("&points[0]: %+v, %v", taken, err)
	}
	pointees, err := target.Children(t.Context(), at, taken, debugger.Page{})
	if err != nil || len(pointees) != 1 || pointees[0].Value != "main.point{X: 1, Y: 2}" {
		t.Errorf("*&points[0]: %+v, %v", pointees, err)
	}
	if err := target.SetVariable(t.Context(), at, "x.docs[0]", "text"); err != nil {
		t.Error(err)
	}
	if err := target.SetVariable(t.Context(), at, "x.docs[1]", `"new"`); !errors.Is(err, debugger.ErrNeedsCall) {
		t.Errorf("a new string: %v", err)
	}
	if err := target.SetVariable(t.Context(), at, "number", "41+2"); err != nil {
		t.Error(err)
	}
	for expr, want := range map[string]string{"number": "43", "x.docs[0]": "go\tlang"} {
		if got, err := target.Evaluate(t.Context(), at, expr); err != nil || got.Value != want {
			t.Errorf("%s = %q, %v", expr, got.Value, err)
		}
	}
	if err := target.SetVariable(t.Context(), at, "number", `"text"`); err == nil {
		t.Error("a string was assigned to an int")
	}
}

// A parameter is in a register at the first line of its function. What is assigned
// through it is read as it is then.
func TestWhatIsAssignedThroughARegisterIsRead(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "moves"), Args: []string{"calls"}})
	set(t, target, debugger.Breakpoint{Location: "main.(*counter).add"})
	at := debugger.FrameRef{Goroutine: resume(t, target, debugger.Continue).Goroutine}
	for _, value := range []string{"41", "42"} {
		if before, err := target.Evaluate(t.Context(), at, "c.count"); err != nil || before.Value == value {
			t.Fatalf("before: %+v, %v", before, err)
		}
		if err := target.SetVariable(t.Context(), at, "c.count", value); err != nil {
			t.Fatal(err)
		}
		frame, err := target.Load(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if c := find(t, frame, "c"); c.Value != "&main.counter{count: "+value+"}" {
			t.Errorf("the receiver is %s", c.Value)
		}
		if after, err := target.Evaluate(t.Context(), at, "c.count"); err != nil || after.Value != value {
			t.Errorf("c.count is %q, want %s, %v", after.Value, value, err)
		}
	}
}
