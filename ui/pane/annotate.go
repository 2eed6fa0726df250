package pane

import (
	"context"
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// value is a name with its value, as it is written next to source.
type value struct {
	name, text string
	bad        bool
	changed    bool // since the frame was last seen
}

// annotator writes the values of one frame next to its source.
type annotator struct {
	c     *Context
	at    debugger.FrameRef
	src   *inspect.Source
	frame debugger.Frame
	vars  []debugger.Variable
}

func newAnnotator(c *Context, src *inspect.Source, frame debugger.Frame) annotator {
	return annotator{c, c.At, src, frame, frame.Variables()}
}

// above finds what to write next to the lines of the function from its start to
// the current line: each variable and field where it first occurs and where it
// is assigned. The current line is not among them, nor are function literals,
// whose names are their own.
func (a annotator) above() map[int][]value {
	out := map[int][]value{}
	seen := map[string]bool{}
	start := a.src.FuncStart(a.frame.Line)
	for line := start; line < a.frame.Line; line++ {
		if own := a.src.FuncStart(line); own != start && own != line {
			continue
		}
		for _, n := range a.src.Names(line) {
			if seen[n.Text] && !n.Assign {
				continue
			}
			if v, ok := a.lookup(n.Text, line); ok && a.telling(v) {
				seen[n.Text] = true
				out[line] = append(out[line], a.value(n.Text, v, 28))
			}
		}
	}
	return out
}

// value writes a variable in at most w cells.
func (a annotator) value(name string, v debugger.Variable, w int) value {
	_, changed := a.c.Store.Was(a.at, v)
	return value{name: name, text: cut(a.text(v, w), w), changed: changed && !v.Unset}
}

// text is a value in one line: what it means where that is known.
func (a annotator) text(v debugger.Variable, w int) string {
	if v.Unset {
		return brief(v)
	}
	if known, ok := a.c.Store.Described(a.at, v); ok && known.Known {
		return text.Line(known.Value.Text)
	}
	if meant, err := a.c.Store.Formats.Describe(context.Background(), nil, v); err == nil { // reads nothing
		return text.Line(meant.Text)
	}
	return contents(v, w)
}

// telling reports whether a value says something in a few characters: what is
// made of parts does not, unless it is nil or means something.
func (a annotator) telling(v debugger.Variable) bool {
	inner := v.Deref()
	if v.Nil || v.Unset || (inner.Kind != reflect.Struct && inner.Kind != reflect.Pointer && inner.Kind != reflect.Func) {
		return true
	}
	if inner.Kind == reflect.Func {
		return false
	}
	if v.Kind == reflect.Struct || v.Kind == reflect.Pointer {
		small := format.Glance(v, 40)
		if len(small) <= 40 && !strings.Contains(small, "…") && !strings.Contains(small, "0x") {
			return true
		}
	}
	if known, ok := a.c.Store.Described(a.at, v); ok && known.Known {
		return true
	}
	_, err := a.c.Store.Formats.Describe(context.Background(), nil, v)
	return err == nil
}

// lookup finds a name, or a chain of fields, as it is meant in a line: of
// several variables of the name the one that was declared last before it.
func (a annotator) lookup(chain string, line int) (debugger.Variable, bool) {
	head, rest, _ := strings.Cut(chain, ".")
	var found *debugger.Variable
	for i := range a.vars {
		v := &a.vars[i]
		if v.Name != head || v.DeclLine > int64(line) {
			continue
		}
		if found == nil || v.DeclLine >= found.DeclLine && !v.Shadowed {
			found = v
		}
	}
	if found == nil {
		return debugger.Variable{}, false
	}
	return fieldsOf(*found, rest)
}

// literal is an expression that is its own value: a number, a character, a text.
var literal = lazyregexp.New("^[-+]?[0-9.]|^['\"`]")

// current finds the values of the line that the frame is at: the bad one
// first, then every name and field that is loaded.
func (a annotator) current(d *evidence.Diagnosis) []value {
	var out []value
	line := a.frame.Line
	if d != nil && d.Expr != "" && d.Expr != d.Value && !literal.MatchString(d.Expr) {
		v := value{name: text.Line(d.Expr), text: text.Line(d.Value), bad: true}
		known, ok := a.lookup(d.Expr, line)
		switch {
		case a.c.Store.HasChanged(): // it may be another one now
			if v = (value{}); ok {
				v = a.value(d.Expr, known, 40)
			}
		case ok && v.text == "":
			v.text = Brief(known, 40)
		}
		if v.text != "" {
			out = append(out, v)
		}
	}
	names := a.src.Names(line)
	for i, n := range names {
		if d != nil && n.Text == d.Expr {
			continue
		}
		v, ok := a.lookup(n.Text, line)
		if !ok || (i+1 < len(names) && strings.HasPrefix(names[i+1].Text, n.Text+".")) {
			continue // x of x.terms says less than x.terms
		}
		if a.telling(v) {
			out = append(out, a.value(n.Text, v, 40))
		}
	}
	return out
}

// leastValue is the room, in cells, from which a value is cut.
const leastValue = 12

// mostValueRows is how many rows the values of the frame's line take at most.
const mostValueRows = 2

// width is how many cells a value takes.
func (v value) width() int {
	w := text.Width(v.name) + 3 + text.Width(v.text)
	if v.changed {
		w += 1 + text.Width(changedSign)
	}
	return w
}

// fit is how many of the values fit into w cells; one where not even that does.
func fit(list []value, w int) int {
	used := 0
	for i, v := range list {
		if used += v.width(); used > w {
			return max(i, 1)
		}
		used += 2
	}
	return len(list)
}

// valueRows is how many rows valueLines returns.
func valueRows(list []value, w int) int {
	rows := 0
	for len(list) > 0 && rows < mostValueRows {
		list = list[fit(list, w):]
		rows++
	}
	return rows
}

// valueLines writes values in rows of at most w cells; the last one ends in … where
// there are more.
func (c *Context) valueLines(list []value, w int) []string {
	var out []string
	for len(list) > 0 && len(out) < mostValueRows {
		room, more := w, ""
		if last := len(out) == mostValueRows-1; last && fit(list, w) < len(list) {
			room, more = w-2, c.Theme.Faint.Render(" …")
		}
		row, n := c.values(list, room)
		out, list = append(out, row+more), list[max(n, 1):]
	}
	return out
}

// values writes values in one line of at most w cells, and says how many fit.
func (c *Context) values(list []value, w int) (line string, n int) {
	n = fit(list, w)
	switch {
	case n == 0 || list[0].width() > w && w <= leastValue:
		return "", 0
	case list[0].width() > w:
		return c.Theme.Value.Render(cut(list[0].name+" = "+list[0].text, w)), 1
	}
	var b strings.Builder
	for i, v := range list[:n] {
		if i > 0 {
			b.WriteString("  ")
		}
		if v.bad {
			b.WriteString(c.Theme.Bad.Render(v.name + " = " + v.text))
			continue
		}
		b.WriteString(c.Theme.Value.Render(v.name + " = " + v.text))
		if v.changed {
			b.WriteString(c.Theme.Warn.Render(" " + changedSign))
		}
	}
	return b.String(), n
}

// diagnosis is what was found out about the selected frame; nil for others
// than the culprit.
func (p *Source) diagnosis() *evidence.Diagnosis {
	if !p.crashed {
		return nil
	}
	stop, _ := p.c.CurrentStop()
	if stop.Stop.Panic != nil && len(stop.Stop.Panic.Raised) > 0 { // it is about where that was raised first
		return nil
	}
	return stop.Diagnosis
}
