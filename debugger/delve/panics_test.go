//go:build linux

package delve

import (
	"bytes"
	"os/exec"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/testsupport"
)

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// printed runs a case without a debugger and returns the messages it dies
// with, oldest first.
func printed(t *testing.T, binary, name string) []string {
	t.Helper()
	cmd := exec.Command(binary, name)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	_ = cmd.Run()
	var messages []string
	for line := range strings.Lines(stderr.String()) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "goroutine ") || strings.HasPrefix(line, "[signal ") || line == "" && len(messages) > 0 {
			break
		}
		message, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), "panic: ")
		switch {
		case ok:
			messages = append(messages, message)
		case len(messages) > 0:
			messages[len(messages)-1] += "\n" + strings.TrimPrefix(line, "\t")
		}
	}
	for i := range messages {
		messages[i] = normal(messages[i])
	}
	return messages
}

func normal(message string) string {
	return strings.TrimSpace(address.ReplaceAllString(message, "0x…"))
}

func TestMessagesAreWhatTheProgramPrints(t *testing.T) {
	t.Parallel()
	binary := fixture(t, "panics")
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Split(strings.TrimSpace(string(out)), "\n")
	sort.Strings(names)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			if i%3 != 0 {
				testsupport.Slow(t)
			}
			t.Parallel()
			want := printed(t, binary, name)
			target := launch(t, "panics", name)
			stop := resume(t, target, debugger.Continue)
			if name == "nested" { // a deferred function panics after the first stop
				stop = resume(t, target, debugger.Continue)
			}
			if stop.Reason != debugger.ReasonPanic {
				t.Fatalf("stopped for %q", stop.Reason)
			}
			var got []string
			for _, p := range append(stop.Panic.Chain, *stop.Panic) {
				message := p.Message
				switch {
				case p.Repanicked:
					message += " [recovered, repanicked]"
				case p.Recovered:
					message += " [recovered]"
				}
				got = append(got, normal(message))
			}
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("messages %q, printed %q", got, want)
			}
			frame, ok := stop.SelectedFrame()
			if !ok || !frame.User || !frame.Loaded || stop.Panic.Culprit != stop.Selected {
				t.Errorf("selected %d, culprit %d: %+v", stop.Selected, stop.Panic.Culprit, frame)
			}
			t.Logf("%s: %s at %s:%d value %+v", stop.Panic.Class, stop.Panic.Message, frame.Function, frame.Line, stop.Panic.Value)
		})
	}
}
