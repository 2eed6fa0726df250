package prompts

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/pausetui/pausetui/llm"
)

// Section is one part of the context.
type Section struct {
	Key    string // one of SectionKeys
	Title  string
	Text   string // markdown; program data in it is fenced and named so
	Tokens int    // estimate of Text
	Budget int    // what it may take, in tokens
	Left   int    // lines left out; Text says so where they are missing
}

// Keys of the sections.
const (
	SectionStop       = "stop"
	SectionExpected   = "expected" // what the person says should have happened
	SectionLine       = "line"
	SectionFunction   = "function"
	SectionValues     = "values"
	SectionRelated    = "related" // functions off the stack that decide the values
	SectionTypes      = "types"
	SectionCallers    = "callers"
	SectionIntent     = "intent"
	SectionChanges    = "changes"
	SectionGoroutines = "goroutines"
	SectionAttempts   = "attempts"
	SectionAdded      = "added" // by a hook of the person's
)

// SectionKeys lists the keys in the order of the sections.
var SectionKeys = []string{SectionStop, SectionExpected, SectionLine, SectionFunction, SectionValues, SectionRelated, SectionTypes, SectionCallers,
	SectionIntent, SectionChanges, SectionGoroutines, SectionAttempts, SectionAdded}

// Context is what a model gets to know of a stop.
type Context struct {
	Class    string // "nil-map-write"
	Message  string
	Function string // the culprit, "main.(*Index).Add"
	File     string // relative to the module root
	Line     int
	Sections []Section // in the order of SectionKeys; empty ones are left out
	Tokens   int       // estimate of all sections
	Redacted int       // secrets taken out
	Hidden   []Hidden  // what they are, without saying them
	Question string    // what the person asks; only of the task Ask

	whole  []draft // the sections before they were trimmed
	screen *Screen // what hid them
}

// Lookups is how often a model that is given tools may use them before it
// answers; a failed use does not count.
const Lookups = 6

// Lookups is the constant; for templates.
func (c Context) Lookups() int { return Lookups }

// Section returns the text of a section, empty when there is none; for templates.
func (c Context) Section(key string) string {
	s, _ := c.section(key)
	return s.Text
}

func (c Context) section(key string) (Section, bool) {
	i := slices.IndexFunc(c.Sections, func(s Section) bool { return s.Key == key })
	if i < 0 {
		return Section{}, false
	}
	return c.Sections[i], true
}

// Expected is what the person says should have happened; empty when nothing
// was said. For templates.
func (c Context) Expected() string { return c.Section(SectionExpected) }

// share is the part of the budget that a section may take, in percent. What
// one leaves goes to the next that needs it, in this order.
var shares = []struct {
	key     string
	percent int
}{
	{SectionFunction, 26}, {SectionStop, 7}, {SectionExpected, 3}, {SectionLine, 6}, {SectionAttempts, 12}, {SectionRelated, 18},
	{SectionValues, 9}, {SectionCallers, 7}, {SectionGoroutines, 5}, {SectionTypes, 4}, {SectionIntent, 2}, {SectionChanges, 1}, {SectionAdded, 0},
}

// Render makes the messages for a model: the profile's system and user part.
func Render(p Profile, c Context) ([]llm.Message, error) {
	if p.user == nil {
		return nil, fmt.Errorf("prompt profile %q is empty", p.Name)
	}
	var messages []llm.Message
	for _, part := range []struct {
		role string
		t    *template.Template
	}{{"system", p.system}, {"user", p.user}} {
		if part.t == nil {
			continue
		}
		text, err := message(part.t, c)
		if err != nil {
			return nil, fmt.Errorf("render prompt profile %q: %w", p.Name, err)
		}
		if text != "" {
			messages = append(messages, llm.Message{Role: part.role, Text: text})
		}
	}
	return messages, nil
}

// Fit returns the context with the sections of these keys (all, when there are
// none) trimmed again to a budget in tokens, for a tokeniser that makes one token
// of so many bytes.
func (c Context) Fit(budget int, bytesPerToken float64, keys ...string) Context {
	var drafts []draft
	for _, d := range c.whole {
		if len(keys) == 0 || slices.Contains(keys, d.Key) {
			drafts = append(drafts, d)
		}
	}
	resolve(drafts, c.whole)
	c.Sections = fit(drafts, budget, bytesPerToken)
	settle(c.Sections)
	c.Tokens = 0
	for _, s := range c.Sections {
		c.Tokens += s.Tokens
	}
	return c
}

