package redact

import (
	"strings"
	"sync"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// The kinds of findings that are no service's token.
const (
	kindPrivateKey = "private key"
	kindJWT        = "JSON web token"
	kindURL        = "password in a URL"
	kindDSN        = "password in a connection string"
	kindHeader     = "authorization header"
	kindRequest    = "secret of a request or a command"
	kindNamed      = "given to a secret's name"
	kindRandom     = "looks random"
	kindNumber     = "number as long as a key"
)

// maxToken bounds how far a token is followed, in bytes.
const maxToken = 8 << 10

// shapes finds what has the shape of a secret: one pass for what is known by a
// text near it, one for what looks random. Both take time in proportion to the
// text: whatever is looked at from an anchor is bounded, or passed over after.
func (r *Redactor) shapes(text string) []span {
	s := &scan{text: text, sources: sync.OnceValue(func() []*goSource { return goSources(text) })}
	s.code = sync.OnceValue(func() []codeLine { return codeLines(s.sources()) })
	anchors().each(text, func(which, end int) {
		if end <= s.covered {
			return
		}
		if which < len(secretWords) {
			s.names = true
			s.named(end-len(secretWords[which]), end)
			return
		}
		if which -= len(secretWords); which < len(otherAnchors) {
			s.other(otherAnchors[which], end)
			return
		}
		if which -= len(otherAnchors); which < len(requestAnchors) {
			s.request(requestAnchors[which], end)
			return
		}
		if which -= len(requestAnchors); which < len(forms) {
			s.form(forms[which], end)
			return
		}
		s.token(tokens[which-len(forms)], end)
	})
	if s.names {
		s.goSource()
	}
	if r.settings.Entropy {
		s.random()
	}
	kept := s.found[:0]
	for _, f := range s.found {
		if !r.allowed(text[f.from:f.to]) {
			kept = append(kept, f)
		}
	}
	return kept
}

// scan is one pass over a text.
type scan struct {
	text    string
	covered int  // up to here nothing is looked for any more
	tokens  int  // up to here no token begins: it would be within another
	lines   int  // up to here lines were looked at for cookies and options
	word    span // the last value without quotes that was looked at; of a kind if it was taken
	names   bool // there is a name of a secret
	sources func() []*goSource
	code    func() []codeLine
	nested  int // up to here lines below a name were
	held    int // up to here goes a list or a struct whose words were looked at
	coded   int // up to here the rests of lines were
	tokened int // up to here the rests of lines after names of tokens were
	found   []span
}

func (s *scan) add(from, to int, kind string) {
	s.found = append(s.found, span{from, to, kind})
}

// run returns the end of the bytes of a set from a place on, bounded.
func (s *scan) run(of *charset, from int) int {
	to := from
	for to < len(s.text) && to-from < maxToken && of[s.text[to]] {
		to++
	}
	return to
}

// alone reports whether no byte of a word is before a place. A backslash
// makes the letter after it part of an escape: "\nghp_…".
func (s *scan) alone(at int) bool {
	if at == 0 || !wordByte[s.text[at-1]] {
		return true
	}
	return at >= 2 && s.text[at-2] == '\\' && strings.IndexByte("nrt", s.text[at-1]) >= 0
}

func (s *scan) token(t token, end int) {
	from := end - len(t.prefix)
	if from < s.tokens || s.text[from:end] != t.prefix || !s.alone(from) {
		return
	}
	to := s.run(t.of, end)
	s.tokens = to
	if n := to - end; n < t.least || t.most > 0 && n > t.most || t.most == 0 && !mixed(s.text[end:to]) {
		return
	}
	s.add(from, to, t.kind)
}

// mixed reports whether a text holds a digit or both cases: no word does.
func mixed(t string) bool {
	var digit, upper, low bool
	for i := range len(t) {
		switch c := t[i]; {
		case '0' <= c && c <= '9':
			digit = true
		case 'A' <= c && c <= 'Z':
			upper = true
		case 'a' <= c && c <= 'z':
			low = true
		}
	}
	return digit || upper && low
}

func (s *scan) other(anchor string, end int) {
	switch anchor {
	case anchorURL:
		s.url(end)
	case anchorKey:
		s.privateKey(end - len(anchor))
	case anchorJWT:
		s.jwt(end - len(anchor))
	case anchorBearer, anchorBearerURL:
		s.afterScheme(end-len(anchor), end, bearer, 1)
	case anchorBasic:
		s.afterScheme(end-len(anchor), end, base64Std, 4)
	case anchorDSN:
		s.dsn(end - len(anchor))
	}
}

// afterScheme finds what is after Bearer or Basic, in groups of so many bytes.
func (s *scan) afterScheme(from, at int, of *charset, group int) {
	if !s.alone(from) {
		return
	}
	to := s.run(of, at)
	value := s.text[at:to]
	if to-at >= 16 && (to-at)%group == 0 && mixed(value) || group == 1 && to-at >= minRepeated && isCode(value) && !placeholder(value) {
		s.add(at, to, kindHeader)
	}
}

// maxUserInfo bounds the part of a URL before the host, in bytes.
const maxUserInfo = 512

// url finds the password of scheme://user:password@host. A sign that should have been
// escaped may be in it: that is what package net/url fails at.
func (s *scan) url(from int) {
	part := s.text[from:min(from+maxUserInfo, len(s.text))]
	if end := strings.IndexAny(part, " \t\r\n\"'`<>\\"); end >= 0 {
		part = part[:end]
	}
	authority := part
	if end := strings.IndexAny(part, "/?#"); end >= 0 {
		authority = part[:end]
	}
	colon, at := strings.IndexByte(authority, ':'), strings.LastIndexByte(authority, '@')
	if at > 0 && (colon < 0 || colon > at) && looksLikeKey(part[:at]) { // a key by itself, as Sentry has it
		s.add(from, from+at, kindURL)
	}
	if colon < 0 || part[0] == '[' {
		return
	}
	if before := s.text[max(from-24, 0) : from-len(anchorURL)]; at < 0 && !port.MatchString(part[colon+1:]) || storage.MatchString(before) {
		at = strings.LastIndexByte(part, '@')
	}
	if at-colon-1 < 3 || placeholder(part[colon+1:at]) {
		return
	}
	s.add(from+colon+1, from+at, kindURL)
	if at > len(authority) { // invalid port ":begin" after host
		begin := "\"" + part[colon:len(authority)]
		for _, quote := range []string{"\"", "\\\""} {
			after := s.text[from+at : min(from+at+maxUserInfo, len(s.text))]
			if i := strings.Index(after, begin+quote); i >= 0 && len(begin) > 2 {
				s.add(from+at+i+2, from+at+i+len(begin), kindURL)
			}
		}
	}
}

var (
	port    = lazyregexp.New(`^\d{0,5}(?:[/?#]|$)`)
	storage = lazyregexp.New(`(?i)(?:postgres|postgresql|pgx|cockroach|mysql|mariadb|sqlserver|mssql|oracle|clickhouse|mongodb|mongodb\+srv|rediss?|valkey|amqps?|nats|kafka|smtps?|ldaps?|s?ftp|cassandra|neo4j|bolt|influxdb|mqtts?)$`)
)

// dsnAddress is what follows the password in a connection string of MySQL: a protocol with its
// address, or the name of the database.
var dsnAddress = lazyregexp.New(`^@(?:(?:tcp|unix)[46]?[(/]|\w{0,20}\([^()\s"'` + "`" + `]{0,200}\)/|/)`)

// dsn finds the password of user:password@tcp(host)/database.
func (s *scan) dsn(at int) {
	if !dsnAddress.MatchString(s.text[at:min(at+maxUserInfo, len(s.text))]) {
		return
	}
	from := max(at-maxUserInfo, 0)
	part := s.text[from:at]
	if i := strings.LastIndexAny(part, " \t\r\n\"'`"); i >= 0 {
		from, part = from+i+1, part[i+1:]
	}
	if colon := strings.IndexByte(part, ':'); colon >= 0 && !strings.Contains(part, anchorURL) && len(part)-colon-1 >= 3 && !placeholder(part[colon+1:]) {
		s.add(from+colon+1, at, kindDSN)
	}
}

// privateKey finds a key in PEM up to its end, or that of the literal or text
// it was cut with.
func (s *scan) privateKey(from int) {
	const begin = len(anchorKey)
	head := s.text[from+begin : min(from+begin+40, len(s.text))]
	if i := strings.Index(head, "-----"); i < 0 || !strings.HasSuffix(head[:i], "PRIVATE KEY") && !strings.HasSuffix(head[:i], "PRIVATE KEY BLOCK") {
		return
	}
	rest := s.text[from:]
	to := len(rest)
	if q := strings.IndexAny(rest, "\"`"); q >= 0 {
		to = q
	}
	if i := strings.Index(rest[:to], "-----END "); i >= 0 {
		to = i + len("-----END ")
		if j := strings.Index(rest[to:], "-----"); j >= 0 && j < 40 {
			to += j + 5
		}
	}
	if to < begin+30 { // the words alone
		return
	}
	s.add(from, from+to, kindPrivateKey)
	s.covered = from + to
}

// jwt finds the parts between dots of a token that is signed, of which two begin as
// JSON does, or encrypted: then there are five.
func (s *scan) jwt(from int) {
	if from > 0 && urlSafe[s.text[from-1]] && !s.alone(from) || s.text[from:from+3] != "eyJ" {
		return
	}
	at, parts, signed := from, 0, false
	for {
		to := s.run(urlSafe, at)
		parts++
		switch {
		case parts != 2 && to-at < 8, parts == 2 && to-at < 8 && to != at: // "dir" has no key of its own
			return
		case parts == 2:
			signed = to-at >= 8 && s.text[at:at+3] == "eyJ"
		}
		if at = to; parts == 3 && signed || parts == 5 {
			break
		}
		if at >= len(s.text) || s.text[at] != '.' {
			return
		}
		at++
	}
	s.add(from, at, kindJWT)
}
