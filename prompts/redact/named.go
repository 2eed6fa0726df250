package redact

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

const (
	maxName  = 64      // bytes of a name after the word that makes it a secret's
	maxValue = 4 << 10 // bytes of a value that is given to a name
	minValue = 6
)

// named finds what is given to a name that holds one of the secret words:
// token := "…", "password": "…", DB_PASSWORD=…, X-Api-Key: ….
func (s *scan) named(from, end int) {
	to := end
	for to < len(s.text) && to-end < maxName && wordByte[s.text[to]] {
		to++
	}
	to = s.dashes(end, to)
	last := neutral(s.text[end:to]) // the value is the secret itself
	at := to
	if last && s.field(from, to) {
		return
	}
	closing := s.skipOne(&at, "\"'`")
	if last && s.argument(from, at, closing) {
		return
	}
	at = s.skip(at, " \t")
	for _, typ := range []string{"string ", "[]byte ", "[]uint8 "} { // password string = "…"
		if closing == 0 && strings.HasPrefix(s.text[at:], typ) {
			at = s.skip(at+len(typ), " \t")
		}
	}
	op := s.operator(&at)
	if op == "" && closing != 0 && at < len(s.text) && s.text[at] == ',' && setter.MatchString(s.text[max(from-40, 0):from]) { // Set("X-Api-Key", "…")
		op, at = ",", at+1
	}
	if op == "" {
		if last {
			s.said(from, to)
		}
		return
	}
	spaced := at < len(s.text) && (s.text[at] == ' ' || s.text[at] == '\t')
	at = s.skip(at, " \t")
	if at >= len(s.text) {
		return
	}
	converted := len(bytesOf.FindString(s.text[at:min(at+16, len(s.text))]))
	at += converted
	if m := numbers.FindStringSubmatchIndex(s.text[at:min(at+maxValue, len(s.text))]); m != nil && last {
		s.add(at+m[2], at+m[3], kindNamed)
		return
	}
	if at >= len(s.text) || strings.HasSuffix(s.text[from:to], "PWD") && directory.MatchString(s.text[at:min(at+8, len(s.text))]) {
		return // the shell's working directory
	}
	switch q := s.text[at]; {
	case q == '"' || q == '`' || q == '\'':
		s.quoted(at+1, q, last, s.text[from:end])
	case q == '\\' && at+1 < len(s.text) && s.text[at+1] == '"': // a text within a text: {\"token\": \"…\"}
		s.quoted(at+2, '\\', last, s.text[from:end])
	case op == "=" && spaced && last && converted == 0:
		s.assigned(from, at)
	case op == "=" && !spaced && last, op == ":" && strings.Contains(s.text[from:to], "-"), op == ":" && last && s.ownLine(from, at),
		op == ":" && last && !spaced && closing == 0 && printedField.MatchString(s.text[max(from-maxLine, 0):from]):
		s.bare(at)
	case op == ":" && last && spaced && closing == 0:
		s.told(from, to, at)
	}
}

// dashes is the end of a name that goes on after a dash without becoming another one:
// db-password-old. The word of the secret ends at end, what has no dashes at to.
func (s *scan) dashes(end, to int) int {
	more := to
	for more < len(s.text) && more-end < maxName && (wordByte[s.text[more]] || s.text[more] == '-') {
		more++
	}
	if rest := s.text[end:more]; more > to && !strings.HasSuffix(rest, "-") && neutral(rest) {
		return more
	}
	return to
}

func (s *scan) skip(at int, what string) int {
	for n := 0; at < len(s.text) && n < 40 && strings.IndexByte(what, s.text[at]) >= 0; n++ {
		at++
	}
	return at
}

func (s *scan) skipOne(at *int, what string) byte {
	i := *at
	if i < len(s.text) && s.text[i] == '\\' {
		i++
	}
	if i < len(s.text) && strings.IndexByte(what, s.text[i]) >= 0 {
		*at = i + 1
		return s.text[i]
	}
	return 0
}

// operator reads :=, =>, = or : but neither == nor ::.
func (s *scan) operator(at *int) string {
	rest := s.text[*at:min(*at+2, len(s.text))]
	for _, op := range []string{":=", "=>", "==", "::"} {
		if rest == op {
			if op == "==" || op == "::" {
				return ""
			}
			*at += 2
			return op
		}
	}
	if rest != "" && (rest[0] == '=' || rest[0] == ':') {
		*at++
		return rest[:1]
	}
	return ""
}

// quoted takes a literal up to its quote. Where the name does not end in the
// secret word (tokenType, passwordField), only what looks like a key counts.
func (s *scan) quoted(from int, quote byte, last bool, word string) {
	part := s.text[from:min(from+maxValue, len(s.text))]
	end := closing(part, quote)
	if end < 0 {
		return
	}
	value := part[:end]
	if i := strings.IndexByte(value, '\n'); i >= 0 && quote != '`' {
		return
	}
	if len(value) < minValue || placeholder(value) {
		return
	}
	if last && isSecret(word, value) || looksLikeKey(value) {
		s.add(from, from+end, kindNamed)
	}
}

