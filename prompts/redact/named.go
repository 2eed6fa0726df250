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
	if m := index.FindString(s.text[at:min(at+maxName, len(s.text))]); m != "" && last && closing == 0 {
		if _, sure := s.inCode(from); !sure {
			at += len(m)
		}
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

// index selects an element of what has a name: [0].
var index = lazyregexp.New(`^\[["']?[\w.-]{1,40}["']?\]`)

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
		if value := strings.TrimSpace(part); len(value) >= minValue && !noValue(value) && (good(value) || isCode(strings.Fields(value)[0])) {
			s.add(from, from+len(part), kindNamed)
		}
		return from
	}
	if value := part[:end]; len(value) >= minValue && !noValue(value) && good(value) {
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

// closing is where a literal ends; -1 if it does not. Where that is not sure, any quote ends it.
func closing(part string, quote byte) int {
	if quote != '`' {
		if end := closingQuote(part, quote); end >= 0 {
			return end
		}
	}
	return strings.IndexByte(part, quote)
}

// closingQuote is where a literal ends within its line; -1 if it does not. A quote that is escaped
// or doubled belongs to it. The quote is a backslash where the literal is in another one:
// {\"password\":\"…\"}.
func closingQuote(part string, quote byte) int {
	mark, escapes := quote, 1 // the least number of backslashes before a quote that is part of the literal
	if quote == '\\' {
		mark, escapes = '"', 3
	}
	run, doubled := 0, false
	for i := range len(part) {
		switch c := part[i]; {
		case doubled:
			doubled = false
		case c == mark && quote == mark && i > 0 && run == 0 && i+1 < len(part) && part[i+1] == mark: // it''s
			doubled = true
		case c == '\\':
			run++
			continue
		case c == '\n':
			return -1
		case c == mark && (run < escapes || escapes == 1 && run%2 == 0):
			if quote == '\\' {
				return i - min(run, 1)
			}
			return i
		}
		run = 0
	}
	return -1
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
		about, grammar := speaks(words)
		return len(words) <= 2 || !about || !grammar
	}
	if about, grammar := speaks(words); (about || len(words) > 3) && grammar {
		return slices.ContainsFunc(words, func(w string) bool { return isKeyWord(w) && isCode(w) })
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

// speaks reports whether a text of several words names a secret, and whether it has words of a
// sentence: one with both is about secrets, rather than a phrase that is one.
func speaks(words []string) (about, grammar bool) {
	for _, w := range words {
		w = strings.Trim(lower(w), ".,:;!?()\"'`")
		grammar = grammar || slices.Contains(grammatical, w)
		anchors().each(w, func(which, _ int) { about = about || which < len(secretWords) })
	}
	return about, grammar
}

// grammatical are words of sentences.
var grammatical = strings.Fields("%d %q %s %v a an and are at be by can cannot do does for from has have if in is it must no not of on or please should that the this to was when which will with without you your")

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
		for to < len(s.text) && to-from < maxValue {
			if s.text[to] == '\\' && to+1 < len(s.text) && strings.IndexByte(" $&;()<>|*?#!~[]{}", s.text[to+1]) >= 0 { // escaped for a shell
				to++
			} else if strings.IndexByte(" \t\r\n\"'`&;,)]}<>\\({[", s.text[to]) >= 0 {
				break
			}
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

// phrase takes a value of several words without quotes that is all of its line after a name.
// In a shell, a command follows a value.
func (s *scan) phrase(n name, op string, at int, spaced bool) bool {
	line, _, _ := strings.Cut(s.text[at:min(at+maxLine, len(s.text))], "\n")
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimRight(line, " \t\r")
	word := s.text[n.from:n.end]
	first, _, several := strings.Cut(line, " ")
	if !several || op == "=" && !spaced && isCode(first) || !slices.Contains(thoughtOf, lower(word)) || !keyAlone.MatchString(s.text[max(n.from-130, 0):n.from]) || strings.HasSuffix(line, ",") || strings.ContainsAny(line, "=;:(){}[]\"'`<>|\\/") || !isSecret(word, line) {
		return false
	}
	s.add(at, at+len(line), kindNamed)
	return true
}

var (
	// keyAlone ends with a name that begins its line.
	keyAlone  = lazyregexp.New(`(?:^|\n)[ \t]{0,60}(?:- |export )?[\w.-]{0,60}$`)
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
