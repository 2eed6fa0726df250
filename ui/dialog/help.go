package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Help is a menu of what can be done here, then all keys, what cannot be done and why,
// and the words beside fixes: among these, they come first. It is searched by typing after "/"; enter does what the cursor is on.
type Help struct {
	Keys  keymap.Table
	Facts keymap.Facts

	line      prompt.Line
	searching bool
	top       int
	cursor    int // in items
	items     []item
	rows, all int // of the last View
}

// line is a line of a column; with an action the cursor can be on it.
type line struct {
	text   string
	action keymap.Action
}

// item is something that can be done, and where it stands.
type item struct {
	action keymap.Action
	row    int
}

// The widths of the help: two columns where there is room.
const (
	helpWide   = 112
	helpNarrow = 76
)

// keyCells is the room for the keys of a row, in a column of some width: where there
// is little, for one key.
func keyCells(w int) int {
	if w < 50 {
		return 7
	}
	return 12
}

// keyWords are the keys of a row.
func keyWords(keys []string, w int) string {
	if all := strings.Join(shorten(keys), " "); text.Width(all) <= keyCells(w) {
		return all
	}
	return shorten(keys)[0]
}

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
	columns := [][]line{slices.Concat(d.situation(t, w), d.groups(t, w), d.notNow(t, w), d.words(t, w))}
	switch {
	case query != "":
		columns = [][]line{d.found(t, w, query)}
	case w >= helpWide:
		columns = [][]line{slices.Concat(d.situation(t, w/2-2), d.notNow(t, w/2-2), d.words(t, w/2-2)), d.groups(t, w/2-2)}
	}
	lines = d.menu(t, columns, w/len(columns))
	d.rows, d.all = max(h-len(head)-1, 1), len(lines)
	d.top = max(min(d.top, d.all-d.rows), 0)
	out := append(head, lines[d.top:min(d.top+d.rows, d.all)]...)
	return append(out, text.Sides(d.foot(t), t.Dim.Render(d.position()), w))
}

// menu draws columns of some cells side by side, and marks the cursor.
func (d *Help) menu(t theme.Theme, columns [][]line, w int) []string {
	d.items = d.items[:0]
	for _, c := range columns {
		for row, l := range c {
			if l.action != "" {
				d.items = append(d.items, item{l.action, row})
			}
		}
	}
	d.cursor = max(min(d.cursor, len(d.items)-1), 0)
	var out []string
	at := 0
	for i, c := range columns {
		for row, l := range c {
			if row == len(out) {
				out = append(out, strings.Repeat(" ", i*w))
			}
			if len(columns) > 1 && i == 0 {
				l.text = text.Fit(l.text, w-2)
			}
			if l.action != "" {
				if at == d.cursor {
					l.text = t.Selected.Over(text.Fit(l.text, w-2))
				}
				at++
			}
			out[row] += l.text
			if i == 0 && len(columns) > 1 {
				out[row] += "  "
			}
		}
	}
	return out
}

// move moves the cursor, and brings it into view.
func (d *Help) move(n int) {
	if len(d.items) == 0 {
		return
	}
	d.cursor = max(min(d.cursor+n, len(d.items)-1), 0)
	row := d.items[d.cursor].row
	switch {
	case d.cursor == 0:
		d.top = 0 // with the words above the first
	case row < d.top:
		d.top = row
	case row >= d.top+d.rows:
		d.top = row - d.rows + 1
	}
}

// position says which lines are shown, where not all are.
func (d *Help) position() string {
	if d.all <= d.rows {
		return ""
	}
	return fmt.Sprintf("%d–%d of %d", d.top+1, min(d.top+d.rows, d.all), d.all)
}

func (d *Help) foot(t theme.Theme) string {
	keys := [][2]string{{"j k", "choose"}, {"enter", "does it"}, {"/", "searches"}, {"esc", "closes"}}
	if d.searching {
		keys = [][2]string{{"↑ ↓", "choose"}, {"enter", "does it"}, {"esc", "drops the search"}}
	}
	var parts []string
	for _, k := range keys {
		parts = append(parts, t.Key.Render(k[0])+t.Dim.Render(" "+k[1]))
	}
	return strings.Join(parts, "  ")
}

// situation is what can be done here and, among fixes, what is said of them.
func (d *Help) situation(t theme.Theme, w int) []line {
	if !d.amongFixes() {
		return d.here(t, w)
	}
	return append(d.here(t, w), glossary(t, w, "")...)
}

// words is what is said of fixes, where they are not what is looked at.
func (d *Help) words(t theme.Theme, w int) []line {
	if d.amongFixes() {
		return nil
	}
	return append([]line{{}}, glossary(t, w, "")...)
}

func (d *Help) amongFixes() bool { return d.Facts.Review || d.Facts.Pane == layout.Fixes }

