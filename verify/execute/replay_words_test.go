package execute

import (
	"testing"

	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
)

// What the repro command prints is compared only where it prints the same in two runs
// of the unpatched program.
func TestAnswersThatVaryAreNotCompared(t *testing.T) {
	v := New(subject.Subject{}, Options{})
	reply := func(text string) *sandbox.ReproResult {
		return &sandbox.ReproResult{Started: true, Ended: true, Output: []byte(text)}
	}
	now := sandbox.Result{Repro: reply("at 12:01:07")}
	for _, tt := range []struct {
		c    Control
		want string
	}{
		{Control{repro: reply("at 12:01:07")}, `; the repro command ended with 0 and printed "at 12:01:07", as without the change`},
		{Control{repro: reply("broken")}, `; the repro command ended with 0 and printed "at 12:01:07"; without the change it ended with 0 and printed "broken"`},
		{Control{repro: reply("at 12:01:05"), unsteady: true}, "; the repro command ended with 0"},
	} {
		if got := v.Answers(tt.c, now); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// A shell that does not find the command says so with its exit code.
func TestAReproCommandThatIsNotThere(t *testing.T) {
	r := sandbox.Result{ExitCode: 2, Output: []byte("panic: other\n\ngoroutine 1 [running]:\nmain.main()\n\t/m/main.go:3 +0x1\n"),
		Repro: &sandbox.ReproResult{Started: true, Ended: true, Exit: 127, Output: []byte("sh: 1: /elsewhere/client: not found\n")}}
	const want = `the repro command is not found: "sh: 1: /elsewhere/client: not found"; there, only the module and the system's directories are seen`
	if _, why := New(subject.Subject{}, Options{}).CrashOf(subject.Site{}, r); why != want {
		t.Errorf("got %q", why)
	}
}
