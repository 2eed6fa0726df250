package fixer_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer"
)

// TestWhatIsSaid: a sentence of the diagnosis or of an explanation is about what
// the code does, with its line, or is not there.
func TestWhatIsSaid(t *testing.T) {
	tests := []struct {
		archive      string
		said, unsaid string
	}{
		{"set-to-nil", "register.reset (main.go:16) sets it to nil", "nothing"},
		{"sibling-message", "does as series.Median does (main.go:12).", "Median: no values"},
		{"none/library-silent", "", "say"},
		{"none/nil-at-key", `rec (main.go:6) has nil for "age"`, "has no key"},
		{"none/no-key", `rec (main.go:6) has no key "age"`, "has no value"},
		{"none/variable-key", `people (main.go:8) has no key "bob" (name)`, "has no value"},
		{"other-variable", "", "for others"},
		{"two-makers", "make facts in newStep", "in plan"},
		{"own-methods", "2 places make a pool without done", "never sets"},
		{"errors-joined", `at the bottom of it are "disk full" and "file already closed"`, "is \"disk full\""},
		{"typed-nil", "err holds a nil *fault: call returned it as an error (main.go:15)", "because"},
		{"made-nil", "reflect.TypeOf(cell) returned nil, and cell is nil", "because"},
		{"passed-empty", "len(xs)-1 is -1 and len(xs) is 0; main passes []string{} (main.go:7)", "not found"},
		{"branch-not-taken", "n is nil", "returned nil"},
		{"counted-above", "l.current is -1 and len(l.items) is 1", "may have"},
		{"long-literal", "options{…}.next is nil", "/home/someone is"},
		{"goexit", "main called runtime.Goexit (main.go:6), and no other goroutine can go on", "waits"},
		{"replaced-lock", "core.reset (main.go:12) puts another labels in its place", "because"},
		{"raised-again", "(raised first in main.(*crew).do (main.go:23), then caught and raised again)", "goroutine 1 [running]"},
		{"decoded-maker", "make seen in newRule and parse", "newRule (main.go:15) never sets"},
		{"part-of-zero", "o.env is nil; main (main.go:18) declares mine without it", "because"},
		{"made-list", "s.books is nil", "because"},
		{"set-by-init", "cache.purge (main.go:16) sets it to nil", "newCache"},
		{"decoded-field", "r.Limit is nil", "because"},
		{"starts-as", "it starts as width - used + 1 (main.go:6)", "comes from"},
		{"closed-select", "the loop goes on after q.jobs is closed (main.go:32)", "because"},
		{"replaced-lock-here", "core.take (main.go:15) puts another labels in its place", "because"},
		{"map-read-after", "is now held in hits.add.", "every use"},
		{"two-calls", "tree.left is set in main (main.go:13)", "right"},
		{"set-afterwards", "2 places make a shell without funcs: newShell (main.go:12), shell.early (main.go:22)", "shell.sub"},
		{"loose-check", "because the check i <= len(b)-1 (main.go:8) lets i+1 be len(b)", "loop bound"},
		{"loop-ahead", "because the loop goes on while i < len(s) (main.go:6), where i+1 can be len(s)", "past the end"},
		{"check-of-another", "because the loop", "the check"},
		{"waits-alone", "wait (main.go:15) waits for g to reach zero, and no other goroutine is left", "another one"},
		{"mixed-recursion", "call one another without end", "by now"},
		{"read-locked-caller", "getOrPut holds it for reading (main.go:14) when it comes to cache.put (main.go:23), which locks it for writing", "holds the lock already"},
		{"read-locked-callers", "while it holds mu only for reading", "hold mu where"},
		{"lock-of-another-field", "stats.add (main.go:16) writes it without a lock", "others take"},
		{"read-locked", "writes it while it holds mu only for reading", "without"},
		{"copy-stored", "prev.m is created when it is needed", "copy"},
		{"copy-in-range", "j.seen is created when it is needed", "copy"},
		{"copy-lost", "set works on a copy, so that what is written is lost", "created when it is needed"},
		{"copy-kept", "", "copy"},
		{"embedded-lock", "item.RWMutex is never released: item.add (main.go:17) returns with the lock held when item.n > 1", "item is never"},
		{"unlock-in-literal", "s.mu is never released", "handed"},
		{"given-unlock", "acct.lock (main.go:14) waits for the lock", "never released"},
		{"received-later", "main receives from even first, while 2 goroutines (main.go:24) wait to send on odd", "cannot send"},
		{"send-around-literal", "l.in is closed when loop.ask sends on it; it is closed at main.go:34", "l.out"},
		{"send-in-literal", "out is closed when the function literal sends on it; it is closed at main.go:6", "in is closed"},
	}
	for _, test := range tests {
		t.Run(test.archive, func(t *testing.T) {
			t.Parallel()
			s := extract(t, "testdata/claims/"+test.archive+".txtar").pause(t)
			diagnosis, candidates, err := fixer.Propose(t.Context(), s.Case)
			if err != nil {
				t.Fatal(err)
			}
			text := diagnosis.Sentence
			if len(s.Stop.Panic.Raised) > 0 && diagnosis.Expr != "" {
				t.Errorf("%s is of a frame that is gone", diagnosis.Expr)
			}
			if s.Stop.Panic.Class == debugger.Deadlock && !strings.Contains(diagnosis.Sentence, diagnosis.Expr) {
				t.Errorf("%s is marked as the cause, which is: %s", diagnosis.Expr, diagnosis.Sentence)
			}
			for _, c := range candidates {
				text += "\n" + c.Title + ": " + c.Explanation
				for _, e := range c.Edits {
					if strings.HasPrefix(e.File, "lib/") && strings.Contains(e.After, "Stderr") {
						t.Errorf("%s writes from a library", c.Title)
					}
				}
			}
			if !strings.Contains(strings.ToLower(text), strings.ToLower(test.said)) || strings.Contains(text, test.unsaid) {
				t.Errorf("want %q and no %q in\n%s", test.said, test.unsaid, text)
			}
		})
	}
}
