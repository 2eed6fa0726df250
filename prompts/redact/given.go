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
var wrapped = lazyregexp.New("^(?:\\[" + anyBlanks + "|\\{(?:[^{}]{0,200}[,\\s])?\\\\?[\"']?(?i:value)\\\\?[\"']?\\s{0,4}:\\s{0,4}|[rRbBuU]{1,2})\\\\?[\"'`]")

// given takes the value that is at a place, after the sign.
func (s *scan) given(n name, op string, at int) {
	if n.last && op == ":" && s.below(n, at) {
		return
	}
	sign := at
	at = s.blanks(at)
	spaced := at > sign
	converted := len(bytesOf.FindString(s.text[at:min(at+16, len(s.text))]))
	at += converted
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
	if s.literal(at, good) == 0 && n.last && (converted == 0 || !spaced) {
		s.unquoted(n, op, at, spaced)
	}
}

// unquoted takes a value without quotes. What a sign with blanks around it gives, or one in the
// middle of a line, has to look like a secret.
func (s *scan) unquoted(n name, op string, at int, spaced bool) {
	of := s.text[n.from:n.to]
	switch {
	case op == "=" && !spaced, op == ":" && (strings.Contains(of, "-") || s.ownLine(n.from, at)):
		s.bare(at)
	case op == ":" && !spaced && !n.closed && s.printedField(n.from):
		if s.text[at] == '[' && !strings.HasPrefix(s.text[at:], markStart) { // as package fmt prints a list
			at++
		}
		s.bare(at)
	case spaced && (op == "=" || op == ":=" && of == strings.ToUpper(of)) && s.assigned(n.from, at):
	case !n.closed:
		s.inMessage(n, op, at)
	}
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

var (
	blanksOfList = lazyregexp.New("^" + anyBlanks)
	lineBreak    = lazyregexp.New(`\r?\n|(?:\\r)?\\n`)
	// keyOfLine ends with a key that begins its line, or a text of such lines.
	keyOfLine = lazyregexp.New("(?:^|\n|\\\\n|[\"'`])((?:[ \\t]|\\\\t|- ){0,60})[\"']?[\\w.-]{0,60}$")
	// belowKey leads from the sign after a key to the lines that hold its value: as they are, or as a block.
	belowKey = lazyregexp.New(`^[ \t]{0,20}([|>][-+\d]{0,2})?[ \t]{0,20}(?:\r?\n|(?:\\r)?\\n)`)
	itemMark = lazyregexp.New(`^-\s+`)
)

// below takes a value that begins in the line after its name, as in YAML: one word, a list of
// such, or a block.
func (s *scan) below(n name, at int) bool {
	m := belowKey.FindStringSubmatchIndex(s.text[at:min(at+60, len(s.text))])
	if m == nil {
		return false
	}
	key := keyOfLine.FindStringSubmatch(s.text[max(n.from-130, 0):n.from])
	if key == nil {
		return false
	}
	at += m[1]
	for range most {
		line := s.text[at:min(at+maxLine, len(s.text))]
		next := lineBreak.FindStringIndex(line)
		if next != nil {
			line = line[:next[0]]
		}
		value := strings.TrimLeft(line, " \t")
		depth := len(line) - len(value)
		item := itemMark.FindString(value)
		if value != "" && (depth < len(key[1]) || depth == len(key[1]) && item == "") {
			return true
		}
		s.lineBelow(n, at+depth+len(item), strings.TrimRight(value[len(item):], " \t\"'`"), m[2] >= 0, item != "")
		if next == nil || m[2] < 0 && item == "" {
			return true
		}
		at += next[1]
	}
	return true
}

// lineBelow takes the value of a line, which is one of a block, or an item of a list.
func (s *scan) lineBelow(n name, at int, value string, block, item bool) {
	word := lower(s.text[n.from:n.end])
	if s.literal(at, secretOf(word)) > 0 || len(value) < minValue || placeholder(value) {
		return
	}
	good := block && isSecret(word, value)
	if !block && !strings.ContainsAny(value, " ,({[") && !strings.HasSuffix(value, ":") {
		good = looksLikeKey(value) || slices.Contains(thoughtOf, word) && (isCode(value) || !item && !n.closed)
	}
	if good {
		s.add(at, at+len(value), kindNamed)
	}
}
