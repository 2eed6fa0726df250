package lines

import (
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// compared says in a few words what a candidate changes in what functions answer.
func (f *frontend) compared(b *session.Compared) {
	if words := b.Behavior.Short(); words != "" {
		f.say("%s changes what functions answer: %s; show %s lists it", called(b.Candidate), words, number(b.Candidate))
	}
}

// changes lists the inputs on which a candidate answers otherwise.
func (f *frontend) changes(b *verdict.Behavior) {
	switch {
	case b == nil:
		return
	case b.Tried == 0:
		f.say("what it changes: %s", line(b.Detail))
	default:
		f.say("what it changes: %s", line(b.Tally()))
	}
	for _, r := range b.Rows {
		input := line(r.Input)
		if from := r.Origin(); from != "" {
			input += " (" + from + ")"
		}
		f.print(session.Sign(r.Sign()) + " " + input + "\n  before: " + line(r.Before) + "\n  now:    " + line(r.After) + "\n")
	}
	for _, l := range b.Left {
		f.say("not compared: %s", line(l))
	}
}
