package value

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pausetui/pausetui/debugger"
)

// chunk is how many bytes of a string the debugger gives at once.
const chunk = 512

// replaced stands for a byte that is no part of a rune, on its way here.
const replaced = string(utf8.RuneError)

// text returns the whole of a string, byte for byte.
func (r *Reader) text(at site, v debugger.Variable) (string, error) {
	if r.bytes += int(min(v.Len, maxBytes+1)); r.bytes > maxBytes {
		return "", at.refuse("and what it refers to hold more than %d kB of text", maxBytes>>10)
	}
	if int64(len(v.Value)) == v.Len && !strings.Contains(v.Value, replaced) {
		return v.Value, nil
	}
	if v.Expr == "" && !r.recorded() {
		return "", at.refuse("cannot be read further than its first %d bytes", len(v.Value))
	}
	return r.chunks(at, v, "(%s)[%d:%d]")
}

// chunks reads a string, or a slice of bytes as one; format makes the
// expression for a part of it.
func (r *Reader) chunks(at site, v debugger.Variable, format string) (string, error) {
	if r.recorded() {
		return v.Value, nil
	}
	if v.Expr == "" {
		return "", at.refuse("cannot be read further")
	}
	var b strings.Builder
	for start := int64(0); start < v.Len; start += chunk {
		end := min(start+chunk, v.Len)
		part, err := r.evaluate(at, fmt.Sprintf(format, v.Expr, start, end))
		if err != nil {
			return "", err
		}
		whole, err := r.restore(at, v, part.Value, start)
		if err != nil {
			return "", err
		}
		b.WriteString(whole)
	}
	if int64(b.Len()) != v.Len {
		return "", at.refuse("cannot be read byte for byte")
	}
	return b.String(), nil
}

// restore puts the bytes back that were replaced on the way from the debugger.
// start is where the text begins in v.
func (r *Reader) restore(at site, v debugger.Variable, text string, start int64) (string, error) {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, replaced)
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		text = after
		first, err := r.byteAt(at, v, start+int64(b.Len()))
		if err != nil {
			return "", err
		}
		if first == replaced[0] { // it may be what it looks like
			real, err := r.isReplacement(at, v, start+int64(b.Len()))
			if err != nil {
				return "", err
			}
			if real {
				b.WriteString(replaced)
				continue
			}
		}
		b.WriteByte(first)
	}
}

func (r *Reader) isReplacement(at site, v debugger.Variable, i int64) (bool, error) {
	for k := int64(1); k < int64(len(replaced)); k++ {
		if i+k >= v.Len {
			return false, nil
		}
		got, err := r.byteAt(at, v, i+k)
		if err != nil || got != replaced[k] {
			return false, err
		}
	}
	return true, nil
}

func (r *Reader) byteAt(at site, v debugger.Variable, i int64) (byte, error) {
	got, err := r.evaluate(at, fmt.Sprintf("(%s)[%d]", v.Expr, i))
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(debugger.Number(got.Value), 10, 8)
	if err != nil {
		return 0, at.refuse("cannot be read byte for byte")
	}
	return byte(n), nil
}

// Quote writes a string as people do: with back quotes where it has lines or
// quotes of its own.
func Quote(text string) string {
	awkward := strings.Count(strings.TrimSuffix(text, "\n"), "\n") > 0 || strings.Count(text, `"`)+strings.Count(text, `\`) > 1
	if awkward && canRaw(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

func canRaw(text string) bool {
	for _, line := range strings.Split(text, "\n") {
		if !strconv.CanBackquote(line) || strings.HasSuffix(line, " ") || strings.HasSuffix(line, "\t") {
			return false
		}
	}
	return utf8.ValidString(text)
}

// byteSlice reads a slice of bytes as text, where it is text.
func (r *Reader) byteSlice(at site, v debugger.Variable, t types.Type) (*Value, error) {
	if r.bytes += int(min(v.Len, maxBytes+1)); r.bytes > maxBytes {
		return nil, at.refuse("and what it refers to hold more than %d kB of text", maxBytes>>10)
	}
	text, err := r.chunks(at, v, "string((%s)[%d:%d])")
	if err != nil {
		return nil, err
	}
	if isText(text) {
		return made(t, t, "(", Quote(text), ")"), nil
	}
	list := &Value{Type: t, Form: List}
	for i := range len(text) {
		list.Elems = append(list.Elems, literal(types.Typ[types.Byte], fmt.Sprintf("%#02x", text[i]), text[i] == 0))
	}
	return list, nil
}

func isText(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	odd := 0
	for _, c := range text {
		if c != '\n' && c != '\t' && c != '\r' && !strconv.IsPrint(c) {
			odd++
		}
	}
	return odd*8 <= len(text)
}
