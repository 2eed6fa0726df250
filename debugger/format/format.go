// Package format describes values that mean more than their fields: times, locks, errors
// with their chain, contexts, channels. It goes by the type, and the user's [formats]
// come before it. No code of the target runs for it; what has to be read is read through
// a Reader.
//
// It knows how types of the standard library are made, of the Go versions that
// the debugger takes. Where a type is not made as expected it says nothing, and
// the value is shown by its fields.
package format

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// Value is what a value means.
type Value struct {
	Text string // in one line: "locked, 2 waiting"
	// Rows are what it holds, where its fields do not say so: the levels of an
	// error, the entries of a sync.Map. Their own values need no description.
	Rows []debugger.Variable
	// Chain tells that Rows are the levels of an error, the first the error itself.
	Chain bool
}

// Reader reads on in the frame that a value comes from.
type Reader interface {
	Evaluate(ctx context.Context, expr string) (debugger.Variable, error)
	Children(ctx context.Context, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error)
	ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error)
}

var (
	// ErrMore is returned without a Reader where what is loaded does not do.
	ErrMore = errors.New("more of the value has to be read")
	// ErrPlain is returned for values that mean no more than they show.
	ErrPlain = errors.New("the value is what it shows")
)

// Bounds of what is read for one description.
const (
	maxText  = 4096 // bytes of a text
	maxRows  = 1000
	maxDepth = 64 // errors in errors, contexts in contexts
)

// NewReader reads through an inspector.
func NewReader(in debugger.Inspector, at debugger.FrameRef) Reader { return reader{in, at} }

type reader struct {
	in debugger.Inspector
	at debugger.FrameRef
}

func (r reader) Evaluate(ctx context.Context, expr string) (debugger.Variable, error) {
	return r.in.Evaluate(ctx, r.at, expr)
}

func (r reader) Children(ctx context.Context, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	return r.in.Children(ctx, r.at, v, page)
}

func (r reader) ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error) {
	if m, ok := r.in.(debugger.MemoryReader); ok {
		return m.ReadMemory(ctx, addr, n)
	}
	return nil, errors.New("memory cannot be read")
}

// Describe says what a value means. Without a Reader it makes do with what is
// loaded, reads nothing, and fails with ErrMore where that is not enough. Values
// without a meaning of their own give ErrPlain.
func Describe(ctx context.Context, r Reader, v debugger.Variable) (Value, error) {
	d := &describer{ctx: ctx, r: r}
	return d.describe(v, maxDepth)
}

// describer describes one value.
type describer struct {
	ctx context.Context
	r   Reader
}

// formatter describes a value of one type; v is neither pointer nor interface,
// unless the type is.
type formatter func(d *describer, v debugger.Variable) (Value, error)

// known are the types that mean something, by their names with package paths
// and without type arguments.
var known map[string]formatter // filled by init

func init() { // not at its declaration: some look into it
	known = map[string]formatter{}
	for _, table := range []map[string]formatter{times, numbers, texts, networks, locks, atomics, containers, contexts} {
		for name, f := range table {
			known[name] = f
		}
	}
}

func (d *describer) describe(v debugger.Variable, depth int) (Value, error) {
	if v.Unreadable != "" || v.Nil || v.Unset || depth == 0 {
		return Value{}, ErrPlain
	}
	if text, ok := v.TypedNil(); ok {
		return Value{Text: text}, nil
	}
	switch v.QualifiedType() {
	case "error":
		return d.errorValue(v)
	case "context.Context":
		return d.contextValue(v)
	}
	if v.Kind == reflect.Interface || v.Kind == reflect.Pointer {
		if v.Kind == reflect.Pointer && !Means(strings.TrimPrefix(v.QualifiedType(), "*")) {
			return Value{}, ErrPlain
		}
		inner, err := d.pointee(v)
		if err != nil {
			return Value{}, err
		}
		return d.describe(inner, depth-1)
	}
	if f := formatterOf(v); f != nil {
		return f(d, v)
	}
	return Value{}, ErrPlain
}

