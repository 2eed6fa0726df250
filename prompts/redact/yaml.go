package redact

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Values that begin or go on in the lines below a name, as YAML has them.

// yamlProperties are the type of a value and its name, as YAML has them before it.
const yamlProperties = "(?:(?:![^\\s\\\\\"'`]{0,60}|&[\\w-]{1,40})%s){0,2}"

var (
	yamlTag   = lazyregexp.New("^" + strings.Replace(yamlProperties, "%s", `[ \t]{1,4}`, 1))
	lineBreak = lazyregexp.New(`\r?\n|(?:\\r)?\\n`)
	// keyOfLine ends with a key that begins its line, or a text of such lines.
	keyOfLine = lazyregexp.New("(?:^|\n|\\\\n|[\"'`])((?:[ \\t]|\\\\t|- ){0,60})[\"']?[\\w.-]{0,60}$")
	// belowKey leads from the sign after a key to the lines that hold its value: as they are, or as a block.
	belowKey = lazyregexp.New(`^[ \t]{0,20}` + strings.Replace(yamlProperties, "%s", `[ \t]{0,20}`, 1) + `([|>][-+\d]{0,2})?[ \t]{0,20}(?:#[^\n\\]{0,200})?(?:\r?\n|(?:\\r)?\\n)`)
	// closedKey ends with a key in quotes that begins its line.
	closedKey = lazyregexp.New(`(?:^|\n)[ \t-]{0,60}["'][\w.-]{0,60}$`)
	itemMark  = lazyregexp.New(`^-\s+`)
	// notPlain is what a line that goes on with a value without quotes does not have.
	notPlain = lazyregexp.New("^(?:- |#)|:(?:\\s|$)|[\"'`{}\\[\\]()\\\\]")
)

// lineAt is the line at a place of a text, up to its end, and where the next one begins; 0 without one.
func lineAt(text string, at int) (line string, next int) {
	line = text[at:min(at+maxLine, len(text))]
	end, size := strings.IndexByte(line, '\n'), 1
	if written := strings.Index(line, `\n`); written >= 0 && (end < 0 || written < end) {
		end, size = written, 2
	}
	if end < 0 {
		return line, 0
	}
	return strings.TrimSuffix(strings.TrimSuffix(line[:end], "\r"), `\r`), at + end + size
}

// depthOf is how far a key that ends at a place is indented, if it begins its line.
func depthOf(text string, key int) (depth int, ok bool) {
	m := keyOfLine.FindStringSubmatch(text[max(key-130, 0):key])
	if m == nil {
		return 0, false
	}
	return len(m[1]), true
}

// ofLines reports whether the value of a name may go on in the lines below, and how far its key is
// indented. An object in one line has none of those.
func (s *scan) ofLines(n name) (parent int, ok bool) {
	if n.closed && !closedKey.MatchString(s.text[max(n.from-130, 0):n.from]) {
		return 0, false
	}
	if _, sure := s.inCode(n.from); sure {
		return 0, false
	}
	return depthOf(s.text, n.from)
}

// below takes a value that begins in the line after its key, as in YAML: one word, a list of
// such, or a block. The sign after the key ends at a place.
func (s *scan) below(n name, key, at int) bool {
	m := belowKey.FindStringSubmatchIndex(s.text[at:min(at+maxSaid, len(s.text))])
	if m == nil {
		return false
	}
	parent, ok := depthOf(s.text, key)
	if !ok {
		return false
	}
	block, list := m[2] >= 0, false
	at += m[1]
	for range most {
		line, next := lineAt(s.text, at)
		value := strings.TrimLeft(line, " \t")
		depth := len(line) - len(value)
		item := itemMark.FindString(value)
		if value != "" && (depth < parent || depth == parent && item == "") {
			return true
		}
		list = list || item != ""
		from := at + depth + len(item)
		if end := s.quotedLines(parent, from); end > 0 && !block {
			_, next = lineAt(s.text, end)
		} else {
			s.lineBelow(n, from, strings.TrimRight(value[len(item):], " \t\"'`"), block, item != "")
		}
		if next == 0 {
			return true
		}
		if !block && !list && (!strings.Contains(value, ":") || at < s.nested) {
			if s.takenToEnd(at) {
				s.goesOn(parent, at)
			}
			return true
		}
		at = next
		s.nested = max(s.nested, at)
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
	if slices.Contains(thoughtOf, word) && !block && strings.Contains(value, ":") {
		s.words(value, at, isCode)
	}
	if !block && !strings.ContainsAny(value, " ,({[") && !strings.HasSuffix(value, ":") {
		good = looksLikeKey(value) || slices.Contains(thoughtOf, word) && (isCode(value) || !item && !n.closed)
	}
	if good {
		s.add(at, at+len(value), kindNamed)
	}
}

// unclosed reports whether a literal begins at a place that its line does not end.
func unclosed(text string, from int) bool {
	if from >= len(text) || strings.IndexByte("\"'", text[from]) < 0 {
		return false
	}
	line, next := lineAt(text, from+1)
	return next > 0 && closingQuote(line, text[from]) < 0
}

// quotedLines takes a literal that begins at a place and ends in a line below, deeper than its key.
// It returns where it ends; 0 if that is no such literal.
func (s *scan) quotedLines(parent, from int) int {
	if !unclosed(s.text, from) {
		return 0
	}
	quote := s.text[from]
	_, next := lineAt(s.text, from+1)
	for range most {
		if next == 0 {
			return 0
		}
		at := next
		var line string
		line, next = lineAt(s.text, at)
		value := strings.TrimLeft(line, " \t")
		if value != "" && len(line)-len(value) <= parent {
			return 0
		}
		if end := closingQuote(value, quote); end >= 0 {
			end += at + len(line) - len(value)
			s.add(from+1, end, kindNamed)
			return end
		}
	}
	return 0
}

// takenToEnd reports whether the last that was found ends the line of a place, and another follows.
func (s *scan) takenToEnd(at int) bool {
	line, next := lineAt(s.text, at)
	return next > 0 && len(s.found) > 0 && s.found[len(s.found)-1].to == at+len(strings.TrimRight(line, " \t"))
}

// goesOn takes the lines after the one at a place that go on with a value without quotes: those that
// are deeper than its key.
func (s *scan) goesOn(parent, at int) {
	_, next := lineAt(s.text, at)
	for range most {
		if next == 0 {
			return
		}
		at = next
		var line string
		line, next = lineAt(s.text, at)
		value := strings.TrimLeft(line, " \t")
		if value == "" {
			continue
		}
		if len(line)-len(value) <= parent || notPlain.MatchString(value) {
			return
		}
		s.add(at+len(line)-len(value), at+len(strings.TrimRight(line, " \t")), kindNamed)
	}
}
