package fixer

import "strings"

// withArticle puts a or an before the name of a kind or a type.
func withArticle(name string) string {
	if name != "" && strings.ContainsRune("aeioAEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

const (
	// maxCode bounds an expression in a title or a sentence, in characters.
	maxCode = 60
	// maxInside bounds what stays between the brackets of code that is shortened.
	maxInside = 24
)

// brief writes an expression in short: what its literals and, where that is not
// enough, its calls hold is left out before anything is cut off.
func brief(code string) string {
	code = folded(strings.Join(strings.Fields(code), " "))
	if len([]rune(code)) > maxCode {
		code = fold(code, '(', ')')
	}
	return short(code)
}

// folded leaves out what long literals and function bodies in a text hold:
// T{a: 1, …} becomes T{…}.
func folded(text string) string { return fold(text, '{', '}') }

// fold puts … in place of what is between brackets, where that is long. Quoted
// text stays as it is, and so does a text whose brackets do not match.
func fold(text string, open, end rune) string {
	var out strings.Builder
	var quote, before rune
	depth, from := 0, 0
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote && (before != '\\' || quote == '`') {
				quote = 0
			}
			if before == '\\' {
				r = 0 // of an escaped backslash: it escapes nothing
			}
		case r == '"' || r == '`':
			quote = r
		case r == open:
			if depth++; depth == 1 {
				out.WriteString(text[from : i+1])
				from = i + 1
			}
		case r == end && depth > 0:
			if depth--; depth == 0 {
				if i-from > maxInside {
					out.WriteString("…")
					from = i
				}
				out.WriteString(text[from:i])
				from = i
			}
		}
		before = r
	}
	if depth > 0 || quote != 0 {
		return text
	}
	return out.String() + text[from:]
}
