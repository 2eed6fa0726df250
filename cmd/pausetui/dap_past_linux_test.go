package main

import (
	"strings"
	"testing"

	"github.com/google/go-dap"
)

// An editor steps back from a crash into a run of its own, and on until it is in the
// present again.
func TestAnEditorStepsBack(t *testing.T) {
	t.Parallel()
	e := adapter(t, program(t, emptyMapProgram))
	e.launch(`{"program": "."}`)
	e.event("initialized")
	e.ask(&dap.ConfigurationDoneRequest{Request: e.request("configurationDone")})
	if m := e.event("capabilities").(*dap.CapabilitiesEvent); !m.Body.Capabilities.SupportsStepBack {
		t.Errorf("%+v", m.Body)
	}
	crash := e.event("stopped").(*dap.StoppedEvent)
	back := func() {
		t.Helper()
		e.ask(&dap.StepBackRequest{Request: e.request("stepBack"), Arguments: dap.StepBackArguments{ThreadId: crash.Body.ThreadId}})
	}
	back()
	e.stopsAt("step", 6)
	if v, refused := e.evaluated("watch", "x.terms"); v.Result != "nil" {
		t.Errorf("x.terms is %q, %s", v.Result, refused)
	}
	if v, refused := e.evaluated("repl", "term = \"gone\""); refused != "" {
		t.Errorf("a variable of the past: %q, %s", v.Result, refused)
	}
	e.event("stopped") // a text is made by a call
	if v, refused := e.evaluated("repl", ":args"); !strings.Contains(v.Result, "gone") {
		t.Errorf("the variables of the past: %q, %s", v.Result, refused)
	}
	back()
	e.stopsAt("step", 5)
	e.ask(&dap.NextRequest{Request: e.request("next"), Arguments: dap.NextArguments{ThreadId: crash.Body.ThreadId}})
	e.stopsAt("step", 6)
	if _, refused := e.evaluated("repl", ":exit"); refused != "" {
		t.Error(refused)
	}
	if m := e.event("stopped").(*dap.StoppedEvent); m.Body.Reason != "exception" {
		t.Errorf("back in the present: %+v", m.Body)
	}
	e.ask(&dap.ReverseContinueRequest{Request: e.request("reverseContinue"), Arguments: dap.ReverseContinueArguments{ThreadId: crash.Body.ThreadId}})
	e.stopsAt("step", 9)
	e.ask(&dap.ContinueRequest{Request: e.request("continue"), Arguments: dap.ContinueArguments{ThreadId: crash.Body.ThreadId}})
	e.says("back in the present")
	if m := e.event("stopped").(*dap.StoppedEvent); m.Body.Reason != "exception" || !strings.Contains(m.Body.Text, "nil map") {
		t.Errorf("it has come to the crash again: %+v", m.Body)
	}
	e.ask(&dap.DisconnectRequest{Request: e.request("disconnect")})
}
