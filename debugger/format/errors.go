package format

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"syscall"

	"github.com/pausetui/pausetui/debugger"
)

// errorType says how errors of a type are made.
type errorType struct {
	// text is a template of fields; %s of Err is replaced by what is wrapped.
	text   func(d *describer, v debugger.Variable, inner string) (string, error)
	inner  string // the field with the wrapped error
	joined string // the field with several
}

// message is an error whose text is in a field.
func message(field string) func(*describer, debugger.Variable, string) (string, error) {
	return func(d *describer, v debugger.Variable, _ string) (string, error) { return d.fieldText(v, field) }
}

// filled fills texts of fields into a format, the wrapped error's last.
func filled(format string, fields ...string) func(*describer, debugger.Variable, string) (string, error) {
	return func(d *describer, v debugger.Variable, inner string) (string, error) {
		var args []any
		for _, f := range fields {
			text, err := d.fieldText(v, f)
			if err != nil {
				return "", err
			}
			args = append(args, text)
		}
		return fmt.Sprintf(format, append(args, inner)...), nil
	}
}

func constant(text string) func(*describer, debugger.Variable, string) (string, error) {
	return func(*describer, debugger.Variable, string) (string, error) { return text, nil }
}

// errorTypes are the errors that most others are made of: what their Error
// methods do, done here.
var errorTypes map[string]*errorType

func init() { // some look into it
	errorTypes = map[string]*errorType{
		"errors.errorString":            {text: message("s")},
		"errors.joinError":              {joined: "errs", text: joinedText},
		"fmt.wrapError":                 {text: message("msg"), inner: "err"},
		"fmt.wrapErrors":                {text: message("msg"), joined: "errs"},
		"io/fs.PathError":               {text: filled("%s %s: %s", "Op", "Path"), inner: "Err"},
		"os.LinkError":                  {text: filled("%s %s %s: %s", "Op", "Old", "New"), inner: "Err"},
		"os.SyscallError":               {text: filled("%s: %s", "Syscall"), inner: "Err"},
		"os/exec.Error":                 {text: filled("exec: %q: %s", "Name"), inner: "Err"},
		"strconv.NumError":              {text: filled("strconv.%s: parsing %q: %s", "Func", "Num"), inner: "Err"},
		"net/url.Error":                 {text: filled("%s %q: %s", "Op", "URL"), inner: "Err"},
		"net.OpError":                   {text: opError, inner: "Err"},
		"net.DNSError":                  {text: filled("lookup %s: %s%.0s", "Name", "Err")},
		"encoding/json.SyntaxError":     {text: message("msg")},
		"context.deadlineExceededError": {text: constant("context deadline exceeded")},
		"runtime.plainError":            {text: ownText},
		"runtime.errorString":           {text: runtimeText},
		"syscall.Errno":                 {text: errno},

		"github.com/pkg/errors.fundamental": {text: message("msg")},
		"github.com/pkg/errors.withStack":   {text: filled("%s"), inner: "error"},
		"github.com/pkg/errors.withMessage": {text: filled("%s: %s", "msg"), inner: "cause"},
	}
}

func ownText(d *describer, v debugger.Variable, _ string) (string, error) { return d.text(v) }

func runtimeText(d *describer, v debugger.Variable, _ string) (string, error) {
	s, err := d.text(v)
	return "runtime error: " + s, err
}

// opError is an error of a connection: "dial tcp 10.0.0.1:80: connection refused".
func opError(d *describer, v debugger.Variable, inner string) (string, error) {
	text, err := d.fieldText(v, "Op")
	if err != nil {
		return "", err
	}
	network, err := d.fieldText(v, "Net")
	if err != nil {
		return "", err
	}
	text += choose(network != "", " "+network, "")
	for _, name := range []string{"Source", "Addr"} {
		f, err := d.field(v, name)
		if err != nil {
			return "", err
		}
		if !f.Nil {
			text += choose(strings.HasSuffix(text, "->"), "", " ") + d.plain(f) + choose(name == "Source", "->", "")
		}
	}
	return strings.TrimSuffix(text, "->") + ": " + inner, nil
}

func errno(_ *describer, v debugger.Variable, _ string) (string, error) {
	n, err := strconv.ParseUint(debugger.Number(v.Value), 10, 64)
	if err != nil {
		return "", ErrPlain
	}
	return syscall.Errno(n).Error(), nil
}

// level is one error of a chain.
type level struct {
	v     debugger.Variable
	text  string
	sure  bool    // text is what its Error method returns
	below []level // what it wraps: one, or several that were joined
}

