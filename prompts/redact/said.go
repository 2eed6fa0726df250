package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Secrets after their names with no sign of an assignment between them: in messages, in
// lists and arguments, in XML and .netrc.

var (
	// saidQuoted and saidPlain lead from a name to what a message quotes or tells.
	saidQuoted = lazyregexp.New("^\\s{1,2}(?:(?:is|was)\\s)?\\\\?[\"'`]([^\\s\"'`\\\\]{6,200})\\\\?[\"'`]")
	saidPlain  = lazyregexp.New("^ (?:(?:is|was) )?([^\\s\"'`()\\[\\]{}<>|,;\\\\]{6,200})")
	// pairEnd leads from the quote after a name to the value next to it in a list.
	pairEnd = lazyregexp.New("^\\\\?[\"'`],\\s{0,4}\\\\?[\"'`]([^\"'`\\\\\\n]{6,200})\\\\?[\"'`](.?)")
	// printedPair is what package fmt makes of a pair: [password swordfish9].
	printedPair = lazyregexp.New("^ ([^\\s\\[\\]]{6,200})\\]")
	// printedField leads to the name of a field as %+v prints it, a blank after the one
	// before: {User:bob Password:swordfish}. Go source has a blank after the colon.
	printedField = lazyregexp.New(`(?:\{|map\[)(?:[^{}\[\]\n]* )?\w*$`)
	// toldPlain is what a message tells after a colon: login failed, password: swordfish9.
	toldPlain = lazyregexp.New("^([^\\s\"'`()\\[\\]{}<>|,;\\\\]{6,200})(?:[\\s\"'`|\\\\]|[,;]\\s|$)")
	element   = lazyregexp.New(`^(?:\s[^<>]{0,80})?>\s{0,4}([^<>\n]{3,200}?)\s{0,4}</`)
	netrc     = lazyregexp.New(`(?:^|\s)(?:machine\s+\S{1,80}|login\s+\S{1,80})\s{1,4}$`)
	netrcWord = lazyregexp.New(`^[ \t\n]{1,4}(\S{3,200})`)
	// technical are words with digits that are about passwords: names of types, algorithms,
	// encodings and versions.
	technical = lazyregexp.New(`(?i)^(?:u?int|float|complex)\d+\b|^(?:sha|md|utf|base|argon|scrypt|bcrypt|pbkdf|aes|hmac|rfc|http|oauth|ipv|v)-?\d|^[\w.-]+\.(?:go|txt|json|ya?ml)\b|^\d[\d.]*\w?$|://|^[\w.-]+@[\w-]+\.\w|^[/~.-]`)
)

// said finds the secret after a name that ends in a secret word. from and to are those of
// the word; what follows the name begins with to.
func (s *scan) said(from, to int) {
	before, rest := s.text[max(from-140, 0):from], s.text[to:min(to+maxLine, len(s.text))]
	name := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
	opening := byte(0)
	if name != "" {
		opening = name[len(name)-1]
	}
	take := func(of *lazyregexp.Regexp, good func(value string) bool) bool {
		m := of.FindStringSubmatchIndex(rest)
		if m == nil || placeholder(rest[m[2]:m[3]]) || !good(rest[m[2]:m[3]]) {
			return false
		}
		s.add(to+m[2], to+m[3], kindNamed)
		return true
	}
	any := func(string) bool { return true }
	switch word := lower(s.text[from:to]); {
	case opening == '<' || opening == ':' && strings.Contains(name[max(len(name)-20, 0):], "<"):
		take(element, any)
	case opening != 0 && strings.IndexByte("\"'`", opening) >= 0:
		take(pairEnd, func(value string) bool { return isCode(value) || closesPair(name, rest, value) })
	case opening == '[' && take(printedPair, isCode):
	case word == "password" && netrc.MatchString(before) && take(netrcWord, func(value string) bool { return value != "string" }):
	case word == "password" || word == "passwd" || word == "passphrase" || word == "pwd":
		_ = take(saidQuoted, any) || take(saidPlain, isCode)
	default:
		_ = take(saidQuoted, looksLikeKey) || take(saidPlain, looksLikeKey)
	}
}

// told finds the secret in a message, after its name and a colon. In Go source the field of
// a struct or an argument may stand there, which is a name.
func (s *scan) told(from, to, at int) {
	m := toldPlain.FindStringSubmatch(s.text[at:min(at+maxLine, len(s.text))])
	if m == nil || placeholder(m[1]) {
		return
	}
	good := looksLikeKey
	if slices.Contains(thoughtOf, lower(s.text[from:to])) {
		good = isCode
	}
	if good(m[1]) && (!goName.MatchString(m[1]) || !strings.ContainsAny(s.text[max(from-140, 0):from], "{(")) {
		s.add(at, at+len(m[1]), kindNamed)
	}
}

// closesPair reports whether a value is the second of two in brackets: what stands before the
// quote at the end of name opens them, and what follows the value closes them.
func closesPair(name, rest, value string) bool {
	end := pairEnd.FindStringSubmatch(rest)[2]
	opens := len(name) > 1 && strings.IndexByte("{[(", name[len(name)-2]) >= 0
	return opens && end != "" && strings.IndexByte("}])", end[0]) >= 0 && !strings.Contains(value, " ") && !secretName(value)
}

// IsCode reports whether a word may be a password rather than one about it, or the name of
// somebody.
func IsCode(word string) bool { return isCode(word) }

// isCode reports whether a word of a message may be a password rather than a word about
// one: it has letters with digits or signs among them.
func isCode(word string) bool {
	word = strings.TrimRight(word, ".:!?…")
	letters := strings.ContainsAny(lower(word), "abcdefghijklmnopqrstuvwxyz")
	return len(word) >= minValue && letters && strings.ContainsAny(word, "0123456789!@#$%^&*+~?") && !strings.ContainsAny(word, " %(=") && strings.IndexByte("*&", word[0]) < 0 &&
		!technical.MatchString(word) && !secretName(word)
}
