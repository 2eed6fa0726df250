package prompt

import (
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/debugger"
)

// Commands are the words that the command line knows beside expressions.
var Commands = []string{"ask", "break", "breakpoints", "clear", "continue", "explain", "next", "note", "print", "restart", "set", "step", "stepout"}

// maxHistory bounds the lines that are remembered.
const maxHistory = 200

// Command is the command line: a line with history and completion.
type Command struct {
	Line
	history []string
	at      int    // index into history while going through it; len(history) otherwise
	draft   string // what was typed before going through the history
	offers  []string
	offer   int
	stem    string // text before the word that is being completed
}

// Open begins a new line.
func (c *Command) Open() {
	c.Set("")
	c.at, c.offers = len(c.history), nil
}

// Offers is what completion can choose from, and which one is chosen.
func (c *Command) Offers() ([]string, int) { return c.offers, c.offer }

// Enter takes the line and remembers it.
func (c *Command) Enter() string {
	line := strings.TrimSpace(c.Text())
	if line != "" && (len(c.history) == 0 || c.history[len(c.history)-1] != line) {
		c.history = append(c.history, line)
		c.history = c.history[max(len(c.history)-maxHistory, 0):]
	}
	c.Open()
	return line
}

// Key edits; names are what completion may offer.
func (c *Command) Key(k tea.KeyPressMsg, names func() []string) bool {
	switch k.String() {
	case "up", "ctrl+p":
		c.recall(-1)
	case "down", "ctrl+n":
		c.recall(1)
	case "tab":
		c.complete(1, names)
	case "shift+tab":
		c.complete(-1, names)
	default:
		if !c.Line.Key(k) {
			return false
		}
		c.offers = nil
		c.at = len(c.history)
	}
	return true
}

func (c *Command) recall(d int) {
	to := max(min(c.at+d, len(c.history)), 0)
	if to == c.at {
		return
	}
	if c.at == len(c.history) {
		c.draft = c.Text()
	}
	c.at, c.offers = to, nil
	if to == len(c.history) {
		c.Set(c.draft)
		return
	}
	c.Set(c.history[to])
}

// complete offers the names that continue the word before the cursor, and goes
// through them.
func (c *Command) complete(d int, names func() []string) {
	if c.offers == nil {
		head := c.Head()
		start := strings.LastIndexFunc(head, func(r rune) bool {
			return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) + 1
		word := head[start:]
		c.stem = head[:start]
		candidates := names()
		if strings.TrimSpace(c.stem) == "" {
			candidates = append(slices.Clone(Commands), candidates...)
		}
		for _, n := range candidates {
			if strings.HasPrefix(n, word) && n != word && !slices.Contains(c.offers, n) {
				c.offers = append(c.offers, n)
			}
		}
		c.offer = -1
		if d < 0 {
			c.offer = 0
		}
	}
	if len(c.offers) == 0 {
		return
	}
	c.offer = (c.offer + d + len(c.offers)) % len(c.offers)
	c.ReplaceHead(c.stem + c.offers[c.offer])
	if len(c.offers) == 1 {
		c.offers = nil
	}
}

// Names lists what can be named in a frame: variables and their loaded fields.
func Names(vars []debugger.Variable) []string {
	var out []string
	for _, v := range vars {
		if v.Shadowed || v.Name == "" {
			continue
		}
		out = append(out, v.Name)
		for _, f := range v.Deref().Children {
			if f.Name != "" && f.Name[0] != '[' && v.Deref().Len == 0 {
				out = append(out, v.Name+"."+f.Name)
			}
		}
	}
	return out
}
