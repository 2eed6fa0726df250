package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// BreakpointRow is a breakpoint with how it is drawn.
type BreakpointRow struct {
	debugger.Breakpoint
	Sign  string
	Where string
}

// Breakpoints lists the breakpoints, and changes them.
type Breakpoints struct {
	rows      []BreakpointRow
	goroutine debugger.GoroutineID // that is looked at
	cursor    int
	from      int // the first row that the last View drew
	room      int // rows it had room for
	field     *breakpointField
	line      prompt.Line
}

// breakpointField is a part of a breakpoint that is written.
type breakpointField struct {
	ask, help string
	get       func(debugger.Breakpoint) string
	set       func(*debugger.Breakpoint, string)
}

var breakpointFields = map[string]*breakpointField{
	"c": {"condition", "a Go expression; it stops where that is true. Empty: always", func(b debugger.Breakpoint) string { return b.Cond },
		func(b *debugger.Breakpoint, s string) { b.Cond = s }},
	"h": {"hit count", "> 3, == 5, % 10; with each after it, each goroutine counts by itself", hitCount,
		func(b *debugger.Breakpoint, s string) {
			rest, each := strings.CutSuffix(s, "each")
			b.HitCond, b.HitCondPerG = strings.TrimSpace(rest), each
		}},
	"p": {"print", "expressions that are shown at each hit, separated by semicolons", func(b debugger.Breakpoint) string { return strings.Join(b.Print, "; ") },
		func(b *debugger.Breakpoint, s string) { b.Print = Expressions(s) }},
	"N": {"name", "letters and digits; the command line knows it by that", func(b debugger.Breakpoint) string { return b.Name },
		func(b *debugger.Breakpoint, s string) { b.Name = s }},
	"n": {"new", "a function, pkg.(*T).Method, file.go:12, /regexp/, or watch EXPRESSION", nil, nil},
}

func hitCount(b debugger.Breakpoint) string {
	if b.HitCondPerG && b.HitCond != "" {
		return b.HitCond + " each"
	}
	return b.HitCond
}

// Expressions splits what was written as expressions to print.
func Expressions(words string) []string {
	var list []string
	for _, w := range strings.Split(words, ";") {
		if w = strings.TrimSpace(w); w != "" {
			list = append(list, w)
		}
	}
	return list
}

// NewBreakpoints returns the dialog.
func NewBreakpoints(rows []BreakpointRow) *Breakpoints { return &Breakpoints{rows: rows} }

// Set replaces the list; the cursor stays with its breakpoint.
func (d *Breakpoints) Set(rows []BreakpointRow, g debugger.GoroutineID) {
	under, ok := d.under()
	d.rows, d.goroutine = rows, g
	for i, r := range rows {
		if ok && r.ID == under.ID {
			d.cursor = i
		}
	}
	d.cursor = max(min(d.cursor, len(rows)-1), 0)
}

// Turn puts the cursor on the breakpoint of a line, if there is one.
func (d *Breakpoints) Turn(file string, line int) {
	for i, r := range d.rows {
		if r.File == file && r.Line == line {
			d.cursor = i
		}
	}
}

func (d *Breakpoints) under() (BreakpointRow, bool) {
	if d.cursor < 0 || d.cursor >= len(d.rows) {
		return BreakpointRow{}, false
	}
	return d.rows[d.cursor], true
}

// Title names the dialog.
func (d *Breakpoints) Title() string { return "Breakpoints" }

// Width is the width it wants.
func (d *Breakpoints) Width(max int) int { return min(100, max) }

// Cursor is where the text cursor is while something is written.
func (d *Breakpoints) Cursor(w int) (x, y int, ok bool) {
	if d.field == nil {
		return 0, 0, false
	}
	label := text.Width(d.field.ask) + 3
	_, x = d.line.View(max(w-label, 1))
	return x + label, d.room + 1, true
}

