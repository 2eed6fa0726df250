package value

import (
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

func builder(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.bytesField(at, v, "buf")
	if err != nil || text == "" {
		return zero(t), err
	}
	return withAfter(t, Self{}, ".WriteString(", Quote(text), ")"), nil
}

func buffer(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.unreadPart(at, v)
	if err != nil || text == "" {
		return zero(t), err
	}
	return withAfter(t, Self{}, ".WriteString(", Quote(text), ")"), nil
}

func newBuffer(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.unreadPart(at, v)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return made(t, "&", std("bytes", "Buffer"), "{}"), nil
	}
	return made(t, std("bytes", "NewBufferString"), "(", Quote(text), ")"), nil
}

// unreadPart is what a bytes.Buffer has still to give.
func (r *Reader) unreadPart(at site, v debugger.Variable) (string, error) {
	text, err := r.bytesField(at, v, "buf")
	if err != nil {
		return "", err
	}
	return r.from(at, v, "off", text)
}

// from cuts off what lies before the index that a field holds.
func (r *Reader) from(at site, v debugger.Variable, field, text string) (string, error) {
	n, err := r.intField(at, v, field)
	if err != nil {
		return "", err
	}
	return text[max(0, min(n, int64(len(text)))):], nil
}

func stringsReader(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.restOfString(at, v)
	return made(t, std("strings", "NewReader"), "(", Quote(text), ")"), err
}

func (r *Reader) restOfString(at site, v debugger.Variable) (string, error) {
	text, err := r.textField(at, v, "s")
	if err != nil {
		return "", err
	}
	return r.from(at, v, "i", text)
}

func bytesReader(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.bytesField(at, v, "s")
	if err != nil {
		return nil, err
	}
	text, err = r.from(at, v, "i", text)
	return made(t, std("bytes", "NewReader"), "([]byte(", Quote(text), "))"), err
}

func bufioReader(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.buffered(at, v, "rd", "r", "w")
	return made(t, std("bufio", "NewReader"), "(", std("strings", "NewReader"), "(", Quote(text), "))"), err
}

func bufioScanner(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.buffered(at, v, "r", "start", "end")
	if err != nil {
		return nil, err
	}
	out := made(t, std("bufio", "NewScanner"), "(", std("strings", "NewReader"), "(", Quote(text), "))")
	split, err := r.field(at, v, "split")
	if err != nil {
		return nil, err
	}
	if split.Value != "bufio.ScanLines" {
		how, err := r.function(at.field("split"), split, nil)
		if err != nil {
			return nil, err
		}
		out.After = []Code{{Self{}, ".Split(", how, ")"}}
	}
	return out, nil
}

// buffered is what a buffered reader has still to give: what is in its buffer,
// and what its source has.
func (r *Reader) buffered(at site, v debugger.Variable, source, start, end string) (string, error) {
	held, err := r.bytesField(at, v, "buf")
	if err != nil {
		return "", err
	}
	stop, err := r.intField(at, v, end)
	if err != nil {
		return "", err
	}
	held = held[:max(0, min(stop, int64(len(held))))]
	unread, err := r.from(at, v, start, held)
	if err != nil {
		return "", err
	}
	rest, err := r.restOf(at, v, source, held)
	return unread + rest, err
}

// restOf is what a source has still to give after held.
func (r *Reader) restOf(at site, v debugger.Variable, field, held string) (string, error) {
	source, err := r.field(at, v, field)
	if err != nil {
		return "", err
	}
	data := source
	if len(source.Children) == 1 {
		data = source.Children[0]
	}
	target := data.Deref()
	switch {
	case data.FullType == "*strings.Reader":
		return r.restOfString(at, target)
	case data.FullType == "*os.File" && target.Addr == r.address("os.Stdin"):
		return r.restOfInput(at, held)
	}
	return "", at.refuse("is a %s over a %s: cannot be rebuilt", v.Type, data.Type)
}

// restOfInput finds where in the standard input a reader is by what it holds.
func (r *Reader) restOfInput(at site, held string) (string, error) {
	input, ok := r.input()
	if !ok {
		return "", at.refuse("reads the standard input, which is not known")
	}
	if strings.Count(input, held) > 1 && input != held && held != "" {
		if strings.HasPrefix(input, held) && len(held) >= 4096 {
			return input[len(held):], nil
		}
		return "", at.refuse("reads the standard input, but how far is not known")
	}
	_, after, found := strings.Cut(input, held)
	if !found {
		return "", at.refuse("reads the standard input, but how far is not known")
	}
	return after, nil
}

func (r *Reader) input() (string, bool) {
	if r.Input == nil {
		return "", false
	}
	return r.Input()
}

func bufioWriter(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	out, err := r.anyField(at, v, "wr")
	return made(t, std("bufio", "NewWriter"), "(", out, ")"), err
}

// standardFiles are the files that every program has.
var standardFiles = []string{"Stdin", "Stdout", "Stderr"}

func osFile(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	for _, name := range standardFiles {
		if v.Addr == r.address("os."+name) {
			return made(t, std("os", name)), nil
		}
	}
	return nil, at.refuse("is an os.File: cannot be rebuilt")
}

// dynamicFile makes a reader of the recorded input where the standard input is
// only known as an interface.
func dynamicFile(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	if v.Addr == r.address("os.Stdin") {
		if input, ok := r.input(); ok && len(input) <= maxBytes {
			return made(t, std("strings", "NewReader"), "(", Quote(input), ")"), nil
		}
	}
	return osFile(r, at, v, t)
}
