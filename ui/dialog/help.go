package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Help shows the key table; what can do nothing here is dim.
type Help struct {
	noCursor
	Keys  keymap.Table
	Facts keymap.Facts
	top   int
}

// Title names the dialog.
func (d *Help) Title() string { return "Help" }

// Width is two columns where there is room.
func (d *Help) Width(max int) int {
	if max >= 104 {
		return 104
	}
	return min(max, 72)
}

// View draws the groups.
func (d *Help) View(t theme.Theme, w, h int) []string {
	var lines []string
	if w >= 104 {
		lines = beside(d.groups(t, w/2-2, "Run", "Fixes"), d.groups(t, w/2-2, "Move", "Ask and leave"), w/2)
	} else {
		lines = d.groups(t, w, "Run", "Fixes", "Move", "Ask and leave")
	}
	rows := max(h-1, 1)
	d.top = max(min(d.top, len(lines)-rows), 0)
	more := ""
	if len(lines) > rows {
		more = t.Key.Render("j k") + t.Dim.Render(" scroll   ")
	}
	out := append([]string(nil), lines[d.top:min(d.top+rows, len(lines))]...)
	return append(out, more+t.Key.Render("esc")+t.Dim.Render(" closes"))
}

// groups draws some groups, one below the other.
func (d *Help) groups(t theme.Theme, w int, names ...string) []string {
	var out []string
	for _, name := range names {
		out = append(out, t.Strong.Render(name))
		for _, b := range d.Keys.Rows() {
			if b.Group != name || len(b.Keys) == 0 {
				continue
			}
			keys := text.Fit(strings.Join(shorten(b.Keys), " "), 12)
			if why := b.Why(d.Facts); why != "" {
				out = append(out, t.Faint.Render(text.Cut(keys+" "+b.Help, w)))
				continue
			}
			out = append(out, t.Key.Render(keys)+" "+text.Cut(b.Help, max(w-13, 1)))
		}
		out = append(out, "")
	}
	return out
}

func shorten(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = strings.NewReplacer("page up", "pg↑", "page down", "pg↓", "shift+tab", "⇧tab").Replace(keymap.Label([]string{k}))
	}
	return out
}

func beside(left, right []string, w int) []string {
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

// Key scrolls or closes.
func (d *Help) Key(k tea.KeyPressMsg) Outcome {
	switch k.String() {
	case "esc", "q", "?", "enter", "ctrl+c":
		return Outcome{Close: true}
	case "j", "down":
		d.top++
	case "k", "up":
		d.top = max(d.top-1, 0)
	case "pgdown", "space":
		d.top += 10
	case "pgup":
		d.top = max(d.top-10, 0)
	}
	return Outcome{}
}
