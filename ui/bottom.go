package ui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/pane"
	"github.com/pausetui/pausetui/ui/text"
)

// bottomLine is the keys that matter here, or what was just said, and who is here.
func (st *status) bottomLine(w int) string {
	who := text.Cut(st.company.words(), w/3)
	if who == "" {
		return st.keysLine(w)
	}
	return text.Sides(st.keysLine(w-text.Width(who)-2), who+" ", w)
}

func (st *status) keysLine(w int) string {
	t := st.ctx.Theme
	switch {
	case st.filtering != nil:
		shown, _ := st.filtering.line.View(max(w-24, 8))
		if scoped, ok := st.filtering.pane.(interface{ Scope() string }); ok && w > 60 {
			if where := scoped.Scope(); where != "" {
				shown += "  " + t.Dim.Render(text.Cut(where, max(w-30-text.Width(shown), 4)))
			}
		}
		count := ""
		if c, ok := st.filtering.pane.(pane.Counter); ok && st.filtering.line.Text() != "" {
			at, all := c.Count()
			count = t.Dim.Render(strconv.Itoa(at) + "/" + strconv.Itoa(all) + "   ")
		}
		return text.Sides(" "+t.Focus.Render("/")+shown, count+t.Key.Render("enter")+t.Dim.Render(" keeps  ")+t.Key.Render("esc")+t.Dim.Render(" drops "), w)
	case st.said.text != "":
		style := t.Text
		switch st.said.level {
		case "warn":
			style = t.Warn
		case "error":
			style = t.StopStrong
		}
		return " " + style.Render(text.Cut(text.Line(st.said.text), w-2))
	case st.typing:
		return st.hints([]keymap.Hint{{Key: "esc", Words: "leaves"}, {Key: "ctrl+c ctrl+d", Words: "go to the target"}}, w)
	case st.commanding:
		return st.hints(st.command.commandHints(), w)
	}
	return st.hints(st.keys.Hints(st.facts()), w)
}

// hints writes keys and words: in brief where they do not fit, and then as many
// as do; the last one always does.
func (st *status) hints(list []keymap.Hint, w int) string {
	t := st.ctx.Theme
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

// cursor is where the text cursor is; nil where nothing is typed.
func (m *model) cursor() *tea.Cursor {
	switch {
	case m.filtering != nil:
		_, x := m.filtering.line.View(max(m.width-24, 8))
		return tea.NewCursor(2+x, m.lay.Bottom.Y)
	case m.commanding && !m.lay.Command.Empty():
		return m.command.commandCursor()
	}
	return nil
}
