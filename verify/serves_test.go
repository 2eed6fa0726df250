package verify

import (
	"testing"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/rewind"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// A program that listens is meant to run on. A test is not, whatever its server does.
func TestATestDoesNotServe(t *testing.T) {
	for _, test := range []bool{false, true} {
		a := &patched{v: &Verifier{Program: &rewind.Program{Runner: &execute.Runner{Target: &subject.Target{Subject: subject.Subject{Ports: []int{80}, Build: build.Spec{Test: test}}}}}}}
		if why := a.serves(sandbox.Result{}); (why == "") != test {
			t.Errorf("test %t: %q", test, why)
		}
	}
}
