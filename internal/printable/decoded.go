package printable

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// decoder reads a text with the characters that are written out in it in their places: by Go and
// JSON, in URLs, in HTML, also as one of these in another. It holds what it has read, so that
// what ends a sequence is seen, whatever the parts of that were written as.
type decoder struct {
	out     []byte
	runs    []run
	quotes  bool // also what stands for a quote, a backslash or the end of a line
	changed bool
}

// Decoded is the reading of a text in which characters stand for what they are written as. With
// quotes that is all of a literal; without, a quote that is escaped stays so. It reports whether
// there are any.
func Decoded(s string, quotes bool) (Reading, bool) {
	if !strings.ContainsAny(s, `\%&`) {
		return Reading{s, []run{{to: len(s)}}}, false
	}
	d := decoder{out: make([]byte, 0, len(s)), quotes: quotes}
	for i := range len(s) {
		if n := len(d.runs); n == 0 || d.runs[n-1].whole || d.runs[n-1].to != i {
			d.runs = append(d.runs, run{at: len(d.out), from: i})
		}
		d.runs[len(d.runs)-1].to = i + 1
		d.out = append(d.out, s[i])
		for n, r := d.ends(); r != ""; n, r = d.ends() { // what it stands for may end another
			d.replace(n, r, i+1)
		}
	}
	return Reading{string(d.out), d.runs}, d.changed
}

// escapes are how a character is written by its number.
var escapes = []struct {
	lead         string
	digits, base int
}{{"%", 2, 16}, {`\x`, 2, 16}, {`\`, 3, 8}, {`\u`, 4, 16}, {"%u", 4, 16}, {`\U`, 8, 16}}

// ends is how long the sequence is that ends here, and what it stands for.
func (d *decoder) ends() (n int, written string) {
	out := d.out
	last := out[len(out)-1]
	if last == ';' {
		tail := out[max(len(out)-maxEntity, 0):]
		if at := bytes.LastIndexByte(tail, '&'); at >= 0 {
			if r := html.UnescapeString(string(tail[at:])); r == ";" || !strings.HasSuffix(r, ";") {
				return len(tail) - at, r
			}
		}
		return 0, ""
	}
	if len(out) > 1 && out[len(out)-2] == '\\' && (last == '/' || d.quotes && strings.IndexByte("\"'`\\nrt", last) >= 0) {
		return 2, strings.NewReplacer("n", "\n", "r", "\r", "t", "\t").Replace(string(last))
	}
	if '0' <= last && last <= '9' || 'a' <= last|0x20 && last|0x20 <= 'f' {
		for _, e := range escapes {
			n := len(e.lead) + e.digits
			if len(out) < n || !bytes.HasPrefix(out[len(out)-n:], []byte(e.lead)) {
				continue
			}
			if r := code(out[len(out)-e.digits:], e.base); r != "" {
				return n, r
			}
		}
	}
	return 0, ""
}

// maxEntity bounds what is read of a reference of HTML, in bytes.
const maxEntity = 12

// code is the character of a number, or the byte where there are two or three digits; empty if it is none.
func code(digits []byte, base int) string {
	n, err := strconv.ParseUint(string(digits), base, 32)
	switch {
	case err != nil, len(digits) == 3 && n > 0xff:
		return ""
	case len(digits) < 4:
		return string([]byte{byte(n)})
	case utf16.IsSurrogate(rune(n)):
		return string([]byte{0xed, byte(0x80 | n>>6&0x3f), byte(0x80 | n&0x3f)}) // until the other half
	}
	return string(rune(n))
}

// replace puts what a sequence stands for into its place; it ends before a byte of the text.
func (d *decoder) replace(n int, written string, to int) {
	d.changed = true
	escape := d.out[len(d.out)-n] == '\\'
	from := d.take(n)
	for escape && !d.quotes && len(d.out) > 0 && d.out[len(d.out)-1] == '\\' { // of a text within another
		from = d.take(1)
	}
	if pair, ok := d.pair(written); ok {
		written, from = pair, d.take(3)
	}
	d.runs = append(d.runs, run{at: len(d.out), from: from, to: to, whole: true})
	d.out = append(d.out, written...)
}

// pair is the character of which the end of what was read, and a text, are the halves.
func (d *decoder) pair(low string) (string, bool) {
	half := func(b []byte) rune { return 0xd000 | rune(b[1]&0x3f)<<6 | rune(b[2]&0x3f) }
	n := len(d.out)
	if len(low) != 3 || low[0] != 0xed || n < 3 || d.out[n-3] != 0xed {
		return "", false
	}
	r := utf16.DecodeRune(half(d.out[n-3:]), half([]byte(low)))
	return string(r), r != utf8.RuneError
}

// take takes the last bytes away, and returns where they begin in the text.
func (d *decoder) take(n int) (from int) {
	left := len(d.out) - n
	d.out = d.out[:left]
	for {
		last := &d.runs[len(d.runs)-1]
		if last.at < left && !last.whole {
			from = last.from + left - last.at
			last.to = from
			return from
		}
		from = last.from
		if d.runs = d.runs[:len(d.runs)-1]; last.at <= left {
			return from
		}
	}
}
