package value

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// structure reads a struct. Fields that source in From cannot name have to be
// zero.
func (r *Reader) structure(at site, v debugger.Variable, t types.Type, u *types.Struct) (*Value, error) {
	fields, err := r.children(at, v)
	if err != nil {
		return nil, err
	}
	if len(fields) != u.NumFields() {
		return nil, at.refuse("is a %s, whose fields are not as its source says", v.Type)
	}
	if c := r.constructor(at, t); c != nil {
		return r.constructed(at, c, fields, t, u)
	}
	out := &Value{Type: t, Form: Struct}
	for i := range fields {
		f := u.Field(i)
		if f.Name() == "_" {
			continue
		}
		if !r.scope().visible(f) {
			if !r.zeroed(at, fields[i]) {
				return nil, at.refuse("is a %s: cannot be rebuilt", v.Type)
			}
			continue
		}
		value, err := r.read(at.field(f.Name()), fields[i], f.Type())
		if err != nil {
			return nil, err
		}
		if value.isZero() {
			out.Zeros = append(out.Zeros, Field{f.Name(), value})
		} else {
			out.Fields = append(out.Fields, Field{f.Name(), value})
		}
	}
	if len(out.Fields) == 0 {
		out.Form = Zero
	}
	return out, r.scope().nameable(at, t)
}

// zeroed reports whether a value is zero, whatever it is made of.
func (r *Reader) zeroed(at site, v debugger.Variable) bool {
	if v.Unreadable != "" {
		return false
	}
	switch v.Kind {
	case reflect.Struct, reflect.Array:
		children, err := r.children(at, v)
		return err == nil && !slices.ContainsFunc(children, func(c debugger.Variable) bool { return !r.zeroed(at, c) })
	case reflect.Bool:
		return v.Value == "false"
	case reflect.String:
		return v.Len == 0 && v.Value == ""
	case reflect.Complex64, reflect.Complex128:
		return strings.ReplaceAll(v.Value, " ", "") == "(0+0i)"
	case reflect.Pointer, reflect.UnsafePointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.Nil
	}
	return debugger.Number(v.Value) == "0"
}

func (r *Reader) slice(at site, v debugger.Variable, t types.Type, u *types.Slice) (*Value, error) {
	if v.Nil {
		return zero(t), nil
	}
	if err := r.scope().nameable(at, t); err != nil {
		return nil, err
	}
	if b, ok := u.Elem().(*types.Basic); ok && b.Kind() == types.Byte && v.Len > 0 {
		return r.byteSlice(at, v, t)
	}
	list, err := r.list(at, v, t, u.Elem())
	if err == nil {
		list.Form = List // empty is not nil
	}
	return list, err
}

// list reads the elements of an array or a slice.
func (r *Reader) list(at site, v debugger.Variable, t, elem types.Type) (*Value, error) {
	elems, err := r.children(at, v)
	if err != nil {
		return nil, err
	}
	out := &Value{Type: t, Form: Zero}
	for i, e := range elems {
		value, err := r.read(at.index(strconv.Itoa(i)), e, elem)
		if err != nil {
			return nil, err
		}
		if !value.isZero() {
			out.Form = List
		}
		out.Elems = append(out.Elems, value)
	}
	return out, r.scope().nameable(at, t)
}

func (r *Reader) mapping(at site, v debugger.Variable, t types.Type, u *types.Map) (*Value, error) {
	if v.Nil {
		return zero(t), nil
	}
	if err := r.scope().nameable(at, t); err != nil {
		return nil, err
	}
	out, known := r.object(v.Base, v.FullType)
	if known {
		return out, nil
	}
	*out = Value{Type: t, Form: Map}
	entries, err := r.children(at, v)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		entry, err := r.entry(at, e, u)
		if err != nil {
			return nil, err
		}
		out.Entries = append(out.Entries, entry)
	}
	slices.SortStableFunc(out.Entries, func(a, b Entry) int { return compareKeys(a.Key, b.Key) })
	return out, nil
}

func (r *Reader) entry(at site, e debugger.Variable, u *types.Map) (Entry, error) {
	name := strings.TrimSuffix(strings.TrimPrefix(e.Name, "["), "]")
	if e.Key == nil {
		return Entry{}, at.refuse("has a key that cannot be read")
	}
	key, err := r.read(at.index(name), *e.Key, u.Key())
	if err != nil {
		return Entry{}, err
	}
	value, err := r.read(at.index(name), e, u.Elem())
	return Entry{key, value}, err
}

