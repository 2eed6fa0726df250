package pane

import (
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger/output"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/text"
	"github.com/pausetui/pausetui/ui/theme"
)

// Output shows what the target printed. It follows the end until it is
// scrolled up.
type Output struct {
	c             *Context
	width, height int
	follow        bool
	top           int // index of the first row shown, unless following
	view          output.View
	typing        bool
	screen        output.Screen
	drawn         bool // the screen is shown in the place of rows
	filter        string
	found         []string // rows that match the filter, the newest last
	searched      uint64   // version of the output that was searched
	sought        int64    // its lines that were searched
}

// NewOutput returns the pane.
func NewOutput() *Output { return &Output{follow: true} }

// Empty reports whether the target has printed nothing.
func (p *Output) Empty(c *Context) bool { return p.Rows(c) == 0 }

// Rows is how many lines are kept of what the target has printed, or how many it
// draws.
func (p *Output) Rows(c *Context) int {
	if c.Output == nil {
		return 0
	}
	if s, drawn := c.Output.Screen(); drawn {
		return s.Rows
	}
	v := c.Output.View(-1, 1)
	if v.Total == 1 && strings.TrimSpace(text.Line(v.Rows[0])) == "" { // it has only set up its terminal
		return 0
	}
	return v.Total
}

// Title names the pane and says how much there is.
func (p *Output) Title() (string, string) {
	switch {
	case p.drawn:
		return "Output", "the program's screen, " + strconv.Itoa(p.screen.Cols) + "×" + strconv.Itoa(p.screen.Rows)
	case p.typing:
		return "Output", "typing into the program"
	case !p.follow:
		return "Output", "row " + text.Count(int64(p.view.Start)+p.lostBefore(p.view.Start)+1) + " of " + text.Count(p.view.Lines)
	case p.view.Lines > int64(p.height):
		return "Output", text.Plural(p.view.Lines, "line")
	}
	return "Output", ""
}

func (p *Output) lostBefore(row int) int64 {
	if p.view.Gap > 0 && row >= p.view.Gap {
		return p.view.Dropped
	}
	return 0
}

// SetTyping tells that keys go to the target.
func (p *Output) SetTyping(on bool) {
	p.typing = on
	if on {
		p.follow = true
	}
}

// Sync reads the rows that can be seen.
func (p *Output) Sync(c *Context) {
	p.c, p.drawn = c, false
	if c.Output == nil {
		p.view = output.View{}
		return
	}
	if p.filter != "" {
		p.search()
		return
	}
	n := max(p.height, 1)
	if !p.follow {
		p.view = c.Output.View(p.top, n)
		p.follow = p.top+n >= p.view.Total && p.top >= p.page(p.view.Total)
	}
	if p.follow {
		p.screen, p.drawn = c.Output.Screen()
		p.view = c.Output.View(-1, n)
		p.top = p.page(p.view.Total)
	}
}

// rows is how many rows there are, those of the filter if there is one.
func (p *Output) rows() int {
	if p.filter != "" {
		return len(p.found)
	}
	if p.c == nil || p.c.Output == nil {
		return 0
	}
	return p.c.Output.View(-1, 0).Total
}

// before returns at most n rows before a row.
func (p *Output) before(row, n int) []string {
	if row <= 0 {
		return nil
	}
	from := max(row-n, 0)
	if p.filter != "" {
		return p.found[from:row]
	}
	return p.c.Output.View(from, row-from).Rows
}

// page is the row from which all rows before the given one are seen whole; the one
// before it where that alone is too long.
func (p *Output) page(row int) int {
	left := max(p.height, 1)
	rows := p.before(row, left)
	for i := range rows {
		if left -= len(p.wrap(rows[len(rows)-1-i])); left < 0 {
			return row - max(i, 1)
		}
	}
	return row - len(rows)
}

// shown is how many rows are seen whole from the top.
func (p *Output) shown() int {
	left := max(p.height, 1)
	rows := p.before(min(p.top+left, p.rows()), left)
	for i, row := range rows {
		if left -= len(p.wrap(row)); left < 0 {
			return i
		}
	}
	return len(rows)
}

// maxFound bounds the rows that a filter shows.
const maxFound = 2000

// search looks through the rows that are kept for the filter's text, and then through
// those that are new.
func (p *Output) search() {
	version := p.c.Output.Version()
	if p.found != nil && version == p.searched {
		return
	}
	p.searched, p.view = version, p.c.Output.View(-1, 0)
	if p.found == nil || p.view.Lines < p.sought { // a program that draws takes lines back
		p.found, p.sought = []string{}, 0
	}
	found, next := p.c.Output.Find(p.filter, p.sought, maxFound)
	p.found, p.sought = append(p.found, found...), next
	if len(p.found) > maxFound {
		p.found = p.found[len(p.found)-maxFound:]
	}
	p.top = p.page(len(p.found))
}

