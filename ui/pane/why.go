package pane

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Why shows how a value got where it is at a stop: the history that was asked for last,
// or else the one that was recorded of the value that stopped the program.
type Why struct {
	list
	c      *Context
	asked  *session.Evaluated // the last history that was asked for
	failed *session.Evaluated // the last question, if it failed
	of     time.Time          // the stop that they are about
	stop   time.Time          // the last stop
	shown  *evidence.History  // nil for none
	rows   []whyRow
	filter string
	view   whyView
}

// whyRow is a row of the pane: an event, or some that are folded.
type whyRow struct {
	event  int // index in the history
	folded int // how many events are folded here, from event on; 0 for none
}

// whyView is which events are shown.
type whyView struct {
	folded    bool  // what passes the value on is folded
	goroutine int64 // those of this one alone; 0 for all
}

// NewWhy returns the pane.
func NewWhy() *Why { return &Why{} }

// Title names the pane.
func (p *Why) Title() (string, string) {
	if p.shown == nil {
		return "Why", ""
	}
	return "Why · " + text.Line(p.shown.Expr), p.Viewed()
}

// Viewed names the view that is shown.
func (p *Why) Viewed() string {
	switch {
	case p.view.goroutine != 0:
		return fmt.Sprintf("goroutine %d", p.view.goroutine)
	case p.view.folded:
		return "changes only"
	}
	return ""
}

// Append takes in stops, and answers to why.
func (p *Why) Append(events []session.Event) {
	for _, e := range events {
		switch b := e.Body.(type) {
		case *session.Stopped:
			p.stop, p.asked, p.failed = b.Stop.At, nil, nil
		case *session.Jumped:
			p.stop, p.asked, p.failed = b.Stop.At, nil, nil
		case *session.Evaluated:
			switch word, _, _ := strings.Cut(b.Input, " "); {
			case word == "why" && b.History != nil:
				p.asked, p.failed, p.of = b, nil, p.stop
			case word == "why" && b.Err != "":
				p.failed, p.of = b, p.stop
			}
		}
	}
}

// Sync takes in what has happened.
func (p *Why) Sync(c *Context) {
	p.c = c
	if h := p.history(); h != p.shown {
		p.shown, p.view = h, whyView{}
		p.rebuild()
		p.moveTo(p.rowOf(p.origin()))
	}
}

// about returns what was answered if it is about the stop that is shown.
func (p *Why) about(answer *session.Evaluated) *session.Evaluated {
	if p.c == nil || !p.c.Held || !p.of.Equal(p.c.Stop.Stop.At) {
		return nil
	}
	return answer
}

func (p *Why) history() *evidence.History {
	if a := p.about(p.asked); a != nil {
		return a.History
	}
	if p.c.Held && p.c.Stop.Diagnosis != nil {
		return p.c.Stop.Diagnosis.History
	}
	return nil
}

// None reports whether there is nothing to show.
func (p *Why) None() bool { return p.shown == nil }

// Own reports whether what is shown is the history of the value that stopped the program.
func (p *Why) Own() bool {
	a := p.about(p.asked)
	return p.shown != nil && (a == nil || a.Input == "why")
}

// Row is the number of the event under the cursor, as back counts them.
func (p *Why) Row() (number int, ok bool) {
	if p.cursor >= len(p.rows) || p.rows[p.cursor].folded > 0 {
		return 0, false
	}
	return p.rows[p.cursor].event + 1, true
}

func (p *Why) origin() int {
	if p.shown == nil {
		return 0
	}
	return max(p.shown.Origin, 0)
}

// rowOf is the row of an event.
func (p *Why) rowOf(event int) int {
	for i, r := range p.rows {
		if r.event <= event && event < r.event+max(r.folded, 1) {
			return i
		}
	}
	return 0
}

func (p *Why) rebuild() {
	p.rows = p.rows[:0]
	if p.shown != nil {
		for i, r := range p.shown.Rows {
			p.add(i, r)
		}
	}
	p.setCount(len(p.rows))
}