// here is what can be done now in the focused pane.
func (d *Help) here(t theme.Theme, w int) []line {
	out := plainLines(wrapStyled(t.Strong, "Here: "+d.Facts.Situation(), w))
	out = append(out, plainLines(wrapStyled(t.Dim, keymap.PaneWords(d.Facts.Pane), w))...)
	for _, b := range d.Keys.Here(d.Facts) {
		out = append(out, d.row(t, b, w)...)
	}
	return append(out, line{})
}

// notNow is what cannot be done, and why.
func (d *Help) notNow(t theme.Theme, w int) []line {
	list := d.Keys.NotNow(d.Facts)
	if len(list) == 0 {
		return nil
	}
	return append([]line{{text: t.Strong.Render("Not now")}}, plainLines(d.blocked(t, list, w))...)
}

func plainLines(list []string) []line {
	out := make([]line, len(list))
	for i, s := range list {
		out[i].text = s
	}
	return out
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
		n := keyCells(w)
		first := text.Fit(keys[why], n)
		if text.Width(keys[why]) > n {
			for _, l := range text.Wrap(keys[why], w, 0) {
				out = append(out, t.Faint.Render(l))
			}
			first = strings.Repeat(" ", n)
		}
		for _, l := range text.Wrap(why, max(w-n-1, 1), 3) {
			out = append(out, t.Faint.Render(first)+" "+t.Dim.Render(l))
			first = strings.Repeat(" ", n)
		}
	}
	return out
}

// row is a key with what it does; below it, why it can do nothing now.
func (d *Help) row(t theme.Theme, b keymap.Binding, w int) []line {
	out, room := d.does(t, b, w), max(w-keyCells(w)-1, 1)
	if why := b.Why(d.Facts); why != "" {
		for _, l := range text.Wrap(why, max(room-2, 1), 2) {
			out = append(out, line{text: strings.Repeat(" ", keyCells(w)+3) + t.Dim.Render(l)})
		}
	}
	return out
}

// does is a key with what it does, dim where it can do nothing.
func (d *Help) does(t theme.Theme, b keymap.Binding, w int) []line {
	n := keyCells(w)
	key, words, action := t.Key, t.Text, b.Action
	if b.Why(d.Facts) != "" {
		key, words, action = t.Faint, t.Faint, ""
	}
	var out []line
	for i, l := range text.Wrap(b.Help, max(w-n-1, 1), 3) {
		if i == 0 {
			out = append(out, line{key.Render(text.Fit(keyWords(b.Keys, w), n)) + " " + words.Render(l), action})
			continue
		}
		out = append(out, line{text: strings.Repeat(" ", n+1) + words.Render(l)})
	}
	return out
}

// groups is all keys; what can do nothing here is dim.
func (d *Help) groups(t theme.Theme, w int) []line {
	var out []line
	for _, name := range d.Keys.Groups() {
		out = append(out, line{text: t.Strong.Render(name)})
		for _, b := range d.Keys.Rows() {
			if b.Group == name && len(b.Keys) > 0 {
				out = append(out, d.does(t, b, w)...)
			}
		}
		out = append(out, line{})
	}
	return append(out, mouse(t, w, "")...)
}

// found is the rows that hold every word of the search; the actions without a
// key are in the palette.
func (d *Help) found(t theme.Theme, w int, query string) []line {
	var out []line
	for _, b := range d.Keys.Rows() {
		all := strings.ToLower(strings.Join(b.Keys, " ") + " " + b.Help + " " + b.Group + " " + string(b.Action) + " " + b.Why(d.Facts))
		if !holdsWords(all, query) {
			continue
		}
		if len(b.Keys) == 0 {
			b.Keys = d.Keys.Get(keymap.Palette).Keys
		}
		out = append(out, d.row(t, b, w)...)
	}
	out = append(out, mouse(t, w, query)...)
	out = append(out, glossary(t, w, query)...)
	if len(out) == 0 {
		return []line{{text: t.Dim.Render("Nothing matches.")}}
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

// Key moves the cursor, does what it is on, searches or closes.
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
	case "q", "?", "ctrl+c":
		return Outcome{Close: true}
	case "enter":
		return d.run()
	case "/":
		d.searching, d.top = true, 0
	case "j", "down":
		d.move(1)
	case "k", "up":
		d.move(-1)
	case "pgdown", "space":
		d.ScrollBy(max(d.rows-1, 1))
	case "pgup":
		d.ScrollBy(-max(d.rows-1, 1))
	case "g", "home":
		d.move(-len(d.items))
	case "G", "end":
		d.move(len(d.items))
		d.top = d.all
	}
	return Outcome{}
}

// run does what the cursor is on; with nothing to do there it closes.
func (d *Help) run() Outcome {
	if d.cursor >= len(d.items) {
		return Outcome{Close: true}
	}
	return Outcome{Close: true, Do: d.items[d.cursor].action}
}

func (d *Help) search(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "ctrl+c":
		d.searching = false
		d.line.Set("")
	case "enter":
		return d.run()
	case "up":
		d.move(-1)
	case "down":
		d.move(1)
	default:
		if d.line.Key(k) {
			d.top, d.cursor = 0, 0
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
