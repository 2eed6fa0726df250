package text

import (
	"strings"
	"unicode"
)

// Names sets the code in a line of prose apart from its words: expressions, calls,
// composed names, and the plain names that known reports.
func Names(line string, known func(string) bool, mark func(string) string) string {
	words := strings.Split(line, " ")
	for i, word := range words {
		body := strings.TrimRight(word, ",;:.")
		if body != "" && (code(body) || known != nil && known(body)) {
			words[i] = mark(body) + word[len(body):]
		}
	}
	return strings.Join(words, " ")
}

// code reports whether a word looks like Go: nothing in prose has these signs inside.
func code(word string) bool {
	if strings.HasPrefix(word, "(") && strings.HasSuffix(word, ")") && strings.Contains(word, ".go:") { // a place
		return false
	}
	lower := false
	for i, r := range word {
		switch {
		case strings.ContainsRune("[]{}&*", r), r == '_' && len(word) > 1:
			return true
		case r == '.' && i > 0 && i+1 < len(word) && !unicode.IsDigit(rune(word[i+1])), r == '(' && i > 0:
			return !strings.Contains(word, ".go")
		case unicode.IsUpper(r) && lower: // camelCase
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
