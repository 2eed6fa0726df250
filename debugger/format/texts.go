package format

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

var texts = map[string]formatter{
	"encoding/json.RawMessage": func(d *describer, v debugger.Variable) (Value, error) { return d.content(v, 0) },
	"bytes.Buffer": func(d *describer, v debugger.Variable) (Value, error) {
		return d.rest(v, "buf", "off")
	},
	"strings.Builder": func(d *describer, v debugger.Variable) (Value, error) {
		buf, err := d.field(v, "buf")
		if err != nil {
			return Value{}, err
		}
		return d.content(buf, 0)
	},
	"strings.Reader": func(d *describer, v debugger.Variable) (Value, error) { return d.rest(v, "s", "i") },
	"bytes.Reader":   func(d *describer, v debugger.Variable) (Value, error) { return d.rest(v, "s", "i") },
	"regexp.Regexp": func(d *describer, v debugger.Variable) (Value, error) {
		expr, err := d.fieldText(v, "expr")
		return Value{Text: "`" + expr + "`"}, err
	},
	"os.File": func(d *describer, v debugger.Variable) (Value, error) {
		name, err := d.fieldText(v, "file.name")
		if err != nil {
			return Value{}, err
		}
		fd, err := d.integer(v, "file.pfd.Sysfd")
		if err != nil {
			return Value{Text: strconv.Quote(name)}, nil
		}
		return Value{Text: strconv.Quote(name) + ", fd " + strconv.FormatInt(fd, 10)}, nil
	},
	"reflect.Value": reflected,
}

// rest is what is left to be read of a buffer.
func (d *describer) rest(v debugger.Variable, content, offset string) (Value, error) {
	buf, err := d.field(v, content)
	if err != nil {
		return Value{}, err
	}
	off, err := d.integer(v, offset)
	if err != nil {
		return Value{}, err
	}
	return d.content(buf, off)
}

// content is a text or bytes from an offset on.
func (d *describer) content(v debugger.Variable, off int64) (Value, error) {
	if v.Nil || off >= v.Len {
		return Value{Text: "empty"}, nil
	}
	var text string
	if v.Kind == reflect.String {
		s, err := d.text(v)
		if err != nil {
			return Value{}, err
		}
		text = s[min(off, int64(len(s))):]
	} else {
		data, err := d.bytes(v, max(off, 0), maxText)
		if err != nil {
			return Value{}, err
		}
		text = string(data)
	}
	out := strconv.Quote(text)
	if n := v.Len - off; n > int64(len(text)) {
		out += "… " + plural(n, "byte", "bytes")
	}
	return Value{Text: out}, nil
}

// Flags of reflect.Value (reflect/value.go).
const (
	reflectKind  = 1<<5 - 1
	reflectIndir = 1 << 7
)

// reflected is the value in a reflect.Value, whose first two words are those of
// an interface that holds it.
func reflected(d *describer, v debugger.Variable) (Value, error) {
	flag, err := d.integer(v, "flag")
	if err != nil {
		return Value{}, err
	}
	if flag == 0 {
		return Value{Text: "the zero reflect.Value"}, nil
	}
	if !debugger.InMemory(v.Addr) {
		return Value{}, ErrPlain
	}
	held, err := d.at("interface {}", v.Addr)
	if err != nil {
		return Value{}, err
	}
	inner, err := d.only(held)
	if err != nil {
		return Value{}, err
	}
	switch reflect.Kind(flag & reflectKind) {
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if flag&reflectIndir != 0 { // the word is the address of the pointer, not the pointer itself
			ptr, err := d.field(v, "ptr")
			if err != nil || len(ptr.Value) == 0 {
				return Value{}, ErrPlain
			}
			addr, err := strconv.ParseUint(strings.Trim(strings.TrimPrefix(ptr.Value, "unsafe.Pointer"), "()"), 0, 64)
			if err != nil {
				return Value{}, ErrPlain
			}
			if inner, err = d.at(inner.QualifiedType(), addr); err != nil {
				return Value{}, err
			}
		}
	}
	return Value{Text: inner.Type + " " + d.plain(inner), Rows: []debugger.Variable{named(inner, "holds")}}, nil
}
