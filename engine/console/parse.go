package console

import (
	"go/parser"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// firstWord is how a command begins: a word that ends with the line or a space.
var firstWord = lazyregexp.New(`^([A-Za-z][A-Za-z0-9_-]*)(?:\s+(.*))?$`)

// operator is what follows the operand of an expression, but not
// a command: "n + 1", "x == nil", "list = nil", but not "p *x" or "stack -full".
var operator = lazyregexp.New(`^(?:[-+*/%&|^<>!=:]=|&&|\|\||<<|>>|&\^|[-+*/%&|^<>]\s|=)`)

// Split takes a line apart into a command of the table and its arguments; ok is
// false for what is an expression.
func (t Table) Split(line string) (c Command, args string, ok bool) {
	m := firstWord.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return Command{}, "", false
	}
	c, ok = t.Find(m[1])
	if !ok || c.Needs && m[2] == "" && !strings.Contains(m[1], "-") {
		return Command{}, "", false
	}
	if operator.MatchString(m[2]) && isGo(line) {
		return Command{}, "", false
	}
	return c, strings.TrimSpace(m[2]), true
}

// Carried is the line that another one carries out: "next" of "goroutine 1 frame 2
// next". A line that carries out none is returned as it is.
func (t Table) Carried(line string) string {
	for {
		c, args, ok := t.Split(line)
		if !ok {
			return line
		}
		inner, ok := c.carries(args)
		if !ok {
			return line
		}
		line = inner
	}
}

// carries is the line among a command's arguments that it carries out now; a
// breakpoint's waits for a hit, and backwards nothing is lost.
func (c Command) carries(args string) (line string, ok bool) {
	switch {
	case c.Name == "goroutines":
		_, line, ok = strings.Cut(args, "-exec ")
		return strings.TrimSpace(line), ok
	case c.Name == "on", len(c.Args) != 2 || c.Args[1] != Line:
		return "", false
	}
	word, line := cut(args)
	if _, err := strconv.Atoi(word); err != nil && (c.Name == "up" || c.Name == "down") { // "up next"
		return args, args != ""
	}
	return line, line != ""
}

// isGo reports whether a line is a Go expression or an assignment.
func isGo(line string) bool {
	if _, err := parser.ParseExpr(line); err == nil {
		return true
	}
	_, _, ok := Assignment(line)
	return ok
}

// Assignment splits "a.b = c"; false for anything that is an expression.
func Assignment(text string) (name, value string, ok bool) {
	if _, err := parser.ParseExpr(text); err == nil {
		return "", "", false
	}
	for i := 1; i+1 < len(text); i++ {
		if text[i] != '=' {
			continue
		}
		name, value = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
		_, errName := parser.ParseExpr(name)
		_, errValue := parser.ParseExpr(value)
		if errName == nil && errValue == nil {
			return name, value, true
		}
	}
	return "", "", false
}

// cut takes the first word off.
func cut(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

// fields splits at white space, but not within quotes, single or double, which it takes
// off.
func fields(text string) []string {
	var out []string
	var word strings.Builder
	var quote byte // that a word is in; 0 outside
	any := false
	flush := func() {
		if any {
			out = append(out, word.String())
		}
		word.Reset()
		any = false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote == '"' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
		case quote == 0 && (c == '"' || c == '\''):
			quote, any = c, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == ' ' || c == '\t'):
			flush()
		default:
			word.WriteByte(c)
			any = true
		}
	}
	flush()
	return out
}
