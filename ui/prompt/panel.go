package prompt

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Panel shows the answers of the command line, the newest last. Only rows that
// can be seen are drawn: an answer may have very many.
type Panel struct {
	answers []answer
	total   int // rows of all answers
	newest  uint64
	width   int
	height  int
	top     int
	folded  bool // nothing is seen until there is an answer, or a key asks for those before
	follow  bool // the end, or the beginning of a newest answer that is longer than the panel
	cursor  int  // -1: none
	filter  string
	typing  *Line // the filter while it is typed
	found   []int // of the newest answer's rows, those with the filter
}

// answer is an answer as rows: the line that was typed, its lines, and what is
// said below them.
type answer struct {
	session.Evaluated
	lines []session.Line
	below []session.Line
	from  int // its first row
}

func (a *answer) rows() int { return 1 + len(a.lines) + len(a.below) }

// row returns a row of the answer, counted from 0; the first one is none of its
// lines.
func (a *answer) row(i int) session.Line {
	switch {
	case i == 0:
		return session.Line{Text: a.Input}
	case i <= len(a.lines):
		return a.lines[i-1]
	}
	return a.below[i-1-len(a.lines)]
}

// maxAnswers is how many answers can be scrolled back to.
const maxAnswers = 60

// NewPanel returns an empty panel.
func NewPanel() *Panel { return &Panel{follow: true, cursor: -1} }

// Sync takes in the answers; count changes with every one of them.
func (p *Panel) Sync(list []session.Evaluated, count uint64, width int) {
	if count == p.newest && width == p.width {
		return
	}
	if count != p.newest {
		p.folded, p.follow, p.cursor, p.filter, p.typing, p.found = false, true, -1, "", nil, nil
	}
	p.newest, p.width = count, width
	list = list[max(len(list)-maxAnswers, 0):]
	p.answers, p.total = p.answers[:0], 0
	for _, e := range list {
		a := answer{Evaluated: e, from: p.total}
		kept, _ := e.All()
		a.lines = wrapped(kept, width)
		a.below = below(e, len(kept), width)
		p.answers = append(p.answers, a)
		p.total += a.rows()
	}
	p.place()
}

// mostWrapped bounds the rows of one line of an answer.
const mostWrapped = 8

// wrapped breaks lines that are wider than the panel into rows; each of them leads
// where its line does.
func wrapped(lines []session.Line, width int) []session.Line {
	room := max(width-4, 8)
	out := make([]session.Line, 0, len(lines))
	for _, l := range lines {
		words := l.Text[:min(len(l.Text), mostWrapped*width+256)]
		if len(words) <= room || text.Width(text.Line(words)) <= room {
			out = append(out, l)
			continue
		}
		words = text.Line(words)
		if short := brief(words, room); text.Width(short) <= room {
			l.Text = short
			out = append(out, l)
			continue
		}
		for i, row := range text.Wrap(words, room-2, mostWrapped) {
			l.Text = row
			if i > 0 {
				l.Text, l.Current = "  "+row, false
			}
			out = append(out, l)
		}
	}
	return out
}

// address is one at the end of a line that names a place.
var address = lazyregexp.New(`(:\d+)  0x[0-9a-f]+$`)

// brief is a line that names a place without the address behind it, and where that is
// not enough without the place's folder.
func brief(line string, room int) string {
	line = address.ReplaceAllString(line, "$1")
	at := strings.LastIndexByte(line, ' ') + 1
	if text.Width(line) <= room || !place.MatchString(line[at:]) {
		return line
	}
	return line[:at] + text.Base(line[at:])
}

// place is a file with a line.
var place = lazyregexp.New(`^\S+\.\w+:\d+$`)

// below is what an answer says after its lines, wrapped.
func below(e session.Evaluated, lines, width int) []session.Line {
	var out []session.Line
	add := func(words, style string, most int) {
		for _, l := range text.Wrap(text.Clean(words), max(width-4, 8), most) {
			out = append(out, session.Line{Text: l, Style: style})
		}
	}
	if _, left := e.All(); left > 0 {
		add(fmt.Sprintf("… %s are not kept", text.Plural(int64(left), "more line")), session.StyleDim, 1)
	}
	switch {
	case e.Err != "":
		add(e.Err, session.StyleError, 6)
		if e.Hint != "" {
			add(e.Hint, session.StyleDim, 2)
		}
		if e.Usage != "" {
			add("usage: "+e.Usage, session.StyleDim, 4)
		}
	case e.Text != "":
		add(strings.TrimRight(e.Text, "\n"), "", 40)
	case lines == 0 && e.Result.Type != "":
		for line := range strings.Lines(session.Tree(e.Result, 1)) {
			out = append(out, session.Line{Text: strings.TrimRight(line, "\n")})
		}
	}
	return out
}

