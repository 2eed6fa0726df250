package verify

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/rewind"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/verdict"
)

// typed is a program of a person at the keyboard, stopped at what was typed.
func typed(t *testing.T, pkg string, keys ...string) fixture {
	t.Helper()
	f := lay(t, "typed", t.TempDir())
	f.compile(t, "./"+pkg, false)
	for i, k := range keys {
		f.subject.Run.Input = append(f.subject.Run.Input, subject.Keys{After: time.Duration(i+1) * 100 * time.Millisecond, Text: k})
	}
	f.subject.Stop = f.stop(t)
	return f
}

func TestWaitingForMoreInputIsPastTheStop(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	t.Parallel()
	const words = "words/main.go"
	f := typed(t, "words", "one two\n", "\n")
	v := f.verifier(t, execute.Options{})
	got := check(t, v, f.edits(t, words, "\t\tsums[words[0]]++", "\t\tif len(words) == 0 {\n\t\t\tcontinue\n\t\t}\n\t\tsums[words[0]]++"))
	expect(t, got, verdict.Rerun, verdict.Pass, "no panic: it has read all that was typed, and waits for more")
	if !got.EndedWell() {
		t.Errorf("it ended badly: %+v", got.Ending)
	}
	t.Run("not where the fix reads", func(t *testing.T) {
		testsupport.Slow(t)
		got := check(t, v, f.edits(t, words, "\t\twords := strings", "\t\tif in.Text() == \"\" {\n\t\t\tbufio.NewReader(os.Stdin).ReadString('\\n')\n\t\t}\n\t\twords := strings"))
		expect(t, got, verdict.Rerun, verdict.Inconclusive, "has not got past the failing line")
	})
}

// The recorded keys are typed into a program that draws, with what its terminal
// answers.
func TestAProgramThatDrawsIsProvedWithItsKeys(t *testing.T) {
	needSandbox(t)
	t.Parallel()
	const picker = "picker/main.go"
	f := typed(t, "picker", "j", "x")
	v := f.verifier(t, execute.Options{})
	right := f.edits(t, picker, "{ l.items = append(l.items[:l.at], l.items[l.at+1:]...) }", "{\n\tl.items = append(l.items[:l.at], l.items[l.at+1:]...)\n\tl.at = max(min(l.at, len(l.items)-1), 0)\n}")
	expect(t, check(t, v, right), verdict.Rerun, verdict.Pass, "it has read all that was typed, and waits for more")
	expect(t, check(t, v, f.edits(t, picker, "[]string{\"a\", \"b\"}", "[]string{\"a\", \"c\"}")), verdict.Rerun, verdict.Fail, "it still happens")
}

func TestWhoWaitsForATerminal(t *testing.T) {
	at := func(functions ...string) crash.Goroutine {
		g := crash.Goroutine{State: "IO wait"}
		for _, f := range functions {
			g.Frames = append(g.Frames, debugger.Frame{Function: f})
		}
		return g
	}
	for _, c := range []struct {
		name string
		g    crash.Goroutine
		want bool
	}{
		{"a reader", at("internal/poll.(*FD).Read", "os.(*File).Read", "bufio.(*Scanner).Scan", "main.main"), true},
		{"one that can be canceled", at("golang.org/x/sys/unix.EpollWait", "github.com/muesli/cancelreader.(*epollCancelReader).wait"), true},
		{"what a child prints", at("os.(*File).Read", "io.Copy", "os/exec.(*Cmd).writerDescriptor.func1"), false},
		{"a channel", at("main.main"), false},
	} {
		if got := readsTerminal(c.g); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	v := &patched{v: &Verifier{Program: &rewind.Program{Runner: execute.New(subject.Subject{}, execute.Options{})}}}
	if v.wantsMore(sandbox.Result{ReadAll: true}) {
		t.Error("nothing was typed")
	}
}
