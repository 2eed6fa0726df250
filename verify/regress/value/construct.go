package value

import (
	"errors"
	"go/types"

	"github.com/pausetui/pausetui/debugger"
)

// Constructor is a function that makes values of a struct type.
type Constructor struct {
	Func    *types.Func
	Pointer bool // it returns a pointer
	Fails   bool // it returns an error, too
	// Params are the fields that hold the parameters, one for each; the last one
	// of a variadic function is left out.
	Params []string
	// Sets are the fields that it gives a value to.
	Sets map[string]bool
	// Used is set when a value was made by it.
	Used bool
}

// constructor returns how a value is to be made; nil for a plain literal.
func (r *Reader) constructor(at site, t types.Type) *Constructor {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || r.Constructors == nil {
		return nil
	}
	c := r.Constructors(named)
	if c == nil || c.Pointer && !at.pointee || !r.scope().visible(c.Func) || !r.scope().importable(c.Func.Pkg()) {
		return nil
	}
	return c
}

// constructed makes a struct by its constructor. What the constructor sets and
// cannot be made here, or was nil at the stop, stays as it makes it; the rest is
// assigned.
func (r *Reader) constructed(at site, c *Constructor, fields []debugger.Variable, t types.Type, u *types.Struct) (*Value, error) {
	c.Used = true
	held := map[string]*Value{}
	out := &Value{Type: t, Form: Made, ByPointer: c.Pointer}
	params := map[string]bool{}
	for _, name := range c.Params {
		params[name] = true
	}
	for i := range fields {
		f := u.Field(i)
		if f.Name() == "_" {
			continue
		}
		value, err := r.attempt(at.field(f.Name()), fields[i], f.Type())
		var refused *Refusal
		switch {
		case errors.As(err, &refused) && c.Sets[f.Name()] && !params[f.Name()]:
			continue
		case err != nil:
			return nil, err
		}
		held[f.Name()] = value
		if params[f.Name()] || c.leaves(f, value) {
			out.Zeros = append(out.Zeros, Field{f.Name(), value})
			continue
		}
		if !r.scope().visible(f) {
			return nil, at.refuse("is a %s: cannot be rebuilt", f.Pkg().Name()+"."+u.String())
		}
		out.Fields = append(out.Fields, assigned(f.Name(), value)...)
	}
	out.Code = c.call(types.Unalias(t).(*types.Named).TypeArgs(), held)
	if c.Fails {
		out.Form = Declared
		out.Code = append(append(Code{Self{}, ", err := "}, out.Code...), "\nif err != nil {\nt.Fatal(err)\n}")
	}
	return out, nil
}

// leaves tells a field that is left as the constructor makes it: one that is
// nil or empty, so that nothing is known of it that the constructor does not say.
func (c *Constructor) leaves(f *types.Var, v *Value) bool {
	if v.isZero() {
		_, plain := f.Type().Underlying().(*types.Basic)
		return !plain || !c.Sets[f.Name()]
	}
	switch v.Form {
	case Map, Chan, List:
		return c.Sets[f.Name()] && !v.Closed && len(v.Entries)+len(v.Elems) == 0
	}
	return false
}

// assigned are the assignments for a field; those of a struct's fields, so that
// the others stay as they are.
func assigned(path string, v *Value) []Field {
	if v.Form != Struct {
		return []Field{{path, v}}
	}
	var list []Field
	for _, f := range v.Fields {
		list = append(list, assigned(path+"."+f.Name, f.Value)...)
	}
	return list
}

// call is the call of a constructor with the values of its parameters.
func (c *Constructor) call(args *types.TypeList, held map[string]*Value) Code {
	pkg := c.Func.Pkg()
	code := Code{Ref{pkg.Path(), pkg.Name(), c.Func.Name()}}
	for i := range args.Len() {
		code = append(code, []any{"[", ", "}[min(i, 1)], args.At(i))
	}
	if args.Len() > 0 {
		code = append(code, "]")
	}
	code = append(code, "(")
	for i, name := range c.Params {
		if i > 0 {
			code = append(code, ", ")
		}
		code = append(code, held[name])
	}
	return append(code, ")")
}
