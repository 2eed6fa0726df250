package lines

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
)

const warning = "this ends the program: y, or the same command again, goes on; locals and goroutines can be read before it\n"

// A step that ends the program is asked about once for each stop, however it is written.
func TestAStepThatEndsTheProgramIsSaidTwice(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  []string // what is carried out
		warns int
	}{
		{"again", []string{"next", "next", "next"}, []string{"next", "next"}, 1},
		{"y", []string{"continue", "y"}, []string{"continue"}, 1},
		{"another line does not answer", []string{"next", "locals", "y"}, []string{"locals", "y"}, 1},
		{"within another line", []string{"goroutine 1 next", "frame 1 step", "source f", "locals"}, []string{"locals"}, 3},
		{"what does not step", []string{"stack", "n + 1"}, []string{"stack", "n + 1"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, text := converseAt(t, debugger.Panic{}, c.lines)
			if len(got) != len(c.want) {
				t.Fatalf("carried out %q, want %q\n%s", got, c.want, text)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("carried out %q, want %q", got, c.want)
				}
			}
			if n := strings.Count(text, warning); n != c.warns {
				t.Errorf("asked %d times, want %d\n%s", n, c.warns, text)
			}
		})
	}
}

// What lives on is not asked about.
func TestAStepAfterARecoveredPanicIsNotAskedAbout(t *testing.T) {
	got, _ := converseAt(t, debugger.Panic{Recovered: true}, []string{"next"})
	if len(got) != 1 || got[0] != "next" {
		t.Errorf("carried out %q", got)
	}
}

// converseAt types lines at a panic, as a person does, and returns what the engine was
// given to evaluate.
func converseAt(t *testing.T, p debugger.Panic, typed []string) (evaluated []string, text string) {
	t.Helper()
	e := newEngine()
	e.add(&session.Started{}, &session.Launched{}, &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Panic: &p}})
	f := newFrontend(t.Context(), e, Options{Output: io.Discard, Clock: time.Now})
	var out said
	f.out.Reset(&out)
	u, err := e.Wait(context.Background(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.take(u)
	for _, l := range typed {
		f.carryOut(l)
	}
	_ = f.out.Flush()
	for _, i := range e.intents {
		if ev, ok := i.(intent.Evaluate); ok {
			evaluated = append(evaluated, ev.Input)
		}
	}
	return evaluated, out.String()
}
