package prompts

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/llm"
)

// Draft is a question that is about to be sent: what a person may look at, and
// change, first. Its methods return changed copies.
type Draft struct {
	Profile Profile
	Model   llm.Info
	// Sections are those that are sent, each with its size and budget in tokens
	// and the lines left out of it.
	Sections []Section
	Dropped  []string // keys of sections that the person left out
	Expected string   // what the person says should have happened
	// Edited, if there are any, are sent instead of what the sections give.
	Edited   []llm.Message
	Budget   int      // of all sections, in tokens
	Redacted int      // secrets taken out of the sections that are sent
	Hidden   []Hidden // what they are, without saying them

	context  Context // as gathered
	fitted   Context
	perToken float64
}

// NewDraft prepares a question by a profile to a model; perToken is how many
// bytes its tokeniser makes one token of (Estimator.BytesPerToken).
func NewDraft(p Profile, m llm.Info, c Context, perToken float64) Draft {
	return Draft{Profile: p, Model: m, context: c, perToken: perToken}.fit()
}

// fit trims the sections that are left to the budget: what one leaves goes to
// the others.
func (d Draft) fit() Draft {
	c := d.context
	c.whole = slices.DeleteFunc(slices.Clone(c.whole), func(s draft) bool {
		return s.Key == SectionExpected && d.Expected != "" || slices.Contains(d.Dropped, s.Key)
	})
	if d.Expected != "" {
		c.whole = withExpected(c.whole, d.Expected)
	}
	d.fitted = d.Profile.Fit(c, d.Model, d.perToken)
	d.Sections, d.Budget = d.fitted.Sections, BudgetFor(d.Profile, d.Model, d.perToken)
	d.Hidden = slices.DeleteFunc(slices.Clone(c.Hidden), func(h Hidden) bool {
		_, sent := d.fitted.section(h.Section)
		return !sent
	})
	d.Redacted = len(d.Hidden)
	return d
}

// HiddenIn counts what was taken out of a section.
func (d Draft) HiddenIn(key string) int {
	n := 0
	for _, h := range d.Hidden {
		if h.Section == key {
			n++
		}
	}
	return n
}

// Screen is what took the secrets out, and gives them back to the reply's code;
// nil without one.
func (d Draft) Screen() *Screen { return d.context.screen }

// maxExpected bounds what a person may say, in bytes.
const maxExpected = 2000

// withExpected puts the person's words after what happened.
func withExpected(whole []draft, words string) []draft {
	s := draft{Section: Section{Key: SectionExpected, Title: "What was expected", Text: "The developer says: " + words}}
	at := slices.IndexFunc(whole, func(d draft) bool { return d.Key == SectionStop }) + 1
	return slices.Insert(slices.Clone(whole), at, s)
}

// Without returns the draft without the sections of these keys, and with all
// others that were gathered.
func (d Draft) Without(keys ...string) Draft {
	d.Dropped, d.Edited = slices.Clone(keys), nil
	return d.fit()
}

// Expecting returns the draft with a word on what should have happened; secrets
// are taken out of it. Nothing takes an earlier word back.
func (d Draft) Expecting(words string) Draft {
	words = strings.TrimSpace(manyLines(words))
	if len(words) > maxExpected {
		words = strings.ToValidUTF8(words[:maxExpected], "")
	}
	if d.context.screen != nil {
		d.Expected = d.context.screen.Plain(words)
	} else {
		if s := d.context.screen; s != nil {
			d.Expected = s.Plain(words)
		} else {
			d.Expected, _ = Redact(words)
		}
	}
	d.Edited = nil
	return d.fit()
}

// Adding returns the draft with a section of other words, after the rest; secrets
// are taken out of them.
func (d Draft) Adding(title, text string) Draft {
	if s := d.context.screen; s != nil {
		title, text = s.Plain(title), s.Plain(text)
	} else {
		title, _ = Redact(title)
		text, _ = Redact(text)
	}
	text = manyLines(text)
	d.context.whole = slices.Clone(d.context.whole)
	if at := slices.IndexFunc(d.context.whole, func(s draft) bool { return s.Key == SectionAdded }); at >= 0 {
		d.context.whole[at].Text += "\n\n" + inline(title) + ":\n" + text
	} else {
		d.context.whole = append(d.context.whole, draft{Section: Section{Key: SectionAdded, Title: inline(title), Text: text}})
	}
	d.Edited = nil
	return d.fit()
}

// With returns the draft with other messages, as a person edited them.
func (d Draft) With(messages []llm.Message) Draft {
	d.Edited = slices.Clone(messages)
	return d
}

// Messages are what is sent.
func (d Draft) Messages() ([]llm.Message, error) {
	if len(d.Edited) > 0 {
		return slices.Clone(d.Edited), nil
	}
	return Render(d.Profile, d.fitted)
}

// Tokens estimates what the messages take.
func (d Draft) Tokens() int {
	messages, err := d.Messages()
	if err != nil {
		return 0
	}
	return MessageTokens(messages, d.perToken)
}

// Same returns the draft of another context, of a later try, with what the
// person dropped and expected of this one; edited messages are not repeated.
func (d Draft) Same(c Context) Draft {
	next := NewDraft(d.Profile, d.Model, c, d.perToken)
	next.Dropped, next.Expected = d.Dropped, d.Expected
	return next.fit()
}
