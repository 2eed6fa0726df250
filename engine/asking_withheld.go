package engine

import (
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/source/evidence"
)

// withhold leaves out of what failed before whatever the runs of candidates have
// printed: no one has read that code, and what it prints may be any file that it
// could read, in a form that no redaction knows.
func (q *question) withhold() {
	q.evidence.Attempts = slices.Clone(q.evidence.Attempts)
	for i, a := range q.evidence.Attempts {
		if a.Failure != a.Elsewhere {
			q.evidence.Attempts[i].Failure, q.withheld = a.Elsewhere, true
		}
	}
}

// forget leaves out fixes that are remembered, which no one has agreed to send
// from here: they may be of another repository.
func (q *question) forget() {
	q.evidence.Attempts = slices.DeleteFunc(slices.Clone(q.evidence.Attempts), func(a evidence.Attempt) bool { return a.Remembered })
}

// sayWithheld says that something was left out, and how it can be sent.
func (as *asking) sayWithheld(q *question) {
	if !q.withheld {
		return
	}
	hint := "P shows the prompt with it, and sends it from there"
	if as.Opts.Target.Headless {
		hint = "--send-output sends it"
	}
	as.Notice("info", fmt.Sprintf("the output of failed checks was not sent to %s, which runs on another machine", q.source.Model), hint)
}