// Means tells whether values of a type, given with its package's path, mean
// more than they show.
func Means(typ string) bool {
	typ = strings.TrimLeft(typ, "*")
	return known[base(typ)] != nil || errorTypes[base(typ)] != nil || contextTypes[base(typ)] || isUUID(typ) || typ == "error" || typ == "context.Context" || strings.HasPrefix(typ, "chan ") || strings.HasPrefix(typ, "<-chan ")
}

func formatterOf(v debugger.Variable) formatter {
	typ := v.QualifiedType()
	switch f := known[base(typ)]; {
	case f != nil:
		return f
	case errorTypes[base(typ)] != nil:
		return (*describer).errorValue
	case contextTypes[base(typ)]:
		return (*describer).contextValue
	case v.Kind == reflect.Chan:
		return channel
	case v.Kind == reflect.Func:
		return function
	case v.Kind == reflect.Array && v.Len == 16 && isUUID(typ):
		return uuid
	}
	return nil
}

func isUUID(typ string) bool { return strings.HasSuffix(typ, ".UUID") }

// base is a type's name without its arguments.
func base(typ string) string {
	name, _, _ := strings.Cut(typ, "[")
	if name == "" {
		return typ
	}
	return name
}

// arguments are a type's arguments: "main.T" of "sync/atomic.Pointer[main.T]".
func arguments(typ string) string {
	_, args, ok := strings.Cut(typ, "[")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(args, "]")
}

// pointee follows pointers and interfaces to a value.
func (d *describer) pointee(v debugger.Variable) (debugger.Variable, error) {
	for range maxDepth {
		if v.Kind != reflect.Pointer && v.Kind != reflect.Interface || v.Nil {
			return v, nil
		}
		if v.Unreadable != "" {
			return v, ErrPlain
		}
		next, err := d.only(v)
		if err != nil {
			return v, err
		}
		v = next
	}
	return v, ErrPlain
}

// only is what a pointer points at or an interface holds.
func (d *describer) only(v debugger.Variable) (debugger.Variable, error) {
	if len(v.Children) == 1 {
		return v.Children[0], nil
	}
	if d.r == nil {
		return v, ErrMore
	}
	list, err := d.r.Children(d.ctx, v, debugger.Page{})
	if err != nil {
		return v, err
	}
	if len(list) != 1 {
		return v, ErrPlain
	}
	return list[0], nil
}

// field follows a path of fields: "mu.state".
func (d *describer) field(v debugger.Variable, path string) (debugger.Variable, error) {
	for name := range strings.SplitSeq(path, ".") {
		inner, err := d.pointee(v)
		if err != nil {
			return v, err
		}
		next, ok := inner.Child(name)
		if !ok && len(inner.Children) > 0 && inner.Unloaded == 0 {
			return v, ErrPlain // it is not made so
		}
		if !ok {
			if next, err = d.read(inner, name); err != nil {
				return v, err
			}
		}
		v = next
	}
	if v.Unreadable != "" {
		return v, ErrPlain
	}
	return v, nil
}

func (d *describer) read(v debugger.Variable, name string) (debugger.Variable, error) {
	if d.r == nil {
		return v, ErrMore
	}
	if v.Expr == "" {
		return v, ErrPlain
	}
	got, err := d.r.Evaluate(d.ctx, operand(v.Expr)+"."+name)
	if err != nil {
		return v, fmt.Errorf("%w: %w", ErrPlain, err)
	}
	got.Name = name
	return got, nil
}

// operand puts an expression in parentheses where a selector would bind to a
// part of it.
func operand(expr string) string {
	if strings.ContainsAny(expr[:min(1, len(expr))], "*&-") {
		return "(" + expr + ")"
	}
	return expr
}

// cast is an expression for a value of a type at an address.
func cast(typ string, addr uint64) string { return fmt.Sprintf("*(*%q)(%#x)", typ, addr) }

