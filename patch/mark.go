package patch

import (
	"strings"
	"unicode"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// mark finds the words that changed between removed lines and the added lines
// that replace them, pairing them in order within each block of changes.
func mark(all []Line) {
	budget := maxMarking
	for i := 0; i < len(all); {
		if all[i].Op == Same {
			i++
			continue
		}
		start := i
		for i < len(all) && all[i].Op != Same {
			i++
		}
		var dels, adds []*Line
		for j := start; j < i; j++ {
			if all[j].Op == Del {
				dels = append(dels, &all[j])
			} else {
				adds = append(adds, &all[j])
			}
		}
		for k := 0; k < min(len(dels), len(adds)); k++ {
			if budget -= len(dels[k].Text) * len(adds[k].Text); budget < 0 {
				return
			}
			dels[k].Marks, adds[k].Marks = words(dels[k].Text, adds[k].Text)
		}
	}
}

// Bounds on the search for changed words, whose cost grows with the product of
// the lengths of two lines.
const (
	maxMarked  = 2000        // bytes of a line
	maxMarking = 100_000_000 // products of lengths over a whole diff; beyond that lines get no marks
)

// words returns the spans that differ. Lines with little in common get none:
// marking nearly everything says nothing.
func words(a, b string) (inA, inB []Span) {
	if len(a) > maxMarked || len(b) > maxMarked {
		return nil, nil
	}
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0 // the same marks on a busy machine
	wa, wb, table := tokens(a, b)
	posA, posB, same := 0, 0, 0
	for _, d := range engine.DiffMainRunes(wa, wb, false) {
		text := 0
		for _, r := range d.Text {
			text += len(table[r])
		}
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			posA, posB, same = posA+text, posB+text, same+text
		case diffmatchpatch.DiffDelete:
			inA = extend(inA, Span{posA, posA + text})
			posA += text
		case diffmatchpatch.DiffInsert:
			inB = extend(inB, Span{posB, posB + text})
			posB += text
		}
	}
	if 3*same < max(len(a), len(b)) {
		return nil, nil
	}
	if strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ") {
		return nil, nil // only realigned: the space is not what matters
	}
	return inA, inB
}

func extend(spans []Span, s Span) []Span {
	if n := len(spans); n > 0 && spans[n-1].End == s.Start {
		spans[n-1].End = s.End
		return spans
	}
	return append(spans, s)
}

// tokens codes the words of both lines as runes, one for each distinct word.
func tokens(a, b string) (ra, rb []rune, table map[rune]string) {
	codes := map[string]rune{}
	table = map[rune]string{}
	code := func(text string) []rune {
		var out []rune
		for _, w := range split(text) {
			r, ok := codes[w]
			if !ok {
				r = rune(len(codes) + 1)
				if r >= 0xD800 { // skip the surrogates, which are no valid runes
					r += 0x800
				}
				codes[w], table[r] = r, w
			}
			out = append(out, r)
		}
		return out
	}
	return code(a), code(b), table
}

// split cuts a line into words, runs of space, and single other characters.
func split(text string) []string {
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 3
	}
	var out []string
	start, last := 0, 0
	for i, r := range text {
		c := class(r)
		if i > start && (c != last || c == 3) {
			out = append(out, text[start:i])
			start = i
		}
		last = c
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}