// Fold hides the answers until there is another, or a key asks for them.
func (p *Panel) Fold() { p.folded = true }

// Empty reports whether there have been no answers.
func (p *Panel) Empty() bool { return len(p.answers) == 0 }

// Rows is how many rows the panel would like: the newest answer, and some rows of
// those before it; all that there are once it is scrolled.
func (p *Panel) Rows(before int) int {
	switch {
	case p.Empty(), p.folded:
		return 0
	case !p.follow || p.filter != "" || p.typing != nil:
		return max(p.total, 4)
	}
	return min(p.answers[len(p.answers)-1].rows()+before, p.total)
}

// Resize says how many rows there are.
func (p *Panel) Resize(height int) {
	p.height = height
	p.place()
}

// place brings what is to be seen into view.
func (p *Panel) place() {
	if p.filter != "" {
		p.top = max(min(p.top, len(p.found)-p.height), 0)
		return
	}
	if p.follow && len(p.answers) > 0 {
		last := p.answers[len(p.answers)-1]
		p.top = max(p.total-p.height, 0)
		if last.rows() > p.height {
			p.top = last.from
		}
	}
	p.top = max(min(p.top, p.total-p.height), 0)
}

// count is how many rows can be scrolled through.
func (p *Panel) count() int {
	if p.filter != "" {
		return len(p.found)
	}
	return p.total
}

// ScrollBy scrolls; a cursor stays in sight.
func (p *Panel) ScrollBy(n int) {
	if p.folded {
		p.folded = false
		return
	}
	p.follow = false
	p.top = max(min(p.top+n, p.count()-p.height), 0)
	if p.cursor >= 0 {
		p.cursor = max(min(p.cursor, p.top+p.height-1), p.top)
	}
}

// Page scrolls by so many pages.
func (p *Panel) Page(n int) { p.ScrollBy(n * max(p.height-1, 1)) }

// Move moves the cursor by some rows, to one that leads somewhere if there is
// one in that direction, and begins at the end of what is seen.
func (p *Panel) Move(d int) {
	p.folded = false
	if p.count() == 0 {
		return
	}
	i := p.cursor + d
	if p.cursor < 0 {
		i = min(p.top+p.height, p.count()) - 1
		if p.follow && p.filter == "" && p.answers[len(p.answers)-1].rows() > p.height {
			i = p.top + 1
		}
	}
	for j := i; j >= 0 && j < p.count(); j += d {
		if _, l := p.at(j); leads(l) {
			i = j
			break
		}
	}
	p.cursor = max(min(i, p.count()-1), 0)
	p.follow = false
	if p.cursor < p.top {
		p.top = p.cursor
	}
	if p.cursor >= p.top+p.height {
		p.top = p.cursor - p.height + 1
	}
}

// leads reports whether a line can be opened.
func leads(l session.Line) bool { return l.Place != nil || l.Value > 0 || l.Run != "" }

// Selected is the line under the cursor with its answer; false without one.
func (p *Panel) Selected() (session.Evaluated, session.Line, bool) {
	if p.cursor < 0 || p.cursor >= p.count() {
		return session.Evaluated{}, session.Line{}, false
	}
	a, l := p.at(p.cursor)
	return a.Evaluated, l, leads(l)
}

// Latest reports whether the selected line is of the newest answer that has a line of a kind.
func (p *Panel) Latest(kind func(session.Line) bool) bool {
	if _, _, ok := p.Selected(); !ok {
		return false
	}
	selected, _ := p.at(p.cursor)
	for i := len(p.answers) - 1; i >= 0; i-- {
		if a := &p.answers[i]; slices.ContainsFunc(a.lines, kind) {
			return a == selected
		}
	}
	return false
}

// Deselect takes the cursor away; false where there is none.
func (p *Panel) Deselect() bool {
	had := p.cursor >= 0
	p.cursor = -1
	return had
}

// Click puts the cursor on a row that is seen, counted from 0; true where it
// leads somewhere.
func (p *Panel) Click(y int) bool {
	if y < 0 || y >= p.height || p.top+y >= p.count() {
		return false
	}
	p.follow = false
	p.cursor = p.top + y
	_, l := p.at(p.cursor)
	return leads(l)
}

