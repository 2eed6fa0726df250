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
	saidQuoted = lazyregexp.New("^\\s{1,2}(?:(?:is|was)\\s)?\\\\?[\"'`]([^\"'`\\\\\n]{4,200})\\\\?[\"'`]")
	// Of a table, the sign between its columns is.
	saidPlain = lazyregexp.New("^(?:" + blank + "{1,40}(?:(?:is|was|is set to|set to):? )?|[\"'`*_]{0,3}" + blank + "{0,40}[|│]" + blank + "{0,40}[\"'`*_]{0,3}|[,;])([^\\s\"'`()\\[\\]{}<>|,;*\\\\]{4,200})")
	// saidCell is a cell of a row in quotes: those within it are doubled.
	saidCell = lazyregexp.New(`^[,;]\\{0,3}["'](.{4,200}?)\\{0,3}["'](?:[,;\s\\]|$)`)
	// pairEnd leads from the quote after a name to the value next to it in a list.
	pairEnd = lazyregexp.New("^\\\\?[\"'`],\\s{0,4}\\\\?[\"'`]([^\"'`\\\\\\n]{4,200})\\\\?[\"'`](.?)")
	// printedPair is what package fmt makes of a pair: [password swordfish9].
	printedPair = lazyregexp.New("^ ([^\\s\\[\\]]{4,200})\\]")
	// messageValue is a value without quotes after a colon in a message: login failed, password: swordfish9.
	messageValue = lazyregexp.New("^([^\\s\"'`()\\[\\]{}<>|,;\\\\]+)(?:[\\s\"'`|,;&\\\\]|$)")
	// fieldValue is such a value in a field, which a bracket may end.
	fieldValue  = lazyregexp.New("^([^\\s\"'`()\\[\\]{}<>|,;\\\\]+)(?:[\\s\"'`|,;&\\\\)}\\]]|$)")
	element     = lazyregexp.New(`^(?:(?:\s|\\n)[^<>]{0,80})?>` + anyBlanks + `(?:<[\w:.-]{0,30}(?i:value|string|text)(?:\s[^<>]{0,80})?>` + anyBlanks + `)?(?:<!\[CDATA\[)?([^<>\n]{3,200}?)(?:\]\]>)?` + anyBlanks + `</`)
	openElement = lazyregexp.New(`^[^<>\n]{0,80}>\s{0,20}([^\s<>]{4,200})`)
	// called leads to what a function of that name gets.
	called    = lazyregexp.New("^\\(" + anyBlanks + "[rRbBuU]{0,2}\\\\?[\"'`]([^\"'`\\\\\\n]{4,200})\\\\?[\"'`]")
	table     = lazyregexp.New("^[\"'`*_]{0,3}" + blank + "{0,40}[|│]")
	netrc     = lazyregexp.New(`(?:^|\s)(?:machine|login|account)\s+\S{1,80}\s{1,4}$`)
	netrcWord = lazyregexp.New(`^[ \t\n]{1,4}(?:"((?:[^"\\\n]|\\.){3,200})"|(\S{3,200}))`)
	// technical are words with digits that are about passwords: names of types, algorithms,
	// encodings and versions.
	technical = lazyregexp.New(`(?i)^(?:u?int|float|complex)\d+\b|^(?:sha|md|utf|base|argon|scrypt|bcrypt|pbkdf|aes|hmac|rfc|http|proto|oauth|ipv|v)-?\d|^[\w.-]+\.(?:go|txt|json|ya?ml)\b|^\d[\d.]*\w?$|^\d+/|://|^[\w.-]+@[\w-]+\.\w|^[/~.-]`)
)

// saidOf are the words of secrets that messages tell.
var saidOf = []string{"password", "passwd", "passphrase", "passcode", "pwd"}

// said finds the secret after a name that ends in a secret word. from and to are those of
// the word; what follows the name begins with to.
func (s *scan) said(from, to int) {
	before, rest := s.text[max(from-140, 0):from], s.text[to:min(to+maxLine, len(s.text))]
	name := strings.TrimRight(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
	opening := byte(0)
	if name != "" {
		opening = name[len(name)-1]
	}
	take := func(of *lazyregexp.Regexp, good func(value string) bool) bool { return s.take(of, to, good) }
	any := func(string) bool { return true }
	word := lower(s.text[from:to])
	if s.cell(word, rest, opening, to) {
		return
	}
	switch {
	case opening == '<' || opening == ':' && strings.Contains(name[max(len(name)-20, 0):], "<"):
		if !take(element, any) {
			take(openElement, isCode)
		}
	case strings.IndexByte("\"'`", opening) >= 0 && strings.IndexByte("\"'`", strings.TrimPrefix(rest+" ", `\`)[0]) >= 0:
		take(pairEnd, func(value string) bool { return isCode(value) || closesPair(name, rest, value) })
	case strings.HasPrefix(rest, "("):
		take(called, func(value string) bool {
			return looksLikeKey(value) || slices.Contains(thoughtOf, word) && (sets(before[len(name):]) && isSecret(word, value) || isCode(value))
		})
	case opening == '[' && take(printedPair, isCode):
	case word == "password" && netrc.MatchString(before) && take(netrcWord, func(value string) bool { return value != "string" }):
	case slices.Contains(saidOf, word):
		_ = take(saidQuoted, secretOf(word)) || take(saidPlain, isCode)
	default:
		_ = take(saidQuoted, looksLikeKey) || take(saidPlain, looksLikeKey)
	}
}

// cell takes the secret in the cell of a row after that of its name. It reports whether there is
// nothing else to look for.
func (s *scan) cell(word, rest string, opening byte, to int) bool {
	if rest != "" && strings.IndexByte(",;", rest[0]) >= 0 && strings.IndexByte("\x00\n,;\"'`\\", opening) < 0 {
		return true // no cell
	}
	return slices.Contains(saidOf, word) && (s.take(saidCell, to, func(string) bool { return true }) || table.MatchString(rest) && s.take(saidPlain, to, isCode))
}

// maxSaid bounds what is looked at after a name, in bytes.
const maxSaid = 400

// take takes what is in the group of an expression that begins at a place.
func (s *scan) take(of *lazyregexp.Regexp, at int, good func(value string) bool) bool {
	m := of.FindStringSubmatchIndex(s.text[at:min(at+maxSaid, len(s.text))])
	if m == nil {
		return false
	}
	from, to := group(m)
	if value := s.text[at+from : at+to]; noValue(value) || !good(value) {
		return false
	}
	s.add(at+from, at+to, kindNamed)
	return true
}

// inMessage finds the secret in a message, after its name and a sign. In Go source a name may stand
// there, also in the field of a struct or an argument, and what reads as Go may be none.
func (s *scan) inMessage(n name, op string, at int) {
	good := looksLikeKey
	if slices.Contains(thoughtOf, lower(s.text[n.from:n.end])) {
		good = isCode
	}
	s.take(messageValue, at, func(value string) bool {
		switch {
		case len(value) < minValue || !good(value):
			return false
		case !goName.MatchString(value):
			return true
		}
		code, sure := s.inCode(n.from)
		switch {
		case !code:
			return true
		case op == ":":
			return !strings.ContainsAny(s.text[max(n.from-140, 0):n.from], "{(")
		case !sure:
			return countDigits(value) > 1
		}
		return !strings.HasSuffix(op, "=") || len(value)-len(strings.Trim(value, digitBytes)) >= leastDigits
	})
}

func countDigits(text string) (n int) {
	for i := range len(text) {
		if isDigit(text[i]) {
			n++
		}
	}
	return n
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
