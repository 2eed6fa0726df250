package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Help says first what can be done here, then what cannot and why, then all
// keys. It is searched by typing after "/".
type Help struct {
	Keys  keymap.Table
	Facts keymap.Facts

	line      prompt.Line
	searching bool
	top       int
	rows, all int // of the last View
}

// The widths of the help: two columns where there is room.
const (
	helpWide   = 112
	helpNarrow = 76
	helpKeys   = 12 // cells for the keys of a row
)

// Title names the dialog.
func (d *Help) Title() string { return "Help" }

// Width is two columns where there is room.
func (d *Help) Width(max int) int {
	if max >= helpWide {
		return helpWide
	}
	return min(max, helpNarrow)
}

// Cursor is where the text cursor is while something is searched.
func (d *Help) Cursor(w int) (x, y int, ok bool) {
	if !d.searching {
		return 0, 0, false
	}
	_, x = d.line.View(max(w-2, 1))
	return x + 2, 0, true
}

// View draws what fits the search, or all of it.
func (d *Help) View(t theme.Theme, w, h int) []string {
	var head, lines []string
	query := strings.ToLower(strings.TrimSpace(d.line.Text()))
	if d.searching || query != "" {
		shown, _ := d.line.View(max(w-2, 1))
		head = []string{t.Focus.Render("/ ") + shown, ""}
	}
	switch {
	case query != "":
		lines = d.found(t, w, query)
	case w >= helpWide:
		lines = sideBySide(d.here(t, w/2-2), d.groups(t, w/2-2), w/2)
	default:
		lines = append(d.here(t, w), d.groups(t, w)...)
	}
	d.rows, d.all = max(h-len(head)-1, 1), len(lines)
	d.top = max(min(d.top, d.all-d.rows), 0)
	out := append(head, lines[d.top:min(d.top+d.rows, d.all)]...)
	return append(out, text.Cut(d.foot(t), w))
}

func (d *Help) foot(t theme.Theme) string {
	keys := ""
	if d.all > d.rows {
		keys = t.Key.Render("j k") + t.Dim.Render(" scroll  ")
	}
	if d.searching {
		return keys + t.Key.Render("enter") + t.Dim.Render(" keeps  ") + t.Key.Render("esc") + t.Dim.Render(" drops the search")
	}
	return keys + t.Key.Render("/") + t.Dim.Render(" searches  ") + t.Key.Render("esc") + t.Dim.Render(" closes")
}

// here is what can be done now in the focused pane, and what cannot.
func (d *Help) here(t theme.Theme, w int) []string {
	out := wrapStyled(t.Strong, "Here: "+d.Facts.Situation(), w)
	out = append(out, wrapStyled(t.Dim, keymap.PaneWords(d.Facts.Pane), w)...)
	for _, b := range d.Keys.Here(d.Facts) {
		out = append(out, d.row(t, b, w)...)
	}
	if blocked := d.Keys.NotNow(d.Facts); len(blocked) > 0 {
		out = append(out, "", t.Strong.Render("Not now"))
		out = append(out, d.blocked(t, blocked, w)...)
	}
	return append(out, "")
}

// blocked says why some keys can do nothing now: those of one reason together.
func (d *Help) blocked(t theme.Theme, list []keymap.Binding, w int) []string {
	var reasons []string
	keys := map[string]string{}
	for _, b := range list {
		why := b.Why(d.Facts)
		if keys[why] == "" {
			reasons = append(reasons, why)
		}
		keys[why] = strings.TrimSpace(keys[why] + " " + shorten(b.Keys)[0])
	}
	var out []string
	for _, why := range reasons {
		first := text.Fit(keys[why], helpKeys)
		if text.Width(keys[why]) > helpKeys {
			for _, l := range text.Wrap(keys[why], w, 0) {
				out = append(out, t.Faint.Render(l))
			}
			first = strings.Repeat(" ", helpKeys)
		}
		for _, l := range text.Wrap(why, max(w-helpKeys-1, 1), 3) {
			out = append(out, t.Faint.Render(first)+" "+t.Dim.Render(l))
			first = strings.Repeat(" ", helpKeys)
		}
	}
	return out
}

