package dialog

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/ui/prompt"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// EditPrompt is what e in a preview leads to: the text goes to the editor.
type EditPrompt struct{ Text string }

// Preview shows the question that would be sent to a model: its sections with
// their sizes, which can be left out, and the exact text.
type Preview struct {
	profile string
	reason  string
	note    string // why this prompt
	failed  []string
	stale   *live.Preview // an earlier one, which may still be there
	draft   *intent.Draft // nil while it is being prepared

	titles []section // all that were gathered
	cursor int
	whole  bool // the whole text is shown, not the section's
	top    int  // of the text
	page   int  // lines of text in the last View
	typing bool // the line of what was expected
	line   prompt.Line
}

// section is what is known of a section whether it is sent or not.
type section struct {
	key, title, text string
	tokens, left     int
}

// NewPreview waits for the question that a profile would be asked. stale is what
// was prepared earlier; nil when nothing was.
func NewPreview(profile, reason string, stale *live.Preview) *Preview {
	return &Preview{profile: profile, reason: reason, stale: stale}
}

// Take takes in what the engine has prepared, once.
func (d *Preview) Take(p *live.Preview) {
	switch {
	case p == nil || p == d.stale || d.draft != nil || len(d.failed) > 0:
	case p.Err != "":
		d.failed = []string{p.Err, p.Hint}
	case p.Draft != nil:
		d.profile, d.note = p.Profile, p.Note
		draft := *p.Draft
		d.draft = &draft
		for _, s := range draft.Sections {
			d.titles = append(d.titles, section{s.Key, s.Title, s.Text, s.Tokens, s.Left})
		}
	}
}

// Edited takes in the text as the editor left it.
func (d *Preview) Edited(text string) {
	if d.draft == nil {
		return
	}
	changed := d.draft.WithText(text)
	d.draft, d.whole, d.top = &changed, true, 0
}

// Title names the dialog.
func (d *Preview) Title() string {
	if d.draft == nil {
		return "The prompt"
	}
	place := ""
	if d.draft.Model.Remote {
		place = " ↗ remote"
	}
	return fmt.Sprintf("%s for %s%s", d.draft.Profile.Name, d.draft.Model.Name, place)
}

// Width is the width it wants.
func (d *Preview) Width(max int) int { return min(110, max) }

// Cursor is where the text cursor is.
func (d *Preview) Cursor(w int) (x, y int, ok bool) {
	if !d.typing {
		return 0, 0, false
	}
	_, x = d.line.View(max(w-len(expectedLabel), 1))
	return x + len(expectedLabel), 1, true
}

const expectedLabel = "Expected: "

// View draws sizes, sections and the text.
func (d *Preview) View(t theme.Theme, w, h int) []string {
	switch {
	case len(d.failed) > 0:
		return append(d.words(t, w), "", t.Key.Render("esc")+t.Dim.Render(" closes"))
	case d.draft == nil:
		return []string{"", t.Dim.Render("Gathering what is known of the stop…"), "", t.Key.Render("esc") + t.Dim.Render(" closes")}
	}
	out := []string{d.sizes(t, w), d.expected(t, w)}
	if d.note != "" {
		out = append(out, t.Dim.Render(text.Cut(text.Line(d.note), w)))
	}
	list := d.list(t, w, max(h/3, 4))
	out = append(append(out, list...), t.Faint.Render(strings.Repeat("─", w)))
	rows := max(h-len(out)-2, 1)
	out = append(out, d.text(w, rows)...)
	return append(out, "", d.keys(t, w))
}

func (d *Preview) words(t theme.Theme, w int) []string {
	out := []string{""}
	for i, s := range d.failed {
		for _, l := range text.Wrap(text.Line(s), w, 6) {
			if i > 0 {
				l = t.Dim.Render(l)
			}
			out = append(out, l)
		}
	}
	return out
}

// sizes is the line on how much is sent.
func (d *Preview) sizes(t theme.Theme, w int) string {
	left := "about " + text.Plural(int64(d.draft.Tokens()), "token")
	if d.draft.Budget > 0 {
		left = text.Count(int64(d.draft.Tokens())) + t.Dim.Render(" of "+text.Plural(int64(d.draft.Budget), "token"))
	}
	right := t.Dim.Render("no secret found")
	if n := d.draft.Redacted; n > 0 {
		right = t.Warn.Render(text.Plural(int64(n), "secret")+" hidden") + t.Dim.Render(d.kinds())
	}
	if len(d.draft.Edited) > 0 {
		right = t.Focus.Render("edited by hand") + "  " + right
	}
	return text.Sides(left, right, w)
}

