package session

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// Evaluated: an expression was evaluated, or a command run, from the command line.
type Evaluated struct {
	Input string            `json:"input"`
	At    debugger.FrameRef `json:"at"`
	// Result is the value of an expression.
	Result debugger.Variable `json:"result,omitzero"`
	Text   string            `json:"text,omitempty"` // what older versions answered in words
	Err    string            `json:"err,omitempty"`
	Hint   string            `json:"hint,omitempty"` // what to do about Err
	Usage  string            `json:"usage,omitempty"`
	// Lines is the answer of a command, or its beginning: Left counts the lines
	// that are not in the journal.
	Lines []Line `json:"lines,omitempty"`
	Left  int    `json:"left,omitempty"`
	// Values are those that lines stand for (Line.Value).
	Values []debugger.Variable `json:"values,omitempty"`
	// Select is the frame that the command chose.
	Select *debugger.FrameRef `json:"select,omitempty"`
	// Show is what the person asked to see; Edit asks for the editor.
	Show *Place `json:"show,omitempty"`
	Edit bool   `json:"edit,omitempty"`
	// Changed: values of the target may be others now.
	Changed bool `json:"changed,omitempty"`
	// History is what why has found, while it is kept in memory.
	History *evidence.History `json:"-"`
	// Whole is the whole answer while it is kept in memory; nil when Lines is it.
	Whole *Listing `json:"-"`
}

// Line is a line of an answer.
type Line struct {
	Text string `json:"text"`
	// Style is "", "head", "dim", "warn" or "error".
	Style string `json:"style,omitempty"`
	Place *Place `json:"place,omitempty"`
	// Run is a line of the command line that shows more of what the line names.
	Run string `json:"run,omitempty"`
	// Value counts from 1 into Evaluated.Values; 0 is none.
	Value int `json:"value,omitempty"`
	// Current marks what is selected now.
	Current bool `json:"current,omitempty"`
}

// The styles of lines.
const (
	StyleHead  = "head"
	StyleDim   = "dim"
	StyleWarn  = "warn"
	StyleError = "error"
)

// Place is where a line leads: a frame, or else a line of a file.
type Place struct {
	File  string             `json:"file,omitempty"` // absolute
	Line  int                `json:"line,omitempty"`
	Frame *debugger.FrameRef `json:"frame,omitempty"` // Frame.Frame -1: the innermost of the user's
}

// Listing holds the lines of a long answer until they are let go.
type Listing struct{ lines atomic.Pointer[[]Line] }

// NewListing returns a listing of lines, which must not change any more.
func NewListing(lines []Line) *Listing {
	l := &Listing{}
	l.lines.Store(&lines)
	return l
}

// Lines returns the lines; nil once they were let go, and of a nil listing.
func (l *Listing) Lines() []Line {
	if l == nil {
		return nil
	}
	if p := l.lines.Load(); p != nil {
		return *p
	}
	return nil
}

// Release lets the lines go.
func (l *Listing) Release() { l.lines.Store(nil) }

// All returns the lines of the answer that are at hand, and how many are not.
func (e Evaluated) All() (lines []Line, left int) {
	if whole := e.Whole.Lines(); whole != nil {
		return whole, 0
	}
	return e.Lines, e.Left
}

// Answer writes the answer as text, without control sequences, every line ended.
func (e Evaluated) Answer() string {
	var b strings.Builder
	lines, left := e.All()
	marked := slices.ContainsFunc(lines, func(l Line) bool { return l.Current })
	for _, l := range lines {
		switch {
		case marked && l.Current:
			b.WriteString("▸ ")
		case marked:
			b.WriteString("  ")
		}
		b.WriteString(Clean(l.Text) + "\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, "… %d more lines\n", left)
	}
	switch {
	case e.Err != "":
		b.WriteString("error: " + Clean(e.Err) + "\n")
		if e.Hint != "" {
			b.WriteString(Clean(e.Hint) + "\n")
		}
	case e.Text != "":
		b.WriteString(strings.TrimRight(Clean(e.Text), "\n") + "\n")
	case len(lines) == 0 && e.Result.Type != "":
		b.WriteString(Tree(e.Result, 2))
	}
	return b.String()
}

// Displayed: the expressions that are shown at every stop were evaluated, or
// the list of them has changed.
type Displayed struct {
	List []Display `json:"list"`
}

// Display is an expression that is evaluated at every stop.
type Display struct {
	ID     int               `json:"id"`
	Expr   string            `json:"expr"`
	Verb   string            `json:"verb,omitempty"` // of package fmt: "%x"
	Value  debugger.Variable `json:"value,omitzero"`
	Text   string            `json:"text,omitempty"` // as Verb writes it
	Err    string            `json:"err,omitempty"`
	Before string            `json:"before,omitempty"` // its value at the stop before, where that was another
}

// Words says how many fixes were answered.
func (a *Answered) Words() string {
	if a.Candidates == 1 {
		return "answered with 1 fix"
	}
	return fmt.Sprintf("answered with %d fixes", a.Candidates)
}