// compareKeys sorts numbers by value and the rest by text.
func compareKeys(a, b *Value) int {
	x, errX := strconv.ParseFloat(keyText(a), 64)
	y, errY := strconv.ParseFloat(keyText(b), 64)
	if errX == nil && errY == nil {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(keyText(a), keyText(b))
}

func keyText(v *Value) string {
	switch v.Form {
	case Zero:
		return "0"
	case Literal:
		return v.Text
	case Interface:
		return keyText(v.To)
	case Struct:
		var parts []string
		for _, f := range v.Fields {
			parts = append(parts, f.Name+keyText(f.Value))
		}
		return strings.Join(parts, " ")
	case List:
		var parts []string
		for _, e := range v.Elems {
			parts = append(parts, keyText(e))
		}
		return strings.Join(parts, " ")
	}
	return fmt.Sprint(v.Code...)
}

// object returns the value of an object of the target; known reports whether it
// was met before, and may still be being read.
func (r *Reader) object(addr uint64, typ string) (v *Value, known bool) {
	id := identity{addr, typ}
	if have := r.shared[id]; have != nil && addr != 0 {
		return have, true
	}
	v = &Value{}
	r.meet(id, v)
	return v, false
}

func (r *Reader) pointer(at site, v debugger.Variable, t types.Type, u *types.Pointer) (*Value, error) {
	if v.Nil {
		return zero(t), nil
	}
	targets, err := r.children(at, v)
	if err != nil {
		return nil, err
	}
	if len(targets) != 1 {
		return nil, at.refuse("points at what cannot be read")
	}
	to, known := r.object(targets[0].Addr, targets[0].FullType)
	out := &Value{Type: t, Form: Pointer, To: to}
	if known {
		return out, nil
	}
	found, err := r.read(at.target(), targets[0], u.Elem())
	if err != nil {
		return nil, err
	}
	*to = *found
	return out, r.scope().nameable(at, u.Elem())
}

// dynamic reads what an interface holds.
func (r *Reader) dynamic(at site, v debugger.Variable, t types.Type) (*Value, error) {
	if v.Nil {
		return zero(t), nil
	}
	inner, err := r.children(at, v)
	if err != nil {
		return nil, err
	}
	if len(inner) != 1 {
		return nil, at.refuse("holds what cannot be read")
	}
	data := inner[0]
	var value *Value
	if known, ok := knownDynamic[data.FullType]; ok && data.Unreadable == "" {
		value, err = known(r, at.inside(), data, nil)
	} else {
		typ, wrong := r.Types.Resolve(data.FullType)
		if wrong != nil {
			return nil, at.refuse("is a %s: cannot be rebuilt", data.Type)
		}
		if err := r.scope().nameable(at, typ); err != nil {
			return nil, err
		}
		value, err = r.read(at.inside(), data, typ)
	}
	if err != nil {
		return nil, err
	}
	return &Value{Type: t, Form: Interface, To: value}, nil
}

func (r *Reader) channel(at site, v debugger.Variable, t types.Type, u *types.Chan) (*Value, error) {
	if v.Nil {
		return zero(t), nil
	}
	if err := r.scope().nameable(at, t); err != nil {
		return nil, err
	}
	out, known := r.object(v.Base, "chan")
	if known {
		return out, nil
	}
	*out = Value{Type: t, Form: Chan, Cap: v.Cap}
	closed, err := r.evaluate(at, "("+v.Expr+").closed")
	if err != nil {
		return nil, err
	}
	out.Closed = closed.Value != "0"
	if v.Len == 0 {
		return out, nil
	}
	first, err := r.evaluate(at, "("+v.Expr+").recvx")
	if err != nil {
		return nil, err
	}
	start, err := strconv.ParseInt(first.Value, 10, 64)
	if err != nil {
		return nil, at.refuse("cannot be read: its first item is unknown")
	}
	for i := range v.Len {
		item, err := r.evaluate(at, fmt.Sprintf("(*(%s).buf)[%d]", v.Expr, (start+i)%v.Cap))
		if err != nil {
			return nil, err
		}
		value, err := r.read(at.index(strconv.FormatInt(i, 10)), item, u.Elem())
		if err != nil {
			return nil, err
		}
		out.Elems = append(out.Elems, value)
	}
	return out, nil
}

// function refers to a top-level function by its name.
func (r *Reader) function(at site, v debugger.Variable, t types.Type) (*Value, error) {
	if v.Nil {
		return zero(t), nil
	}
	path, name := debugger.CutFunction(v.Value)
	if name == "" {
		return nil, at.refuse("is a function that cannot be named: %s", v.Value)
	}
	pkg := r.Types.Package(path)
	if strings.ContainsAny(name, ".[-") && t != nil {
		return r.closure(at, v, t)
	}
	if pkg == nil {
		return nil, at.refuse("is the function %s: cannot be rebuilt", v.Value)
	}
	object, ok := pkg.Scope().Lookup(name).(*types.Func)
	if !ok || !r.scope().visible(object) || !r.scope().importable(pkg) {
		return nil, at.refuse("is the function %s: cannot be named here", v.Value)
	}
	return made(t, Ref{pkg.Path(), pkg.Name(), name}), nil
}