// kinds says what the secrets are, without saying them.
func (d *Preview) kinds() string {
	var kinds []string
	for _, h := range d.draft.Hidden {
		if kind := text.Line(h.Kind); kind != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	const most = 3
	if n := len(kinds) - most; n > 0 {
		kinds = append(kinds[:most:most], fmt.Sprintf("%d more kinds", n))
	}
	return ": " + strings.Join(kinds, ", ")
}

// expected is the person's word on what should have happened.
func (d *Preview) expected(t theme.Theme, w int) string {
	if d.typing {
		shown, _ := d.line.View(max(w-len(expectedLabel), 1))
		return t.Focus.Render(expectedLabel) + shown
	}
	if d.draft.Expected == "" {
		return t.Faint.Render("Expected: not given; w adds it")
	}
	return t.Dim.Render(expectedLabel) + text.Cut(text.Line(d.draft.Expected), max(w-len(expectedLabel), 1))
}

// list draws the sections around the cursor.
func (d *Preview) list(t theme.Theme, w, rows int) []string {
	rows = min(rows, len(d.titles))
	from := max(min(d.cursor-rows/2, len(d.titles)-rows), 0)
	var out []string
	for i := from; i < from+rows; i++ {
		out = append(out, d.row(t, i, w))
	}
	return out
}

func (d *Preview) row(t theme.Theme, i, w int) string {
	s := d.current(d.titles[i])
	sign, name := t.Good.Render("●"), s.title
	size := fmt.Sprintf("%s ", text.Count(int64(s.tokens)))
	if n := d.draft.HiddenIn(s.key); n > 0 {
		size = t.Warn.Render(fmt.Sprintf("%d hidden", n)) + "  " + size
	}
	if s.left > 0 {
		size = t.Warn.Render(text.Plural(int64(s.left), "line")+" left out") + "  " + size
	}
	if d.dropped(s.key) {
		sign, name, size = t.Faint.Render("○"), t.Faint.Render(name), t.Faint.Render("not sent ")
	}
	row := text.Sides(" "+sign+" "+name, size, w)
	if i == d.cursor && !d.typing {
		return t.Selected.Over(row)
	}
	return row
}

// current is the section as it is sent now: what another leaves may be its.
func (d *Preview) current(s section) section {
	for _, now := range d.draft.Sections {
		if now.Key == s.key {
			return section{s.key, s.title, now.Text, now.Tokens, now.Left}
		}
	}
	return s
}

func (d *Preview) dropped(key string) bool { return slices.Contains(d.draft.Dropped, key) }

// text draws the section, or all that is sent, from the line scrolled to.
func (d *Preview) text(w, rows int) []string {
	var body string
	switch {
	case d.whole || len(d.draft.Edited) > 0 || len(d.titles) == 0:
		body = d.draft.Text()
	default:
		body = d.current(d.titles[d.cursor]).text
	}
	var lines []string
	for l := range strings.SplitSeq(text.Clean(strings.TrimRight(body, "\n")), "\n") {
		lines = append(lines, text.Wrap(l, w, 0)...)
	}
	d.page = rows
	d.top = max(min(d.top, len(lines)-rows), 0)
	out := slices.Clone(lines[d.top:min(d.top+rows, len(lines))])
	for len(out) < rows {
		out = append(out, "")
	}
	return out
}

func (d *Preview) keys(t theme.Theme, w int) string {
	pairs := []string{"enter", "sends", "space", "leave out", "w", "expected", "v", "all", "e", "edit", "esc", "closes"}
	if d.typing {
		pairs = []string{"enter", "takes it", "esc", "goes back"}
	}
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(t.Key.Render(pairs[i]) + t.Dim.Render(" "+pairs[i+1]+"  "))
	}
	return text.Cut(b.String(), w)
}

// Key moves, changes the draft, or sends it.
func (d *Preview) Key(k tea.KeyPressMsg) Outcome {
	if d.typing {
		d.typeKey(k)
		return Outcome{}
	}
	switch k.String() {
	case "esc", "q", "ctrl+c", "P":
		return Outcome{Close: true}
	}
	if d.draft == nil {
		return Outcome{}
	}
	switch k.String() {
	case "enter":
		draft := *d.draft
		return Outcome{Close: true, Do: intent.Ask{Profile: d.profile, Reason: d.reason, Draft: &draft}}
	case "e":
		return Outcome{Do: EditPrompt{Text: d.draft.Text()}}
	case "w":
		d.typing = true
		d.line.Set(d.draft.Expected)
	case "v":
		d.whole, d.top = !d.whole, 0
	case "space":
		d.toggle()
	default:
		d.move(k.String())
	}
	return Outcome{}
}

// typeKey edits the line of what was expected.
func (d *Preview) typeKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "esc", "ctrl+c":
		d.typing = false
	case "enter":
		changed := d.draft.Expecting(d.line.Text())
		d.draft, d.typing = &changed, false
	default:
		d.line.Key(k)
	}
}

// toggle leaves the section out, or takes it back.
func (d *Preview) toggle() {
	if len(d.titles) == 0 {
		return
	}
	key := d.titles[d.cursor].key
	drop := slices.Clone(d.draft.Dropped)
	if i := slices.Index(drop, key); i >= 0 {
		drop = slices.Delete(drop, i, i+1)
	} else {
		drop = append(drop, key)
	}
	changed := d.draft.Without(drop...)
	d.draft = &changed
}

// move goes through the sections and scrolls the text.
func (d *Preview) move(key string) {
	step := func(n int) {
		next := max(min(d.cursor+n, len(d.titles)-1), 0)
		if next != d.cursor && !d.whole {
			d.top = 0
		}
		d.cursor = next
	}
	switch key {
	case "j", "down":
		step(1)
	case "k", "up":
		step(-1)
	case "pgdown", "ctrl+f", "J":
		d.top += max(d.page-1, 1)
	case "pgup", "ctrl+b", "K":
		d.top -= max(d.page-1, 1)
	case "g", "home":
		d.top = 0
	}
}

// Paste inserts text into the line of what was expected.
func (d *Preview) Paste(s string) {
	if d.typing {
		d.line.Insert(s)
	}
}
