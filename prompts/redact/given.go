package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// How a value is given to a name: the sign between the two, and what is around the value.

// name is the name of a secret: text[from:to], of which text[from:end] is the word that says so.
type name struct {
	from, end, to int
	last          bool // its value is the secret itself
	closed        bool // it is in quotes
}

// signs stand between names and values, each before those that it begins with. Those that
// compare, or select, give nothing.
var signs = []struct{ text, op string }{
	{"::=", "="}, {"?=", "="}, {":=", ":="}, {"+=", "+="}, {"=>", "=>"}, {"->", "->"}, {"==", ""}, {"::", ""}, {"=", "="}, {":", ":"}, {"：", ":"},
}

// sign reads the sign at a place: empty if there is none.
func (s *scan) sign(at *int) string {
	for _, sign := range signs {
		if strings.HasPrefix(s.text[*at:], sign.text) {
			if sign.op != "" {
				*at += len(sign.text)
			}
			return sign.op
		}
	}
	return ""
}

// blank is a blank within a line, as a literal may have it.
const blank = `(?:[ \t\x{a0}]|\\t|\\u00a0)`

var blanks = lazyregexp.New("^" + blank + "{1,40}")

func (s *scan) blanks(at int) int {
	return at + len(blanks.FindString(s.text[at:min(at+80, len(s.text))]))
}

// wrapped leads to the quote of a literal that is an element of a list or a field of an object,
// or whose quote has letters before it: ["…"], {"value":"…"}, r"…".
var wrapped = lazyregexp.New("^(?:\\[" + anyBlanks + "|\\{(?:[^{}]{0,200}[,\\s])?\\\\?[\"']?(?i:value)\\\\?[\"']?\\s{0,4}:\\s{0,4}|[rRbBuU]{1,2}|[$@])\\\\?[\"'`]")

// typeThenSign is a type, and the sign after it, where that leads to a literal.
var typeThenSign = lazyregexp.New(`^[\w.]{1,40}(?:[\w.\[\]<>?*|]| \| ){0,40}[ \t]{0,4}=[ \t]{1,4}`)

// given takes the value that is at a place, after the sign.
func (s *scan) given(n name, op string, at int) {
	if n.last && op == ":" && s.below(n, n.from, at) {
		return
	}
	at, converted, spaced := begins(s, op, at)
	if m := numbers.FindStringSubmatchIndex(s.text[at:min(at+maxValue, len(s.text))]); m != nil && n.last {
		s.add(at+m[2], at+m[3], kindNamed)
		return
	}
	if at >= len(s.text) || strings.HasSuffix(s.text[n.from:n.to], "PWD") && directory.MatchString(s.text[at:min(at+8, len(s.text))]) {
		return // the shell's working directory
	}
	good := looksLikeKey
	if n.last && op != "+=" {
		good = secretOf(s.text[n.from:n.end])
	}
	lead := strings.TrimRight(wrapped.FindString(s.text[at:min(at+300, len(s.text))]), "\"'`\\")
	if strings.HasPrefix(lead, "[") {
		s.list(n, at+len(lead))
		return
	}
	at += len(lead)
	if n.last && op == ":" && unclosed(s.text, at) {
		if parent, ok := s.ofLines(n); ok && s.quotedLines(parent, at) > 0 {
			return
		}
	}
	if s.literal(at, good) == 0 && n.last && (converted == 0 || !spaced) {
		s.unquoted(n, op, at, spaced)
		if op == ":" && s.takenToEnd(at) {
			if parent, ok := s.ofLines(n); ok {
				s.goesOn(parent, at)
			}
		}
	}
}

// begins is where the value after a sign begins, how long the conversions before it are, and
// whether there are blanks after the sign.
func begins(s *scan, op string, sign int) (at, converted int, spaced bool) {
	at = s.blanks(sign)
	spaced = at > sign
	if spaced {
		at += len(yamlTag.FindString(s.text[at:min(at+160, len(s.text))]))
	}
	converted = s.conversions(at)
	at += converted
	if op == ":" {
		at += len(typeThenSign.FindString(s.text[at:min(at+160, len(s.text))]))
	}
	return at, converted, spaced
}

