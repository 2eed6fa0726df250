package verify

import (
	"context"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/history"
)

// A program that recovers fails at one statement several times: the history and the past are
// those of the time at which it is paused.
func TestWhichOfSeveralPanics(t *testing.T) {
	needSandbox(t)
	f := lay(t, "recovers", t.TempDir())
	f.compile(t, ".", false)
	f.subject.Code = func(ctx context.Context) (*workspace.Code, error) {
		return f.subject.Workspace.Load(ctx, workspace.LoadSpec{Dir: f.dir, Patterns: []string{"./..."}, Flags: []string{"-mod=mod"}})
	}
	for _, test := range []struct {
		function, text string
		earlier        int
		counted        bool
		value, err     string
	}{
		{"last", "n = items[i]", 0, true, "10", ""},
		{"last", "n = items[i]", 1, true, "250", ""},
		{"last", "n = items[i]", 1, false, "250", ""},
		{"last", "n = items[i]", 2, true, "", "this is failure 3 at main.go:"},
		{"get", "return items[i+0]", 0, true, "10", ""},
		{"first", "return items[i]\n", 0, true, "", "may have failed at main.go:13 4 times: which of these the program is paused at is not known"},
	} {
		f.subject.Stop = f.at(t, debugger.Panic{Class: debugger.IndexOutOfRange, Message: "index out of range", Recovered: true}, "main.go", "main."+test.function, test.text)
		f.subject.Earlier, f.subject.Counted = test.earlier, test.counted
		v := f.verifier(t, execute.Options{})
		s, _ := v.Site()
		h, err := v.Why(t.Context(), history.Query{File: s.File, Line: s.Line, Expr: "i"}, false)
		p, pastErr := v.Past(t.Context())
		if test.err != "" {
			for _, err := range []error{err, pastErr} {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%s %d: %v, want %s", test.function, test.earlier, err, test.err)
				}
			}
			continue
		}
		if err != nil || pastErr != nil {
			t.Fatal(test.function, test.earlier, err, pastErr)
		}
		if warned := len(h.Gaps) > 0; h.Value != test.value || warned == test.counted {
			t.Errorf("%s %d: %s, want %s: %v", test.function, test.earlier, h.Value, test.value, h.Gaps)
		}
		all := p.Trail.All(s.File, s.Line)
		want := map[string]int{"10": 1, "250": 3}[test.value]
		if len(all) != 4 || p.Failed != all[want] || p.Several == test.counted {
			t.Errorf("%s %d: failed after %d steps of %d, want number %d", test.function, test.earlier, p.Failed, all, want)
		}
		p.Close()
	}
}
