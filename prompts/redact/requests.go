package redact

import (
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Secrets of requests and of commands: what is after a header's name, an
// option, a parameter of a URL.

const (
	anchorCookie        = "cookie"
	anchorAuthorization = "authorization"
	anchorSignature     = "signature="
	anchorSig           = "sig="
	anchorSession       = "sessionid="
	anchorPass          = "pass"
	anchorPW            = "pw"
	anchorCurl          = "curl"
	anchorMySQL         = "mysql"
	anchorMariaDB       = "mariadb"
	anchorSSHPass       = "sshpass"
	anchorRedis         = "redis-cli"
	anchorBasicAuth     = "basicauth" // a method of http.Request
)

var requestAnchors = []string{anchorCookie, anchorAuthorization, anchorSignature, anchorSig, anchorSession, anchorPass, anchorPW, anchorCurl, anchorMySQL, anchorMariaDB, anchorSSHPass, anchorRedis, anchorBasicAuth}

// maxLine bounds what is looked at after one of these, in bytes.
const maxLine = 1024

// How a header's value is led to from its name: as it is sent, as Go prints a
// map of headers, as JSON and Go's source write it, as Set and Add take it.
var toValue = lazyregexp.New("^(?:s?\\\\{0,3}[\"'`]?\\]?\\s{0,4}(?::|=>|:=|=|,)\\s{0,4}(?:\\[\\]string)?[\\[{(]?" + anyBlanks + "\\\\?[\"'`]?)")

// shellValue is a value of an option, in quotes or without.
const shellValue = `(?:"([^"\n]{3,})"|'([^'\n]{3,})'|["']?([^\s"'/-][^\s"']{2,}))`

var (
	cookiePair  = lazyregexp.New(`([^=;,\s"'\[\](){}\\]{1,128})=(\\{0,3}"[^"\n]*"|[^;,\s"'\]\\]*)`)
	cookieWord  = lazyregexp.New(`(?i)^(?:path|domain|expires|max-age|samesite|priority|version)$`)
	scheme      = lazyregexp.New(`^[A-Za-z][A-Za-z0-9-]{1,20}\s+`)
	credentials = lazyregexp.New("^[^\\s\"'`,;\\\\]{4,}")
	// headerEnd is the value of a header up to its end: the quotes in it are those of its parameters.
	headerEnd       = lazyregexp.New("^(?:=\\s?\\\\{0,3}\"[^\"\n]*\"|[^\"'`\n\\\\\\]])*")
	foldedParameter = lazyregexp.New("^[ \t]{0,4}\r?\n[ \t]{1,40}[A-Za-z][\\w-]{0,40}=(?:\\\\{0,3}\"[^\"\n]*\"|[^\"'`\n\\\\\\]])*")
	firstParameter  = lazyregexp.New(`^[A-Za-z][\w-]{0,40}=\s?\\{0,3}"`)
	parameter       = lazyregexp.New(`^[A-Za-z0-9%+/_.~-]{8,}={0,2}`)
	userOption      = lazyregexp.New(`(?:\s|["'])(?:(?:-[uU]|--user|--proxy-user)(?:=|["',]{0,3}\s{0,4})|-[A-Za-z#]{1,8}[uU]["',]{0,3}\s{1,4})(?:'[^\s:"']{0,128}:([^'\n]{3,})'|"[^\s:"']{0,128}:([^"\n]{3,})"|["']?[^\s:"']{0,128}["']?:` + shellValue + `)`)
	passOption      = lazyregexp.New(`(?:\s|["'])-(?:p|a)(?:["'],?\s{1,4}|,?\s{0,4})` + shellValue)
	passAttached    = lazyregexp.New(`(?:\s|["'])-p(?:["'],?\s{1,4}|,?\s{0,4})` + shellValue)
)

func (s *scan) request(anchor string, end int) {
	rest := s.text[end:min(end+maxLine, len(s.text))]
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	switch anchor {
	case anchorCookie, anchorCurl, anchorMySQL, anchorMariaDB, anchorSSHPass, anchorRedis:
		if end < s.lines {
			return
		}
	}
	if anchor == anchorCookie || anchor == anchorAuthorization {
		if from, to := nextToHeader(s.text[max(end-len(anchor)-30, 0):end-len(anchor)], rest); to > from {
			s.add(end+from, end+to, kindRequest)
			return
		}
	}
	switch anchor {
	case anchorCookie:
		s.cookies(end, rest)
	case anchorAuthorization:
		s.credentials(end, rest)
	case anchorSignature, anchorSig, anchorSession:
		if m := parameter.FindString(rest); mixed(m) && s.parameterBegins(end-len(anchor)) {
			s.add(end, end+len(m), kindRequest)
		}
	case anchorPass, anchorPW:
		s.passName(end-len(anchor), end)
	case anchorBasicAuth:
		s.names = true
	case anchorCurl:
		s.option(userOption, end, rest)
	case anchorMySQL, anchorMariaDB:
		s.option(passAttached, end, rest)
	case anchorSSHPass, anchorRedis:
		s.option(passOption, end, rest)
	}
}

var (
	// headerName ends with what stands before "cookie" or "authorization" in a header's name that
	// is an element or a field by itself.
	headerName = lazyregexp.New("[{\\[(,:]\\s{0,4}\\\\{0,3}[\"'`](?:[A-Za-z]{1,10}-)?$")
	// headerNext leads from such a name to the value in the next element or field.
	headerNext = lazyregexp.New("^\\\\{0,3}[\"'`],\\s{0,4}(?:\\\\{0,3}[\"']?[Vv]alue\\\\{0,3}[\"']?:\\s{0,4})?(\\\\{0,3}[\"'`])([^\"'`\\\\]{4,})")
)

// nextToHeader finds the value in the element or field after one that holds a header's name:
// {"Authorization", "Basic …"}, {Name: "cookie", Value: "…"}. A word by itself is another name.
// The place is one in rest, which is what follows the name; before leads to it.
func nextToHeader(before, rest string) (from, to int) {
	m := headerNext.FindStringSubmatchIndex(rest)
	if m == nil || !headerName.MatchString(before) {
		return 0, 0
	}
	value := rest[m[4]:m[5]]
	if !strings.ContainsAny(value, "="+digitBytes) || placeholder(value) {
		return 0, 0
	}
	return m[4] + len(scheme.FindString(value)), m[5]
}

// cookies finds the values of a header's cookies, up to the end of its line or list: of all that has
// the form of one but for what says how a cookie is used.
func (s *scan) cookies(at int, rest string) {
	part := s.text[at:min(at+maxLine, len(s.text))]
	lead := toValue.FindString(part)
	if lead == "" || !s.header(at, lead) {
		return
	}
	part = part[:max(len(rest), len(lead))]
	if strings.ContainsAny(lead, "[{") {
		long := s.text[at:min(at+maxLine, len(s.text))]
		part = long[:max(len(part), strings.IndexByte(long, ']'))]
	}
	s.lines = at + len(part)
	at += len(lead)
	part = part[len(lead):]
	for _, m := range cookiePair.FindAllStringSubmatchIndex(part, most) {
		value := strings.TrimLeft(part[m[4]:m[5]], `\"`)
		from := at + m[5] - len(value)
		value = strings.TrimRight(value, `\"`)
		if len(value) >= minValue && !cookieWord.MatchString(part[m[2]:m[3]]) && !placeholder(value) {
			s.add(from, from+len(value), kindRequest)
		}
	}
}

// credentials finds what is after Authorization and its scheme, up to the end of the header: it may
// have parameters.
func (s *scan) credentials(at int, rest string) {
	lead := toValue.FindString(rest)
	if n := len(s.found); lead == "" || n > 0 && s.found[n-1].to > at || !s.header(at, lead) {
		return
	}
	lead += scheme.FindString(rest[len(lead):])
	value := rest[len(lead):]
	if m := credentials.FindString(value); (m == "" || placeholder(m)) && !firstParameter.MatchString(value) {
		return
	}
	value = strings.TrimRight(headerEnd.FindString(value), " \t\r")
	end := at + len(lead) + len(value)
	s.add(at+len(lead), end, kindHeader)
	for range most { // it may go on in the next line
		next := foldedParameter.FindStringIndex(s.text[end:min(end+maxLine, len(s.text))])
		if next == nil {
			return
		}
		s.add(end+next[0], end+next[1], kindHeader)
		end += next[1]
	}
}

// header reports whether what follows a header's name leads to its value. In a call
// a comma does, after Set or Add; an assignment needs a text.
func (s *scan) header(at int, lead string) bool {
	quoted := strings.ContainsAny(lead[len(lead)-1:], "\"'`")
	switch {
	case strings.Contains(lead, ","):
		before := s.text[max(at-40, 0):at]
		return quoted && setter.MatchString(before)
	case strings.Contains(lead, "="):
		code, _ := s.inCode(at - 1)
		return quoted || !code
	}
	return quoted || lead[len(lead)-1] == '[' || strings.HasPrefix(lead, ":") && s.startsHeader(at)
}

// setter ends with a call that gives a name its value, up to the name.
var setter = lazyregexp.New("(?:Set|Add|Setenv|Header|WithHeader|set|add|putenv|setenv)\\(\\s{0,4}[\"'`][\\w-]*$")

// startsHeader reports whether a name is all that is on its line before a
// place, as in a request; a log may have a mark before it.
func (s *scan) startsHeader(at int) bool {
	line := s.text[max(at-80, 0):at]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.IndexByte(" \t>*<\"'`", line[max(strings.LastIndexAny(line, " \t>*<\"'`"), 0)]) >= 0 || !strings.ContainsAny(line, ".({=,")
}

// parameterBegins reports whether a name begins a parameter of a URL or of a form,
// or ends with the word.
func (s *scan) parameterBegins(at int) bool {
	return at == 0 || strings.IndexByte("?&; \t\n-_", s.text[at-1]) >= 0 || 'A' <= s.text[at-1] && s.text[at-1] <= 'Z'
}

// passName finds what is given to DB_PASS, dbPass or pass: the word has to be
// one by itself, and no part of compass.
func (s *scan) passName(from, end int) {
	to := end
	for to < len(s.text) && to-end < maxName && wordByte[s.text[to]] {
		to++
	}
	if neutral(s.text[end:to]) && s.text[end:to] != "s" && beginsWord(s.text, from) {
		s.names = true
		s.named(from, end)
	}
}

// option finds the secret of a command's option.
func (s *scan) option(of *lazyregexp.Regexp, at int, rest string) {
	s.lines = at + len(rest)
	for _, m := range of.FindAllStringSubmatchIndex(rest, 4) {
		if from, to := group(m); !placeholder(rest[from:to]) {
			s.add(at+from, at+to, kindRequest)
		}
	}
}

// group is the first group of a match that something is in.
func group(m []int) (from, to int) {
	for m = m[2:]; len(m) > 2 && m[0] < 0; {
		m = m[2:]
	}
	return m[0], m[1]
}

// numbers are bytes as Go prints them, and as its source has them.
var numbers = lazyregexp.New(`^(?:\[\](?:byte|uint8)\s?\{|\[)(\s?(?:0x[0-9a-fA-F]{1,2}|\d{1,3})(?:,?\s{1,2}(?:0x[0-9a-fA-F]{1,2}|\d{1,3})){5,})`)