// closing is where a literal ends; -1 if it does not. An escaped quote belongs to it. The
// quote is a backslash where the literal is in another one: {\"password\":\"…\"}.
func closing(part string, quote byte) int {
	mark, escapes := quote, 1 // the least number of backslashes before a quote that is part of the literal
	if quote == '\\' {
		mark, escapes = '"', 3
	}
	if quote != '`' {
		run := 0
		for i := range len(part) {
			switch c := part[i]; {
			case c == '\\':
				run++
				continue
			case c == '\n':
				return strings.IndexByte(part, quote)
			case c == mark && (run < escapes || escapes == 1 && run%2 == 0):
				if quote == '\\' {
					return i - min(run, 1)
				}
				return i
			}
			run = 0
		}
	}
	return strings.IndexByte(part, quote)
}

// isSecret reports whether a value may be the secret that the word before it
// names. What people think of may be a phrase. Tokens and keys are made by
// machines: of several words, one is the key, or names how it is used.
func isSecret(word, value string) bool {
	words := strings.Fields(value)
	switch {
	case len(words) <= 1:
		return true
	case slices.Contains(thoughtOf, lower(word)):
		return len(words) <= 2 || isPassphrase(value)
	}
	return len(words) == 2 && isScheme(words[0]) || slices.ContainsFunc(words, isKeyWord)
}

// schemes are before a token in a header.
var schemes = []string{"apikey", "basic", "bearer", "digest", "key", "negotiate", "token"}

func isScheme(text string) bool { return slices.Contains(schemes, lower(text)) }

// isKeyWord reports whether a word of a text may be a key: no word of a sentence
// has letters and digits mixed at that length, or more than one word's letters.
func isKeyWord(word string) bool {
	return len(word) >= 8 && strings.ContainsAny(word, "0123456789") && strings.IndexFunc(word, unicode.IsLetter) >= 0 || len(word) >= minRandom
}

// isPassphrase reports whether a text may be a phrase of few plain words rather
// than a sentence about secrets.
func isPassphrase(value string) bool {
	words := strings.Fields(value)
	for _, w := range words {
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return false
		}
	}
	about := false
	anchors().each(value, func(which, _ int) { about = about || which < len(secretWords) })
	return len(words) <= 8 && !about
}

// bare takes a value without quotes, as in an environment or a header.
func (s *scan) bare(from int) {
	to := from
	for to < len(s.text) && to-from < maxValue && strings.IndexByte(" \t\r\n\"'`&;,)]}<>\\", s.text[to]) < 0 {
		to++
	}
	if value := s.text[from:to]; len(value) >= minValue && !placeholder(value) && !strings.ContainsAny(value, "({[") {
		s.add(from, to, kindNamed)
	}
}

// variable is how a variable of the environment is called.
var variable = lazyregexp.New(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)

// directory is how the value of PWD begins that a shell sets, not a connection string.
var directory = lazyregexp.New(`^["']?(?:[/~.$]|[A-Za-z]:[\\/])`)

// assigned takes a value without quotes after a sign with blanks around it, as in an INI
// file. Such a line may be one of a program: then the value is a name.
func (s *scan) assigned(name, at int) {
	if !s.ownLine(name, at) {
		return
	}
	word, _, _ := strings.Cut(s.text[at:min(at+maxValue, len(s.text))], "\n")
	word = strings.TrimSpace(word)
	first := name
	for first > 0 && (wordByte[s.text[first-1]] || s.text[first-1] == '-') {
		first--
	}
	if number.MatchString(word) || goName.MatchString(word) && (strings.Contains(word, ".") || s.text[first:at] != strings.ToUpper(s.text[first:at])) && !inSection.MatchString(s.text[max(first-400, 0):first]) {
		return
	}
	s.bare(at)
}

var (
	number    = lazyregexp.New(`^-?(?:0x[0-9a-fA-F]+|[\d_.]+)$`)
	goName    = lazyregexp.New(`^[&*]?[A-Za-z_][\w.]*$`)
	inSection = lazyregexp.New(`(?m)^\s*\[[\w. -]{1,40}\]\s*$`) // the section of an INI file
)

// ownLine reports whether a name begins its line and a value of one word ends it,
// as in YAML; Go has a comma there.
func (s *scan) ownLine(name, value int) bool {
	before := s.text[max(name-maxName, 0):name]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	if strings.Trim(before, " \t-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.") != "" {
		return false
	}
	word := s.text[value:min(value+maxValue, len(s.text))]
	if end := strings.IndexByte(word, '\n'); end >= 0 {
		word = word[:end]
	}
	return word != "" && !strings.ContainsAny(strings.TrimRight(word, " \t\r"), " \t,({[")
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// placeholder reports whether a value only marks the place of a real one, or is the
// name of a field.
func placeholder(v string) bool {
	if strings.Contains(v, markStart) || strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Trim(v, "*x.X-…") == "" {
		return true
	}
	switch v[0] {
	case '%', '$', '<', '{', '+', ',', ')':
		return true
	}
	if isName(v) {
		return true
	}
	if len(v) > 24 {
		return false
	}
	name := separators.Replace(lower(v))
	for _, w := range secretWords {
		if name == "the"+w || name == "your"+w {
			return true
		}
	}
	return false
}
