//go:build linux

package delve

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// holdReplaced stops the program where its values are about to be replaced.
func holdReplaced(t *testing.T) (target *Target, here debugger.FrameRef) {
	t.Helper()
	target = launch(t, "moves", "replaced")
	file := filepath.Join(testdata(t), "moves", "replaced.go")
	stop := runTo(t, target, file, `fmt.Println("replaced"`)
	return target, debugger.FrameRef{Goroutine: stop.Goroutine}
}

func runTo(t *testing.T, target *Target, file, text string) debugger.Stop {
	t.Helper()
	b := set(t, target, debugger.Breakpoint{File: file, Line: lineOf(t, file, text)})
	stop := resume(t, target, debugger.Continue)
	remove(t, target, b)
	return stop
}

var addresses = regexp.MustCompile(`0x[0-9a-f]+`)

// hitsOf runs to the next hits of watchpoints, until one goes out of scope, and says what
// each has seen. Addresses are numbered: a, b, c.
func hitsOf(t *testing.T, target *Target) (seen []string) {
	t.Helper()
	names := map[string]string{}
	for range 40 {
		stop := resume(t, target, debugger.Continue)
		if stop.Ended() || stop.Watched == nil || stop.Watched.Gone {
			return seen
		}
		w := stop.Watched
		line := fmt.Sprintf("%s %s → %s", w.Expr, w.Was, w.Now)
		seen = append(seen, addresses.ReplaceAllStringFunc(line, func(a string) string {
			if names[a] == "" {
				names[a] = string(rune('a' + len(names)))
			}
			return names[a]
		}))
	}
	t.Fatal("it does not end")
	return nil
}

func checkHits(t *testing.T, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "\n"); text != strings.TrimSpace(want) {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// The dynamic type of an interface changes with its value.
func TestWatchedInterfaces(t *testing.T) {
	t.Parallel()
	target, here := holdReplaced(t)
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "h.any", At: here})
	skipUnwatched(t, err)
	for _, expr := range []string{"h.adder.(data)", "h.err", "local"} {
		set(t, target, debugger.Breakpoint{Watch: expr, At: here})
	}
	checkHits(t, hitsOf(t, target), `
h.any int(5) → int(600)
h.any int(600) → string("text")
h.any string("text") → main.small{n: 1}
h.any main.small{n: 1} → main.other{n: 1}
h.any main.other{n: 1} → main.other{n: 1}
h.any main.other{n: 1} → &5
h.any &5 at a → &5 at b
h.any &5 → nil
h.adder.(data) &main.cat{lives: 7} → &main.dog{name: "rex"}
h.adder.(data) &main.dog{name: "rex"} → nil
h.err nil → &errors.errorString{s: "first"}
h.err &errors.errorString{s: "first"} → &fmt.wrapError{msg: "second: first", err: *errors.errorString c}
local main.small{n: 1} → main.other{n: 1}`)
}

// What looks the same need not be the same.
func TestWatchedValuesThatLookTheSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		exprs []string
		want  string
	}{
		{[]string{"h.pair", "h.flags", "h.p", "h.f"}, `
h.pair [2]int32{0, 0} → [2]int32{0, 3}
h.flags struct{a: false, b: false, c: false, d: false, e: false, f: false, g: false, h: false} → struct{a: false, b: false, c: false, d: false, e: false, f: false, g: false, h: true}
h.p &5 at a → &5 at b
h.p &6 → &6
h.f main.counting.func1 at c → main.counting.func1 at d
h.pair [2]int32{0, 3} → [2]int32{0, 3}`},
		{[]string{"h.m", "h.c"}, `
h.m map[string]int len 1 at a → map[string]int len 1 at b
h.c chan int len 0 cap 1 at c → chan int len 0 cap 1 at d`},
	} {
		target, here := holdReplaced(t)
		for _, expr := range tt.exprs {
			_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: expr, At: here})
			skipUnwatched(t, err)
		}
		checkHits(t, hitsOf(t, target), tt.want)
	}
}

func TestAValueIsWatchedOnce(t *testing.T) {
	t.Parallel()
	target, here := holdReplaced(t)
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "main.total", At: here})
	skipUnwatched(t, err)
	_, err = target.SetBreakpoint(t.Context(), debugger.Breakpoint{Watch: "total", WatchKind: debugger.WatchRead, At: here})
	if err == nil || !strings.Contains(err.Error(), "watched already") || strings.Contains(err.Error(), "0") {
		t.Error(err)
	}
}
