package appearance

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/common"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/text"
)

// HintStarts is for how many starts the first hint is shown.
const HintStarts = 3

// firstHint decides at the start whether the hint is shown.
func (ap *Appearance) firstHint(kept preferences.Screen) {
	ap.Hinting = ap.Opts.Preferences != nil && ap.Opts.Guide == nil && !kept.Hinted && kept.Starts < HintStarts
}

// CountStart remembers that the hint was shown once more.
func (ap *Appearance) CountStart() tea.Cmd {
	if !ap.Hinting {
		return nil
	}
	return ap.Remember(func(kept *preferences.Screen) { kept.Starts++ })
}

// Hinted takes the hint away for good: the person has found the way.
func (ap *Appearance) Hinted() tea.Cmd {
	if !ap.Hinting {
		return nil
	}
	ap.Hinting = false
	return ap.Remember(func(kept *preferences.Screen) { kept.Hinted = true })
}

// FindsTheWay are the actions after which the hint is not needed any more.
var FindsTheWay = map[keymap.Action]bool{keymap.Help: true, keymap.Palette: true, keymap.Approve: true}

// hintLine is what to press at the first start of all; empty later on.
func (ap *Appearance) hintLine() string {
	if !ap.Hinting || ap.Screen() == layout.Building {
		return ""
	}
	key := ap.Keys.Key
	words := key(keymap.Help) + " helps, " + key(keymap.Palette) + " finds every command"
	switch f := ap.Facts(); {
	case f.Review:
		words = key(keymap.Approve) + " applies this fix after you confirm it, " + key(keymap.Back) + " goes back; " + words
	case f.Held() && f.History:
		words = key(keymap.RevNext) + " goes further back, " + key(keymap.ToStop) + " returns to the present; " + words
	case f.Held() && f.Crash:
		words = key(keymap.Pane6) + " shows the fixes, " + key(keymap.Open) + " opens one, " + key(keymap.Approve) + " approves it; " + words
	case f.Held():
		words = key(keymap.Continue) + " continues, " + key(keymap.Next) + " and " + key(keymap.StepIn) + " step; " + words
	case f.Running():
		words = key(keymap.Interrupt) + " halts the program, " + key(keymap.Type) + " types into it; " + words
	}
	return words
}

// Guided keeps a step of a tour on the screen, where a notice would go with the
// next key; false: the notice is none.
func (ap *Appearance) Guided(n *session.Notice) bool {
	if ap.Opts.Guide == nil || !ap.Opts.Guide(*n) {
		return false
	}
	ap.step = common.Joined(n.Text, n.Hint)
	return true
}

// Hint is the hint, or the step of a tour, in two lines at most; none later on.
func (ap *Appearance) Hint(w int) []string {
	head, words := "first time here? ", ap.hintLine()
	if ap.step != "" {
		head, words, _ = strings.Cut(text.Line(ap.step), ": ")
		head += ": "
	}
	if words == "" {
		return nil
	}
	t := ap.Ctx.Theme
	lines := text.Wrap(head+words, max(w-2, 1), 2)
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, head); ok {
			l = t.Good.Render(head) + t.Text.Render(rest)
		} else {
			l = t.Text.Render(l)
		}
		lines[i] = " " + l
	}
	return lines
}
