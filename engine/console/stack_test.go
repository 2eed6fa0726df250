package console

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

func (t *fakeTarget) Stack(_ context.Context, g debugger.GoroutineID, q debugger.StackQuery) ([]debugger.StackFrame, bool, error) {
	var list []debugger.StackFrame
	t.depth = q.Depth
	for i, name := range []string{"runtime.gopanic", "runtime.panicIndex", "main.add", "runtime.main", "runtime.goexit"} {
		if g == 2 && name == "main.add" {
			continue
		}
		f := debugger.StackFrame{Frame: debugger.Frame{Index: i, Function: name, File: "/src/main.go", Line: i + 1, Runtime: name != "main.add"}}
		list = append(list, f)
	}
	return list, false, nil
}

// waitingTarget is one whose goroutines wait; none of goroutine 2's frames is the user's.
type waitingTarget struct{ *fakeTarget }

func (waitingTarget) Frames(_ context.Context, g debugger.GoroutineID, _ debugger.Page) ([]debugger.Frame, bool, error) {
	list := []debugger.Frame{{Function: "runtime.gopark", Runtime: true}, {Index: 1, Function: "sync.(*WaitGroup).Wait"}}
	if g != 2 {
		list = append(list, debugger.Frame{Index: 2, Function: "main.wait", User: true})
	}
	return list, false, nil
}

func (waitingTarget) SwitchThread(_ context.Context, id int) (debugger.Thread, error) {
	return debugger.Thread{ID: id, Goroutine: 5}, nil
}

func TestAGoroutineIsSelectedWhereTheUsersCodeIs(t *testing.T) {
	for line, want := range map[string]debugger.FrameRef{
		"goroutine 7": {Goroutine: 7, Frame: 2},
		"goroutine 2": {Goroutine: 2, Frame: 1},
		"thread 3":    {Goroutine: 5, Frame: 2},
	} {
		s, host, target := fakeShell(t)
		host.target = waitingTarget{target}
		a, _ := s.Exec(t.Context(), debugger.FrameRef{Goroutine: 1}, line)
		if a.Err != "" || a.Select == nil || *a.Select != want {
			t.Errorf("%s selects %v %s, want %v", line, a.Select, a.Err, want)
		}
	}
}

// The runtime's frames are counted; the numbers of the others stay.
func TestTheRuntimesFramesAreHidden(t *testing.T) {
	s, _, _ := fakeShell(t)
	at := debugger.FrameRef{Goroutine: 1, Frame: 2}
	for _, one := range []struct {
		line string
		at   debugger.FrameRef
		want string
	}{
		{"stack", at, "… 2 runtime frames, stack -all\n 2  main.add  main.go:3\n… 2 runtime frames, stack -all\n"},
		{"bt", debugger.FrameRef{Goroutine: 1, Frame: 3}, // the one that is looked at is shown
			"… 2 runtime frames, stack -all\n 2  main.add  main.go:3\n 3  runtime.main  main.go:4\n… 1 runtime frame, stack -all\n"},
		{"stack -all", at, " 0  runtime.gopanic  main.go:1\n 1  runtime.panicIndex  main.go:2\n 2  main.add  main.go:3\n 3  runtime.main  main.go:4\n 4  runtime.goexit  main.go:5\n"},
		{"stack", debugger.FrameRef{Goroutine: 2}, // there is nothing else
			" 0  runtime.gopanic  main.go:1\n 1  runtime.panicIndex  main.go:2\n 3  runtime.main  main.go:4\n 4  runtime.goexit  main.go:5\n"},
	} {
		a, _ := s.Exec(t.Context(), one.at, one.line)
		if got := texts(a); got != one.want || a.Err != "" {
			t.Errorf("%s in %v: %s\n%s\nwant\n%s", one.line, one.at, a.Err, got, one.want)
		}
	}
	if a, _ := s.Exec(t.Context(), at, "stack -al"); !strings.Contains(a.Err, "-all") {
		t.Errorf("stack -al: %q", a.Err)
	}
}

// sliceTarget holds a slice.
type sliceTarget struct{ *fakeTarget }

func (sliceTarget) Evaluate(context.Context, debugger.FrameRef, string) (debugger.Variable, error) {
	v := debugger.Variable{Name: "list", Expr: "list", Type: "[]int", Kind: reflect.Slice, Value: "[]int len 2 cap 2", Len: 2, Cap: 2}
	for i, n := range []string{"4", "2"} {
		v.Children = append(v.Children, debugger.Variable{Name: fmt.Sprintf("[%d]", i), Type: "int", Kind: reflect.Int, Value: n})
	}
	return v, nil
}

func TestASliceIsShownInOneLineFirst(t *testing.T) {
	s, host, target := fakeShell(t)
	host.target = sliceTarget{target}
	a := exec(t, s, "p list")
	if a.Err != "" || len(a.Lines) != 3 || !strings.Contains(a.Lines[0].Text, "[4 2]") {
		t.Errorf("%s %+v", a.Err, a.Lines)
	}
}

func (t *fakeTarget) QueryGoroutines(context.Context, debugger.GoroutineQuery) (debugger.GoroutineList, error) {
	return debugger.GoroutineList{}, nil
}

// That there are none is said, in groups too.
func TestNoGoroutinesAreSaid(t *testing.T) {
	s, _, _ := fakeShell(t)
	for _, line := range []string{"goroutines -with user", "goroutines -with user -group user"} {
		if got := exec(t, s, line); !strings.Contains(texts(got), noGoroutines) {
			t.Errorf("%s: %s", line, texts(got))
		}
	}
}

// At a crash, a depth counts from the frame that is to blame.
func TestTheDepthOfAStackAtACrash(t *testing.T) {
	s, host, target := fakeShell(t)
	crash := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Culprit: 2}, Goroutine: 1, Selected: 2}
	host.state = host.state.Apply(session.Event{Body: &session.Stopped{Stop: crash}})
	for g, want := range map[debugger.GoroutineID]int{1: 6, 2: 4} {
		if _, _ = s.Exec(t.Context(), debugger.FrameRef{Goroutine: g}, "stack 4"); target.depth != want {
			t.Errorf("of goroutine %d it asks for %d", g, target.depth)
		}
	}
}
