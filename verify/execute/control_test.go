package execute

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// What came from outside does not come again, unless somebody's keys are typed.
func TestHowLongAControlMayTake(t *testing.T) {
	recovers := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Recovered: true}}
	r := New(subject.Subject{Stop: recovers, Ran: 4 * time.Second}, Options{Timeout: time.Minute})
	if got := r.controlWall(); got != leastWall {
		t.Errorf("nobody types: %v", got)
	}
	r.Subject.Run.Input = []subject.Keys{{Text: "j"}}
	if got := r.controlWall(); got != 20*time.Second {
		t.Errorf("with recorded keys the control may take %v", got)
	}
	if got := r.replayed(sandbox.Result{Limit: sandbox.LimitTime, ReadAll: true}); got != "; it has read all that was typed again" {
		t.Errorf("%q", got)
	}
}

// A program that ends well may have recovered the panic: no request is missing.
func TestAControlThatEndsMayRecoverThePanic(t *testing.T) {
	begun := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Thrown: true}}
	r := New(subject.Subject{Stop: begun}, Options{Timeout: time.Minute})
	if got := r.replayed(sandbox.Result{}); got != "; it may have recovered the panic: its output shows none" {
		t.Errorf("%q", got)
	}
}
