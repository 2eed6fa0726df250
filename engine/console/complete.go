package console

import (
	"strings"
)

// Wanted is what the text before the cursor asks to be completed.
type Wanted struct {
	Start   int      // where the word begins in the text, in bytes
	Word    string   // as far as it is typed
	Kind    Kind     // what it may become, …
	Words   []string // … or which words; both may be set
	Command *Command // that is being typed; nil for an expression, and while its name is typed
	Base    string   // of an expression: what comes before the last dot or bracket, "x.items[0]"
	Key     bool     // Word begins with the bracket of an index
}

// Complete says what the text before the cursor asks for.
func (t Table) Complete(head string) Wanted {
	return t.complete(head, 0)
}

// complete looks at a part of the line that begins at a byte.
func (t Table) complete(head string, from int) Wanted {
	text := head[from:]
	trimmed := strings.TrimLeft(text, " \t")
	from += len(text) - len(trimmed)
	m := firstWord.FindStringSubmatch(trimmed)
	command, known := Command{}, false
	if m != nil {
		command, known = t.Find(m[1])
	}
	if !strings.ContainsAny(trimmed, " \t") || !known || operator.MatchString(m[2]) {
		w := expression(head, from)
		if w.Base == "" && w.Start == from {
			w.Words = t.names()
		}
		return w
	}
	return t.argument(head, from+len(m[1]), command)
}

func (t Table) names() []string {
	var out []string
	for _, c := range t.rows {
		out = append(out, c.Name)
		for _, a := range c.Aliases {
			if len(a) > 2 { // the short ones are typed sooner than chosen
				out = append(out, a)
			}
		}
	}
	return out
}

// argument completes after the name of a command, which ends at a byte.
func (t Table) argument(head string, from int, command Command) Wanted {
	words, starts := split(head, from)
	last := len(words) - 1 // the one being typed, perhaps empty
	position := 0
	for i := 0; i < last; i++ {
		o, ok := command.option(words[i])
		switch {
		case ok && o.Takes == Line:
			return t.within(head, starts[i+1], &command)
		case ok && o.Value != "" && i+1 == last:
			return t.kind(head, starts[last], words[last], o.Takes, o.Words, &command)
		case ok && o.Takes == Expression: // the rest is one: x -x &v
			return t.kind(head, starts[last], words[last], Expression, nil, &command)
		case ok && o.Value != "":
			i++
		case !ok:
			position++
		}
		if position < len(command.Args) && command.Args[position] == Line && !ok {
			return t.within(head, starts[i+1], &command)
		}
	}
	if strings.HasPrefix(words[last], "-") {
		w := Wanted{Start: starts[last], Word: words[last], Command: &command}
		for _, o := range command.Options {
			w.Words = append(w.Words, o.Name)
		}
		return w
	}
	if len(command.Args) == 0 {
		return Wanted{Start: starts[last], Word: words[last], Command: &command}
	}
	kind := command.Args[min(position, len(command.Args)-1)]
	if kind == Line {
		return t.within(head, starts[last], &command)
	}
	return t.kind(head, starts[last], words[last], kind, nil, &command)
}

// within completes a line within a line; while its command has no name yet, the
// outer one is it.
func (t Table) within(head string, from int, outer *Command) Wanted {
	w := t.complete(head, from)
	if w.Command == nil {
		w.Command = outer
	}
	return w
}

func (t Table) kind(head string, start int, word string, kind Kind, words []string, command *Command) Wanted {
	if kind == Expression {
		w := expression(head, start)
		w.Command = command
		return w
	}
	return Wanted{Start: start, Word: word, Kind: kind, Words: words, Command: command}
}

func (c Command) option(word string) (Option, bool) {
	for _, o := range c.Options {
		if o.Name == word {
			return o, true
		}
	}
	return Option{}, false
}

// split returns the words after a byte and where they begin; the last one is
// empty where the text ends with a space.
func split(head string, from int) (words []string, starts []int) {
	in := false
	for i := from; i < len(head); i++ {
		space := head[i] == ' ' || head[i] == '\t'
		switch {
		case !space && !in:
			in = true
			starts = append(starts, i)
		case space && in:
			in = false
			words = append(words, head[starts[len(starts)-1]:i])
		}
	}
	if in {
		return append(words, head[starts[len(starts)-1]:]), starts
	}
	return append(words, ""), append(starts, len(head))
}

// expression finds the operand that is being typed: an identifier, perhaps with
// selectors and indexes before it.
func expression(head string, from int) Wanted {
	i := len(head)
	for i > from && identifier(head[i-1]) {
		i--
	}
	w := Wanted{Start: i, Word: head[i:], Kind: Expression}
	if i > from && (head[i-1] == '[' || head[i-1] == '"' && i-1 > from && head[i-2] == '[') {
		at := i - 1
		if head[at] == '"' {
			at--
		}
		if base := operandBefore(head, at, from); base < at {
			return Wanted{Start: at, Word: head[at:], Kind: Expression, Base: head[base:at], Key: true}
		}
	}
	if i > from && head[i-1] == '.' {
		if base := operandBefore(head, i-1, from); base < i-1 {
			w.Base = head[base : i-1]
		}
	}
	return w
}

// operandBefore returns where the operand that ends at a byte begins.
func operandBefore(head string, end, from int) int {
	i := end
	for i > from {
		switch c := head[i-1]; {
		case identifier(c) || c == '.':
			i--
		case c == ']' || c == ')':
			open := matching(head, i-1, from)
			if open < 0 {
				return i
			}
			i = open
		default:
			return i
		}
	}
	return i
}

// matching returns where the bracket that closes at a byte was opened; -1
// without one.
func matching(head string, at, from int) int {
	depth := 0
	for i := at; i >= from; i-- {
		switch head[i] {
		case ']', ')':
			depth++
		case '[', '(':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

func identifier(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
