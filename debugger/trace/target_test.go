package trace

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// workers is a trace with goroutines that have the same stack, one of them with ancestors.
func workers(count int) string {
	var b strings.Builder
	b.WriteString("panic: enough\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:9 +0x1d\n")
	for i := range count {
		fmt.Fprintf(&b, "\ngoroutine %d [chan receive, %d minutes]:\nmain.work(0x%x)\n\t/src/work.go:%d +0x1d\ncreated by main.main in goroutine 1\n\t/src/main.go:7 +0x20\n", i+10, 2+i%2, i, 20+i%2)
	}
	return b.String()
}

func target(t *testing.T, text string) *Target {
	t.Helper()
	return NewTarget(locate(t, read(t, text).Traces[0], Home{}), func() time.Time { return time.Unix(0, 0) })
}

func TestFound(t *testing.T) {
	deep := "panic: deep\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.down()\n\t/src/main.go:9 +0x1d\n", 80) + "main.main()\n\t/src/main.go:12 +0x1d\n"
	for name, tt := range map[string]struct {
		text   string
		reason debugger.Reason
		shown  int
		frames int
		more   bool
	}{
		"a panic":  {plain, debugger.ReasonPanic, 0, 2, false},
		"deep":     {deep, debugger.ReasonPanic, 0, 50, true},
		"fatal":    {"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/src/main.go:9 +0x1d\n", debugger.ReasonFatal, 0, 1, false},
		"a stack":  {"goroutine 7 [running]:\nruntime.gopark()\n\t/go/src/runtime/proc.go:1 +0x1d\nmain.f()\n\t/src/main.go:9 +0x1d\n", debugger.ReasonFound, 1, 2, false},
		"no owner": {"ERROR cannot serve\nmain.f\n\t/src/main.go:9\nmain.main\n\t/src/main.go:12\n", debugger.ReasonFound, 0, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			stop, err := target(t, tt.text).Found(t.Context())
			if err != nil || stop.Reason != tt.reason || stop.Selected != tt.shown || len(stop.Frames) != tt.frames || stop.MoreFrames != tt.more || stop.Goroutine == 0 {
				t.Errorf("%+v, %v", stop, err)
			}
			if stop.Crashed() != (tt.reason != debugger.ReasonFound) {
				t.Error("crashed:", stop.Crashed())
			}
		})
	}
}

func TestQueryGoroutines(t *testing.T) {
	target := target(t, workers(9))
	for name, tt := range map[string]struct {
		query debugger.GoroutineQuery
		want  string // the numbers, and the groups with their totals
		more  bool
		err   bool
	}{
		"a page":   {debugger.GoroutineQuery{Page: debugger.Page{Start: 1, Count: 2}}, "10 11", true, false},
		"filtered": {debugger.GoroutineQuery{Filters: []debugger.GoroutineFilter{{Field: debugger.ByUserLocation, Value: "work.go:21"}}}, "11 13 15 17", false, false},
		"not":      {debugger.GoroutineQuery{Filters: []debugger.GoroutineFilter{{Field: debugger.ByRunning, Not: true}, {Field: debugger.ByLocation, Value: "work.go:20", Not: true}}}, "11 13 15 17", false, false},
		"grouped":  {debugger.GoroutineQuery{Group: debugger.ByUserLocation, Members: 2, Groups: 2}, "1 10 12 | /src/main.go:9 in main.main 1, /src/work.go:20 in main.work 5", true, false},
		"labels":   {debugger.GoroutineQuery{Group: debugger.ByLabel}, "", false, true},
		"channel":  {debugger.GoroutineQuery{Filters: []debugger.GoroutineFilter{{Field: debugger.ByChannel}}}, "", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			answer, err := target.QueryGoroutines(t.Context(), tt.query)
			if (err != nil) != tt.err || tt.err && !errors.Is(err, debugger.ErrUnable) || answer.More != tt.more {
				t.Fatalf("%+v, %v", answer, err)
			}
			var ids, groups []string
			for _, g := range answer.List {
				ids = append(ids, fmt.Sprint(g.ID))
			}
			for _, g := range answer.Groups {
				groups = append(groups, fmt.Sprintf("%s %d", g.Name, g.Total))
			}
			got := strings.Join(ids, " ")
			if len(groups) > 0 {
				got += " | " + strings.Join(groups, ", ")
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Goroutines that stand alike have the same signature, whatever they hold.
func TestSignatures(t *testing.T) {
	list, _, err := target(t, workers(9)).Goroutines(t.Context(), debugger.Page{})
	kinds := map[uint64]int{}
	for _, g := range list {
		kinds[g.Signature]++
	}
	if err != nil || len(list) != 10 || len(kinds) != 3 {
		t.Errorf("%d goroutines of %v, %v", len(list), kinds, err)
	}
}

func TestAncestorsAndStacks(t *testing.T) {
	const text = "panic: x\n\ngoroutine 3 [running]:\nmain.f(0x7)\n\t/src/a.go:4 +0x1d\ncreated by main.g in goroutine 2\n\t/src/a.go:9 +0x1d\n[originating from goroutine 2]:\nmain.g(...)\n\t/src/a.go:9\nmain.main(...)\n\t/src/a.go:20\n[originating from goroutine 1]:\nmain.h(...)\n\t/src/a.go:30\n"
	target := target(t, text)
	list, err := target.Ancestors(t.Context(), 3, 5, 0)
	if err != nil || len(list) != 2 || len(list[0].Frames) != 1 || list[1].ID != 1 {
		t.Errorf("ancestors %+v, %v", list, err)
	}
	stack, more, err := target.Stack(t.Context(), 3, debugger.StackQuery{Depth: 10, Full: true})
	if err != nil || more || len(stack) != 1 || len(stack[0].Args) != 1 {
		t.Errorf("stack %+v, %v", stack, err)
	}
	if _, _, err := target.Stack(t.Context(), 4, debugger.StackQuery{}); err == nil {
		t.Error("there is no goroutine 4")
	}
	if _, err := target.Load(t.Context(), debugger.FrameRef{Goroutine: 3, Frame: 7}); err == nil {
		t.Error("there is no frame 7")
	}
}

func TestATraceTellsWhoStartedAGoroutine(t *testing.T) {
	log, err := Read(t.Context(), strings.NewReader("panic: x\n\ngoroutine 3 [running]:\nmain.f()\n\t/src/a.go:4 +0x1d\ncreated by main.g in goroutine 2\n\t/src/a.go:9 +0x1d\n"+
		"[originating from goroutine 2]:\nmain.g(...)\n\t/src/a.go:9\n"))
	if err != nil || len(log.Traces) != 1 {
		t.Fatalf("%+v, %v", log, err)
	}
	read := NewTarget(log.Traces[0], time.Now)
	want := debugger.Origin{By: 2, At: debugger.Location{Function: "main.g", File: "/src/a.go", Line: 9}}
	if origin, err := read.Origin(t.Context(), 3); err != nil || origin.By != want.By || origin.At.Function != want.At.Function || origin.At.Line != want.At.Line {
		t.Errorf("started by %+v, %v", origin, err)
	}
	if list, err := read.Ancestors(t.Context(), 3, 10, 10); err != nil || len(list) != 1 || list[0].ID != 2 {
		t.Errorf("ancestors %+v, %v", list, err)
	}
	if _, err := read.Origin(t.Context(), 77); err == nil {
		t.Error("a goroutine that is not in the trace was started somewhere")
	}
}
