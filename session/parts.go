package session

import (
	"bytes"
	"errors"
)

// A journal may come from elsewhere. In memory, an element of a list may take hundreds of
// times as many bytes as "{}," or "0,", so that what is read is bounded by its parts, too.

// Bounds of the parts of a journal.
const (
	bytesPerPart = 24      // at least, on average; what pausetui writes has 50 and more
	fewParts     = 1 << 16 // that are read in any case
	deepestJSON  = 10000   // which encoding/json refuses
)

// errParts is returned for a journal that would take much more memory than its size.
var errParts = errors.New("it has too many parts for its size")

// tooManyParts reports whether so many bytes of a journal may not have so many parts.
func tooManyParts(parts, size int) bool { return parts > fewParts+size/bytesPerPart }

// parts counts what JSON makes values of that are larger than its text: objects, and
// elements of lists after the first.
func parts(text []byte) int {
	n := 0
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			if open = append(open, c); len(open) > deepestJSON {
				return len(text)
			}
			if c == '{' {
				n++
			}
		case '}', ']':
			open = open[:max(len(open)-1, 0)]
		case ',':
			if len(open) > 0 && open[len(open)-1] == '[' {
				n++
			}
		}
	}
	return n
}

// endOfString is where the string ends that begins at a quote.
func endOfString(text []byte, from int) int {
	for at := from + 1; ; {
		i := bytes.IndexByte(text[at:], '"')
		if i < 0 {
			return len(text)
		}
		at += i
		escapes := at
		for text[escapes-1] == '\\' {
			escapes--
		}
		if (at-escapes)%2 == 0 {
			return at
		}
		at++
	}
}