func (p *Why) add(i int, r evidence.HistoryRow) {
	switch {
	case p.view.goroutine != 0 && r.Goroutine != p.view.goroutine,
		!matches(strings.Join([]string{r.Text, r.Value, r.Kind, r.Function, happened(r), goroutineOf(r)}, "\n"), p.filter):
		return
	case p.view.folded && i > 0 && i != p.shown.Origin && (r.Kind == "passed" || r.Kind == "given"):
		if last := len(p.rows) - 1; last >= 0 && p.rows[last].folded > 0 && p.rows[last].event+p.rows[last].folded == i {
			p.rows[last].folded++
			return
		}
		p.rows = append(p.rows, whyRow{event: i, folded: 1})
	default:
		p.rows = append(p.rows, whyRow{event: i})
	}
}

// nextView shows other events: all, those that change something, those of one goroutine.
func (p *Why) nextView() {
	at := p.origin()
	if p.cursor < len(p.rows) {
		at = p.rows[p.cursor].event
	}
	views := []whyView{{}, {folded: true}}
	if list := p.goroutines(); len(list) > 1 {
		for _, g := range list {
			views = append(views, whyView{goroutine: g})
		}
	}
	p.view = views[(slices.Index(views, p.view)+1)%len(views)]
	p.rebuild()
	p.moveTo(p.rowOf(at))
}

