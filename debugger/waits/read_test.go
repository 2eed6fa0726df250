package waits

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// stack is an inspector of one goroutine, to which each name is a lock.
type stack struct {
	debugger.Inspector
	debugger.StackReader
	frames []debugger.Frame
	defers []debugger.Deferred // of the outermost frame
}

func (s stack) Frames(context.Context, debugger.GoroutineID, debugger.Page) ([]debugger.Frame, bool, error) {
	return s.frames, false, nil
}

func (s stack) Evaluate(_ context.Context, _ debugger.FrameRef, expr string) (debugger.Variable, error) {
	return debugger.Variable{Type: "sync.Mutex", Addr: uint64(expr[len(expr)-1])}, nil
}

func (s stack) Stack(context.Context, debugger.GoroutineID, debugger.StackQuery) ([]debugger.StackFrame, bool, error) {
	list := make([]debugger.StackFrame, len(s.frames))
	list[len(list)-1].Defers = s.defers
	return list, false, nil
}

// A goroutine holds what functions on its stack have locked and neither they nor what they
// have called has unlocked. The lines of the functions are those of the numbers in comments.
func TestHoldersAreOnTheStack(t *testing.T) {
	const returning = "runtime.deferreturn"
	for name, test := range map[string]struct{ body, stack, pending, want string }{
		"a literal of one that returned": {"a.Lock()\ndefer a.Unlock()\nreturn func() { g() } // 1", "f.func1 1", "", ""},
		"a literal that it calls":        {"a.Lock()\ndefer a.Unlock()\nfunc() { g() }() // 1", "f.func1 1, f 1", "", "f a"},
		"in a loop's body":               {"a.Lock()\nfor range s {\nb.Lock()\ng() // 1\n}", "f-range1 1", "", "f-range1 a, f-range1 b"},
		"started by go":                  {"a.Lock()\ngo g() // 1\na.Unlock()", "f.gowrap1 1", "", ""},
		"deferred after the lock":        {"a.Lock()\ndefer a.Unlock() // 1\ndefer func() { g() }() // 2\n// 3", "f.func1 2, " + returning + ", f 3", "1", "f a"},
		"deferred before the lock":       {"defer func() { g() }() // 1\na.Lock()\ndefer a.Unlock()\n// 2", "f.func1 1, " + returning + ", f 2", "", ""},
		"a method deferred before":       {"defer g() // 1\na.Lock()\ndefer a.Unlock()\n// 2", "f.deferwrap1 1, " + returning + ", f 2", "", ""},
		"the one that unlocks":           {"a.Lock()\ndefer func() {\ng() // 1\na.Unlock()\n}()\n// 2", "f.func1 1, " + returning + ", f 2", "", "f a"},
		"it has unlocked":                {"a.Lock()\ndefer func() {\na.Unlock()\ng() // 1\n}()\n// 2", "f.func1 1, " + returning + ", f 2", "", ""},
		"a call has unlocked":            {"a.Lock()\nb.Lock()\nfunc() {\na.Unlock()\ng() // 1\n}() // 2\n", "f.func1 1, f 2", "", "f b"},
		"unlocked and locked again":      {"a.Lock()\nfunc() {\na.Unlock()\na.Lock()\ng() // 1\n}() // 2\n", "f.func1 1, f 2", "", "f.func1 a"},
		"a panic has unlocked":           {"a.Lock()\ndefer a.Unlock()\nb.Lock()\nh() // 1", "g, runtime.gopanic, f 1", "", "f b"},
		"a panic below":                  {"a.Lock()\ndefer a.Unlock() // 1\nh() // 2", "g, runtime.gopanic, h, f 2", "1", "f a"},
		"waits for a condition":          {"a.L.Lock()\nb.Lock()\nfor x {\na.Wait() // 1\n}", "sync.(*Cond).Wait, f 1", "", "f b"},
		"waits for a group":              {"a.Lock()\na.Wait() // 1", "sync.(*WaitGroup).Wait, f 1", "", "f a"},
		"while nothing returns":          {"a.Lock()\ndefer a.Unlock()\ng() // 1", "g, f 1", "", "f a"},
	} {
		file := filepath.Join(t.TempDir(), "f.go")
		src := "package p\n\nfunc f() {\n" + test.body + "\n}\n"
		testsupport.Write(t, file, src)
		lineOf := func(mark string) int { return 1 + strings.Count(src[:strings.Index(src, "// "+mark)], "\n") }
		var in stack
		for i, written := range strings.Split(test.stack, ", ") {
			function, mark, user := strings.Cut(written, " ")
			f := debugger.Frame{Index: i, Function: function, User: user}
			if user {
				f.Function, f.File, f.Line = "main."+function, file, lineOf(mark)
			}
			in.frames = append(in.frames, f)
		}
		if test.pending != "" {
			in.defers = []debugger.Deferred{{At: debugger.Location{Line: lineOf(test.pending)}}}
		}
		facts, err := Read(t.Context(), in, []Kindred{{1}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, list := range facts.Held {
			for _, h := range list {
				got = append(got, fmt.Sprint(strings.TrimPrefix(h.Function, "main."), " ", h.Expr))
			}
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
