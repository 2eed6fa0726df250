package printable

import (
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// NewWriter returns a writer that drops what is Hidden, but for newlines and
// tabs: the last guard of a frontend that prints text. What is written is to have
// passed Text: of a sequence only the escape character is dropped here.
func NewWriter(w io.Writer) io.Writer { return &writer{to: w} }

// NewJSONWriter returns a writer of JSON whose strings hold nothing Hidden: what
// encoding/json leaves as it is (C1, bidirectional, zero-width) is escaped, so
// that the text reads as the same value. So is # where a CI's runner obeys what is printed.
func NewJSONWriter(w io.Writer) io.Writer { return &writer{to: w, escape: true, hash: obeyed()} }

type writer struct {
	to     io.Writer
	escape bool
	hash   bool   // escape it, too
	part   []byte // of a character that the last write has cut
}

// Write takes all of p; the end of a character may be written with the next.
func (w *writer) Write(p []byte) (int, error) {
	data := p
	if len(w.part) > 0 {
		data = append(w.part, p...)
	}
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		if n := w.seen(data); n > 0 {
			out, data = append(out, data[:n]...), data[n:]
			continue
		}
		if data[0] >= utf8.RuneSelf && !utf8.FullRune(data) {
			break
		}
		r, n := utf8.DecodeRune(data)
		data = data[n:]
		out = w.append(out, r)
	}
	w.part = append([]byte(nil), data...)
	if _, err := w.to.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// seen is how many bytes at the beginning are ASCII that stays as it is.
func (w *writer) seen(data []byte) int {
	for i, c := range data {
		if (c < ' ' || c > '~') && c != '\n' && c != '\t' || c == '#' && w.hash {
			return i
		}
	}
	return len(data)
}

func (w *writer) append(out []byte, r rune) []byte {
	switch {
	case r == '\n' || r == '\t' || !Hidden(r) && (r != '#' || !w.hash):
		return utf8.AppendRune(out, r)
	case !w.escape:
		return out
	case r > 0xFFFF:
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(out, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
