package engine

import (
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// HideJournal hides secrets in the text of a journal, as they are hidden before they go
// to a model on another machine.
func HideJournal(journal string, screen *prompts.Screen) string {
	return session.HideIn(journal, func(b session.Body) bool { return hideValues(b, screen) }, screen.Secretless)
}

// onlyHere replaces the answer of a command that shows a part of a key.
const onlyHere = "[taken from a secret]"

// hideValues hides what is a key, or goes by the name of a secret: in a journal, a value
// does not stand after its name. It reports whether there was any.
func hideValues(body session.Body, screen *prompts.Screen) bool {
	switch b := body.(type) {
	case *session.Stopped:
		b.Stop = screen.Stop(b.Stop)
		if r := b.Stop.Request; r != nil { // which the journal encodes
			r.Body = []byte(screen.Secretless(string(r.Body)))
		}
	case *session.Jumped:
		b.Stop = screen.Stop(b.Stop)
	case *session.Seen:
		screen.Hide(&b.Frames)
		for i, c := range b.Children {
			b.Children[i].List, _ = screen.Parts(c.Expr, c.List...)
		}
	case *session.Evaluated:
		result, part := screen.Parts(b.Input, b.Result)
		b.Result = result[0]
		if b.Values, _ = screen.Parts(b.Input, b.Values...); part {
			b.Text, b.Lines = onlyHere, nil
		}
	case *session.Displayed:
		for i := range b.List {
			d := &b.List[i]
			value, part := screen.Parts(d.Expr, d.Value)
			if d.Value = value[0]; part {
				d.Text, d.Before = onlyHere, ""
			}
		}
	case *session.Compared:
		return hideAnswers(&b.Behavior, screen)
	default:
		return screen.Hide(body)
	}
	return true
}

// hideAnswers hides the inputs and answers of calls that hold a key.
func hideAnswers(b *verdict.Behavior, screen *prompts.Screen) (hidden bool) {
	for i := range b.Rows {
		if r := &b.Rows[i]; screen.HoldsKey(r.Input + "\n" + r.Before + "\n" + r.After) {
			r.Input, r.Before, r.After, hidden = onlyHere, onlyHere, onlyHere, true
		}
	}
	if hidden || screen.HoldsKey(b.Detail) {
		b.Detail, hidden = b.Short(), true
	}
	return hidden
}
