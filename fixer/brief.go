package fixer

import "strings"

// withArticle puts a or an before the name of a kind or a type.
func withArticle(name string) string {
	if name != "" && strings.ContainsRune("aeioAEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
