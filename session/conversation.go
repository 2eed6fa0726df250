package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
)

// Probed: a model has looked at something in the paused program before it
// answered.
type Probed struct {
	Request   string            `json:"request"` // of Asked, or the question of Questioned
	Tool      string            `json:"tool"`    // "eval", "source", …
	Arguments map[string]string `json:"arguments,omitempty"`
	Result    string            `json:"result,omitempty"` // bounded, as the model saw it
	Err       string            `json:"err,omitempty"`    // why there is no result, as the model saw it
	Took      time.Duration     `json:"took"`
}

// Questioned: a person asked something about the stop.
type Questioned struct {
	Question string            `json:"question"`       // id, "q1"
	Text     string            `json:"text,omitempty"` // empty asks for an explanation of the stop
	At       debugger.FrameRef `json:"at"`             // the frame the person was looking at
	Source   patch.Source      `json:"source"`
}

// Replied: a question has been answered, or not. No reply ever changes anything.
type Replied struct {
	Question     string        `json:"question"`
	Source       patch.Source  `json:"source"`
	Text         string        `json:"text,omitempty"` // markdown, bounded
	PromptTokens int           `json:"prompt_tokens,omitempty"`
	Tokens       int           `json:"tokens,omitempty"`
	Cost         float64       `json:"cost,omitempty"` // in the currency of the configured price
	Took         time.Duration `json:"took"`
	ModelTook    time.Duration `json:"model_took,omitempty"` // of it, how long the model worked
	Err          string        `json:"err,omitempty"`
	Hint         string        `json:"hint,omitempty"`
	Failed       Failed        `json:"failed,omitempty"` // the kind of Err
}

// Kind names the event in the journal.
func (*Probed) Kind() string     { return "probed" }
func (*Questioned) Kind() string { return "questioned" }
func (*Replied) Kind() string    { return "replied" }

// QuestionRecord is a question with what came of it.
type QuestionRecord struct {
	Questioned
	Asked   time.Time
	Stop    int    // index into State.Stops; -1 without one
	Prompt  string // the exact prompt; empty when no model was asked
	Probes  []Probed
	Replied *Replied // nil while it is being answered
}

// Conversation returns the questions about a stop, in order.
func (s State) Conversation(stop int) []QuestionRecord {
	var out []QuestionRecord
	for _, q := range s.Questions {
		if q.Stop == stop {
			out = append(out, q)
		}
	}
	return out
}

func (s State) applyTalk(e Event, body Body) State {
	switch b := body.(type) {
	case *Questioned:
		s.Questions = added(s, s.Questions, QuestionRecord{Questioned: *b, Asked: e.At, Stop: s.Current})
	case *Replied:
		s = s.updateQuestion(b.Question, func(q *QuestionRecord) { q.Replied, q.Source = b, b.Source })
	case *Probed:
		s = s.updateQuestion(b.Request, func(q *QuestionRecord) { q.Probes = added(s, q.Probes, *b) })
		s = s.updateRequest(b.Request, func(r *Request) { r.Probes = added(s, r.Probes, *b) })
	}
	return s
}

func (s State) updateQuestion(id string, change func(*QuestionRecord)) State {
	i := slices.IndexFunc(s.Questions, func(q QuestionRecord) bool { return q.Question == id })
	if i < 0 {
		return s
	}
	s.Questions = owned(s, s.Questions)
	change(&s.Questions[i])
	return s
}

// Words says what the model did, in the present: "looks at idx.terms".
func (p Probed) Words() string {
	what := ""
	for _, name := range []string{"expr", "of", "name", "identifier", "filter", "field", "function"} {
		if v := p.Arguments[name]; v != "" {
			what = oneLine(v)
			break
		}
	}
	in := func(words, name, argument string) string {
		if n := p.Arguments[argument]; n != "" {
			words += name + oneLine(n)
		}
		return words
	}
	switch p.Tool {
	case "eval":
		if p.Arguments["goroutine"] != "" {
			return in("looks at "+what, " in goroutine ", "goroutine")
		}
		return in("looks at "+what, " in frame ", "frame")
	case "stack", "frames":
		return in("looks at the stack", " of goroutine ", "goroutine")
	case "locals", "values":
		return in("looks at the variables", " of frame ", "frame")
	}
	if words, ok := lookupWords[p.Tool]; ok {
		return strings.TrimSpace(words + " " + what)
	}
	return "asks for " + oneLine(p.Tool)
}

