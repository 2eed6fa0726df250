package ui

import (
	"strconv"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/commandline"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// bar is the lines at the bottom of the screen.
type bar struct {
	*common.Common
	command *commandline.CommandLine
	company *company.Company
}

// lines is the keys that matter here, in the lines that the bar has, or what was
// just said, in a few lines, and who is here at the end of the last.
func (b *bar) lines(w int) []string {
	who := text.Cut(b.company.Words(), w/3)
	if who == "" {
		return b.keysOrWords(w)
	}
	lines := b.keysOrWords(w - text.Width(who) - 2)
	last := len(lines) - 1
	lines[last] = text.Sides(lines[last], who+" ", w)
	return lines
}

func (b *bar) keysOrWords(w int) []string {
	t := b.Ctx.Theme
	switch {
	case b.TypesAhead():
		return b.aheadWords(w)
	case b.Filtering != nil:
		shown, _ := b.Filtering.Line.View(max(w-24, 8))
		if scoped, ok := b.Filtering.Pane.(interface{ Scope() string }); ok && w > 60 {
			if where := scoped.Scope(); where != "" {
				shown += "  " + t.Dim.Render(text.Cut(where, max(w-30-text.Width(shown), 4)))
			}
		}
		count := ""
		if c, ok := b.Filtering.Pane.(pane.Counter); ok && b.Filtering.Line.Text() != "" {
			at, all := c.Count()
			count = t.Dim.Render(strconv.Itoa(at) + "/" + strconv.Itoa(all) + "   ")
		}
		return []string{text.Sides(" "+t.Focus.Render("/")+shown, count+t.Key.Render("enter")+t.Dim.Render(" keeps  ")+t.Key.Render("esc")+t.Dim.Render(" drops "), w)}
	case b.Said.Text != "":
		style := t.Text
		switch b.Said.Level {
		case "warn":
			style = t.Warn
		case "error":
			style = t.StopStrong
		}
		return b.words(style, w)
	case b.Lay.Whole:
		return b.hints([]keymap.Hint{{Key: b.Keys.Key(keymap.Release), Words: "leaves the program's screen"}, {Key: "esc ctrl+c", Words: "go to the program"}}, w)
	case b.Typing:
		return b.hints([]keymap.Hint{{Key: "esc", Words: "leaves"}, {Key: "ctrl+c ctrl+d", Words: "go to the program"}}, w)
	case b.Commanding:
		return b.hints(b.command.CommandHints(), w)
	}
	return b.hints(b.nextKeys(), w)
}

// nextKeys are the keys that matter here; the first leads to the line that is being carried
// out, while the command line is closed.
func (b *bar) nextKeys() []keymap.Hint {
	list := b.Keys.Hints(b.Facts())
	c := b.SlowCommand()
	if c == nil {
		return list
	}
	words := text.Cut(text.Line(c.Line), 24) + " " + text.Seconds(b.Ctx.Now.Sub(c.Since))
	return append([]keymap.Hint{{Key: b.Keys.Key(keymap.Command), Words: words}}, list...)
}

// leastHints is the room, in cells, from which keys stand next to what was said.
const leastHints = 16

// saidLines is how many lines what was just said may take: few where it covers what
// there is little of.
func (b *bar) saidLines() int {
	if b.Height < commandline.ManyRows {
		return 2
	}
	return 4
}

// said is a text in at most so many lines of w cells, cut between words; more, which says
// where the rest is, ends it then.
func said(s string, w, most int, more string) []string {
	lines := text.Wrap(s, w, 0)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	last := lines[most-1]
	for text.Width(last)+text.Width(more) > w && strings.Contains(last, " ") {
		last = last[:strings.LastIndexByte(last, ' ')]
	}
	lines[most-1] = text.Cut(last, max(w-text.Width(more), 1)) + more
	return lines
}

// words is what was just said. One line of it leaves the rest of the line to keys.
func (b *bar) words(style theme.Style, w int) []string {
	more := " …"
	if b.Said.Logged {
		more = " … " + b.Keys.Key(keymap.Pane7) + " has it all"
	}
	lines := said(text.Line(b.Said.Text), max(w-2, 1), b.saidLines(), more)
	for i, l := range lines {
		lines[i] = " " + style.Render(l)
	}
	room := w - text.Width(lines[0]) - 3
	if list := hintLines(b.nextKeys(), max(room, 0)); len(lines) == 1 && room >= leastHints {
		lines[0] += "   " + strings.TrimLeft(b.hintLine(list[0], room), " ")
	}
	return lines
}

// hints writes keys and words in the lines that the bar has: in brief where they do
// not fit, and then as many as do; the last one always does.
func (b *bar) hints(list []keymap.Hint, w int) []string {
	lines, most := hintLines(list, w), max(b.Lay.Bottom.H, 1)
	for i := len(list) - 1; i >= 0 && len(lines) > most; i-- {
		if list[i].Brief != "" {
			list[i].Words = list[i].Brief
			lines = hintLines(list, w)
		}
	}
	for len(list) > 1 && len(lines) > most {
		cut := len(list) - 2
		list = append(list[:cut:cut], list[cut+1:]...)
		lines = hintLines(list, w)
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = b.hintLine(line, w)
	}
	return out
}

func (b *bar) hintLine(line []keymap.Hint, w int) string {
	parts := make([]string, len(line))
	for i, h := range line {
		parts[i] = b.Ctx.Theme.Key.Render(h.Key) + " " + b.Ctx.Theme.Dim.Render(h.Words)
	}
	return text.Cut(" "+strings.Join(parts, "  "), w)
}

// hintLines breaks hints into lines of w cells.
func hintLines(list []keymap.Hint, w int) [][]keymap.Hint {
	var lines [][]keymap.Hint
	used := w
	for _, h := range list {
		n := text.Width(h.Key) + 1 + text.Width(h.Words) + 2
		if used+n > w+1 {
			lines, used = append(lines, nil), 0
		}
		lines[len(lines)-1], used = append(lines[len(lines)-1], h), used+n
	}
	return lines
}

// cursor is where the text cursor is; nil where nothing is typed.
func (m *model) cursor() *tea.Cursor {
	switch {
	case m.Filtering != nil:
		_, x := m.Filtering.Line.View(max(m.Width-24, 8))
		return tea.NewCursor(2+x, m.Lay.Bottom.Y)
	case m.Typing && m.Dialog == nil:
		if x, y, ok := m.Panes.Output.Cursor(); ok {
			inner := m.PaneInner(layout.Output)
			return tea.NewCursor(inner.X+x, inner.Y+y)
		}
	case m.Commanding && !m.Lay.Command.Empty():
		return m.command.CommandCursor()
	}
	return nil
}

// aheadWords is the line that says where keys go. It counts what is kept and does not
// show it: the target may not have shown it either.
func (b *bar) aheadWords(w int) []string {
	words := "the program stopped: your keys are kept for it"
	if n := utf8.RuneCountInString(b.Ahead.Text); n > 0 {
		words = "the program stopped: " + text.Plural(int64(n), "character") + " kept for it"
	}
	leave := "esc"
	if b.Ahead.Drawn {
		leave = b.Keys.Key(keymap.Release)
	}
	left := " " + b.Ctx.Theme.Warn.Render(words) + "  "
	rest := []keymap.Hint{{Key: leave, Words: "or a pause: commands"}}
	return []string{text.Cut(left+b.hintLine(rest, max(w-text.Width(left), 0)), w)}
}
