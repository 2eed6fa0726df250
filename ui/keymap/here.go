package keymap

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/session"
)

// Here is what can be done in a situation, the most important first.
func (t Table) Here(f Facts) []Binding {
	var out []Binding
	add := func(b Binding) {
		known := slices.ContainsFunc(out, func(x Binding) bool { return x.Action == b.Action })
		if !known && b.Why != nil && b.Why(f) == "" && len(b.Keys) > 0 {
			out = append(out, b)
		}
	}
	for _, w := range wanted(f) {
		add(t.Get(w.action))
		if w.with != "" {
			add(t.Get(w.with))
		}
	}
	for _, b := range t.rows {
		if slices.Contains(paneGroups[f.Pane], b.Group) || t.ofPane(b, f) {
			add(b)
		}
	}
	return out
}

// paneGroups are the groups of actions that a pane, by its number, is about.
var paneGroups = map[int][]string{1: {groupCode, groupLook}, 3: {groupLook}, 4: {groupLook}, 6: {groupFix}, 8: {groupLook}}

// ofPane reports whether an action is there because of the focused pane.
func (t Table) ofPane(b Binding, f Facts) bool {
	if b.Why == nil || b.Why(f) != "" {
		return false
	}
	for pane := 1; pane <= paneCount; pane++ {
		other := f
		other.Pane = pane
		if pane != f.Pane && b.Why(other) == "" {
			return false
		}
	}
	return true
}

const paneCount = 8

// NotNow lists the actions that can do nothing here; Why says why.
func (t Table) NotNow(f Facts) []Binding {
	var out []Binding
	for _, b := range t.rows {
		if len(b.Keys) > 0 && b.Why != nil && b.Why(f) != "" {
			out = append(out, b)
		}
	}
	return out
}

// Situation says in a few words what the keys depend on.
func (f Facts) Situation() string {
	switch {
	case f.Review:
		return "a fix is open"
	case f.Held():
		return strings.TrimSpace("the program is held " + f.Stopped)
	case f.Running():
		return "the program is running"
	case f.Phase == session.PhaseExited:
		return "the program has ended"
	case f.Phase == session.PhaseBroken && f.Found:
		return "the program could not be started"
	case f.Phase == session.PhaseBroken:
		return "the build failed"
	case f.Phase == session.PhaseNew, f.Phase == session.PhaseBuilding:
		return "the program is being built"
	}
	return "the session has ended"
}

// PaneWords say what a pane is for, by its number.
func PaneWords(pane int) string {
	if pane < 1 || pane > paneCount {
		return ""
	}
	return paneWords[pane]
}

var paneWords = [paneCount + 1]string{
	1: "source: the line the program is held at, with values next to it",
	2: "stack: who called whom; the selected frame decides what source and locals show",
	3: "locals: the variables of the selected frame, opened as far as you like",
	4: "goroutines: what each one does and waits for; enter shows its stack",
	5: "output: what the program prints; i types into it",
	6: "fixes: each with what was proved of it; enter opens one",
	7: "log: everything that has happened in this session",
	8: "why: how a value got where it is; enter shows the source of an event, N goes back to it, v folds",
}
