package dap

import (
	"fmt"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// logged are the expressions in the braces of a log message.
func logged(message string) []string {
	var list []string
	for part := range strings.SplitSeq(message, "{") {
		if expr, _, ok := strings.Cut(part, "}"); ok {
			list = append(list, strings.TrimSpace(expr))
		}
	}
	return list
}

// keepMessage keeps the words around the expressions: a breakpoint has those alone.
func (s *server) keepMessage(id int, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if message == "" {
		delete(s.messages, id)
		return
	}
	s.messages[id] = message
}

func (s *server) messageOf(id int) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.messages[id]
}

// maxLogged bounds a value in a log message, in bytes.
const maxLogged = 200

// hitWords are a log message with its values, or, for a tracepoint of another's,
// where it is and what it printed.
func hitWords(message string, b session.TracepointHit) string {
	if message == "" {
		words := fmt.Sprintf("tracepoint %d: %s", b.Hit.Breakpoint, session.ShortFunction(b.Hit.Function))
		for _, v := range b.Hit.Values {
			words += fmt.Sprintf(", %s = %s", v.Name, session.Short(v, maxLogged))
		}
		return words + missed(b.Missed)
	}
	values := b.Hit.Values
	if extra := len(values) - len(logged(message)); extra > 0 {
		values = values[extra:] // arguments and locals come first
	}
	var words strings.Builder
	for i, part := range strings.Split(message, "{") {
		expr, rest, ok := strings.Cut(part, "}")
		switch {
		case i == 0 || !ok:
			words.WriteString(strings.Repeat("{", min(i, 1)) + part)
			continue
		case len(values) == 0:
			words.WriteString("{" + expr + "}")
		default:
			words.WriteString(plain(values[0]))
			values = values[1:]
		}
		words.WriteString(rest)
	}
	return words.String() + missed(b.Missed)
}

// plain is a value in a message: a text without its quotes.
func plain(v debugger.Variable) string {
	text := session.Short(v, maxLogged)
	if v.Type == "string" && len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return text[1 : len(text)-1]
	}
	return text
}

func missed(n uint64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d hits before it)", n)
}
