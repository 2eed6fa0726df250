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
	minValue = 4
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
	at = s.blanks(at)
	for _, typ := range []string{"string ", "[]byte ", "[]uint8 "} { // password string = "…"
		if closing == 0 && strings.HasPrefix(s.text[at:], typ) {
			at = s.blanks(at + len(typ))
		}
	}
	op := s.sign(&at)
	if op == "" && closing != 0 && at < len(s.text) && s.text[at] == ',' && setter.MatchString(s.text[max(from-40, 0):from]) { // Set("X-Api-Key", "…")
		op, at = ",", at+1
	}
	if op != "" {
		taken := len(s.found)
		s.given(name{from: from, end: end, to: to, last: last, closed: closing != 0}, op, at)
		if last && (len(s.found) == taken || strings.HasPrefix(lower(s.text[end:to]), "s")) {
			s.codes(name{from: from, end: end, to: to}, at)
		}
	} else if last {
		s.said(from, to)
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

func (s *scan) skipOne(at *int, what string) byte {
	i := *at
	for i < len(s.text) && i-*at < 8 && s.text[i] == '\\' {
		i++
	}
	if i < len(s.text) && strings.IndexByte(what, s.text[i]) >= 0 {
		*at = i + 1
		return s.text[i]
	}
	return 0
}

// literal takes a literal in quotes, or in escaped ones as within another literal:
// {\"token\": \"…\"}. It returns where the literal ends; 0 if none begins at the place.
func (s *scan) literal(at int, good func(value string) bool) int {
	if at >= len(s.text) || strings.IndexByte("\"'`\\", s.text[at]) < 0 {
		return 0
	}
	quote, from := s.text[at], at+1
	if quote == '\\' {
		if from >= len(s.text) || s.text[from] != '"' {
			return 0
		}
		from++
	}
	part := s.text[from:min(from+maxValue, len(s.text))]
	end := closing(part, quote)
	if end < 0 || quote != '`' && strings.Contains(part[:end], "\n") { // it is cut off
		if next := lineBreak.FindStringIndex(part); next != nil {
			part = part[:next[0]]
		}
		if value := strings.TrimSpace(part); len(value) >= minValue && !placeholder(value) && (good(value) || isCode(strings.Fields(value)[0])) {
			s.add(from, from+len(part), kindNamed)
		}
		return from
	}
	if value := part[:end]; len(value) >= minValue && !placeholder(value) && good(value) {
		s.add(from, from+end, kindNamed)
	}
	return from + end + from - at
}

// secretOf accepts what isSecret does, what looks like a key, and a sentence with a code in it.
func secretOf(word string) func(value string) bool {
	return func(value string) bool {
		return isSecret(word, value) || looksLikeKey(value) || slices.Contains(thoughtOf, lower(word)) && slices.ContainsFunc(strings.Fields(value), isCode)
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

// bare takes a value without quotes, as in an environment or a header. Where it ends is read
// once: the values of names within it end there, too.
func (s *scan) bare(from int) {
	within := s.word.from <= from && from < s.word.to
	if within && s.word.kind != "" {
		return
	}
	to := s.word.to
	if !within {
		to = from
		for to < len(s.text) && to-from < maxValue && strings.IndexByte(" \t\r\n\"'`&;,)]}<>\\({[", s.text[to]) < 0 {
			to++
		}
		s.word = span{from, to, ""}
	}
	if to < len(s.text) && strings.IndexByte("({[", s.text[to]) >= 0 {
		return
	}
	if value := s.text[from:to]; len(value) >= minValue && !placeholder(value) {
		s.add(from, to, kindNamed)
		s.word = span{from, to, kindNamed}
	}
}

// variable is how a variable of the environment is called.
var variable = lazyregexp.New(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)

// directory is how the value of PWD begins that a shell sets, not a connection string.
var directory = lazyregexp.New(`^["']?(?:[/~.$]|[A-Za-z]:[\\/])`)

// assigned takes a value without quotes after a sign with blanks around it, as in an INI
// file. Such a line may be one of a program: then the value is a name.
func (s *scan) assigned(name, at int) bool {
	if !s.ownLine(name, at) {
		return false
	}
	word, _, _ := strings.Cut(s.text[at:min(at+maxValue, len(s.text))], "\n")
	word = strings.TrimSpace(word)
	first := name
	for first > 0 && (wordByte[s.text[first-1]] || s.text[first-1] == '-') {
		first--
	}
	code, _ := s.inCode(name)
	if code && (number.MatchString(word) || goName.MatchString(word) && (strings.Contains(word, ".") || s.text[first:at] != strings.ToUpper(s.text[first:at])) && !inSection.MatchString(s.text[max(first-400, 0):first])) {
		return false
	}
	s.bare(at)
	return true
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

// escapedLetter is how a value begins in a URL that need not be escaped there.
var escapedLetter = lazyregexp.New(`^%(?:[46][1-9a-fA-F]|[57][0-9aA]|3\d)\w{4}`)

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// constants are words of formats that stand for no text.
var constants = []string{"true", "false", "null", "none", "undefined"}

// placeholder reports whether a value only marks the place of a real one, or is the
// name of a field.
func placeholder(v string) bool {
	if strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Trim(v, "*x.X-…") == "" {
		return true
	}
	switch v[0] {
	case '%':
		return !escapedLetter.MatchString(v)
	case '$', '<', '{', '+', ',', ')':
		return true
	}
	if isName(v) || slices.Contains(constants, lower(v)) {
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
