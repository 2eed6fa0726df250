package keymap

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/session"
)

// Hint is a key and its words on the bottom line.
type Hint struct {
	Key, Words string
	Brief      string // the words where there is little room
}

// Hints returns the keys that matter here, the most important first. Disabled
// actions are left out.
func (t Table) Hints(f Facts) []Hint {
	var out []Hint
	for _, h := range wanted(f) {
		b := t.Get(h.action)
		if b.Why == nil || b.Why(f) != "" || len(b.Keys) == 0 {
			continue
		}
		key, words, brief := Label(b.Keys), b.Short, b.Short
		if h.words != "" {
			words = h.words
		}
		if len(words) < len(brief)+6 {
			brief = words
		}
		if h.with != "" {
			key += " " + t.Key(h.with)
		}
		out = append(out, Hint{key, words, brief})
	}
	return out
}

type want struct {
	action Action
	words  string // instead of the binding's own
	with   Action // a second key on the same hint
}

func wanted(f Facts) []want {
	if f.Past {
		return []want{otherStops(f), {action: Back, words: "returns to the present"}, {action: Stops}, {action: Filter}, {action: PaneNext}, {action: Help}}
	}
	list := usual(f)
	if f.Unseen && f.Held() && !f.Review {
		list = slices.Insert(list, len(list)-2, want{action: Pane4})
	}
	if f.Looks {
		list = slices.Insert(list, max(len(list)-1, 0), want{action: Wheel, words: "asks for the wheel"})
	}
	if f.Foreign && !f.Away && !f.Review {
		list = append([]want{{action: ToStop}}, list...)
	}
	if !f.Zoomed {
		return list
	}
	return append([]want{{action: Zoom, words: "all panes"}}, list...)
}

func usual(f Facts) []want {
	common := []want{{action: Command}, {action: Help}}
	switch {
	case f.Page:
		return page(f)
	case f.Review:
		approve := "approve and restart"
		if !f.Can.Rebuild {
			approve = "approve"
		}
		return append([]want{{action: Allow}, {action: Approve, words: approve}, {action: Confirm}, {action: Edit}, {action: Reject, words: "reject with a reason"},
			{action: Hunk, words: "take/leave hunk"}, {action: Changes}, {action: Split}, {action: Previous, words: "other fixes", with: Following}, {action: Prompt}, {action: Back}}, common[1:]...)
	case f.Unbuilt:
		return []want{{action: Back, words: "back to the stop"}, {action: Edit, words: "edit at the line"}, {action: Restart, words: "build again"}, {action: Down, words: "next message"}, {action: Help}}
	case f.Running():
		return []want{{action: Interrupt}, {action: Type}, {action: PaneNext}, {action: Help}}
	case f.Phase == session.PhaseBroken && f.Found:
		return []want{{action: Restart, words: "try again"}, {action: Quit}, {action: Help}}
	case f.Phase == session.PhaseBroken:
		return []want{{action: Edit, words: "edit at the line"}, {action: Restart, words: "build again"}, {action: Down, words: "next message"}, {action: Quit}, {action: Help}}
	case f.Phase == session.PhaseExited:
		first := []want{{action: Restart}}
		if f.CameBack {
			first = append([]want{{action: Ask, words: "ask again"}}, first...)
		}
		return append(append(first, want{action: Undo}, want{action: Earlier, words: "the stop before"}, want{action: PaneNext}, want{action: Quit}), common...)
	case f.Held():
		return append(held(f), common...)
	}
	return []want{{action: Quit}, {action: Help}}
}

// page is what can be done with what a fix changes.
func page(f Facts) []want {
	last := []want{{action: Approve}, {action: Previous, words: "other fixes", with: Following}, {action: Help}}
	test := want{action: Split, words: "put it into the test"}
	if f.InTest {
		test.words = "take it out of the test"
	}
	switch {
	case f.Rows == 0:
		return append([]want{{action: Back, words: "the diff"}}, last...)
	case f.Row:
		return append([]want{test, {action: HunkPrev, words: "other inputs", with: HunkNext}, {action: Back, words: "all inputs"}}, last...)
	}
	return append([]want{{action: Open, words: "open the input"}, test, {action: Back, words: "the diff"}}, last...)
}

func held(f Facts) []want {
	switch {
	case f.Pane == 6 && f.Candidate:
		return []want{{action: Open, words: "review"}, {action: Allow}, {action: Approve}, {action: Edit}, {action: Reject},
			{action: Previous, words: "other fixes", with: Following}, {action: Ask, words: "ask again"}}
	case f.Pane == 1 && f.Searching:
		return []want{{action: NextMatch, words: "matches", with: PreviousMatch}, {action: Back, words: "drops the search"}, {action: Define}, {action: Callers}, {action: Breakpoint}}
	case f.Pane == 1 && f.Away:
		return []want{{action: Back, words: "back to where you were"}, {action: Define}, {action: Callers}, {action: Find}, {action: Breakpoint}, {action: ToStop}}
	case f.Pane == 1 && f.Crash:
		return append(fixes(f), []want{{action: Continue}, {action: Mute}, {action: Next}, {action: StepIn}, {action: RevNext}, {action: History}, {action: Breakpoint}, {action: PaneNext}, {action: Find}, {action: Define}}...)
	case f.Pane == 1:
		return []want{{action: Continue}, {action: Next}, {action: StepIn}, {action: StepOut}, {action: RevNext}, {action: RunTo}, {action: Breakpoint}, {action: Breaks}, {action: PaneNext}, {action: Find}, {action: Define}}
	case f.Pane == 3 && f.Crash && f.Value:
		return append(fixes(f), []want{{action: Open}, {action: History}, {action: Filter}, {action: Continue}, {action: PaneNext}}...)
	case f.Pane == 8 && f.Crash:
		return append(fixes(f), []want{{action: Open, words: "shows its source"}, {action: RevNext, words: "goes back to it"}, {action: View, words: "folds"}, {action: Filter}, {action: PaneNext}}...)
	case f.Pane == 3 || f.Pane == 4:
		return append(fixes(f), []want{{action: Open}, {action: Filter}, {action: Continue}, {action: PaneNext}}...)
	}
	return append(fixes(f), []want{{action: Continue}, {action: Next}, {action: StepIn}, {action: PaneNext}}...)
}

// otherStops is the way to the stops before and after an earlier one.
func otherStops(f Facts) want {
	if !f.Earlier {
		return want{action: Later, words: "other stops"}
	}
	return want{action: Earlier, words: "other stops", with: Later}
}

// fixes is the way to the fixes: the pane when there are some, asking when not,
// and again, or undoing it, when the last one did not help.
func fixes(f Facts) []want {
	switch {
	case f.CameBack:
		return []want{{action: Ask, words: "ask again"}, {action: Undo}}
	case f.Candidates > 0:
		return []want{{action: Pane6}}
	}
	return []want{{action: Ask}}
}

// Markdown is the table of docs/reference/keys.md: keys, what they do, and the
// action's name in the configuration.
func (t Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| key | does | action |\n| --- | --- | --- |\n")
	for _, r := range t.rows {
		keys := make([]string, len(r.Keys))
		for i, k := range r.Keys {
			keys[i] = "`" + strings.ReplaceAll(k, "|", "\\|") + "`"
		}
		b.WriteString("| " + strings.Join(keys, " ") + " | " + strings.ReplaceAll(r.Help, "|", "\\|") + " | `" + string(r.Action) + "` |\n")
	}
	return b.String()
}
