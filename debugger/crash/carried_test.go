package crash

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

const carried = `job: runtime error: invalid memory address or nil pointer dereference
goroutine 7 [running]:
runtime/debug.Stack()
	/usr/local/go/src/runtime/debug/stack.go:26 +0x5e
main.(*crew).do.func1()
	/app/main.go:20 +0x3e
panic({0x4b0580?, 0x581520?})
	/usr/local/go/src/runtime/panic.go:860 +0x13a
main.(*crew).do(0x60fd2b04f00, 0x0)
	/app/main.go:23 +0x54
main.main()
	/app/main.go:37 +0x9e`

// The message of a panic that was raised again with a stack in its text is one
// line, and the stack is the place where it was raised first.
func TestAStackInAMessageIsRead(t *testing.T) {
	own := func(f debugger.Frame) bool { return strings.HasPrefix(f.File, "/app/") }
	for text, want := range map[string]struct {
		message string
		class   debugger.Class
		at      string
	}{
		carried: {"job: runtime error: invalid memory address or nil pointer dereference", debugger.NilDereference, "main.(*crew).do"},
		"panic: assignment to entry in nil map\nstacktrace:\n" + carried: {"assignment to entry in nil map", debugger.NilMapWrite, "main.(*crew).do"},
		"two\nlines": {"two\nlines", debugger.Custom, ""},
		"goroutine 7 [running]:\nis what it says": {"goroutine 7 [running]:\nis what it says", debugger.Custom, ""},
	} {
		p := debugger.Panic{Message: text, Class: debugger.Classify(text, false, false)}
		Carry(&p, own)
		at := ""
		if i := debugger.Culprit(p.Raised, []debugger.Panic{p}, func(f debugger.Frame) bool { return f.User }); i >= 0 {
			at = p.Raised[i].Function
		}
		if p.Message != want.message || p.Class != want.class || at != want.at {
			t.Errorf("%q: %q of %s at %s, want %q of %s at %s", text, p.Message, p.Class, at, want.message, want.class, want.at)
		}
	}
	printed := "panic: " + strings.ReplaceAll(carried, "\n", "\n\t") + "\n\ngoroutine 1 [running]:\nmain.(*crew).end(...)\n\t/app/main.go:28\nmain.main()\n\t/app/main.go:39 +0x9e\nexit status 2\n"
	c, ok := Parse([]byte(printed))
	if !ok || strings.Contains(c.Message, "\n") || c.Class != debugger.NilDereference || len(c.Frames()) != 2 {
		t.Errorf("%v: %q of %s in %d frames", ok, c.Message, c.Class, len(c.Frames()))
	}
}
