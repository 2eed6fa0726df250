package pane

import (
	"reflect"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/evidence"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/text"
)

// value is a name with its value, as it is written beside source.
type value struct {
	name, text string
	bad        bool
}

// annotations finds what to write beside the lines of the function from its
// start to the current line: each variable where it first occurs and where it
// is assigned. The current line is not among them.
func annotations(src *inspect.Source, frame debugger.Frame) map[int][]value {
	vars := frame.Variables()
	out := map[int][]value{}
	seen := map[string]bool{}
	for line := src.FuncStart(frame.Line); line < frame.Line; line++ {
		for _, n := range src.Names[line] {
			if strings.Contains(n.Text, ".") || (seen[n.Text] && !n.Assign) {
				continue
			}
			if v, ok := lookup(vars, n.Text); ok && telling(v) {
				seen[n.Text] = true
				out[line] = append(out[line], value{name: n.Text, text: Brief(v, 28)})
			}
		}
	}
	return out
}

// telling tells whether a value says something in a few characters: what is
// made of parts does not, unless it is nil.
func telling(v debugger.Variable) bool {
	inner := v.Deref()
	return v.Nil || (inner.Kind != reflect.Struct && inner.Kind != reflect.Pointer && inner.Kind != reflect.Func)
}

// current finds the values of the line that the frame stands at: the bad one
// first, then every name and field that is loaded.
func current(src *inspect.Source, frame debugger.Frame, d *evidence.Diagnosis) []value {
	vars := frame.Variables()
	var out []value
	if d != nil && d.Expr != "" {
		v := value{name: text.Line(d.Expr), text: text.Line(d.Value), bad: true}
		if known, ok := lookup(vars, d.Expr); ok && v.text == "" {
			v.text = Brief(known, 40)
		}
		if v.text != "" {
			out = append(out, v)
		}
	}
	names := src.Names[frame.Line]
	for i, n := range names {
		if d != nil && n.Text == d.Expr {
			continue
		}
		v, ok := lookup(vars, n.Text)
		if !ok || (i+1 < len(names) && strings.HasPrefix(names[i+1].Text, n.Text+".")) {
			continue // x of x.terms says less than x.terms
		}
		if telling(v) {
			out = append(out, value{name: n.Text, text: Brief(v, 40)})
		}
	}
	return out
}

// values writes values in one line of at most w cells, leaving out those that
// do not fit.
func (c *Context) values(list []value, w int) string {
	var b strings.Builder
	used := 0
	for _, v := range list {
		width := text.Width(v.name) + 3 + text.Width(v.text)
		if used > 0 {
			width += 2
		}
		if used+width > w {
			if used == 0 && w > 12 {
				return c.Theme.Value.Render(text.Cut(v.name+" = "+v.text, w))
			}
			break
		}
		if used > 0 {
			b.WriteString("  ")
		}
		used += width
		if v.bad {
			b.WriteString(c.Theme.Bad.Render(v.name + " = " + v.text))
		} else {
			b.WriteString(c.Theme.Value.Render(v.name + " = " + v.text))
		}
	}
	return b.String()
}

// diagnosis is what was found out about the selected frame; nil for others
// than the culprit.
func (p *Source) diagnosis() *evidence.Diagnosis {
	if !p.crashed {
		return nil
	}
	stop, _ := p.c.CurrentStop()
	return stop.Diagnosis
}
