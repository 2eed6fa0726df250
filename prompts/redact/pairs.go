package redact

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Secrets whose names stand apart from them: an option and its argument, a field
// that holds the name next to one that holds the value.

var (
	// optionStart ends with the dashes of an option, and the words of its name
	// before the secret one: "--db-".
	optionStart = lazyregexp.New("(?:^|[\\s\"'`\\[(,=])--?(?:[A-Za-z0-9]{1,20}[-_]){0,4}$")
	// optionArgument is an argument as a shell takes it, or as Go prints it in a list.
	optionArgument = lazyregexp.New("^[ \\t]{1,4}([^\\s\"'`()\\[\\]{}<>|,;&\\\\]+)")
	// quotedArgument leads to an argument in quotes.
	quotedArgument = lazyregexp.New(`^,?\s{0,4}`)

	// nameField ends with a field that holds a name: Name:"DB_ or "key": ".
	nameField = lazyregexp.New("(?i)\\b(?:name|key)\\\\?[\"']?\\s{0,2}[:=]\\s{0,2}\\\\?[\"'`]?[\\w.-]{0,40}$")
	// valueField leads from the end of such a name to its value: to a field, or to what an
	// element of XML holds.
	valueField = lazyregexp.New("^(?:\\\\?[\"'`]?[,;]?" + anyBlanks + "(?:[^{}]{0,120}?[,;\\s])?\\\\?[\"']?(?:[Vv]alue|VALUE)\\\\?[\"']?\\s{0,2}[:=]\\s{0,2}|\\\\?[\"'](?:\\s[^<>]{0,80})?>)")
)

// anotherName is a field for the name of something else.
var anotherName = lazyregexp.New(`(?i)\b(?:name|key)\\?["']?\s{0,2}[:=]`)

// anyBlanks are blanks and ends of lines, also as literals have them.
const anyBlanks = `(?:\s|\\[nrt]){0,80}`

// argument finds the argument of an option that is called as a secret.
func (s *scan) argument(from, to int, closing byte) (found bool) {
	if from == 0 || strings.IndexByte("-_", s.text[from-1]) < 0 || !optionStart.MatchString(s.text[max(from-90, 0):from]) {
		return false
	}
	rest := s.text[to:min(to+maxValue, len(s.text))]
	if closing != 0 {
		lead := len(quotedArgument.FindString(rest))
		if lead == 0 || lead == len(rest) || strings.IndexByte("\"'`", rest[lead]) < 0 {
			return false
		}
		s.literal(to+lead, secretOf(s.text[from:to]))
		return true
	}
	if lead := len(rest) - len(strings.TrimLeft(rest, " ")); lead > 0 && lead < len(rest) && rest[lead] == '\'' {
		s.literal(to+lead, secretOf(s.text[from:to]))
		return true
	}
	m := optionArgument.FindStringSubmatchIndex(rest)
	if m == nil {
		return false
	}
	// Words follow the names of options in what is written about them.
	value := rest[m[2]:m[3]]
	if len(value) < minValue || value[0] == '-' || placeholder(value) || isPlain(value) {
		return false
	}
	s.add(to+m[2], to+m[3], kindRequest)
	return true
}

// isPlain reports whether a text is a word, with the sign that may end it, or the
// name of an argument: FILE.
func isPlain(value string) bool {
	word := strings.TrimRight(value, ".:!?…")
	return word == lower(word) && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == "" || strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == "" ||
		strings.Trim(word[1:], "abcdefghijklmnopqrstuvwxyz") == ""
}

// field finds the value in the field after one that holds the name.
func (s *scan) field(from, to int) (found bool) {
	if !nameField.MatchString(s.text[max(from-60, 0):from]) {
		return false
	}
	lead := len(valueField.FindString(s.text[to:min(to+200, len(s.text))]))
	at := to + lead
	if lead == 0 || at >= len(s.text) {
		return false
	}
	between := s.text[to:at]
	switch {
	case anotherName.MatchString(between):
		return false
	case strings.HasSuffix(between, ">"):
		return s.take(element, at-1, func(string) bool { return true })
	case s.literal(at, secretOf(s.text[from:to])) > 0:
	case s.text[to] == ' ', lineBreak.MatchString(between) && !strings.Contains(between, ","): // as %v prints a struct, or in YAML
		s.bare(at)
	default:
		code, _ := s.inCode(from)
		return !code && s.take(messageValue, at, isCode)
	}
	return true
}