// lookupWords are what a model does with the tools whose words go before what they look up.
var lookupWords = map[string]string{
	"source": "reads", "type": "reads the type", "find": "searches for", "writers": "looks for what writes", "callers": "looks for what calls",
	"goroutines": "looks through the goroutines", "stop": "looks at the stop", "past": "looks for earlier fixes", scriptTool: "runs a script",
}

// scriptTool is a model's script, whose text is the argument scriptCode; each lookup in it is
// a Probed, too.
const scriptTool, scriptCode = "script", "code"

func (w *story) probed(e Event, b *Probed) {
	if b.Tool == scriptTool {
		w.script(e, b)
		return
	}
	var more []string
	for _, name := range slices.Sorted(maps.Keys(b.Arguments)) {
		more = append(more, name+"="+b.Arguments[name])
	}
	call := fmt.Sprintf("%s(%s)", b.Tool, strings.Join(more, ", "))
	if b.Err != "" {
		w.line(e, "the model %s, %s: %s", b.Words(), code(call), b.Err)
		return
	}
	w.line(e, "the model %s, %s:", b.Words(), code(call))
	w.fence("", strings.TrimSpace(unfenced(b.Result)))
}

// script writes a script as it was written, and what it printed.
func (w *story) script(e Event, b *Probed) {
	w.line(e, "the model %s:", b.Words())
	w.fence("python", b.Arguments[scriptCode])
	if b.Result != "" {
		w.line(e, "it printed:")
		w.fence("", strings.TrimSpace(unfenced(b.Result)))
	}
	if b.Err != "" {
		w.line(e, "it failed: %s", b.Err)
	}
}

// unfenced takes the fence off that a result has for the model.
func unfenced(text string) string {
	first, rest, ok := strings.Cut(text, "\n")
	mark := first[:len(first)-len(strings.TrimLeft(first, "`"))]
	if ok && len(mark) >= 3 {
		return strings.TrimSuffix(strings.TrimRight(rest, "\n"), mark)
	}
	return text
}

func (w *story) questioned(e Event, b *Questioned) {
	text := b.Text
	if text == "" {
		text = "Explain this stop."
	}
	w.printf("\n### Question %s, by %s\n\n", b.Question, e.Actor)
	w.fence("", text)
}

// fenceInfo matches the beginning of a block of code. What it says besides may make a
// viewer draw the block: a diagram that loads images.
var fenceInfo = lazyregexp.New("^([\\s>]*(?:(?:[-+*]|\\d+[.)])\\s+)*)(?:(`{3,}(?:go|diff|text)?)[^`]*|(~{3,}(?:go|diff|text)?).*)$")

// reply writes an answer as a quotation: its own headings must not become the log's.
func (w *story) reply(e Event, b *Replied) {
	if b.Text != "" {
		w.printf("\n*%s*\n\n", sourceName(b.Source))
		for l := range strings.SplitSeq(strings.TrimRight(Clean(b.Text), "\n"), "\n") {
			w.printf("> %s\n", markup(inert(fenceInfo.ReplaceAllString(l, "$1$2$3"))))
		}
		w.out.WriteString("\n")
	}
	switch {
	case b.Err != "":
		w.line(e, "no answer to %s: %s%s", b.Question, b.Err, reason(b.Hint))
	case b.Tokens > 0:
		w.line(e, "answered %s in %s, %d tokens", b.Question, printable.Duration(b.Took), b.Tokens)
	}
}