// View draws the list, what is known of the one under the cursor, and the keys.
func (d *Breakpoints) View(t theme.Theme, w, h int) []string {
	d.room = max(min(len(d.rows), h-6), 1)
	d.from = max(min(d.cursor-d.room/2, len(d.rows)-d.room), 0)
	var out []string
	for i := d.from; i < min(d.from+d.room, len(d.rows)); i++ {
		out = append(out, d.row(t, d.rows[i], i == d.cursor, w))
	}
	if len(d.rows) == 0 {
		for _, l := range text.Wrap("No breakpoints. n adds one by name; b sets one on the cursor's line of source.", w, 2) {
			out = append(out, t.Dim.Render(l))
		}
		d.room = len(out)
	}
	out = append(out, "")
	if d.field != nil {
		label := t.Focus.Render(d.field.ask + " › ")
		shown, _ := d.line.View(max(w-text.Width(d.field.ask)-3, 1))
		help := append(text.Wrap(d.field.help, w, 2), "", "")[:2]
		return append(out, label+shown, t.Dim.Render(help[0]), t.Dim.Render(help[1]), keyLine(t, w, [][2]string{{"enter", "takes it"}, {"esc", "leaves it as it was"}}))
	}
	detail := append(text.Wrap(d.detail(), w, 2), "", "")[:2]
	return append(out, t.Dim.Render(detail[0]), t.Dim.Render(detail[1]),
		keyLine(t, w, [][2]string{{"enter", "goes there"}, {"space", "on/off"}, {"c", "condition"}, {"h", "hits"}, {"p", "print"}, {"t", "trace"}, {"g", "this goroutine"}, {"N", "name"}}),
		keyLine(t, w, [][2]string{{"n", "new"}, {"x", "removes"}, {"e", "at errors"}, {"r", "at returns"}, {"esc", "closes"}}))
}

// keyLine writes as many keys as there is room for.
func keyLine(t theme.Theme, w int, keys [][2]string) string {
	line := ""
	for _, k := range keys {
		if one := t.Key.Render(k[0]) + t.Dim.Render(" "+k[1]+"  "); text.Width(line)+text.Width(one) <= w+2 {
			line += one
		}
	}
	return strings.TrimRight(line, " ")
}

func (d *Breakpoints) row(t theme.Theme, r BreakpointRow, selected bool, w int) string {
	sign := t.Stop.Render(r.Sign)
	where := r.Where
	switch {
	case r.Place == debugger.PlaceLost:
		sign, where = t.Warn.Render(r.Sign), t.Faint.Render(where)
	case !r.Enabled():
		sign, where = t.Dim.Render(r.Sign), t.Faint.Render(where)
	case r.Place == debugger.PlaceMoved:
		sign = t.Warn.Render(r.Sign)
	case r.Trace:
		sign = t.Focus.Render(r.Sign)
	}
	name := ""
	if r.Name != "" {
		name = " " + t.Key.Render(text.Line(r.Name))
	}
	row := text.Sides(fmt.Sprintf(" %s %2d  %s%s%s", sign, r.ID, where, name, t.Dim.Render(conditions(r.Breakpoint))), t.Dim.Render(hits(r.Hits))+" ", w)
	if selected {
		return t.Selected.Over(row)
	}
	return row
}

func hits(n uint64) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 hit"
	}
	return fmt.Sprintf("%d hits", n)
}

// conditions says when a breakpoint counts, and what it prints.
func conditions(b debugger.Breakpoint) string {
	words := ""
	if b.Cond != "" {
		words += "  if " + text.Line(b.Cond)
	}
	if b.HitCond != "" {
		words += "  hits " + text.Line(hitCount(b))
	}
	if b.OnGoroutine != 0 {
		words += fmt.Sprintf("  on goroutine %d", b.OnGoroutine)
	}
	if printed := printed(b); len(printed) > 0 {
		words += "  prints " + text.Line(strings.Join(printed, ", "))
	}
	if b.WatchKind != "" && b.Watch != "" {
		words += map[string]string{debugger.WatchRead: "  read", debugger.WatchWrite: "  written", debugger.WatchReadWrite: "  read or written"}[b.WatchKind]
	}
	return words
}

// printed are the expressions that a breakpoint prints, and what else, in the words of on.
func printed(b debugger.Breakpoint) []string {
	list := slices.Clone(b.Print)
	for _, also := range []struct {
		on    bool
		words string
	}{{b.Args, "args"}, {b.Locals, "locals"}, {b.Stack > 0, fmt.Sprintf("stack %d", b.Stack)}, {b.Goroutine, "goroutine"}} {
		if also.on {
			list = append(list, also.words)
		}
	}
	return list
}

