package session

import (
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

func TestWhyDoesNotRepeatTheMessage(t *testing.T) {
	const message = "runtime error: invalid memory address or nil pointer dereference"
	stop := debugger.Stop{Frames: []debugger.Frame{{Function: "main.use", File: "/a/main.go", Line: 30}}, Panic: &debugger.Panic{Message: message}}
	for sentence, want := range map[string]string{
		"": "", message: "", message + " in main.use (main.go:30)": "",
		message + " in other.F (f.go:3), outside this module": message + " in other.F (f.go:3), outside this module",
		"the deferred function done is nil":                   "the deferred function done is nil",
	} {
		if got := (StopRecord{Stop: stop, Diagnosis: &evidence.Diagnosis{Sentence: sentence}}).Why(); got != want {
			t.Errorf("%q: %q, want %q", sentence, got, want)
		}
	}
}