// row is a key with what it does; below it, why it can do nothing now.
func (d *Help) row(t theme.Theme, b keymap.Binding, w int) []string {
	keys := text.Fit(strings.Join(shorten(b.Keys), " "), helpKeys)
	room := max(w-helpKeys-1, 1)
	why := b.Why(d.Facts)
	if why == "" {
		return []string{t.Key.Render(keys) + " " + text.Cut(b.Help, room)}
	}
	out := []string{t.Faint.Render(keys) + " " + t.Faint.Render(text.Cut(b.Help, room))}
	for _, l := range text.Wrap(why, max(room-2, 1), 2) {
		out = append(out, strings.Repeat(" ", helpKeys+3)+t.Dim.Render(l))
	}
	return out
}

// groups is all keys; what can do nothing here is dim.
func (d *Help) groups(t theme.Theme, w int) []string {
	var out []string
	for _, name := range d.Keys.Groups() {
		out = append(out, t.Strong.Render(name))
		for _, b := range d.Keys.Rows() {
			if b.Group == name && len(b.Keys) > 0 {
				out = append(out, d.row(t, b, w)[0])
			}
		}
		out = append(out, "")
	}
	return out
}

// found is the rows that hold every word of the search; the actions without a
// key are in the palette.
func (d *Help) found(t theme.Theme, w int, query string) []string {
	var out []string
	for _, b := range d.Keys.Rows() {
		all := strings.ToLower(strings.Join(b.Keys, " ") + " " + b.Help + " " + b.Group + " " + string(b.Action) + " " + b.Why(d.Facts))
		holds := true
		for word := range strings.FieldsSeq(query) {
			holds = holds && strings.Contains(all, word)
		}
		if !holds {
			continue
		}
		if len(b.Keys) == 0 {
			b.Keys = d.Keys.Get(keymap.Palette).Keys
		}
		out = append(out, d.row(t, b, w)...)
	}
	if len(out) == 0 {
		return []string{t.Dim.Render("Nothing matches.")}
	}
	return out
}

func wrapStyled(style theme.Style, s string, w int) []string {
	if s == "" {
		return nil
	}
	lines := text.Wrap(s, w, 2)
	for i, l := range lines {
		lines[i] = style.Render(l)
	}
	return lines
}

func shorten(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = strings.NewReplacer("page up", "pg↑", "page down", "pg↓", "shift+tab", "⇧tab").Replace(keymap.Label([]string{k}))
	}
	return out
}

func sideBySide(left, right []string, w int) []string {
	var out []string
	for i := range max(len(left), len(right)) {
		a, b := "", ""
		if i < len(left) {
			a = left[i]
		}
		if i < len(right) {
			b = right[i]
		}
		out = append(out, text.Fit(a, w)+b)
	}
	return out
}

// Key scrolls, searches or closes.
func (d *Help) Key(k tea.KeyPressMsg) Outcome {
	if d.searching {
		return d.search(k)
	}
	switch k.String() {
	case "esc":
		if d.line.Text() == "" {
			return Outcome{Close: true}
		}
		d.line.Set("")
	case "q", "?", "enter", "ctrl+c":
		return Outcome{Close: true}
	case "/":
		d.searching, d.top = true, 0
	case "j", "down":
		d.ScrollBy(1)
	case "k", "up":
		d.ScrollBy(-1)
	case "pgdown", "space":
		d.ScrollBy(max(d.rows-1, 1))
	case "pgup":
		d.ScrollBy(-max(d.rows-1, 1))
	case "g", "home":
		d.top = 0
	case "G", "end":
		d.top = d.all
	}
	return Outcome{}
}

func (d *Help) search(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "ctrl+c":
		d.searching = false
		d.line.Set("")
	case "enter":
		d.searching = false
	case "up":
		d.ScrollBy(-1)
	case "down":
		d.ScrollBy(1)
	default:
		if d.line.Key(k) {
			d.top = 0
		}
	}
	return Outcome{}
}

// ScrollBy scrolls.
func (d *Help) ScrollBy(n int) { d.top = max(d.top+n, 0) }

// Paste inserts text into the search.
func (d *Help) Paste(s string) {
	if d.searching {
		d.line.Insert(s)
	}
}
