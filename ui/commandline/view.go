package commandline

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

const (
	maxOfferRows = 6
	maxEarlier   = 4  // rows of earlier answers above the newest
	maxWaiting   = 3  // rows of lines that wait
	ManyRows     = 30 // the height of a terminal from which earlier answers are shown
)

// CommandRows is how many lines the command line takes; 0 when it is closed.
func (cl *CommandLine) CommandRows() int {
	if !cl.Commanding {
		return 0
	}
	earlier := maxEarlier
	if cl.Height < ManyRows {
		earlier = 0
	}
	return 3 + len(cl.underWay(cl.Width)) + cl.offerRows() + cl.Panel.Rows(earlier) // the rule, the usage, the line
}

func (cl *CommandLine) offerRows() int {
	offers, _ := cl.Offers()
	return min(len(offers), maxOfferRows)
}

// DrawCommand draws the answers, what is under way, what completion offers, the usage of the
// command that is typed, and the line itself.
func (cl *CommandLine) DrawCommand(r layout.Rect) []string {
	rows := cl.panelRows(r)
	cl.Panel.Resize(rows)
	out := append([]string{cl.commandRule(r.W)}, cl.Panel.View(cl.Ctx.Theme)...)
	for len(out) < rows+1 {
		out = append(out, "")
	}
	out = append(out, cl.underWay(r.W)[:cl.underWayRows(r)]...)
	out = append(out, cl.drawOffers(r.W)...)
	if cl.OverKeys() {
		return append(out, "", "")
	}
	return append(out, cl.usageLine(r.W), cl.commandInput(r.W))
}

// panelRows is the room for answers in the command line's.
func (cl *CommandLine) panelRows(r layout.Rect) int {
	return max(r.H-3-cl.offerRows()-cl.underWayRows(r), 0)
}

// underWayRows is the room for what is under way, before that for answers.
func (cl *CommandLine) underWayRows(r layout.Rect) int {
	return max(min(len(cl.underWay(r.W)), r.H-3-cl.offerRows()), 0)
}

// underWay is the line that is being carried out, where its answer will be, and those that
// wait for its end.
func (cl *CommandLine) underWay(w int) []string {
	c, t := cl.SlowCommand(), cl.Ctx.Theme
	if c == nil {
		return nil
	}
	line := func(input string) string { return text.Cut(text.Line(input), max(w/3, 8)) }
	words := line(c.Line) + "  " + text.Seconds(cl.Ctx.Now.Sub(c.Since))
	if c.Progress != "" {
		words += "  " + text.Line(c.Progress)
	}
	rows := []string{text.Cut(" "+t.Faint.Render("› ")+t.Warn.Render(words)+t.Dim.Render("  ctrl+c ends it"), w)}
	for i, input := range c.Waiting {
		if i == maxWaiting-1 && len(c.Waiting) > maxWaiting {
			return append(rows, t.Dim.Render("   "+strconv.Itoa(len(c.Waiting)-i)+" more lines wait"))
		}
		rows = append(rows, text.Cut(" "+t.Faint.Render("› ")+t.Dim.Render(line(input)+"  waits"), w))
	}
	return rows
}

// commandRule is above: what the answers are filtered by, and what part of them is seen.
func (cl *CommandLine) commandRule(w int) string {
	t := cl.Ctx.Theme
	left, right := "", cl.Panel.Note()
	if f := cl.Panel.Filtering(); f != nil {
		shown, _ := f.View(max(w/3, 8))
		left = t.Focus.Render(" / ") + shown + t.Focus.Render("▏ ")
	}
	if right != "" {
		right = t.Dim.Render(" " + right + " ")
	}
	fill := max(w-text.Width(left)-text.Width(right), 0)
	return text.Fit(left+t.Border.Render(strings.Repeat("─", fill))+right, w)
}

// drawOffers lists what the word may become; the chosen one is marked.
func (cl *CommandLine) drawOffers(w int) []string {
	t := cl.Ctx.Theme
	offers, at := cl.Offers()
	rows := cl.offerRows()
	top := max(min(at-rows/2, len(offers)-rows), 0)
	width := 0
	for i := range rows {
		width = max(width, text.Width(text.Line(offers[top+i])))
	}
	indent := 3 + text.Width(cl.Head()) - text.Width(cl.offered(offers, at))
	if indent+width+8 > w {
		indent = 3
	}
	var out []string
	for i := range rows {
		word := text.Fit(text.Line(offers[top+i]), min(width, w-indent-2))
		if top+i == at {
			word = t.Selected.Over(t.FocusTitle.Render(word))
		} else {
			word = t.Text.Render(word)
		}
		line := strings.Repeat(" ", indent) + word
		if i == rows-1 && len(offers) > rows {
			line += t.Dim.Render("  " + text.Count(int64(len(offers))) + " in all")
		}
		out = append(out, t.CurrentLine.Over(text.Fit(line, w)))
	}
	return out
}