// at reads a value of a type at an address.
func (d *describer) at(typ string, addr uint64) (debugger.Variable, error) {
	if d.r == nil {
		return debugger.Variable{}, ErrMore
	}
	v, err := d.r.Evaluate(d.ctx, cast(typ, addr))
	if err != nil {
		return v, fmt.Errorf("%w: %w", ErrPlain, err)
	}
	return v, nil
}

// children returns all children of a value, up to maxRows.
func (d *describer) children(v debugger.Variable) ([]debugger.Variable, error) {
	list := v.Children
	for v.Unloaded > 0 && len(list) < maxRows && int64(len(list)) < v.Len {
		if d.r == nil {
			return nil, ErrMore
		}
		more, err := d.r.Children(d.ctx, v, debugger.Page{Start: len(list), Count: maxRows - len(list)})
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			break
		}
		list = append(list[:len(list):len(list)], more...)
	}
	return list, nil
}

// text is a string's bytes, up to maxText.
func (d *describer) text(v debugger.Variable) (string, error) {
	if int64(len(v.Value)) >= min(v.Len, maxText) {
		return v.Value, nil
	}
	if d.r == nil {
		return "", ErrMore
	}
	if v.Base == 0 {
		return v.Value, nil
	}
	data, err := d.r.ReadMemory(d.ctx, v.Base, int(min(v.Len, maxText)))
	return string(data), err
}

// bytes are those of a slice or array of bytes, up to n from start on.
func (d *describer) bytes(v debugger.Variable, start, n int64) ([]byte, error) {
	n = min(n, v.Len-start)
	if n <= 0 {
		return nil, nil
	}
	if start+n <= int64(len(v.Children)) {
		data := make([]byte, n)
		for i := range data {
			b, err := strconv.ParseUint(debugger.Number(v.Children[start+int64(i)].Value), 10, 8)
			if err != nil {
				return nil, ErrPlain
			}
			data[i] = byte(b)
		}
		return data, nil
	}
	if d.r == nil {
		return nil, ErrMore
	}
	from := v.Base
	if v.Kind == reflect.Array {
		from = v.Addr
	}
	if !debugger.InMemory(from) {
		return nil, ErrPlain
	}
	return d.r.ReadMemory(d.ctx, from+uint64(start), int(n))
}

// integer is the number of a field.
func (d *describer) integer(v debugger.Variable, path string) (int64, error) {
	f, err := d.field(v, path)
	if err != nil {
		return 0, err
	}
	if f.Kind == reflect.Bool {
		return map[string]int64{"true": 1}[f.Value], nil
	}
	text := debugger.Number(f.Value)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, ErrPlain
	}
	return int64(n), nil
}

// fieldText is the text of a field.
func (d *describer) fieldText(v debugger.Variable, path string) (string, error) {
	f, err := d.field(v, path)
	if err != nil {
		return "", err
	}
	return d.text(f)
}

// row is a line of what a value holds.
func row(name, value string) debugger.Variable {
	return debugger.Variable{Name: name, Value: value, Kind: reflect.Struct}
}

// named gives a value that was found a name of its own.
func named(v debugger.Variable, name string) debugger.Variable {
	v.Name = name
	return v
}

// plain is a value in a few words, as a part of a description.
func (d *describer) plain(v debugger.Variable) string {
	if v.Nil {
		return "nil"
	}
	if text, ok := v.TypedNil(); ok {
		return text
	}
	if inner, err := d.pointee(v); err == nil {
		v = inner
	}
	if described, err := d.describe(v, 4); err == nil {
		return described.Text
	}
	if v.Kind == reflect.String {
		return quoted(v.Value, v.Len)
	}
	return strings.TrimPrefix(v.Value, "main.")
}

// quoted writes a text that may be cut.
func quoted(s string, length int64) string {
	const most = 60
	cut := int64(len(s)) < length
	if len(s) > most {
		s, cut = printable.Cut(s, most), true
	}
	if cut {
		return strconv.Quote(s) + "…"
	}
	return strconv.Quote(s)
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}