// goroutines are those of the events, in the order of their numbers.
func (p *Why) goroutines() []int64 {
	var list []int64
	for _, r := range p.shown.Rows {
		list = append(list, r.Goroutine)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// SetFilter keeps the events whose place, statement, value or goroutine holds the text.
func (p *Why) SetFilter(s string) { p.filter = s; p.rebuild() }

// Filter returns the filter.
func (p *Why) Filter() string { return p.filter }

// Resize says how much room there is.
func (p *Why) Resize(w, h int) { p.resize(w, max(h-len(p.head(w)), 1)) }

// Key moves, shows the source of an event, or other events.
func (p *Why) Key(a keymap.Action) (Effect, bool) {
	switch {
	case p.shown == nil:
		return nil, false
	case a == keymap.View:
		p.nextView()
		return nil, true
	case a == keymap.Open && p.cursor < len(p.rows):
		return p.open(), true
	}
	ok := p.move(a)
	return p.peek(), ok
}

// peek shows the source of the event under the cursor beside the pane.
func (p *Why) peek() Effect {
	if number, ok := p.Row(); ok {
		return Peek(p.placeOf(number - 1))
	}
	return nil
}

// placeOf is where the source of an event is.
func (p *Why) placeOf(event int) Visit {
	r := p.shown.Rows[event]
	return Visit{cmp.Or(r.Path, filepath.Join(p.c.State.Started.Workspace.Root, filepath.FromSlash(r.File))), r.Line}
}

func (p *Why) open() Effect {
	row := p.rows[p.cursor]
	if row.folded > 0 {
		p.view.folded = false
		p.rebuild()
		p.moveTo(p.rowOf(row.event))
		return nil
	}
	return p.placeOf(row.event)
}

// Click puts the cursor on a row, and opens the one it is on.
func (p *Why) Click(y int) Effect {
	i := p.top + y - len(p.head(p.width))
	if i < p.top || i >= len(p.rows) {
		return nil
	}
	if i == p.cursor {
		return p.open()
	}
	p.moveTo(i)
	return p.peek()
}

// ScrollBy scrolls.
func (p *Why) ScrollBy(n int) { p.scrollBy(n) }

// Needs nothing: a history comes with an event.
func (p *Why) Needs() []inspect.Need { return nil }

// Wanted is how many lines the pane has to show.
func (p *Why) Wanted() int { return len(p.head(p.width)) + len(p.rows) + len(p.tail()) }

// head says what is shown, or why it is not.
func (p *Why) head(w int) []string {
	if p.c == nil {
		return nil
	}
	t := p.c.Theme
	if c := p.c.Live.Command; c != nil && strings.HasPrefix(c.Line, "why") {
		return []string{text.Cut(t.Warn.Render(text.Line(c.Line)+"  "+text.Seconds(p.c.Now.Sub(c.Since)))+t.Dim.Render("  "+text.Line(c.Progress)), w)}
	}
	var out []string
	if a := p.about(p.failed); a != nil {
		out = append(out, wrapStyle(t.Warn, text.Line(a.Err), w)...)
		out = append(out, wrapStyle(t.Dim, text.Line(a.Hint), w)...)
	}
	if p.shown != nil && p.shown.Sentence() != p.c.Stop.Why() { // the card says it
		out = append(out, wrapStyle(t.Strong, text.Line(p.shown.Sentence()), w)...)
	}
	if p.shown != nil && p.shown.OtherRun != "" {
		out = append(out, wrapStyle(t.Warn, text.Line(p.shown.OtherRun), w)...)
	}
	return out
}

// tail are what the run cannot have seen.
func (p *Why) tail() []string {
	if p.shown == nil {
		return nil
	}
	var out []string
	if len(p.shown.Rows) == 0 {
		out = wrapStyle(p.c.Theme.Dim, "the run recorded no change to it", p.width)
	}
	for _, gap := range p.shown.Gaps {
		out = append(out, wrapStyle(p.c.Theme.Dim, text.Line(gap), p.width)...)
	}
	return out
}

// View draws the sentence, and the events below it.
func (p *Why) View(focused bool) []string {
	out := p.head(p.width)
	switch {
	case p.shown == nil && len(out) == 0:
		return empty(p.c, p.width, "How a value got where it is will be here: who set it, where, when.",
			p.c.Keys.Key(keymap.History)+" asks at a crash, for the selected value or the one that stopped the program.")
	case p.shown == nil:
		return out
	}
	from, to := p.window()
	w := p.widths()
	for i := from; i < to; i++ {
		out = append(out, p.row(p.c.Theme, p.line(p.c.Theme, p.rows[i], w), i, focused))
	}
	if to == len(p.rows) {
		out = append(out, p.tail()...)
	}
	return out[:min(len(out), p.height+len(p.head(p.width)))]
}

// whyWidths are the columns of the rows, in cells.
type whyWidths struct{ number, value, place int }

const widestValue = 16

func (p *Why) widths() whyWidths {
	w := whyWidths{number: len(strconv.Itoa(len(p.shown.Rows)))}
	for _, r := range p.rows {
		e := p.shown.Rows[r.event]
		w.value, w.place = max(w.value, min(text.Width(became(e)), widestValue)), max(w.place, text.Width(happened(e)))
	}
	w.place = min(w.place, p.width/3)
	return w
}

func (p *Why) line(t theme.Theme, row whyRow, w whyWidths) string {
	r := p.shown.Rows[row.event]
	if row.folded > 0 {
		words := text.Plural(int64(row.folded), "step") + " pass it on"
		if row.folded == 1 {
			words = "1 step passes it on"
		}
		return t.Dim.Render("  ⋯ " + words)
	}
	mark := "  "
	if row.event == p.shown.Origin {
		mark = t.Focus.Render("▸ ")
	}
	left := mark + t.Faint.Render(fmt.Sprintf("%*d ", w.number, row.event+1)) + t.Value.Render(text.Fit(became(r), w.value)) + " " +
		t.Text.Render(text.Fit(text.CutPlace(happened(r), w.place), w.place)) + "  " + strings.Repeat("  ", min(r.Level, 6)) + t.Text.Render(text.Line(r.Text))
	return text.Sides(left, p.right(t, r), p.width)
}

// right is who, and when: the function only where there is room for it.
func (p *Why) right(t theme.Theme, r evidence.HistoryRow) string {
	words := r.Ago()
	if r.Late && r.Before <= 0 {
		words = "last"
	}
	if p.shown.Foreign(r) {
		words = goroutineOf(r) + "  " + words
	}
	if p.width >= 90 {
		words = text.Line(r.Function) + "  " + words
	}
	return t.Dim.Render("  " + words)
}

// became is the value after an event, or what was done with it.
func became(r evidence.HistoryRow) string {
	switch {
	case r.Kind == "left", r.Used():
		return r.Result()
	}
	return text.Line(r.Value)
}

// happened is where an event was.
func happened(r evidence.HistoryRow) string { return text.Place(text.Line(r.File), r.Line) }

func goroutineOf(r evidence.HistoryRow) string { return fmt.Sprintf("goroutine %d", r.Goroutine) }
