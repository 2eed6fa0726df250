package navigation

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/navigate"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/layout"
	"github.com/pausetui/pausetui/ui/text"
)

// finding is the search for a file or symbol. The index and what matches are
// made in the background; what was found last stays until there is something
// newer.
type finding struct {
	dialog  *dialog.Finder
	index   *navigate.Index
	waiting bool               // for a newer index
	typed   string             // what is searched for, or was
	asked   int                // counts searches: the answer to an older one is dropped
	matches navigate.Matches   // of typed
	cancel  context.CancelFunc // ends the search under way
	list    []dialog.Row       // what is narrowed down, in a list of answers; nil in the finder
}

// IndexMsg is a newer index, FoundMsg what matches.
type (
	IndexMsg struct {
		index *navigate.Index
		err   error
	}
	FoundMsg struct {
		asked   int
		matches navigate.Matches
		stay    bool
		err     error
	}
)

// mostMatches is how many matches are listed.
const mostMatches = 300

// OpenFinder opens the finder at once, with whatever is indexed by now.
func (n *Navigation) OpenFinder() tea.Cmd {
	file, _, _ := n.Panes.Source.Line()
	d := &dialog.Finder{Head: "Find a file or symbol", Empty: "Nothing matches.", Here: file}
	f := &n.finding
	f.dialog, f.list, f.typed, f.matches = d, nil, "", navigate.Matches{}
	n.Dialog = d
	if f.index == nil {
		f.index = &navigate.Index{}
	}
	d.Show(nil, n.indexWords(), false)
	return tea.Batch(n.awaitIndex(), n.search(false))
}

// awaitIndex waits for a newer index, once.
func (n *Navigation) awaitIndex() tea.Cmd {
	f := &n.finding
	if f.waiting {
		return nil
	}
	f.waiting = true
	after := f.index.Version
	return n.InBackground(func() tea.Msg {
		index, err := n.Engine.Sources().Index(n.Base, after)
		return IndexMsg{index, err}
	})
}

// Indexed takes a newer index; while the finder is open it is searched again.
func (n *Navigation) Indexed(msg IndexMsg) tea.Cmd {
	f := &n.finding
	f.waiting = false
	if msg.err != nil {
		return nil
	}
	f.index = msg.index
	cmds := []tea.Cmd{n.awaitIndex()}
	if n.Dialog == dialog.Dialog(f.dialog) && f.list == nil && f.dialog != nil {
		cmds = append(cmds, n.search(true))
	}
	return tea.Batch(cmds...)
}

// TypedInFinder searches again when something else was typed.
func (n *Navigation) TypedInFinder() tea.Cmd {
	f := &n.finding
	if f.dialog == nil || n.Dialog != dialog.Dialog(f.dialog) || f.dialog.Typed() == f.typed {
		return nil
	}
	if f.list != nil {
		f.typed = f.dialog.Typed()
		f.dialog.Show(narrowed(f.list, f.typed), "", false)
		return nil
	}
	return n.search(false)
}

// search begins a search for what was typed, and ends the one before.
func (n *Navigation) search(stay bool) tea.Cmd {
	f := &n.finding
	if f.cancel != nil {
		f.cancel()
	}
	ctx, cancel := context.WithCancel(n.Base)
	f.cancel = cancel
	f.typed = f.dialog.Typed()
	f.dialog.Await()
	f.asked++
	asked, typed, index, before := f.asked, f.typed, f.index, f.matches
	return n.InBackground(func() tea.Msg {
		matches, err := index.Find(ctx, navigate.ParseQuery(typed), before, mostMatches)
		return FoundMsg{asked, matches, stay, err}
	})
}