// unquoted takes a value without quotes. What a sign with blanks around it gives, or one in the
// middle of a line, has to look like a secret.
func (s *scan) unquoted(n name, op string, at int, spaced bool) {
	of := s.text[n.from:n.to]
	opening := opens.FindString(s.text[at:min(at+8, len(s.text))])
	if opening != "" && at < s.held {
		return
	}
	printed := op == ":" && !spaced && !n.closed && s.printedField(n.from)
	code, _ := s.inCode(n.from)
	open := !code && !n.closed // no Go source, and a name without quotes
	switch {
	case opening != "" && (open || printed) && !strings.HasPrefix(s.text[at:], markStart):
		s.within(n, at+len(opening), printed)
	case open && (op == ":" || op == "=") && s.phrase(n, op, at, spaced):
	case gives(op, of, spaced), op == ":" && s.ownLine(n.from, at):
		s.bare(at)
	case printed:
		printedValue(s, n, at)
	case spaced && (op == "=" || op == ":=" && of == strings.ToUpper(of)) && s.assigned(n.from, at):
	case !n.closed:
		s.inMessage(n, op, at)
	}
}

// printedValue takes the value of a field as package fmt prints it.
func printedValue(s *scan, n name, at int) {
	if slices.Contains(thoughtOf, lower(s.text[n.from:n.end])) {
		if phrase := printedPhrase(s.text[at:min(at+maxPhrase, len(s.text))]); phrase != "" {
			s.add(at, at+len(phrase), kindNamed)
			return
		}
	}
	s.bare(at + len(signOfPrinted.FindString(s.text[at:min(at+1, len(s.text))])))
}

// gives reports whether a sign after a name gives a value, whatever is around them.
func gives(op, name string, spaced bool) bool {
	return op == "=" && !spaced || op == ":" && strings.Contains(name, "-")
}

// codes takes what may be a secret of the rest of a line, where the sign after its name leads to
// something else: a type, a call, a block that begins in the next line. Go source is read by its syntax.
func (s *scan) codes(n name, at int) {
	code, sure := s.inCode(n.from)
	good, seen := isCode, &s.coded
	if code || strings.HasSuffix(lower(s.text[n.from:n.end]), "token") {
		good, seen = func(value string) bool { return isCode(value) && countDigits(value) > 1 }, &s.tokened
	}
	if sure || at < *seen { // names may follow names
		return
	}
	at = s.blanks(at)
	at += len(yamlTag.FindString(s.text[at:min(at+160, len(s.text))]))
	rest := s.text[at:min(at+maxLine, len(s.text))]
	if lead := nextLine.FindString(rest); lead != "" {
		at, rest = at+len(lead), rest[len(lead):]
	}
	if next := lineBreak.FindStringIndex(rest); next != nil {
		rest = rest[:next[0]]
	}
	*seen = at + len(rest)
	if !code || len(strings.Fields(rest)) == 1 {
		s.words(rest, at, good)
	}
}

// nextLine leads over the end of a line on which a value does not begin.
var nextLine = lazyregexp.New(`^[ \t]{0,20}(?:(?:\\?"){3}|(?:\\?'){3}|<<[-~]?\W?\w{1,40}?\W?|[|>][-+\d]{0,2})?[ \t]{0,20}(?:#[^\n\\]{0,200})?(?:\r?\n|\\n){1,2}`)

// words takes the words of a part of the text, which is at a place, that may be the secret. The
// name of a field is none, and what is in color is found where that is left out.
func (s *scan) words(part string, at int, good func(value string) bool) {
	for i := 0; i < len(part); {
		if m := escape.FindString(part[i:min(i+40, len(part))]); m != "" {
			if strings.HasSuffix(strings.ToLower(m), "1b") || strings.HasSuffix(m, "033") {
				return
			}
			i += len(m)
			continue
		}
		n := strings.IndexAny(part[i:], "\x1b \t\r\n,;:=\"'`\\()[]{}<>|")
		if n < 0 {
			n = len(part) - i
		}
		value := part[i : i+n]
		i += n
		if i < len(part) && part[i] == '\x1b' {
			return
		}
		if n > 0 && (i == len(part) || part[i] != ':') && !placeholder(value) && good(value) {
			s.add(at+i-n, at+i, kindNamed)
		}
		if i < len(part) && part[i] != '\\' {
			i++
		}
	}
}