// Resize says how much room there is.
func (p *Output) Resize(w, h int) {
	p.width, p.height = w, h
	if p.c != nil {
		p.Sync(p.c)
	}
}

// SetFilter keeps the rows that hold the text, among the newest ones.
func (p *Output) SetFilter(s string) {
	p.filter, p.found, p.follow = s, nil, true
	if p.c != nil {
		p.Sync(p.c)
	}
}

// Filter returns the filter.
func (p *Output) Filter() string { return p.filter }

// Key scrolls.
func (p *Output) Key(a keymap.Action) (Effect, bool) {
	switch a {
	case keymap.Up:
		p.ScrollBy(-1)
	case keymap.Down:
		p.ScrollBy(1)
	case keymap.PageUp:
		p.ScrollBy(min(p.page(min(p.top+1, p.rows()))-p.top, -1))
	case keymap.PageDown:
		p.ScrollBy(max(p.shown()-1, 1))
	case keymap.Top:
		p.ScrollBy(-1 << 40)
	case keymap.Bottom:
		p.ScrollBy(1 << 40)
	default:
		return nil, false
	}
	return nil, true
}

// Click does nothing: output has no rows to select.
func (p *Output) Click(int) Effect { return nil }

// ScrollBy scrolls; at the end it follows again.
func (p *Output) ScrollBy(n int) {
	if p.rows() == 0 {
		return
	}
	end := p.page(p.rows())
	p.top = max(min(p.top+n, end), 0)
	p.follow = p.top >= end
	p.Sync(p.c)
}

// Needs nothing: the output is at hand.
func (p *Output) Needs() []inspect.Need { return nil }

// View draws the rows, or the screen that the target draws.
func (p *Output) View(bool) []string {
	if p.drawn {
		return p.drawScreen()
	}
	rows, start := p.view.Rows, p.view.Start
	if p.filter != "" {
		start = min(p.top, len(p.found))
		rows = p.found[start:min(start+p.height, len(p.found))]
	}
	if len(rows) == 0 {
		return p.nothing()
	}
	var out []string
	for i, row := range rows {
		if p.filter == "" && p.view.Gap > 0 && start+i == p.view.Gap {
			out = append(out, p.c.Theme.Warn.Render(text.Cut("… "+text.Plural(p.view.Dropped, "line")+" left out …", p.width)))
		}
		out = append(out, p.line(row)...)
	}
	if extra := len(out) - p.height; extra > 0 {
		if p.follow {
			return out[extra:]
		}
		return out[:p.height]
	}
	return out
}

// wrap breaks a row where the pane ends. One that would take more than the pane is
// cut.
func (p *Output) wrap(row string) []string {
	most := max(p.height, 1)
	row = row[:min(len(row), (most+1)*max(p.width, 1)*4)]
	return text.Rows(text.Line(row), p.width, most)
}

func (p *Output) line(row string) []string {
	rows := p.wrap(row)
	var style theme.Style
	switch {
	case strings.HasPrefix(row, "panic: ") || strings.HasPrefix(row, "fatal error: "):
		style = p.c.Theme.Stop
	case strings.HasPrefix(row, "goroutine ") && strings.HasSuffix(row, "]:"):
		style = p.c.Theme.Dim
	default:
		return rows
	}
	for i := range rows {
		rows[i] = style.Render(rows[i])
	}
	return rows
}

// elsewhere says where the output of a target is that was not started here.
func elsewhere(mode session.LaunchMode) string {
	switch mode.Kind {
	case session.ModeConnect:
		return "What the program prints stays with its server, at " + text.Line(mode.Addr) + "."
	case session.ModeCore:
		return "A core dump does not hold what the program printed."
	case session.ModeTrace:
		return "The log holds nothing of this trace."
	case session.ModePast:
		return "What the program prints in the past is not shown."
	}
	return "What the process prints goes where it has always gone."
}

func (p *Output) nothing() []string {
	switch {
	case p.filter != "" && p.view.Dropped > 0:
		return empty(p.c, p.width, "No row that is kept holds "+p.filter+"; "+text.Count(p.view.Dropped)+" earlier rows were dropped.")
	case p.filter != "":
		return empty(p.c, p.width, "No row holds "+p.filter+".")
	case p.typing:
		return empty(p.c, p.width, "What you type goes to the program; esc leaves.")
	}
	if s := p.c.State; s.Round > 0 && !s.Can.Input {
		return empty(p.c, p.width, elsewhere(s.Started.Mode))
	}
	return empty(p.c, p.width, "What the program prints will be here; "+p.c.Keys.Key(keymap.Type)+" types into it.")
}

// Extent is the part of the rows that is shown.
func (p *Output) Extent() Extent {
	if p.drawn {
		return Extent{}
	}
	return Extent{p.view.Start, p.height, p.view.Total}
}