// at returns a row of those that can be scrolled through.
func (p *Panel) at(i int) (*answer, session.Line) {
	if p.filter != "" {
		a := &p.answers[len(p.answers)-1]
		return a, a.row(p.found[i])
	}
	n := sort.Search(len(p.answers), func(n int) bool { return p.answers[n].from > i }) - 1
	a := &p.answers[n]
	return a, a.row(i - a.from)
}

// StartFilter begins to type what the newest answer is filtered by.
func (p *Panel) StartFilter() {
	if len(p.answers) == 0 {
		return
	}
	p.folded, p.typing = false, &Line{}
	p.typing.Set(p.filter)
}

// Filtering is the filter while it is typed; nil otherwise.
func (p *Panel) Filtering() *Line { return p.typing }

// EndFilter ends the typing of the filter; keep leaves it on.
func (p *Panel) EndFilter(keep bool) {
	p.typing = nil
	if !keep {
		p.setFilter("")
	}
}

// Filter takes what was typed.
func (p *Panel) Filter() { p.setFilter(p.typing.Text()) }

func (p *Panel) setFilter(filter string) {
	narrowed := p.filter != "" && strings.HasPrefix(filter, p.filter)
	before := p.found
	p.filter, p.found, p.cursor, p.top = filter, nil, -1, 0
	if filter == "" {
		p.follow = true
		p.place()
		return
	}
	a := &p.answers[len(p.answers)-1]
	fold := strings.ToLower(filter) == filter
	check := func(i int) {
		if contains(a.row(i).Text, filter, fold) {
			p.found = append(p.found, i)
		}
	}
	if narrowed {
		for _, i := range before {
			check(i)
		}
		return
	}
	for i := 1; i < a.rows(); i++ {
		check(i)
	}
}

// contains is strings.Contains, without regard to the case of ASCII where fold
// is set, and without allocating: long answers are filtered at every key.
func contains(s, part string, fold bool) bool {
	if !fold {
		return strings.Contains(s, part)
	}
	for i := 0; i+len(part) <= len(s); i++ {
		j := 0
		for j < len(part) && lower(s[i+j]) == part[j] {
			j++
		}
		if j == len(part) {
			return true
		}
	}
	return part == ""
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Note says what part of the rows is seen; empty where that is all.
func (p *Panel) Note() string {
	n := p.count()
	switch {
	case p.filter != "":
		return text.Plural(int64(n), "line") + " with " + text.Line(p.filter)
	case n <= p.height || p.height <= 0:
		return ""
	case len(p.answers) > 0 && p.answers[len(p.answers)-1].rows() > p.height && p.top >= p.answers[len(p.answers)-1].from:
		a := p.answers[len(p.answers)-1]
		from := p.top - a.from
		return text.Count(int64(max(from, 1))) + "–" + text.Count(int64(min(from+p.height, a.rows())-1)) + " of " + text.Plural(int64(a.rows()-1), "line")
	}
	return text.Plural(int64(p.top), "row") + " above"
}

// View draws the rows.
func (p *Panel) View(t theme.Theme) []string {
	out := make([]string, 0, p.height)
	for i := p.top; i < min(p.top+p.height, p.count()); i++ {
		a, l := p.at(i)
		var line string
		if p.filter == "" && i == a.from {
			line = " " + t.Faint.Render("› ") + t.Dim.Render(text.Cut(text.Line(l.Text), max(p.width-4, 1)))
		} else {
			line = p.line(t, l)
		}
		if i == p.cursor {
			line = t.Selected.Over(text.Fit(line, p.width))
		}
		out = append(out, line)
	}
	return out
}

func (p *Panel) line(t theme.Theme, l session.Line) string {
	words := text.Cut(text.Line(l.Text), max(p.width-4, 1))
	sign := "   "
	if l.Current {
		sign = " " + t.FocusTitle.Render("▸") + " "
	}
	switch l.Style {
	case session.StyleHead:
		return sign + t.Strong.Render(words)
	case session.StyleDim:
		return sign + t.Dim.Render(words)
	case session.StyleWarn:
		return sign + t.Warn.Render(words)
	case session.StyleError:
		return sign + t.Stop.Render(words)
	}
	if l.Value > 0 {
		if name, value, ok := strings.Cut(words, " = "); ok {
			return sign + name + t.Dim.Render(" = ") + t.Value.Render(value)
		}
		return sign + t.Value.Render(words)
	}
	return sign + words
}