// offered is the word at the cursor.
func (cl *CommandLine) offered(offers []string, at int) string {
	if at >= 0 && at < len(offers) {
		return offers[at]
	}
	return cl.Wanted().Word
}

// usageLine says how the command that is typed is written, or where one is in
// the history.
func (cl *CommandLine) usageLine(w int) string {
	t := cl.Ctx.Theme
	if query, found, ok := cl.Searching(); ok {
		words := t.Focus.Render(" history: ") + text.Line(query)
		if !found && query != "" {
			words += t.Warn.Render("  no match")
		}
		return text.Fit(words+t.Dim.Render("  ctrl+r older · enter runs · esc drops"), w)
	}
	if cl.Waiting() {
		return text.Fit(t.Dim.Render(" looking for completions…"), w)
	}
	if c := cl.Command.Typing(); c != nil {
		left := " " + strings.Join(c.UsageLines(), t.Faint.Render(" │ "))
		return text.Sides(t.Dim.Render(text.Cut(left, max(w-text.Width(c.Help)-4, w/2))), t.Faint.Render(text.Cut(c.Help, w/2-2)+" "), w)
	}
	if cl.Showing {
		return text.Fit(t.Faint.Render(" any other key closes this and does what it always does"), w)
	}
	return text.Fit(t.Faint.Render(" an expression, x.y = 3, or a command (help lists them)"), w)
}

func (cl *CommandLine) commandInput(w int) string {
	shown, at := cl.View(max(w-4, 1))
	if chosen := cl.Chosen(); chosen != "" && text.Width(chosen) <= at {
		head := ansi.Truncate(shown, at-text.Width(chosen), "")
		shown = head + cl.Ctx.Theme.Selected.Over(chosen) + ansi.TruncateLeft(shown, at, "")
	}
	return " " + cl.Ctx.Theme.FocusTitle.Render(": ") + shown
}

// CommandCursor is where the text cursor is in the command line.
func (cl *CommandLine) CommandCursor() *tea.Cursor {
	r := cl.Lay.Command
	if cl.Showing {
		return nil
	}
	if f := cl.Panel.Filtering(); f != nil {
		_, x := f.View(max(r.W/3, 8))
		return tea.NewCursor(r.X+3+x, r.Y)
	}
	_, x := cl.View(max(r.W-4, 1))
	return tea.NewCursor(r.X+3+x, r.Y+r.H-1)
}

// CommandHints are the keys of the command line.
func (cl *CommandLine) CommandHints() []keymap.Hint {
	if cl.Panel.Filtering() != nil {
		return []keymap.Hint{{Key: "enter", Words: "keeps"}, {Key: "esc", Words: "drops"}}
	}
	if _, ok := cl.moment(cl.Keys.Key(keymap.RevNext)); ok {
		return []keymap.Hint{{Key: "↑ ↓", Words: "select a line", Brief: "pick"}, {Key: "enter", Words: "shows it"}, {Key: cl.Keys.Key(keymap.RevNext), Words: "goes back to it"}, {Key: "esc", Words: "closes"}}
	}
	if cl.Showing {
		return []keymap.Hint{{Key: "↑ ↓", Words: "select a line", Brief: "pick"}, {Key: "enter", Words: "opens it"}, {Key: "page keys", Words: "scroll"}, {Key: ":", Words: "types a command", Brief: "command"}, {Key: "esc", Words: "closes"}}
	}
	hints := []keymap.Hint{{Key: "enter", Words: "runs"}, {Key: "tab", Words: "completes"}, {Key: "↑ ↓", Words: "history"}, {Key: "ctrl+r", Words: "searches it", Brief: "search"}}
	if !cl.Panel.Empty() {
		hints = append(hints, keymap.Hint{Key: "page keys", Words: "scroll"}, keymap.Hint{Key: "alt+↑", Words: "selects a line", Brief: "pick"}, keymap.Hint{Key: "ctrl+s", Words: "filters", Brief: "filter"})
	}
	return append(hints, keymap.Hint{Key: "esc", Words: "closes"})
}

// ClickCommand opens the line of an answer that was clicked on.
func (cl *CommandLine) ClickCommand(y int) tea.Cmd {
	if !cl.Panel.Click(y - cl.Lay.Command.Y - 1) {
		return nil
	}
	e, l, ok := cl.Panel.Selected()
	if !ok {
		return nil
	}
	return cl.openLine(e, l)
}
