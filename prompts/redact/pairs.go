package redact

import (
	"slices"
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
	// nameElement ends with an element that holds a name, up to the name.
	nameElement = lazyregexp.New(`<([\w:.-]{1,40})>` + anyBlanks + `[\w.-]{0,40}$`)
	// nextElement leads from the end of what an element holds to the name of the next one.
	nextElement  = lazyregexp.New(`^` + anyBlanks + `</[\w:.-]{1,40}>(?:` + anyBlanks + `<!--[^<>]{0,200}-->)?` + anyBlanks + `<([\w:.-]{1,40})`)
	otherContent = lazyregexp.New(`^[^<>]{0,80}>[^<>]{0,200}`)
	// ofName and ofValue are how elements for names and for values are called.
	ofName  = lazyregexp.New(`(?i)(?:name|key)$`)
	ofValue = lazyregexp.New(`(?i)(?:value|val|string|data|integer|real|text)$`)
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
	if to < len(s.text) && strings.IndexByte("<\\ \t\r\n", s.text[to]) >= 0 && s.elements(from, to) {
		return true
	}
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
	case s.fieldLines(name{from: from, end: to}, between, at):
	case s.literal(at+s.conversions(at), secretOf(s.text[from:to])) > 0:
	case s.inFlow(from, to, between):
		s.bare(at)
	case s.literal(at+len(calls.FindString(s.text[at:min(at+maxSaid, len(s.text))])), isCode) > 0:
	case s.text[to] == ' ', lineBreak.MatchString(between) && !strings.Contains(between, ","): // as %v prints a struct, or in YAML
		s.bare(at)
	default:
		code, _ := s.inCode(from)
		return !code && s.take(fieldValue, at, isCode)
	}
	return true
}

// fieldLines takes the value of a field that is in several lines, in YAML.
func (s *scan) fieldLines(n name, between string, at int) bool {
	sign := at - len(between) + strings.LastIndexByte(between, ':')
	key := at - len(between) + strings.LastIndex(lower(between), "value")
	if sign < key || key < at-len(between) {
		return false
	}
	parent, ok := depthOf(s.text, key)
	return ok && (s.below(n, key, sign+1) || s.quotedLines(parent, at) > 0)
}

// inFlow reports whether a name and the field for its value are those of a map in one line, without
// quotes: {name: DB_PASSWORD, value: x}.
func (s *scan) inFlow(from, to int, between string) bool {
	code, _ := s.inCode(from)
	return !code && s.text[to] == ',' && strings.HasSuffix(strings.TrimRight(between, " "), ":") && flowName.MatchString(s.text[max(from-60, 0):from])
}

var (
	flowName = lazyregexp.New(`(?i)[{,]\s{0,4}(?:name|key):\s{1,4}[\w.-]{0,40}$`)
	// calls lead to the first argument.
	calls = lazyregexp.New(`^(?:[\w.*&\[\]]{1,60}\(\s{0,4}){1,3}`)
	// conversion is a call around a value.
	conversion = lazyregexp.New(`^(?:\[\](?:byte|uint8|rune)|(?:\w{1,30}\.){0,3}(\w{1,30}))\(\s{0,4}`)
)

// conversions is the length of the calls at a place that only give a value another type: ptr(,
// []byte(, slog.StringValue(. Go source is read by its syntax.
func (s *scan) conversions(at int) (n int) {
	code, _ := s.inCode(at)
	for range 3 {
		m := conversion.FindStringSubmatchIndex(s.text[at+n : min(at+n+140, len(s.text))])
		if m == nil || m[2] >= 0 && (code || !converts(s.text[at+n+m[2]:at+n+m[3]])) {
			break
		}
		n += m[1]
	}
	return n
}

// converting are words of the names of functions that give a value another type.
var converting = []string{"any", "byte", "bytes", "null", "of", "optional", "pointer", "ptr", "raw", "some", "str", "string", "text", "to", "val", "value"}

func converts(function string) bool {
	for _, w := range splitName(function) {
		if !slices.Contains(converting, lower(w)) {
			return false
		}
	}
	return function != ""
}

// elements finds the value in the element after one that holds the name:
// <name>password</name><value>…</value>, <key>password</key><string>…</string>.
func (s *scan) elements(from, to int) bool {
	open := nameElement.FindStringSubmatch(s.text[max(from-130, 0):from])
	if open == nil {
		return false
	}
	for range 3 {
		next := nextElement.FindStringSubmatchIndex(s.text[to:min(to+maxSaid, len(s.text))])
		if next == nil {
			return false
		}
		tag := s.text[to+next[2] : to+next[3]]
		to += next[1]
		any := ofName.MatchString(open[1]) && ofValue.MatchString(tag)
		if ofName.MatchString(tag) || s.take(element, to, func(value string) bool { return any || isCode(value) }) {
			return true
		}
		to += len(otherContent.FindString(s.text[to:min(to+maxSaid, len(s.text))]))
	}
	return false
}