// errorValue writes an error with all that it wraps.
func (d *describer) errorValue(v debugger.Variable) (Value, error) {
	top, err := d.level(v, 24)
	if err != nil {
		return Value{}, err
	}
	out := Value{Text: top.text}
	if len(top.below) > 0 {
		out.Rows, out.Chain = flatten(top), true
	}
	return out, nil
}

// flatten writes a chain as a list, and what was joined as a tree below it.
func flatten(l level) []debugger.Variable {
	var rows []debugger.Variable
	for {
		r := debugger.Variable{Name: choose(len(rows) == 0, "is", "wraps"), Value: l.text, Type: l.v.Type, Kind: reflect.Struct, Expr: l.v.Expr}
		switch len(l.below) {
		case 0:
			return append(rows, r)
		case 1:
			rows = append(rows, r)
			l = l.below[0]
			continue
		}
		for i, b := range l.below {
			sub := flatten(b)
			sub[0].Name = fmt.Sprintf("wraps[%d]", i)
			sub[0].Children = append(sub[0].Children, sub[1:]...)
			r.Children = append(r.Children, sub[0])
		}
		return append(rows, r)
	}
}

func (d *describer) level(v debugger.Variable, depth int) (level, error) {
	inner, err := d.pointee(v)
	if err != nil {
		return level{}, err
	}
	held := v
	for held.Kind == reflect.Interface && len(held.Children) == 1 {
		held = held.Children[0]
	}
	if held.Kind == reflect.Interface {
		if held, err = d.only(held); err != nil {
			return level{}, err
		}
	}
	l := level{v: held}
	if depth == 0 {
		l.text = "…"
		return l, nil
	}
	made := errorTypes[base(inner.QualifiedType())]
	if made == nil {
		return d.unknownError(l, inner, depth)
	}
	below := ""
	switch {
	case made.inner != "":
		if below, err = d.wraps(&l, inner, made.inner, depth); err != nil {
			return l, err
		}
	case made.joined != "":
		if err := d.joins(&l, inner, made.joined, depth); err != nil {
			return l, err
		}
	}
	l.sure = true
	if made.joined != "" && base(inner.QualifiedType()) == "errors.joinError" {
		var parts []string
		for _, b := range l.below {
			parts = append(parts, b.text)
		}
		l.text = strings.Join(parts, "; ")
		return l, nil
	}
	l.text, err = made.text(d, inner, below)
	return l, err
}

// joins adds the errors of a list in a field below a level.
func (d *describer) joins(l *level, v debugger.Variable, field string, depth int) error {
	list, err := d.field(v, field)
	if err != nil {
		return err
	}
	all, err := d.children(list)
	if err != nil {
		return err
	}
	for _, one := range all {
		if one.Nil {
			continue
		}
		sub, err := d.level(one, depth-1)
		if err != nil {
			return err
		}
		l.below = append(l.below, sub)
	}
	return nil
}

func joinedText(*describer, debugger.Variable, string) (string, error) { return "", ErrPlain }

// wraps adds the error in a field.
func (d *describer) wraps(l *level, v debugger.Variable, field string, depth int) (string, error) {
	f, err := d.field(v, field)
	if err != nil {
		return "", err
	}
	if f.Nil {
		return "<nil>", nil
	}
	sub, err := d.level(f, depth-1)
	if err != nil {
		return "", err
	}
	l.below = append(l.below, sub)
	return sub.text, nil
}

// messageFields are where errors of a program's own keep their texts.
var messageFields = []string{"msg", "Msg", "message", "Message", "text", "Text", "reason", "Reason", "Detail", "detail", "s"}

// unknownError shows the type and the fields of an error whose method is not
// known; what it wraps is found by the type of a field.
func (d *describer) unknownError(l level, v debugger.Variable, depth int) (level, error) {
	l.text = strings.TrimPrefix(v.Value, "main.")
	if v.Kind == reflect.String {
		text, err := d.text(v)
		l.text = text
		return l, err
	}
	if v.Kind != reflect.Struct {
		return l, nil
	}
	for _, f := range v.Children {
		if f.QualifiedType() == "error" && f.Kind == reflect.Interface && !f.Nil {
			if _, err := d.wraps(&l, v, f.Name, depth); err != nil {
				return l, err
			}
			break
		}
	}
	for _, name := range messageFields {
		if f, ok := v.Child(name); ok && f.Kind == reflect.String && f.Len > 0 {
			text, err := d.text(f)
			if err != nil {
				return l, err
			}
			l.text = text
			if len(l.below) > 0 {
				l.text += ": " + l.below[0].text
			}
			return l, nil
		}
	}
	if len(l.below) > 0 { // its own fields say less than what it wraps
		name, _, _ := strings.Cut(l.text, "{")
		l.text = name + ": " + l.below[0].text
	}
	return l, nil
}
