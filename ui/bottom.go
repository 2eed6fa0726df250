package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// bottomLine is the keys that matter here, or what was just said.
func (m *model) bottomLine(w int) string {
	t := m.ctx.Theme
	switch {
	case m.filtering != nil:
		shown, _ := m.filtering.line.View(max(w-24, 8))
		if scoped, ok := m.filtering.pane.(interface{ Scope() string }); ok && w > 60 {
			if where := scoped.Scope(); where != "" {
				shown += "  " + t.Dim.Render(text.Cut(where, max(w-30-text.Width(shown), 4)))
			}
		}
		count := ""
		if c, ok := m.filtering.pane.(pane.Counter); ok && m.filtering.line.Text() != "" {
			at, all := c.Count()
			count = t.Dim.Render(strconv.Itoa(at) + "/" + strconv.Itoa(all) + "   ")
		}
		return text.Sides(" "+t.Focus.Render("/")+shown, count+t.Key.Render("enter")+t.Dim.Render(" keeps  ")+t.Key.Render("esc")+t.Dim.Render(" drops "), w)
	case m.said.text != "":
		style := t.Text
		switch m.said.level {
		case "warn":
			style = t.Warn
		case "error":
			style = t.StopStrong
		}
		return " " + style.Render(text.Cut(text.Line(m.said.text), w-2))
	case m.typing:
		return m.hints([]keymap.Hint{{Key: "esc", Words: "leaves"}, {Key: "ctrl+c ctrl+d", Words: "go to the target"}}, w)
	case m.commanding:
		return m.hints([]keymap.Hint{{Key: "enter", Words: "runs"}, {Key: "tab", Words: "completes"}, {Key: "↑ ↓", Words: "history"}, {Key: "esc", Words: "closes"}}, w)
	}
	return m.hints(m.keys.Hints(m.facts()), w)
}

// hints writes keys and words: in brief where they do not fit, and then as many
// as do; the last one always does.
func (m *model) hints(list []keymap.Hint, w int) string {
	t := m.ctx.Theme
	for i := len(list) - 1; i >= 0 && hintsWidth(list) >= w; i-- {
		if list[i].Brief != "" {
			list[i].Words = list[i].Brief
		}
	}
	for len(list) > 1 && hintsWidth(list) >= w {
		cut := len(list) - 2
		list = append(list[:cut:cut], list[cut+1:]...)
	}
	parts := make([]string, len(list))
	for i, h := range list {
		parts[i] = t.Key.Render(h.Key) + " " + t.Dim.Render(h.Words)
	}
	return text.Cut(" "+strings.Join(parts, "  "), w)
}

// hintsWidth is how many cells hints take.
func hintsWidth(list []keymap.Hint) int {
	total := -1
	for _, h := range list {
		total += text.Width(h.Key) + 1 + text.Width(h.Words) + 2
	}
	return total
}

// maxAnswers is how many answers the command line shows above itself.
const maxAnswers = 6

// commandRows is how many lines the command line takes; 0 when it is closed.
func (m *model) commandRows() int {
	if !m.commanding {
		return 0
	}
	return len(m.answers(m.width)) + 2
}

// answers is the last answers of the command line, the newest last.
func (m *model) answers(w int) []string {
	t := m.ctx.Theme
	var out []string
	list := m.ctx.State.Transcript
	for i := len(list) - 1; i >= 0 && len(out) < maxAnswers; i-- {
		e := list[i]
		var lines []string
		lines = append(lines, " "+t.Faint.Render("› ")+t.Dim.Render(text.Cut(text.Line(e.Input), max(w-4, 1))))
		lines = append(lines, m.answer(e, w)...)
		if len(out)+len(lines) > maxAnswers {
			break
		}
		out = append(lines, out...)
	}
	return out
}

func (m *model) answer(e session.Evaluated, w int) []string {
	t := m.ctx.Theme
	room := max(w-4, 1)
	switch {
	case e.Err != "":
		return indented(text.Wrap(text.Line(e.Err), room, 2), t.Stop.Render)
	case len(e.Lines) > 0 && e.Result.Type == "":
		return indented(text.Wrap(strings.TrimRight(e.Answer(), "\n"), room, 4), t.Text.Render)
	case e.Text != "":
		return indented(text.Wrap(strings.TrimRight(text.Clean(e.Text), "\n"), room, 3), t.Text.Render)
	case e.Result.Type == "" && e.Result.Value == "":
		return nil
	}
	line := t.Value.Render(pane.Brief(e.Result, room)) + "  " + t.Faint.Render(text.Line(e.Result.Type))
	out := []string{"   " + text.Cut(line, room)}
	for i, c := range e.Result.Deref().Children {
		if i == 3 {
			out = append(out, "   "+t.Faint.Render("…"))
			break
		}
		out = append(out, "     "+text.Cut(text.Line(c.Name)+"  "+t.Value.Render(pane.Brief(c, room)), max(room-2, 1)))
	}
	return out
}

func indented(lines []string, style func(string) string) []string {
	for i, l := range lines {
		lines[i] = "   " + style(l)
	}
	return lines
}

// drawCommand draws the answers, what completion offers, and the line itself.
func (m *model) drawCommand(r layout.Rect) []string {
	t := m.ctx.Theme
	rule := t.Border.Render(strings.Repeat("─", r.W))
	if offers, at := m.command.Offers(); len(offers) > 1 {
		rule = text.Fit(" "+m.offers(offers, at), r.W)
	}
	answers := m.answers(r.W)
	if extra := len(answers) + 2 - r.H; extra > 0 {
		answers = answers[min(extra, len(answers)):]
	}
	out := append([]string{rule}, answers...)
	shown, _ := m.command.View(max(r.W-4, 1))
	return append(out, " "+t.FocusTitle.Render(": ")+shown)
}

func (m *model) offers(offers []string, at int) string {
	t := m.ctx.Theme
	var b strings.Builder
	for i := max(at-4, 0); i < len(offers); i++ {
		word := text.Line(offers[i])
		if i == at {
			b.WriteString(t.FocusTitle.Underline().Render(word))
		} else {
			b.WriteString(t.Dim.Render(word))
		}
		b.WriteString("  ")
	}
	return b.String()
}

// cursor is where the text cursor stands; nil where nothing is typed.
func (m *model) cursor() *tea.Cursor {
	switch {
	case m.filtering != nil:
		_, x := m.filtering.line.View(max(m.width-24, 8))
		return tea.NewCursor(2+x, m.lay.Bottom.Y)
	case m.commanding && !m.lay.Command.Empty():
		_, x := m.command.View(max(m.lay.Command.W-4, 1))
		return tea.NewCursor(3+x, m.lay.Command.Y+min(m.lay.Command.H, m.commandRows())-1)
	}
	return nil
}
