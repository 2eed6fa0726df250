package redact

import (
	"strings"
	"unicode/utf8"
)

// literals finds many texts at once, in one pass: the automaton of Aho and
// Corasick, over the bytes that occur in the texts.
type literals struct {
	class  [256]uint8 // 0 for bytes that occur in no text
	width  int
	next   []int32 // state*width + class
	ends   [][]int // by state: the texts that end there, the longest first
	begun  []int   // by state: how much of a text was read
	texts  []known
	occurs [256]bool // bytes of them
	long   []known   // are looked for one by one
	lower  bool      // upper case counts as lower case
}

// maxShort bounds the texts that the automaton takes, in bytes: its size is that
// of all of them together, times the bytes that occur.
const maxShort = 64

func newLiterals(texts []known) *literals {
	var short, long []known
	for _, t := range texts {
		if len(t.text) > maxShort {
			long = append(long, t)
		} else {
			short = append(short, t)
		}
	}
	l := automaton(short, false)
	l.long = long
	for _, t := range texts {
		for i := range len(t.text) {
			l.occurs[t.text[i]] = true
			if t.text[i] >= utf8.RuneSelf { // where its bytes are read as characters
				l.occurs[0xc2], l.occurs[0xc3] = true, true
			}
		}
	}
	return l
}

func automaton(texts []known, lower bool) *literals {
	l := &literals{texts: texts, lower: lower}
	l.classes()
	l.next = make([]int32, l.width)
	l.ends, l.begun = make([][]int, 1), make([]int, 1)
	for i, t := range texts {
		l.add(i, t.text)
	}
	l.link()
	return l
}

// classes numbers the bytes that occur.
func (l *literals) classes() {
	n := 1
	for _, t := range l.texts {
		for i := range len(t.text) {
			if c := t.text[i]; l.class[c] == 0 && n < 256 {
				l.class[c] = uint8(n)
				n++
			}
		}
	}
	if l.lower {
		for c := 'A'; c <= 'Z'; c++ {
			l.class[c] = l.class[c-'A'+'a']
		}
	}
	l.width = n
}

func (l *literals) add(i int, text string) {
	state := int32(0)
	for k := range len(text) {
		at := int(state)*l.width + int(l.class[text[k]])
		if l.next[at] == 0 {
			l.next[at] = int32(len(l.ends))
			l.ends, l.begun = append(l.ends, nil), append(l.begun, k+1)
			l.next = append(l.next, make([]int32, l.width)...)
		}
		state = l.next[at]
	}
	l.ends[state] = append(l.ends[state], i)
}

// link makes the automaton complete: where no text goes on, it goes to the
// longest end of what was read that begins one.
func (l *literals) link() {
	fail := make([]int32, len(l.ends))
	queue := []int32{}
	for c := 1; c < l.width; c++ {
		if s := l.next[c]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		l.ends[s] = append(l.ends[s], l.ends[fail[s]]...)
		for c := range l.width {
			at := int(s)*l.width + c
			if t := l.next[at]; t != 0 {
				fail[t] = l.next[int(fail[s])*l.width+c]
				queue = append(queue, t)
			} else {
				l.next[at] = l.next[int(fail[s])*l.width+c]
			}
		}
	}
}

// each calls f for every text that ends before end, in order.
func (l *literals) each(s string, f func(which, end int)) {
	if len(l.texts) == 0 {
		return
	}
	state, width := 0, l.width
	for i := range len(s) {
		state = int(l.next[state*width+int(l.class[s[i]])])
		for _, which := range l.ends[state] {
			f(which, i+1)
		}
	}
}

// find returns where the texts stand; of short ones that end at the same byte,
// the longest.
func (l *literals) find(s string) []span {
	var found []span
	l.each(s, func(which, end int) {
		t := l.texts[which]
		if n := len(found); n > 0 && found[n-1].to == end {
			return
		}
		found = append(found, span{end - len(t.text), end, t.kind})
	})
	for _, t := range l.long {
		for at := 0; ; {
			i := strings.Index(s[at:], t.text)
			if i < 0 {
				break
			}
			at += i + len(t.text)
			found = append(found, span{at - len(t.text), at, t.kind})
		}
	}
	return append(found, l.cutOff(s)...)
}

const (
	cutMark  = "…"
	maxBegun = 1024 // bytes of a text that is cut off; what is shown is cut off before
	maxCut   = 1024 // ends of what is cut off at which long texts are looked for

	kindCut = "beginning of a secret"
)

// cutOff finds the beginnings of texts at the ends of what is shown cut off: "alpha br"….
func (l *literals) cutOff(s string) (found []span) {
	if len(l.texts) == 0 && len(l.long) == 0 {
		return nil
	}
	for at, seen := 0, 0; ; at, seen = at+len(cutMark), seen+1 {
		i := strings.Index(s[at:], cutMark)
		if i < 0 {
			return found
		}
		at += i
		before := strings.TrimRight(s[:at], `"\`)
		if n := l.beginning(before, seen < maxCut); n >= minHidden {
			found = append(found, span{len(before) - n, len(before), kindCut})
		}
	}
}

// beginning is how many bytes at the end of a text are the beginning of one that is
// looked for; of one of the long ones only if that is asked.
func (l *literals) beginning(s string, long bool) (most int) {
	state := 0
	for _, c := range []byte(s[max(0, len(s)-maxShort):]) {
		state = int(l.next[state*l.width+int(l.class[c])])
	}
	if len(l.texts) > 0 {
		most = l.begun[state]
	}
	if !long || s == "" {
		return most
	}
	last := s[len(s)-1]
	for _, t := range l.long {
		for n := min(len(t.text), len(s), maxBegun); n > most; n-- {
			if t.text[n-1] == last && strings.HasSuffix(s, t.text[:n]) {
				most = n
			}
		}
	}
	return most
}