// fit trims the sections to the budget: each to its share and to what the
// others have left.
func fit(sections []draft, budget int, bytesPerToken float64) []Section {
	left := budget
	grants := map[string]int{}
	want := map[string]int{}
	for _, d := range sections {
		want[d.Key] = tokens(d.Text, bytesPerToken)
	}
	for _, s := range shares {
		grants[s.key] = min(want[s.key], budget*s.percent/100)
		left -= grants[s.key]
	}
	for _, s := range shares {
		more := min(want[s.key]-grants[s.key], max(left, 0))
		grants[s.key] += more
		left -= more
	}
	var out []Section
	for _, d := range sections {
		s := d.Section
		s.Budget = grants[s.Key]
		if strings.TrimSpace(s.Text) == "" {
			continue
		}
		s.Text, s.Left = trim(strings.TrimRight(s.Text, "\n"), int(float64(s.Budget)*bytesPerToken), d.keep)
		s.Tokens = tokens(s.Text, bytesPerToken)
		out = append(out, s)
	}
	return out
}

// draft is a section before trimming.
type draft struct {
	Section
	keep string // the line to stay in sight, trimmed; empty keeps the beginning
}

// leastSection is what a section keeps at least, in bytes; room for marks and fences
// within a section's size.
const (
	leastSection = 120
	markRoom     = 60
)

// trim leaves lines out until a text fits into so many bytes, with a mark where
// they were. Lines around keep stay; fences stay closed.
func trim(text string, size int, keep string) (string, int) {
	if len(text) <= size {
		return text, 0
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	from, to := window(lines, max(size, leastSection)-markRoom, keep)
	if to > from+1 && openFence(lines[:to]) != "" && openFence(lines[:to-1]) == "" {
		to-- // no fence for nothing
	}
	var b strings.Builder
	leave(&b, lines[:from])
	open := openFence(lines[:from])
	if open != "" {
		b.WriteString(open + "\n")
	}
	b.WriteString(strings.Join(lines[from:to], "\n") + "\n")
	if fence := openFence(lines[:to]); fence != "" {
		b.WriteString(fence[:len(fence)-len(strings.TrimLeft(fence, "`"))] + "\n")
	}
	leave(&b, lines[to:])
	return strings.TrimRight(b.String(), "\n"), len(lines) - (to - from)
}

// leave writes the mark that stands for lines left out.
func leave(b *strings.Builder, lines []string) {
	switch len(lines) {
	case 0:
	case 1:
		b.WriteString("[… 1 line left out]\n")
	default:
		fmt.Fprintf(b, "[… %d lines left out]\n", len(lines))
	}
}

// window chooses the lines to stay: those from the beginning, or those around
// the line to keep, as many as fit in size bytes; at least one.
func window(lines []string, size int, keep string) (from, to int) {
	at := 0
	for i, l := range lines {
		if keep != "" && strings.TrimSpace(l) == keep {
			at = i
			break
		}
	}
	from, to = at, at+1
	size -= len(lines[at])
	for size > 0 && (from > 0 || to < len(lines)) {
		if to < len(lines) {
			size -= len(lines[to]) + 1
			if size < 0 {
				break
			}
			to++
		}
		if from > 0 && at > 0 {
			size -= len(lines[from-1]) + 1
			if size < 0 {
				break
			}
			from--
		}
	}
	return from, to
}

// openFence returns the fence line that is open at the end of lines.
func openFence(lines []string) string {
	open := ""
	for _, l := range lines {
		n := len(l) - len(strings.TrimLeft(l, "`"))
		switch {
		case n < 3:
		case open == "":
			open = l
		case strings.Trim(l, "`") == "" && n >= len(open)-len(strings.TrimLeft(open, "`")):
			open = ""
		}
	}
	return open
}

// fenced puts text into a fence that it cannot close.
func fenced(lang, text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + lang + "\n" + strings.TrimRight(text, "\n") + "\n" + mark
}

// data fences what comes from the running program.
func data(text string) string { return fenced("text data", text) }
