package syntax

import (
	"strings"

	"github.com/pausetui/pausetui/ui/text"
)

// indent is what stands before the elements of what is broken into lines.
const indent = "    "

// Lay breaks one line of Go source into lines of at most w cells, at brackets and commas.
// A line that has none stays as long as it is.
func Lay(source string, w int) []string { return lay(source, "", w) }

func lay(s, before string, w int) []string {
	open, end := longestGroup(s)
	if text.Width(before+s) <= w || open < 0 || text.Width(before) > w/2 {
		return []string{before + s}
	}
	head, tail := s[:open+1], s[end:]
	list := elements(s[open+1 : end])
	if len(list) == 1 { // "f([]T{" rather than a line for each bracket
		if in := lay(list[0], before, w); len(in) > 1 {
			in[0] = before + head + strings.TrimPrefix(in[0], before)
			in[len(in)-1] += tail
			return in
		}
	}
	lines := []string{before + head}
	for _, e := range list {
		lines = append(lines, lay(e, before+indent, w)...)
		lines[len(lines)-1] += ","
	}
	return append(lines, before+tail)
}

// longestGroup is where the longest pair of brackets that is in no other one opens and
// closes, with something in it; -1 where there is none. "[]" is part of a type.
func longestGroup(s string) (open, end int) {
	open, end = -1, -1
	start, depth := 0, 0
	each(s, func(i int, c byte) {
		switch c {
		case '(', '[', '{':
			if depth++; depth == 1 {
				start = i
			}
		case ')', ']', '}':
			if depth--; depth == 0 && s[start] != '[' && i-start > max(end-open, 1) {
				open, end = start, i
			}
		}
	})
	return open, end
}

// elements splits a list at its commas.
func elements(s string) []string {
	var list []string
	from, depth := 0, 0
	each(s, func(i int, c byte) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	})
	return append(list, strings.TrimSpace(s[from:]))
}

// each calls f with the bytes of source that are in no text or character.
func each(s string, f func(i int, c byte)) {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\' && quote != '`':
			i++
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '`' || c == '\'':
			quote = c
		default:
			f(i, c)
		}
	}
}
