package trace

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
)

// param is a parameter, or the receiver.
type param struct {
	name     string
	typ      ast.Expr // without parentheses around it
	typeName string
	assigned bool // in the function, or its address is taken
}

// name gives the arguments of a frame the names and types of its declaration's
// parameters. Of what they hold, only what their words say is given: that
// they are nil, how long they are, small numbers. A frame with more arguments than
// parameters keeps its words.
func (d *declaration) name(f *debugger.Frame) {
	if d.params == nil {
		d.params = paramsOf(d.fn)
	}
	if len(d.params) < len(f.Args) {
		return
	}
	out := make([]debugger.Variable, len(d.params))
	for i, p := range d.params {
		arg := debugger.Variable{Unreadable: notHeld} // the runtime prints the first ten words
		if i < len(f.Args) {
			arg = f.Args[i]
		}
		v := p.typed(arg)
		v.Name, v.Expr = p.name, p.name
		if p.assigned && v.Unreadable == "" {
			v = debugger.Variable{Name: v.Name, Expr: v.Expr, Type: v.Type, Kind: v.Kind, Unreadable: "it was assigned to since, and " + notHeld}
		}
		out[i] = v
	}
	f.Args = out
}

// paramsOf lists the receiver and the parameters of a declaration.
func paramsOf(fn *ast.FuncDecl) []param {
	var fields []*ast.Field
	if fn.Recv != nil {
		fields = append(fields, fn.Recv.List...)
	}
	fields = append(fields, fn.Type.Params.List...)
	changed := assigned(fn)
	list := []param{}
	for _, field := range fields {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "_"}}
		}
		typ := ast.Unparen(field.Type)
		for _, id := range names {
			list = append(list, param{name: id.Name, typ: typ, typeName: types.ExprString(typ), assigned: changed[id.Name]})
		}
	}
	return list
}

// assigned names what a function assigns to, or takes the address of.
func assigned(fn *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	if fn.Body == nil {
		return names
	}
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			add(n.Lhs...)
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n.X)
			}
		}
		return true
	})
	return names
}

// sizes are the bits of the integer types.
var sizes = map[string]int{"int": 64, "int8": 8, "int16": 16, "int32": 32, "rune": 32, "int64": 64,
	"uint": -64, "uint8": -8, "byte": -8, "uint16": -16, "uint32": -32, "uint64": -64, "uintptr": -64}

// typed reads the words of an argument as a value of the parameter's type, as far
// as its syntax tells what that is.
func (p param) typed(arg debugger.Variable) debugger.Variable {
	v := debugger.Variable{Type: p.typeName, Unreadable: arg.Unreadable}
	first, count := wordOf(arg, 0)
	switch t := p.typ.(type) {
	case *ast.StarExpr:
		return reference(v, reflect.Pointer, first, count == 1)
	case *ast.MapType:
		return reference(v, reflect.Map, first, count == 1)
	case *ast.ChanType:
		return reference(v, reflect.Chan, first, count == 1)
	case *ast.FuncType:
		return reference(v, reflect.Func, first, count == 1)
	case *ast.InterfaceType:
		return reference(v, reflect.Interface, first, count == 2)
	case *ast.Ellipsis:
		return sliced(v, arg)
	case *ast.ArrayType:
		if t.Len == nil {
			return sliced(v, arg)
		}
	case *ast.Ident:
		return basic(v, t.Name, arg)
	}
	return unknown(v)
}

// wordOf is the number of words of an argument, and one of them.
func wordOf(arg debugger.Variable, i int) (word uint64, count int) {
	words := arg.Children
	if len(words) == 0 && arg.Value != "" {
		words = []debugger.Variable{arg}
	}
	if i >= len(words) {
		return 0, len(words)
	}
	word, _ = strconv.ParseUint(words[i].Value, 0, 64) // what is no number was said to be unreadable
	return word, len(words)
}

func unknown(v debugger.Variable) debugger.Variable {
	if v.Unreadable == "" {
		v.Unreadable = notHeld
	}
	return v
}

// reference is a value that refers to something, or is nil.
func reference(v debugger.Variable, kind reflect.Kind, word uint64, fits bool) debugger.Variable {
	v.Kind = kind
	switch {
	case v.Unreadable != "" || !fits:
		return unknown(v)
	case word == 0:
		v.Nil, v.Value = true, "nil"
	default:
		v.Value = fmt.Sprintf("not nil (%#x)", word)
	}
	return v
}

// sliced is a slice: whether it is nil, and how long.
func sliced(v debugger.Variable, arg debugger.Variable) debugger.Variable {
	v.Kind = reflect.Slice
	pointer, count := wordOf(arg, 0)
	if v.Unreadable != "" || count != 3 {
		return unknown(v)
	}
	length, _ := wordOf(arg, 1)
	capacity, _ := wordOf(arg, 2)
	v.Len, v.Cap, v.Nil = int64(length), int64(capacity), pointer == 0
	v.Value = fmt.Sprintf("%s len %d cap %d", v.Type, v.Len, v.Cap)
	return v
}

// basic is a value of a predeclared type.
func basic(v debugger.Variable, name string, arg debugger.Variable) debugger.Variable {
	first, count := wordOf(arg, 0)
	second, _ := wordOf(arg, 1)
	switch {
	case name == "error" || name == "any":
		return reference(v, reflect.Interface, first, count == 2)
	case name == "string" && count == 2:
		v.Kind, v.Len = reflect.String, int64(second)
		if v.Len > 0 && v.Unreadable == "" {
			v.Unreadable = fmt.Sprintf("of length %d, %s", v.Len, notHeld)
		}
		return v
	case name == "bool" && count == 1 && v.Unreadable == "":
		v.Kind, v.Value = reflect.Bool, strconv.FormatBool(first&0xff != 0)
		return v
	}
	bits, isInt := sizes[name]
	if !isInt || count != 1 || v.Unreadable != "" {
		return unknown(v)
	}
	v.Kind = reflect.Int64
	if bits < 0 {
		v.Kind = reflect.Uint64
		v.Value = strconv.FormatUint(first<<(64+bits)>>(64+bits), 10)
		return v
	}
	v.Value = strconv.FormatInt(int64(first)<<(64-bits)>>(64-bits), 10)
	return v
}
