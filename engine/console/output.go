package console

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/session"
)

// Bounds of an answer.
const (
	maxLines   = 100_000 // in memory
	keptLines  = 200     // in the journal
	keptValues = 24      // values that can be opened
)

// Output collects an answer.
type Output struct {
	At      debugger.FrameRef // where the next line of a script is carried out
	answer  session.Evaluated
	lines   []session.Line
	missing int  // lines beyond maxLines
	moved   bool // the target was let run
	left    bool // the person was led into the past
	indent  string
}

// Line adds a line.
func (o *Output) Line(l session.Line) {
	if len(o.lines) >= maxLines {
		o.missing++
		return
	}
	if l.Style == "" || l.Text != "" {
		l.Text = o.indent + l.Text
	}
	o.lines = append(o.lines, l)
}

// Say adds a line of text.
func (o *Output) Say(format string, args ...any) {
	o.Line(session.Line{Text: fmt.Sprintf(format, args...)})
}

// foldAt is where long words of explanation are broken: answers are read on
// narrow terminals, too.
const foldAt = 76

// folded adds text in lines of at most foldAt columns, the first after a head.
func (o *Output) folded(head, text string) {
	line := head
	for word := range strings.FieldsSeq(text) {
		if line != head && len(line)+1+len(word) > foldAt {
			o.Line(session.Line{Text: line, Style: session.StyleDim})
			head = strings.Repeat(" ", len(head))
			line = head
		}
		if line != head {
			line += " "
		}
		line += word
	}
	o.Line(session.Line{Text: line, Style: session.StyleDim})
}

// Full tells that further lines would be left out.
func (o *Output) Full() bool { return len(o.lines) >= maxLines }

// value keeps a value that lines stand for and returns its number; 0 where
// there are too many.
func (o *Output) value(v debugger.Variable) int {
	if len(o.answer.Values) >= keptValues {
		return 0
	}
	o.answer.Values = append(o.answer.Values, v)
	return len(o.answer.Values)
}

// indented adds what fn adds some columns further right.
func (o *Output) indented(fn func() error) error {
	was := o.indent
	o.indent += "    "
	defer func() { o.indent = was }()
	return fn()
}

// finish makes the answer of what was collected.
func (o *Output) finish(err error) session.Evaluated {
	a := o.answer
	if o.missing > 0 {
		o.lines = append(o.lines, session.Line{Style: session.StyleWarn, Text: fmt.Sprintf("… %d more lines were left out", o.missing)})
	}
	if err != nil {
		a.Err, a.Hint = err.Error(), advice.Of(err)
	}
	a.Lines = o.lines
	if len(o.lines) > keptLines {
		a.Whole = session.NewListing(o.lines)
		a.Lines = o.lines[:keptLines:keptLines]
		a.Left = len(o.lines) - keptLines + o.missing
	}
	return a
}

// quiet tells that there is nothing to be recorded: what a motion, a question or
// a note does is said by other events.
func (o *Output) quiet(err error) bool {
	return o.moved && err == nil && len(o.lines) == 0 && o.answer.Select == nil && !o.answer.Changed
}