// escape is a character that is written out.
var escape = lazyregexp.New(`(?s)^\\+(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{3}|.|$)`)

// signOfPrinted is a sign that ends values in other places than those that package fmt prints.
var signOfPrinted = lazyregexp.New(`^[&=]`)

// opens begins a list, a struct or a map.
var opens = lazyregexp.New(`^(?:\[|&?\{|map\[)`)

// within takes the secrets of a list or a struct without quotes, as package fmt and YAML write them:
// [a b], {String:a Valid:true}. What is printed is the value; what is written may be about it.
func (s *scan) within(n name, at int, printed bool) {
	word, good := lower(s.text[n.from:n.end]), looksLikeKey
	if slices.Contains(thoughtOf, word) {
		good = isCode
		if printed || strings.HasPrefix(lower(s.text[n.end:n.to]), "s") {
			good = func(value string) bool { return len(value) >= minValue && !slices.Contains(constants, lower(value)) }
		}
	}
	depth, to := 1, at
	for to < min(at+maxLine, len(s.text)) && depth > 0 {
		switch s.text[to] {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		}
		to++
	}
	s.held = to
	s.words(s.text[at:to], at, good)
}

// printedField reports whether a name is that of a field as %+v prints it, a blank after the
// one before: {User:bob Password:swordfish}. Go source has a blank after the colon.
func (s *scan) printedField(from int) bool {
	before := s.text[max(from-maxLine, 0):from]
	for before != "" && wordByte[before[len(before)-1]] {
		before = before[:len(before)-1]
	}
	if !strings.HasSuffix(before, " ") {
		return strings.HasSuffix(before, "{") || strings.HasSuffix(before, "map[")
	}
	i := strings.LastIndexAny(before, "{}\n")
	if i >= 0 && before[i] == '{' {
		return true
	}
	_, entries, found := strings.Cut(before[i+1:], "map[")
	return found && strings.Count(entries, "[") >= strings.Count(entries, "]")
}

// printedEnd is where a field ends that package fmt prints: the next one begins, or the struct or
// the map ends.
var printedEnd = lazyregexp.New(`[{}\]\n]| [\w.-]{1,64}:`)

// maxPhrase bounds such a value, in bytes.
const maxPhrase = 256

// printedPhrase is the value of such a field if it is several words.
func printedPhrase(rest string) (phrase string) {
	end := printedEnd.FindStringIndex(rest)
	if end == nil {
		return ""
	}
	rest = rest[:end[0]]
	if first, _, several := strings.Cut(rest, " "); !several || strings.ContainsAny(first, "{[(") || noValue(rest) {
		return ""
	}
	return rest
}

// most is how many elements of a list, or lines below a name, are looked at.
const most = 100

// list takes the secrets of a list, whose first element is at a place. The name of one secret
// may have a list of what is said of it.
func (s *scan) list(n name, at int) {
	word := lower(s.text[n.from:n.end])
	good := func(value string) bool { return isCode(value) || looksLikeKey(value) }
	if n.last && strings.HasPrefix(lower(s.text[n.end:n.to]), "s") && slices.Contains(thoughtOf, word) {
		good = secretOf(word)
	} else if !n.last {
		good = looksLikeKey
	}
	for range most {
		end := s.literal(at, good)
		next := strings.TrimLeft(s.text[end:min(end+80, len(s.text))], " \t\r\n")
		if end == 0 || !strings.HasPrefix(next, ",") {
			return
		}
		at = end + strings.IndexByte(s.text[end:], ',') + 1
		at += len(blanksOfList.FindString(s.text[at:min(at+80, len(s.text))]))
	}
}

var blanksOfList = lazyregexp.New("^" + anyBlanks)