// FoundMatches shows what matches, unless something else was typed meanwhile.
func (n *Navigation) FoundMatches(msg FoundMsg) {
	f := &n.finding
	if msg.asked != f.asked || msg.err != nil || f.dialog == nil || f.list != nil {
		return
	}
	f.matches = msg.matches
	ws := n.Ctx.State.Started.Workspace
	rows := make([]dialog.Row, len(msg.matches.List))
	for i, e := range msg.matches.List {
		r := dialog.Row{Place: navigate.Place{File: e.File, Line: e.Line}, Name: text.Line(e.Name), Marks: e.Marks, Kind: e.Kind.String(), Dim: !e.User}
		if e.Kind != navigate.File {
			r.Side = text.Line(shortPath(ws.Rel(e.File))) + ":" + strconv.Itoa(e.Line)
		}
		if r.Name != e.Name {
			r.Marks = nil
		}
		rows[i] = r
	}
	if q := navigate.ParseQuery(f.typed); q.Name == "" && q.Line > 0 && f.dialog.Here != "" {
		rows = []dialog.Row{{Place: navigate.Place{File: f.dialog.Here, Line: q.Line}, Kind: "line", Name: text.Line(ws.Rel(f.dialog.Here)) + ":" + strconv.Itoa(q.Line)}}
	}
	f.dialog.Show(rows, n.indexWords(), msg.stay)
	if at, ok := f.dialog.Entered(); ok && n.Dialog == dialog.Dialog(f.dialog) {
		n.Dialog = nil
		n.GoTo(at)
	}
}

// shortPath leaves out the directories of the module cache and the standard
// library.
func shortPath(path string) string {
	if _, rest, ok := strings.Cut(path, "/pkg/mod/"); ok {
		return rest
	}
	if _, rest, ok := strings.Cut(path, "/go/src/"); ok {
		return rest
	}
	return path
}

// indexWords says how much was searched.
func (n *Navigation) indexWords() string {
	f := &n.finding
	words := text.Count(int64(f.matches.All)) + " of " + text.Count(int64(len(f.index.Entries)))
	if !f.index.Complete {
		words += " · reading more…"
	}
	return words
}

// narrowed are the rows that hold all words that were typed.
func narrowed(rows []dialog.Row, typed string) []dialog.Row {
	var out []dialog.Row
	words := strings.Fields(strings.ToLower(typed))
next:
	for _, r := range rows {
		all := strings.ToLower(r.Name + " " + r.Kind + " " + r.Side)
		for _, w := range words {
			if !strings.Contains(all, w) && !strings.HasPrefix(w, ":") {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}

// listHits opens a list of places.
func (n *Navigation) listHits(a navigate.Answer) {
	ws := n.Ctx.State.Started.Workspace
	rows := make([]dialog.Row, len(a.Hits))
	for i, h := range a.Hits {
		rows[i] = dialog.Row{Place: h.Place, Kind: h.Note, Name: text.Line(h.Name) + "   " + text.Line(strings.TrimSpace(h.Text)),
			Side: text.Line(shortPath(ws.Rel(h.File))) + ":" + strconv.Itoa(h.Line)}
	}
	one := "place"
	if strings.HasPrefix(a.Title, "Callers ") {
		one = "caller"
	}
	words := text.Plural(int64(len(rows)), one)
	if a.Note != "" {
		words += " " + text.Line(a.Note)
	}
	d := &dialog.Finder{Head: fmt.Sprintf("%s · %d", text.Line(a.Title), len(rows)), Empty: "Nothing matches.", List: true}
	d.Show(rows, words, false)
	n.finding.dialog, n.finding.list, n.finding.typed = d, rows, ""
	n.Dialog = d
}

// FinderNeeds asks for the file of the selected place.
func (n *Navigation) FinderNeeds() []inspect.Need {
	d, ok := n.Dialog.(*dialog.Finder)
	if !ok {
		return nil
	}
	at, ok := d.Selected()
	if !ok {
		return nil
	}
	return n.Ctx.Store.NeedSource(at.File)
}

// Sync hands the finder the file of the selected place.
func (n *Navigation) Sync() {
	d, ok := n.Dialog.(*dialog.Finder)
	if !ok {
		return
	}
	if at, ok := d.Selected(); ok {
		d.Preview(n.Ctx.Store.Source(at.File))
	}
}

// GoTo shows a place of the source; esc leads back.
func (n *Navigation) GoTo(at navigate.Place) {
	n.LeaveReview()
	if s := n.Screen(); s == layout.Building || s == layout.Broken || n.Ctx.State.Phase == session.PhaseNew {
		n.Say("info", "the source is shown once the program has started")
		return
	}
	n.Panes.Source.Visit(n.Ctx, at.File, at.Line, at.Column)
	n.SetFocus(layout.Source)
}
