package lines

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// compared says in a few words what a candidate changes in what functions answer.
func (p *printer) compared(b *session.Compared) {
	if words := b.Behavior.Short(); words != "" {
		p.say("%s changes what functions answer: %s; show %s lists it", called(b.Candidate), words, number(b.Candidate))
	}
}

// asserted says what the regression test of a candidate asserts by now.
func (p *printer) asserted(b *session.Asserted) {
	if b.Test != nil && b.Why == "" {
		p.say("the test of %s is %s: it asserts %s; show %s prints it", called(b.Candidate), line(b.Test.Name), line(b.Test.Asserts), number(b.Candidate))
	}
}

// assertRow puts a row into the regression test of a fix, or takes it out.
func (f *frontend) assertRow(rest string) error {
	n, text := split(rest)
	c, err := f.named(n)
	if err != nil {
		return err
	}
	row, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || c.Behavior == nil || row < 1 || row > len(c.Behavior.Rows) {
		return fmt.Errorf("test %s %s: want a number of the list that show %[1]s prints", number(c.ID), line(text))
	}
	f.send(intent.AssertRow{Candidate: c.ID, Row: row - 1}, time.Minute, func(e session.Event) bool {
		switch e.Body.(type) {
		case *session.Asserted, *session.Notice:
			return true
		}
		return false
	})
	return nil
}

// changes lists the inputs on which a candidate answers differently.
func (p *printer) changes(b *verdict.Behavior) {
	switch {
	case b == nil:
		return
	case b.Tried == 0:
		p.say("what it changes: %s", line(b.Detail))
	default:
		p.say("what it changes: %s", line(b.Tally()))
	}
	for i, r := range b.Rows {
		input := fmt.Sprintf("%d: %s", i+1, line(r.Input))
		if from := r.Origin(); from != "" {
			input += " (" + from + ")"
		}
		p.print(session.Sign(r.Sign()) + " " + input + "\n  before: " + line(r.Before) + "\n  now:    " + line(r.After) + "\n")
	}
	for _, a := range b.Apart {
		p.say("it %s", line(a.Words(called(a.From))))
	}
	for _, l := range b.Left {
		p.say("not compared: %s", line(l))
	}
}
