package redact

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Programs list the bytes or characters of a text one by one: as numbers of any base, as quoted
// runes, one in a line, in the rows of a dump. A listing is read as the text that it spells.

// listing is what the items of a text spell in one way of reading them. Runs of items that do
// not follow each other are apart in it.
type listing struct {
	spelled  []byte
	from, to []int // where the item of each byte is in the text
}

const (
	apartItems   = "\x00"
	leastItems   = minHidden
	leastLetters = minPassword // letters one by one, which texts have, too
	maxBetween   = 64          // bytes between two items
	maxItem      = 32          // bytes of one
)

// listed finds the texts where they are listed.
func (l *literals) listed(text string) (found []span) {
	if len(l.texts) == 0 && len(l.long) == 0 {
		return nil
	}
	var lists []*listing
	lists = append(lists, l.numbersListed(text)...)
	for _, list := range l.lettersListed(text) {
		lists = append(lists, list, list.asBytes())
	}
	lists = append(lists, dumped(text))
	for _, list := range lists {
		for _, s := range l.find(string(list.spelled)) {
			found = append(found, span{list.from[s.from], list.to[s.to-1], s.kind})
		}
	}
	return found
}

func (l *listing) add(text string, from, to int) {
	for i := range len(text) {
		l.spelled, l.from, l.to = append(l.spelled, text[i]), append(l.from, from), append(l.to, to)
	}
}

// end ends a run of items that begins at a byte of what is spelled, unless it is too short.
func (l *listing) end(began, least int, text string, at int) {
	if len(l.spelled)-began < least {
		l.spelled, l.from, l.to = l.spelled[:began], l.from[:began], l.to[:began]
		return
	}
	if rest := strings.TrimLeft(text[at:min(at+8, len(text))], " ,\n"); strings.HasPrefix(rest, cutMark) || strings.HasPrefix(rest, "...") {
		l.add(cutMark, at, at)
	}
	l.add(apartItems, at, at)
}

// asBytes reads the characters as bytes, as Go prints these with %c and %q.
func (l *listing) asBytes() *listing {
	other := &listing{}
	for i, c := range string(l.spelled) {
		if c >= utf8.RuneSelf && c < 256 {
			other.add(string([]byte{byte(c)}), l.from[i], l.to[i])
		} else {
			other.add(string(c), l.from[i], l.to[i])
		}
	}
	return other
}

// base is a way to read an item as a number, with what may stand before it.
type base struct {
	of       int
	prefixes []string
}

var bases = []base{{10, nil}, {16, []string{"0x", "0X", "U+", "u+"}}, {8, []string{"0o", "0O"}}, {2, []string{"0b", "0B"}}}

// item is a word that may be a number.
type item struct {
	word     string
	from, to int
}

// numbersListed reads the numbers of a text as bytes and as characters, in each base. Between them
// are no words.
func (l *literals) numbersListed(text string) []*listing {
	lists := make([]*listing, 2*len(bases))
	for i := range lists {
		lists[i] = &listing{}
	}
	var run []item
	end := func() {
		for i, b := range bases {
			if len(run) >= leastItems {
				l.numbers(lists[2*i], text, run, b, false)
				l.numbers(lists[2*i+1], text, run, b, true)
			}
		}
		run = run[:0]
	}
	for at := 0; at < len(text); {
		if !alphaNum[text[at]] {
			at++
			continue
		}
		from, hex := at, true
		for ; at < len(text) && (alphaNum[text[at]] || text[at] == '+' && at == from+1); at++ {
			hex = hex && (digitValue[text[at]] < 16 || at <= from+1)
		}
		if len(run) > 0 && (!hex || from-run[len(run)-1].to > maxBetween) {
			end()
		}
		if hex && at-from <= maxItem {
			word := text[from:at]
			at = afterRune(text, at, word)
			run = append(run, item{word, from, at})
		}
	}
	end()
	return lists
}

// numbers reads a run of items in one base. What no text has is between two runs.
func (l *literals) numbers(list *listing, text string, run []item, b base, asRune bool) {
	began, last := len(list.spelled), 0
	for _, it := range run {
		n, ok := itemOf(it.word, b)
		spelled := [utf8.UTFMax]byte{byte(n)}
		size := 1
		if asRune {
			size = utf8.EncodeRune(spelled[:], n)
		} else {
			ok = ok && n < 256
		}
		if !ok || !l.occurs[spelled[0]] {
			list.end(began, leastItems, text, last)
			began = len(list.spelled)
			continue
		}
		list.add(string(spelled[:size]), it.from, it.to)
		last = it.to
	}
	list.end(began, leastItems, text, last)
}

// afterRune is the end of the character that is quoted after its number: U+0062 'b'.
func afterRune(text string, at int, word string) int {
	if rest := text[at:min(at+8, len(text))]; len(word) > 1 && word[1] == '+' && strings.HasPrefix(rest, " '") {
		if i := strings.LastIndexByte(rest[2:], '\''); i > 0 {
			_, n := utf8.DecodeRuneInString(rest[2:])
			return at + 2 + n + 1
		}
	}
	return at
}

