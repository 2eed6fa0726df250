package conversation

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/dialog"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Input is what the conversation shows.
type Input struct {
	Questions []session.QuestionRecord
	Reply     *live.Reply // being written; nil without one
	Now       time.Time
	At        debugger.FrameRef      // the frame that a question is about
	Paused    bool                   // questions can be asked
	Names     int                    // how many variables are known
	Known     func(name string) bool // tells the variables of the frame
}

// Jump asks the program to show what a citation names.
type Jump struct {
	To Citation
	At debugger.FrameRef // the frame that the question was about
}

// Dialog is the conversation, as a dialog.
type Dialog struct {
	in       Input
	line     prompt.Line
	top      int
	held     bool // scrolled away from the end
	selected int  // index into cites; -1 for none
	cites    []place
	rows     int // lines of the conversation that the last View had room for
	all      int
	height   int // of the last View
	pages    map[string]cached
}

// place is a citation with the row it is in.
type place struct {
	Jump
	row int
}

// cached is an answer drawn before.
type cached struct {
	key     pageKey
	words   string // what was drawn
	painter painter
	page    page
}

type pageKey struct {
	width, selected int
	theme           string
	at              debugger.FrameRef
	names           int
}

// New returns the view of a conversation.
func New() *Dialog { return &Dialog{selected: -1, pages: map[string]cached{}} }

// Sync takes in what has happened.
func (d *Dialog) Sync(in Input) { d.in = in }

// Title names the dialog.
func (d *Dialog) Title() string { return "Ask about this stop" }

// Width is the width it wants.
func (d *Dialog) Width(most int) int { return min(104, most) }

// View draws the part of the conversation that is scrolled to, and the line.
func (d *Dialog) View(t theme.Theme, w, h int) []string {
	lines := d.lines(t, w)
	d.rows, d.all = max(h-4, 1), len(lines)
	most := max(d.all-d.rows, 0)
	if !d.held {
		d.top = most
	}
	d.top = max(min(d.top, most), 0)
	out := make([]string, 0, h)
	for i := range d.rows {
		line := ""
		if d.top+i < len(lines) {
			line = lines[d.top+i]
		}
		out = append(out, line)
	}
	shown, _ := d.line.View(max(w-2, 1))
	if d.line.Text() == "" {
		shown = t.Faint.Render(d.placeholder())
	}
	out = append(out, t.Faint.Render(strings.Repeat("─", w)), t.Focus.Render("› ")+text.Cut(shown, w-2), "", text.Cut(d.hints(t), w))
	d.height = len(out)
	return out
}

func (d *Dialog) placeholder() string {
	switch {
	case !d.in.Paused:
		return "the program is not paused"
	case len(d.in.Questions) == 0:
		return "a question about this stop; enter alone explains it"
	}
	return "another question"
}

func (d *Dialog) hints(t theme.Theme) string {
	var b strings.Builder
	hint := func(key, words string) { b.WriteString(t.Key.Render(key) + " " + t.Dim.Render(words) + "  ") }
	switch {
	case d.selected >= 0:
		hint("enter", "goes there")
	case d.in.Reply != nil:
		hint("ctrl+c", "stops the answer")
	default:
		hint("enter", "asks")
	}
	if len(d.cites) > 0 {
		hint("tab", "citations")
	}
	if d.all > d.rows {
		hint("↑ ↓", "scroll")
	}
	hint("esc", "closes")
	return b.String()
}

// lines is the whole conversation; it notes where the citations are.
func (d *Dialog) lines(t theme.Theme, w int) []string {
	var out []string
	d.cites = d.cites[:0]
	for _, q := range d.in.Questions {
		if len(out) > 0 {
			out = append(out, "")
		}
		words := q.Text
		if words == "" {
			words = "Explain this stop."
		}
		for i, l := range text.Wrap(text.Line(words), max(w-2, 4), 0) {
			lead := "  "
			if i == 0 {
				lead = t.Focus.Render("▸ ")
			}
			out = append(out, lead+t.Strong.Render(l))
		}
		for _, p := range q.Probes {
			out = append(out, d.probe(t, p, w))
		}
		if len(q.Probes) > 0 {
			out = append(out, "")
		}
		out = d.answer(t, q, w, out)
	}
	if d.selected >= len(d.cites) {
		d.selected = -1
	}
	return out
}

// probe is a step of the model, with the reason where it was refused.
func (d *Dialog) probe(t theme.Theme, p session.Probed, w int) string {
	sign, more := t.Faint.Render("· "), ""
	if p.Err != "" {
		sign, more = t.Warn.Render("✗ "), t.Warn.Render(" — "+text.Line(p.Err))
	}
	return text.Cut("  "+sign+t.Dim.Render(text.Line(p.Words()))+more, w)
}

func (d *Dialog) answer(t theme.Theme, q session.QuestionRecord, w int, out []string) []string {
	words, live := "", d.in.Reply != nil && d.in.Reply.Question == q.Question && q.Replied == nil
	switch {
	case q.Replied != nil:
		words = q.Replied.Text
	case live:
		words = d.in.Reply.Text
	}
	if strings.TrimSpace(words) != "" {
		page := d.page(t, q, words, w)
		for i, c := range page.cites {
			d.cites = append(d.cites, place{Jump{c, q.At}, len(out) + page.at[i]})
		}
		for _, l := range page.lines {
			out = append(out, "  "+l)
		}
	}
	if q.Replied == nil {
		return append(out, "  "+t.Focus.Render("◌ ")+t.Dim.Render(d.waiting(q)))
	}
	return append(out, d.footer(t, q, w)...)
}

