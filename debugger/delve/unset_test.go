//go:build linux

package delve

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

const declares = `package p

func f(m map[string]*T) (n int, err error) { // entry
	a, b := g(), 1 // plain
	if c := g(); c != nil { // if
	}
	if d := m["x"]; d.y > 0 { // unsure
	}
	for i, e := range m { // range
		_ = i + e.y
	}
	h := k( // multi
		a,
		b, // inside
	)
	func() { x := 1; use(x) }() // same
	var z = h / a // var
	run(func() {
		w := z // closure
	})
	return
}
`

func TestDeclaringFindsWhatHasNoValueYet(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", declares, 0)
	if err != nil {
		t.Fatal(err)
	}
	for mark, want := range map[string]string{
		"// entry": "n err", "// plain": "a b", "// if": "c", "// unsure": "", "// range": "", "// multi": "h", "// inside": "h", "// same": "", "// var": "z", "// closure": "w",
	} {
		line := 1 + strings.Count(declares[:strings.Index(declares, mark)], "\n")
		var names []string
		for _, d := range declaring(fset, file, line) {
			names = append(names, d.name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", mark, got, want)
		}
	}
}

// TestUnsetVariablesAreMarked stops a real program in the middle of statements
// that declare something.
func TestUnsetVariablesAreMarked(t *testing.T) {
	t.Parallel()
	target := launch(t, "unset")
	stop := resume(t, target, debugger.Continue)
	want := map[string]string{"main.inner": "quotient", "main.outer": ""}
	for _, f := range stop.Frames {
		names, ok := want[f.Function]
		if !ok {
			continue
		}
		delete(want, f.Function)
		loaded, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: stop.Goroutine, Frame: f.Index})
		if err != nil {
			t.Fatal(err)
		}
		var unset []string
		for _, v := range loaded.Variables() {
			if v.Unset {
				unset = append(unset, v.Name)
			}
			if text, ok := v.TypedNil(); v.Name == "wrapped" && (!ok || text != "error(*io/fs.PathError) nil" && text != "error(*fs.PathError) nil") {
				t.Errorf("wrapped is shown as %q, %v", text, ok)
			}
		}
		if got := strings.Join(unset, " "); got != names {
			t.Errorf("%s: unset are %q, want %q", f.Function, got, names)
		}
	}
	if len(want) > 0 {
		t.Errorf("not on the stack: %v", want)
	}
}

// What a closure has captured is not there yet where a breakpoint on its first line
// stops.
func TestCapturedVariablesAreMarked(t *testing.T) {
	t.Parallel()
	target := launch(t, "iterates")
	set(t, target, debugger.Breakpoint{Location: "main.count.func1"})
	at := debugger.FrameRef{Goroutine: resume(t, target, debugger.Continue).Goroutine}
	for _, want := range []bool{true, false} {
		frame, err := target.Load(t.Context(), at)
		if err != nil {
			t.Fatal(err)
		}
		if n := find(t, frame, "n"); n.Unset != want || n.Captured != want || !want && n.Value != "3" {
			t.Errorf("line %d: n is %q, unset: %v", frame.Line, n.Value, n.Unset)
		}
		move(t, target, debugger.Move{Motion: debugger.Next})
	}
}