// detail is what the row does not say.
func (d *Breakpoints) detail() string {
	r, ok := d.under()
	if !ok {
		return ""
	}
	var words []string
	switch r.Place {
	case debugger.PlaceMoved:
		words = append(words, fmt.Sprintf("moved from line %d with its line", r.Was))
	case debugger.PlaceLost, debugger.PlacePending:
		words = append(words, r.Place+": "+r.Why)
	default:
		if r.Why != "" {
			words = append(words, r.Why)
		}
	}
	if r.Disabled {
		words = append(words, "off")
	}
	if r.Function != "" && r.Places <= 1 {
		words = append(words, text.Function(r.Function))
	}
	if r.Text != "" {
		words = append(words, r.Text)
	}
	return text.Line(strings.Join(words, " · "))
}

// Key moves, changes the breakpoint under the cursor, or closes.
func (d *Breakpoints) Key(k tea.KeyPressMsg) Outcome {
	if d.field != nil {
		return d.write(k)
	}
	key := k.String()
	switch key {
	case "esc", "q", "B", "ctrl+c":
		return Outcome{Close: true}
	case "j", "down":
		d.ScrollBy(1)
	case "k", "up":
		d.ScrollBy(-1)
	case "pgdown":
		d.ScrollBy(d.room)
	case "pgup":
		d.ScrollBy(-d.room)
	case "home":
		d.cursor = 0
	case "end", "G":
		d.ScrollBy(len(d.rows))
	case "n":
		d.field = breakpointFields[key]
		d.line.Set("")
	default:
		return d.change(key)
	}
	return Outcome{}
}

// change changes the breakpoint under the cursor.
func (d *Breakpoints) change(key string) Outcome {
	r, ok := d.under()
	if !ok {
		return Outcome{}
	}
	b := r.Breakpoint
	switch key {
	case "enter":
		if b.File == "" || b.Line == 0 {
			return Outcome{}
		}
		return Outcome{Close: true, Do: GoTo{navigate.Place{File: b.File, Line: b.Line}}}
	case "space":
		return Outcome{Do: intent.EnableBreakpoint{ID: b.ID, On: b.Disabled}}
	case "x", "d", "delete":
		return Outcome{Do: intent.ClearBreakpoint{ID: b.ID}}
	case "c", "h", "p", "N":
		d.field = breakpointFields[key]
		d.line.Set(d.field.get(b))
		return Outcome{}
	case "t":
		b.Trace = !b.Trace
	case "g":
		if b.OnGoroutine != 0 || d.goroutine == 0 {
			b.OnGoroutine = 0
		} else {
			b.OnGoroutine = d.goroutine
		}
	case "e":
		b.OnError, b.OnReturn = !b.OnError, false
	case "r":
		b.OnReturn, b.OnError = !b.OnReturn, false
	default:
		return Outcome{}
	}
	return Outcome{Do: intent.AmendBreakpoint{Breakpoint: b}}
}

// write edits the field that is open; enter takes it.
func (d *Breakpoints) write(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "ctrl+c":
		d.field = nil
		return Outcome{}
	case "enter":
		field, words := d.field, strings.TrimSpace(d.line.Text())
		d.field = nil
		if field.set == nil {
			return d.add(words)
		}
		r, ok := d.under()
		if !ok || words == field.get(r.Breakpoint) {
			return Outcome{}
		}
		b := r.Breakpoint
		field.set(&b, words)
		return Outcome{Do: intent.AmendBreakpoint{Breakpoint: b}}
	}
	d.line.Key(k)
	return Outcome{}
}

// add sets a breakpoint by name, or a watchpoint.
func (d *Breakpoints) add(words string) Outcome {
	if words == "" {
		return Outcome{}
	}
	if expr, ok := strings.CutPrefix(words, "watch "); ok {
		return Outcome{Do: intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Watch: strings.TrimSpace(expr), WatchKind: debugger.WatchWrite}}}
	}
	return Outcome{Do: intent.SetBreakpoint{Breakpoint: debugger.Breakpoint{Location: words}}}
}

// ScrollBy moves the cursor by some rows.
func (d *Breakpoints) ScrollBy(n int) { d.cursor = max(min(d.cursor+n, len(d.rows)-1), 0) }

// Click moves to a row; a click on the one the cursor is on goes there.
func (d *Breakpoints) Click(_, y int) Outcome {
	i := d.from + y
	if d.field != nil || y < 0 || y >= d.room || i >= len(d.rows) {
		return Outcome{}
	}
	if i == d.cursor {
		return d.change("enter")
	}
	d.cursor = i
	return Outcome{}
}

// Paste inserts text into the field that is open.
func (d *Breakpoints) Paste(s string) {
	if d.field != nil {
		d.line.Insert(s)
	}
}