// page draws an answer, unless it is drawn already.
func (d *Dialog) page(t theme.Theme, q session.QuestionRecord, words string, w int) page {
	key := pageKey{w, max(d.selected-len(d.cites), -1), t.ID, d.in.At, d.in.Names}
	have, ok := d.pages[q.Question]
	switch {
	case ok && have.key == key && have.words == words:
		return have.page
	case !ok || have.key != key || !strings.HasPrefix(words, have.words[:have.painter.done]):
		have = cached{key: key, painter: newPainter(t, w-2, key.selected, d.in.Known)}
	}
	have.words = words
	have.painter.whole(words)
	have.page = have.painter.rest(words)
	d.pages[q.Question] = have
	return have.page
}

// waiting says what a question waits for.
func (d *Dialog) waiting(q session.QuestionRecord) string {
	who := text.Line(q.Source.Model)
	if d.in.Reply == nil {
		return who
	}
	took := text.Seconds(d.in.Now.Sub(d.in.Reply.Since))
	if n := d.in.Reply.Tokens; n > 0 {
		return who + " · writing " + text.Count(int64(n)) + " tok · " + took
	}
	return who + " · waiting " + took
}

// footer says who answered, or why there is no answer.
func (d *Dialog) footer(t theme.Theme, q session.QuestionRecord, w int) []string {
	r := q.Replied
	if r.Err != "" {
		var out []string
		for i, l := range text.Wrap(text.Line(r.Err), max(w-4, 4), 3) {
			lead := "  "
			if i == 0 {
				lead = t.Stop.Render("✗ ")
			}
			out = append(out, "  "+lead+l)
		}
		for _, l := range text.Wrap(text.Line(r.Hint), max(w-4, 4), 2) {
			if l != "" {
				out = append(out, "    "+t.Dim.Render(l))
			}
		}
		return out
	}
	words := "the debugger itself"
	if r.Source.Provider != patch.BuiltinProvider {
		words = text.Line(r.Source.Model)
		if r.Tokens > 0 {
			words += " · " + text.Count(int64(r.Tokens)) + " tok"
		}
		words += " · " + text.Duration(r.Took)
	}
	return []string{"  " + t.Faint.Render(text.Cut(words, max(w-2, 1)))}
}

// Cursor is where the text cursor is.
func (d *Dialog) Cursor(w int) (x, y int, ok bool) {
	_, x = d.line.View(max(w-2, 1))
	return x + 2, d.height - 3, d.height > 0
}

// Typing reports whether a question is being typed.
func (d *Dialog) Typing() bool { return d.line.Text() != "" }

// Paste inserts text.
func (d *Dialog) Paste(s string) { d.line.Insert(s) }

// Key edits the question, asks it, scrolls, or goes through the citations.
func (d *Dialog) Key(k tea.KeyPressMsg) dialog.Outcome {
	switch k.String() {
	case "esc":
		return dialog.Outcome{Close: true}
	case "ctrl+c":
		if d.in.Reply != nil {
			return dialog.Outcome{Do: intent.CancelQuestion{}}
		}
		return dialog.Outcome{Close: true}
	case "enter":
		return d.enter()
	case "tab":
		d.choose(1)
	case "shift+tab":
		d.choose(-1)
	case "up":
		d.scroll(-1)
	case "down":
		d.scroll(1)
	case "pgup":
		d.scroll(1 - d.rows)
	case "pgdown":
		d.scroll(d.rows - 1)
	default:
		if d.line.Key(k) {
			d.selected = -1
		}
	}
	return dialog.Outcome{}
}

// ScrollBy scrolls, for the mouse.
func (d *Dialog) ScrollBy(n int) { d.scroll(n) }

// enter goes to the selected citation, or asks what was typed.
func (d *Dialog) enter() dialog.Outcome {
	words := strings.TrimSpace(d.line.Text())
	switch {
	case d.selected >= 0 && d.selected < len(d.cites):
		return dialog.Outcome{Close: true, Do: d.cites[d.selected].Jump}
	case d.in.Reply != nil || !d.in.Paused, words == "" && len(d.in.Questions) > 0:
		return dialog.Outcome{} // what was typed stays
	}
	d.line.Set("")
	d.held = false
	return dialog.Outcome{Do: intent.AskQuestion{At: d.in.At, Text: words}}
}

func (d *Dialog) scroll(n int) {
	most := max(d.all-d.rows, 0)
	d.top = max(min(d.top+n, most), 0)
	d.held = d.top < most
}

// choose goes to another citation and brings it into view; the first time, to
// the first one of the last answer that has any.
func (d *Dialog) choose(step int) {
	n := len(d.cites)
	if n == 0 {
		return
	}
	switch {
	case d.selected < 0 && step > 0:
		d.selected = d.firstInView()
	case d.selected < 0:
		d.selected = n - 1
	default:
		d.selected = (d.selected + step + n) % n
	}
	row := d.cites[d.selected].row
	if row < d.top || row >= d.top+d.rows {
		d.top = max(row-d.rows/2, 0)
		d.held = d.top < max(d.all-d.rows, 0)
	}
}

func (d *Dialog) firstInView() int {
	for i, c := range d.cites {
		if c.row >= d.top {
			return i
		}
	}
	return len(d.cites) - 1
}

// Selected is the citation that enter goes to; false without one.
func (d *Dialog) Selected() (Citation, bool) {
	if d.selected < 0 || d.selected >= len(d.cites) {
		return Citation{}, false
	}
	return d.cites[d.selected].To, true
}
