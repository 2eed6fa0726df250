package redact

import (
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// Secrets that are known by their text stand in other spellings, too: values are shown as
// Go quotes them, programs write them as JSON, into URLs and into pages.

// Bounds of what is looked for in other spellings, in bytes.
const (
	maxSpelled     = 16 << 10  // of a text
	maxSpellings   = 64 << 10  // of all spellings that are short
	maxLongSpelled = 192 << 10 // of all others
)

// spelled adds the other spellings of texts, as far as all of these together are not too
// long to be looked for: those of the environment first, and of these the short ones, so that
// a key of many lines leaves room for the passwords after it.
func spelled(texts []known) []known {
	order := slices.Clone(texts)
	slices.SortStableFunc(order, func(a, b known) int {
		if mine := a.kind == kindEnvironment; mine != (b.kind == kindEnvironment) {
			return map[bool]int{true: -1, false: 1}[mine]
		}
		return len(a.text) - len(b.text)
	})
	list, short, long := slices.Clone(texts), maxSpellings, maxLongSpelled
	for _, t := range order {
		forms := spellings(t.text)
		if seen := printable.Seen(t.text); seen != t.text && len(seen) >= minHidden { // as it is read
			forms = append([]string{seen}, forms...)
		}
		for _, s := range forms {
			room := &short
			if len(s) > maxShort {
				room = &long
			}
			if len(s) > *room {
				continue
			}
			*room -= len(s)
			list = append(list, known{s, t.kind})
		}
	}
	return list
}

// spellings are how else a text is written. If it is escaped itself, what it stands for is
// among them.
func spellings(text string) []string {
	if len(text) > maxSpelled || strings.IndexFunc(text, needsEscape) < 0 {
		return nil
	}
	var list []string
	add := func(s string) {
		if len(s) >= minHidden && s != text && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	meant := []string{text}
	for _, s := range unescaped(text) {
		add(s)
		meant = append(meant, s)
	}
	for _, s := range meant {
		for _, form := range escaped(s) {
			add(form)
			// As in a value that is shown, or in a text of which one was made.
			once := quoted(form)
			add(once)
			add(quoted(once))
		}
	}
	return list
}

// needsEscape reports whether any spelling writes a character otherwise.
func needsEscape(r rune) bool {
	return r >= 0x7f || r < '0' && r != '-' && r != '.' || r > '9' && r < 'A' || r > 'Z' && r < 'a' && r != '_' || r > 'z' && r != '~'
}

// escaped are the spellings of a text that begin from itself.
func escaped(text string) []string {
	ascii := strconv.QuoteToASCII(text)
	forms := []string{text, quoted(text), ascii[1 : len(ascii)-1], url.QueryEscape(text), url.PathEscape(text),
		strings.TrimPrefix(url.UserPassword("", text).String(), ":"), html.EscapeString(text)}
	var plain strings.Builder
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	err := e.Encode(text)
	return append(forms, unquote([]byte(strings.TrimSpace(plain.String())), err), unquote(json.Marshal(text)))
}

// quoted is a text as Go quotes it, without the quotes.
func quoted(text string) string { return unquote([]byte(strconv.Quote(text)), nil) }

// unquote leaves out the quotes around a text.
func unquote(text []byte, err error) string {
	if err != nil || len(text) < 2 {
		return ""
	}
	return string(text[1 : len(text)-1])
}

// unescaped is what a text stands for, if it is escaped.
func unescaped(text string) (list []string) {
	if strings.Contains(text, `\`) {
		if s, err := strconv.Unquote(`"` + text + `"`); err == nil {
			list = append(list, s)
		}
	}
	if strings.Contains(text, "%") {
		if s, err := url.PathUnescape(text); err == nil {
			list = append(list, s)
		}
	}
	return list
}
