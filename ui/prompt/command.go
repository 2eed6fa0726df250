package prompt

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Command is the command line: a line with history, search and completion.
type Command struct {
	Line
	History History
	table   console.Table
	at      int    // index into the history while going through it; its length otherwise
	draft   string // what was typed before going through the history
	search  *search
	offers  []string
	offer   int            // -1: none is chosen
	wanted  console.Wanted // what the offers are for
	head    string         // the text before the cursor when they were asked for
	waiting bool           // for more offers
	first   int            // the way tab went while nothing was known: 1 or -1
}

// search is a search through the history.
type search struct {
	query Line
	found int // index into the history; -1: nothing is found
	was   string
}

// Open begins a new line.
func (c *Command) Open() {
	c.Set("")
	c.at, c.search = c.History.Len(), nil
	c.drop()
}

// SetTable says which commands there are.
func (c *Command) SetTable(t console.Table) { c.table = t }

// Table is the commands there are.
func (c *Command) Table() console.Table { return c.table }

// Offers is what completion can choose from, and which one is chosen; -1 for
// none.
func (c *Command) Offers() ([]string, int) { return c.offers, c.offer }

// Waiting tells that more may be offered soon.
func (c *Command) Waiting() bool { return c.waiting }

// Searching returns what is searched for in the history, and whether it was
// found; ok is false while nothing is searched.
func (c *Command) Searching() (query string, found, ok bool) {
	if c.search == nil {
		return "", false, false
	}
	return c.search.query.Text(), c.search.found >= 0, true
}

// assignment is a line that sets a variable, which may have the name of a command.
var assignment = lazyregexp.New(`^\s*\S+\s*=([^=]|$)`)

// Typing is the command that is being typed; nil for an expression.
func (c *Command) Typing() *console.Command {
	if assignment.MatchString(c.Text()) {
		return nil
	}
	if command, _, ok := c.table.Split(c.Text() + " x"); ok && c.Text() != "" {
		if inner := c.table.Complete(c.Head()).Command; inner != nil {
			return inner
		}
		return &command
	}
	return nil
}

// Enter takes the line and remembers it; fresh reports whether it is new to the
// history.
func (c *Command) Enter() (line string, fresh bool) {
	line = c.Text()
	fresh = c.History.Add(line)
	c.Open()
	return line, fresh
}

// Asks is what a key asks of the program.
type Asks int

// What a key asks.
const (
	Nothing  Asks = iota // it was taken
	Unknown              // it means nothing here
	Complete             // offers for Wanted are to be given by SetOffers
	Leave                // the line is to be closed
)

// Key edits the line.
func (c *Command) Key(k tea.KeyPressMsg) Asks {
	if c.search != nil {
		if taken := c.searchKey(k); taken {
			return Nothing
		}
	}
	switch k.String() {
	case "up", "ctrl+p":
		c.recall(-1)
	case "down", "ctrl+n":
		c.recall(1)
	case "ctrl+r":
		c.search = &search{found: c.History.Len(), was: c.Text()}
		c.drop()
	case "tab":
		return c.cycle(1)
	case "shift+tab":
		return c.cycle(-1)
	case "esc":
		if c.offers == nil && !c.waiting {
			return Leave
		}
		if c.offer >= 0 {
			c.ReplaceHead(c.head)
		}
		c.drop()
	default:
		if !c.Line.Key(k) {
			return Unknown
		}
		c.drop()
		c.at = c.History.Len()
	}
	return Nothing
}

// drop forgets the offers.
func (c *Command) drop() { c.offers, c.offer, c.waiting = nil, -1, false }

func (c *Command) recall(d int) {
	to := max(min(c.at+d, c.History.Len()), 0)
	if to == c.at {
		return
	}
	if c.at == c.History.Len() {
		c.draft = c.Text()
	}
	c.at = to
	c.drop()
	if to == c.History.Len() {
		c.Set(c.draft)
		return
	}
	c.Set(c.History.At(to))
}

// searchKey takes a key while the history is searched; false for one that ends
// the search and means what it always does.
func (c *Command) searchKey(k tea.KeyPressMsg) bool {
	s := c.search
	switch k.String() {
	case "ctrl+r", "up":
		c.find(s.found)
	case "esc", "ctrl+g":
		c.Set(s.was)
		c.search = nil
	case "backspace", "ctrl+h", "ctrl+u", "ctrl+w":
		s.query.Key(k)
		c.find(c.History.Len())
	default:
		if k.Text == "" {
			c.search = nil
			return k.String() == "tab"
		}
		s.query.Key(k)
		if s.found < c.History.Len() {
			s.found++ // the line that is shown may hold the longer text too
		}
		c.find(s.found)
	}
	return true
}

// find shows the newest line before a number that holds the query.
func (c *Command) find(before int) {
	s := c.search
	if s.query.Text() == "" {
		s.found = c.History.Len()
		c.Set(s.was)
		return
	}
	at := c.History.Before(before, s.query.Text())
	if at < 0 {
		if s.found >= c.History.Len() || before != s.found {
			s.found = -1
		}
		return
	}
	s.found, c.at = at, at
	c.Set(c.History.At(at))
}

// cycle goes to the next offer, or asks for offers.
func (c *Command) cycle(d int) Asks {
	if len(c.offers) > 0 {
		c.choose((c.offer + d + len(c.offers)) % len(c.offers))
		return Nothing
	}
	c.head, c.first = c.Head(), d
	c.wanted = c.table.Complete(c.head)
	return Complete
}

// Wanted is what the offers are to be for.
func (c *Command) Wanted() console.Wanted { return c.wanted }

// SetOffers gives what the word may become; more tells that further offers may
// come, by another call. A line that was changed meanwhile takes none.
func (c *Command) SetOffers(offers []string, more bool) {
	if c.offer >= 0 && c.offer < len(c.offers) {
		c.extend(offers, more)
		return
	}
	if c.Head() != c.head {
		return
	}
	c.offers, c.waiting = offers, more
	switch {
	case len(offers) == 1 && !more:
		c.choose(0)
		c.drop()
	case len(offers) > 0:
		if common := commonPrefix(offers); !more && len(common) > len(c.wanted.Word) {
			c.ReplaceHead(c.head[:c.wanted.Start] + common)
			c.head, c.wanted.Word = c.Head(), common
			return
		}
		if c.first < 0 {
			c.choose(len(offers) - 1)
			return
		}
		c.choose(0)
	}
}

// extend takes in what has come after one was chosen, which stays so.
func (c *Command) extend(offers []string, more bool) {
	chosen := c.offers[c.offer]
	at := slices.Index(offers, chosen)
	if at < 0 || c.Head() != c.head[:c.wanted.Start]+chosen {
		return
	}
	c.offers, c.offer, c.waiting = offers, at, more
}

func (c *Command) choose(i int) {
	c.offer = i
	c.ReplaceHead(c.head[:c.wanted.Start] + c.offers[i])
}

// commonPrefix is what all offers begin with.
func commonPrefix(offers []string) string {
	prefix := offers[0]
	for _, o := range offers[1:] {
		n := 0
		for n < len(prefix) && n < len(o) && prefix[n] == o[n] {
			n++
		}
		prefix = prefix[:n]
	}
	return strings.ToValidUTF8(prefix, "")
}
