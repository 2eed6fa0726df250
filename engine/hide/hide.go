// Package hide hides secrets in what leaves a session: in its journal, and in the
// answers of commands.
package hide

import (
	"strings"

	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Journal hides secrets in the text of a journal, as they are hidden before they go
// to a model on another machine.
func Journal(journal string, screen *prompts.Screen) string {
	return session.HideIn(journal, func(b session.Body) bool { return hideValues(b, screen) }, screen.Learn, screen.Secretless)
}

// OnlyHere replaces the answer of a command that shows a part of a key.
const OnlyHere = "[taken from a secret]"

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
			b.Text, b.Lines = OnlyHere, nil
		}
		b.Lines = Code(screen, b.Lines)
	case *session.Displayed:
		for i := range b.List {
			d := &b.List[i]
			value, part := screen.Parts(d.Expr, d.Value)
			if d.Value = value[0]; part {
				d.Text, d.Before = OnlyHere, ""
			}
		}
	case *session.Diagnosed:
		if b.Diagnosis.History != nil {
			h := b.Diagnosis.History.WithoutValues()
			b.Diagnosis.History, b.Diagnosis.Observed = &h, h.Sentence()
		}
		screen.Hide(body)
	case *session.Compared:
		return hideAnswers(&b.Behavior, screen)
	case *session.Asserted:
		if b.Test == nil || !screen.HoldsKey(strings.TrimPrefix(b.Test.Edit.After, b.Test.Edit.Before)) {
			return screen.Hide(body)
		}
		b.Test, b.Why = nil, OnlyHere
	default:
		return screen.Hide(body)
	}
	return true
}

// hideAnswers hides the inputs and answers of calls that hold a key.
func hideAnswers(b *verdict.Behavior, screen *prompts.Screen) (hidden bool) {
	hide := func(texts ...*string) { // all of them where one holds a key
		held := false
		for _, t := range texts {
			held = held || screen.HoldsKey(*t)
		}
		for _, t := range texts {
			if held && *t != "" {
				*t, hidden = OnlyHere, true
			}
		}
	}
	for i := range b.Rows {
		r := &b.Rows[i]
		texts := []*string{&r.Input, &r.Before, &r.After}
		if r.Whole != nil {
			all := *r.Whole
			r.Whole = &all
			texts = append(texts, &all.Input, &all.Before, &all.After)
		}
		hide(texts...)
	}
	for i := range b.Apart {
		hide(&b.Apart[i].Input, &b.Apart[i].There, &b.Apart[i].Here)
	}
	if hidden || screen.HoldsKey(b.Detail) {
		b.Detail, hidden = b.Short(), true
	}
	return hidden
}
