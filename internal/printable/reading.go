package printable

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi/parser"
)

// A Reading is a text without its control sequences and what is Hidden, also where these are
// written out (\x1b[0m): what is searched for in a text has to be searched for in its readings,
// since colors may be in the middle of it. It knows where each part stands in the text.
type Reading struct {
	Text string
	runs []run // the parts of the text that are left, in order
}

type run struct {
	at       int  // in the reading
	from, to int  // in the text
	whole    bool // one character of the reading is written out there
}

// way is a choice of how to read what terminals show differently.
type way uint8

const (
	c1     way = 1 << iota // C1 characters begin sequences, as ESC does
	titles                 // what sequences hold is text: titles, addresses of links
	back                   // a backspace takes the character before it away
)

// Readings are the readings of a text that differ from it and from each other, in each way and in
// all at once; none of a text that has nothing to leave out. What Text leaves is the first.
func Readings(s string) (list []Reading) {
	first, matter := read(s, 0)
	if first.Text != s {
		list = append(list, first)
	}
	for _, w := range []way{c1, titles, back, c1 | titles | back} {
		if w&matter == 0 {
			continue
		}
		if r, _ := read(s, w); !slices.ContainsFunc(list, func(o Reading) bool { return o.Text == r.Text }) {
			list = append(list, r)
		}
	}
	return list
}

// Seen is the text as a terminal shows it, on which what is Hidden has no effect.
func Seen(s string) string {
	r, _ := read(s, 0)
	return r.Text
}

// Origin is where a part of the reading, which is not empty, stands in the text, with all that was
// left out within it.
func (r Reading) Origin(from, to int) (int, int) {
	begin, end := r.runAt(from), r.runAt(to-1)
	if from, to = begin.from+from-begin.at, end.from+to-end.at; begin.whole {
		from = begin.from
	}
	if end.whole {
		to = end.to
	}
	return from, to
}

func (r Reading) runAt(at int) run {
	return r.runs[sort.Search(len(r.runs), func(i int) bool { return r.runs[i].at > at })-1]
}

// read reads a text in one way, and reports which other ways make a difference. A sequence ends
// with its line, as it does for Text.
func read(s string, w way) (Reading, way) {
	state, matter := parser.GroundState, way(0)
	var runs []run
	end := 1 // the backslashes that end a sequence after the last ESC
	for i := 0; i < len(s); {
		if n := usual(s[i:]); n > 0 && state == parser.GroundState {
			runs = extend(runs, i, i+n)
			i += n
			continue
		}
		r, n := character(s[i:])
		if state == parser.EscapeState && backslashes(s[i:]) >= end {
			r, n = '\\', end
		}
		if r == 0x1b {
			end = ending(s[i:])
		}
		var shown bool
		shown, state = step(r, state, w)
		switch {
		case shown:
			runs = extend(runs, i, i+n)
		case r == '\b' && w&back != 0:
			runs = shorten(s, runs)
		}
		matter |= matters(r, state)
		if w&titles != 0 && inString(state) {
			state = parser.GroundState
		}
		i += n
	}
	if len(runs) == 1 && runs[0] == (run{to: len(s)}) {
		return Reading{s, runs}, matter
	}
	var b strings.Builder
	for i, p := range runs {
		runs[i].at = b.Len()
		b.WriteString(s[p.from:p.to])
	}
	return Reading{b.String(), runs}, matter
}

// usual is how many bytes a text begins with that are printable ASCII and begin no escape.
func usual(s string) int {
	for i := range len(s) {
		if c := s[i]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f || c == '\\' {
			return i
		}
	}
	return len(s)
}

// step takes a character in a state of the parser of sequences.
func step(r rune, state parser.State, w way) (shown bool, next parser.State) {
	switch {
	case r == '\n':
		return true, parser.GroundState
	case r < utf8.RuneSelf, isC1(r) && w&c1 != 0:
		next, action := parser.Table.Transition(state, byte(r))
		return (action == parser.PrintAction || action == parser.ExecuteAction) && (r == '\t' || !Hidden(r)), next
	case state != parser.OscStringState && state != parser.DcsStringState:
		return r != utf8.RuneError && !Hidden(r), parser.GroundState
	case strings.IndexByte(string(r), 0x9c) >= 0: // which ends such a string, also in a character
		return false, parser.GroundState
	}
	return false, state
}

// matters are the ways that differ in a character, after which the parser is in a state.
func matters(r rune, state parser.State) (w way) {
	if isC1(r) {
		w |= c1
	}
	if r == '\b' {
		w |= back
	}
	if inString(state) {
		w |= titles
	}
	return w
}

func isC1(r rune) bool { return 0x80 <= r && r < 0xa0 }

// inString reports whether a state is one of a sequence that holds any text.
func inString(state parser.State) bool {
	return parser.DcsEntryState <= state && state <= parser.DcsStringState || parser.OscStringState <= state && state <= parser.ApcStringState
}

func extend(runs []run, from, to int) []run {
	if n := len(runs); n > 0 && runs[n-1].to == from {
		runs[n-1].to = to
		return runs
	}
	return append(runs, run{from: from, to: to})
}

// shorten takes the last character off, which is of the same line.
func shorten(s string, runs []run) []run {
	n := len(runs)
	if n == 0 {
		return runs
	}
	last := &runs[n-1]
	r, size := utf8.DecodeLastRuneInString(s[last.from:last.to])
	if r == '\n' {
		return runs
	}
	if last.to -= size; last.to == last.from {
		return runs[:n-1]
	}
	return runs
}

// character is the first one of a text, and its length in bytes. One that is written out counts
// where it steers a terminal: \x1b, \u200b, \033, also with more backslashes, as in a text within
// another.
func character(s string) (r rune, n int) {
	if s[0] != '\\' {
		if r, n = utf8.DecodeRuneInString(s); n == 1 && isC1(rune(s[0])) {
			r = rune(s[0])
		}
		return r, n
	}
	n = backslashes(s)
	if r, size := written(s[n-1:]); size > 0 && r != '\t' && (r == '\n' || r == utf8.RuneError || Hidden(r)) {
		return r, n - 1 + size
	}
	return '\\', n
}

// ending is how many backslashes one is written as where the ESC that a text begins with is
// written as it is there: each quoting doubles both. Those before the lowest bit of their number
// are text before that ESC.
func ending(s string) int {
	n := backslashes(s)
	return max(1, 2*(n&-n))
}

// backslashes is how many a text begins with.
func backslashes(s string) int { return len(s) - len(strings.TrimLeft(s, `\`)) }

// written is the character that a text begins with, written out, and the length of that; 0
// without one.
func written(s string) (r rune, size int) {
	r, char, rest, err := strconv.UnquoteChar(s, 0)
	if err == nil && !char && r >= utf8.RuneSelf && !isC1(r) { // a byte of no character
		r = utf8.RuneError
	}
	if err == nil {
		return r, len(s) - len(rest)
	}
	if len(s) < len(`\ud800\udc00`) || s[:2] != `\u` || s[6:8] != `\u` { // JSON has halves of a pair
		return 0, 0
	}
	high, errHigh := strconv.ParseUint(s[2:6], 16, 16)
	low, errLow := strconv.ParseUint(s[8:12], 16, 16)
	if r = utf16.DecodeRune(rune(high), rune(low)); errHigh != nil || errLow != nil || r == utf8.RuneError {
		return 0, 0
	}
	return r, len(`\ud800\udc00`)
}