// itemOf reads an item as the number of a byte or a character.
func itemOf(word string, b base) (rune, bool) {
	for _, p := range b.prefixes {
		if rest, ok := strings.CutPrefix(word, p); ok {
			word = rest
			break
		}
	}
	n := 0
	for i := range len(word) {
		if n = n*b.of + int(digitValue[word[i]]); int(digitValue[word[i]]) >= b.of || n > utf8.MaxRune {
			return 0, false
		}
	}
	return rune(n), word != ""
}

// digitValue is what each byte means as a digit; those that are none mean more than any base.
var digitValue = func() (of [256]uint8) {
	for i := range of {
		of[i] = 255
	}
	for i, c := range []byte("0123456789abcdef") {
		of[c], of[strings.ToUpper(string(c))[0]] = uint8(i), uint8(i)
	}
	return of
}()

// betweenLetters stand between characters that are listed without quotes.
var betweenLetters = []string{" ", ",", ", ", "\n", "\r\n", "\t", "-", "|", "."}

// lettersListed reads characters with the same between any two.
func (l *literals) lettersListed(text string) (lists []*listing) {
	for _, between := range betweenLetters {
		lists = append(lists, l.oneByOne(text, between[0], func(at int) int {
			if strings.HasPrefix(text[at:], between) {
				return len(between)
			}
			return 0
		}))
	}
	for _, quote := range []byte("'\"`") {
		lists = append(lists, l.oneByOne(text, quote, func(at int) int { return betweenQuotes(text, at, quote) }))
	}
	return lists
}

// betweenQuotes is the length of the end of a literal and the beginning of the next one.
func betweenQuotes(text string, at int, quote byte) int {
	if at >= len(text) || text[at] != quote {
		return 0
	}
	end := at + 1
	if end < len(text) && (text[end] == ',' || text[end] == ';') {
		end++
	}
	for end < len(text) && end-at < maxBetween && strings.IndexByte(" \t\r\n", text[end]) >= 0 {
		end++
	}
	if end > at+1 && end < len(text) && text[end] == quote {
		return end + 1 - at
	}
	return 0
}

// oneByOne reads characters that are apart by what begins with a byte: between tells how long it is
// at a place.
func (l *literals) oneByOne(text string, first byte, between func(at int) int) *listing {
	list := &listing{}
	for at := 0; ; {
		next := strings.IndexByte(text[at:], first)
		if next < 0 {
			return list
		}
		at += next
		_, n := utf8.DecodeLastRuneInString(text[:at])
		began := len(list.spelled)
		if end := l.run(list, text, at-n, between); len(list.spelled)-began >= leastLetters {
			list.end(began, leastLetters, text, end)
			at = end
		} else {
			list.end(began, leastLetters, text, end)
			at++
		}
	}
}

// run reads such characters from a place on, up to one that no text has.
func (l *literals) run(list *listing, text string, at int, between func(at int) int) (end int) {
	for at < len(text) && l.occurs[text[at]] {
		n, of := 1, at
		if text[at] >= utf8.RuneSelf {
			_, n = utf8.DecodeRuneInString(text[at:])
		}
		apart := between(at + n)
		if text[at] == '\\' && apart == 0 && between(min(at+2, len(text))) > 0 { // it is escaped
			of, n, apart = at+1, 2, between(at+2)
		}
		list.add(text[of:at+n], at, at+n)
		if end = at + n; apart == 0 {
			return end
		}
		at += n + apart
	}
	return max(end, at)
}

// dumpRow is a row of a dump: an offset, groups of bytes, and the same bytes as characters.
var dumpRow = lazyregexp.New(`^.{0,40}?\b[0-9a-fA-F]{4,16}:?[ \t]{1,3}((?:(?:[0-9a-fA-F]{2}){1,8}[ -]{1,2}){0,16}(?:[0-9a-fA-F]{2}){1,8})(?:[ \t]|$)`)

// lenRow is how many bytes a row of a dump has at most.
const lenRow = 16

// dumped reads the bytes of dumps in hexadecimal. What is hidden of one goes on to the end of the
// same bytes as characters.
func dumped(text string) *listing {
	l := &listing{}
	began, at, last := 0, 0, 0
	for line := range strings.Lines(text) {
		row := strings.TrimRight(line, "\r\n")
		var m []int
		if strings.Contains(row, "  ") { // which is quick to see
			m = dumpRow.FindStringSubmatchIndex(row)
		}
		if m != nil {
			l.row(row, at, m[2], m[3])
		} else {
			l.end(began, leastItems, text, last)
			began = len(l.spelled)
		}
		at += len(line)
		last = at
	}
	l.end(began, leastItems, text, last)
	return l
}

// row reads the bytes of a row, which is at a place of the text.
func (l *listing) row(row string, at, from, to int) {
	start := len(l.spelled)
	for i := from; i+1 < to && len(l.spelled)-start < lenRow; i++ {
		if b, err := strconv.ParseUint(row[i:i+2], 16, 8); err == nil {
			l.add(string([]byte{byte(b)}), at+i, at+i+2)
			i++
		}
	}
	count := len(l.spelled) - start
	characters := len(row) - count
	if bar := strings.IndexByte(row, '|'); bar >= 0 {
		characters = bar + 1
	}
	for i := range count {
		l.to[start+i] = max(l.to[start+i], at+min(characters+i+1, len(row)))
	}
}
