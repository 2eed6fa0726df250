package trace

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
)

// name gives the arguments of a frame the names and types of its declaration's
// parameters. Of what they hold, only what their words say is given: that
// they are nil, how long they are, small numbers. A frame of a function literal
// keeps its words, and so does one whose line is another one by now.
func (l *locator) name(f *debugger.Frame) {
	s := l.source(f.File)
	if s == nil || s.ast == nil || f.Err != "" || inner.MatchString(f.Function) || typeArguments.MatchString(f.Function) {
		return
	}
	want := written(f.Function)
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || patch.FuncSymbol(fn) != want || s.fset.Position(fn.End()).Line < f.Line || s.fset.Position(fn.Pos()).Line > f.Line {
			continue
		}
		if list, ok := params(fn, f.Args); ok {
			f.Args = list
		}
		return
	}
}

// params are the arguments by the parameters of a declaration; false when there
// are more of them than parameters.
func params(fn *ast.FuncDecl, args []debugger.Variable) ([]debugger.Variable, bool) {
	var fields []*ast.Field
	if fn.Recv != nil {
		fields = append(fields, fn.Recv.List...)
	}
	fields = append(fields, fn.Type.Params.List...)
	changed := assigned(fn)
	var out []debugger.Variable
	for _, field := range fields {
		names := field.Names
		if len(names) == 0 {
			names = []*ast.Ident{{Name: "_"}}
		}
		for _, id := range names {
			arg := debugger.Variable{Unreadable: notHeld} // the runtime prints the first ten words
			if len(out) < len(args) {
				arg = args[len(out)]
			}
			v := typed(field.Type, arg)
			v.Name, v.Expr = id.Name, id.Name
			if changed[id.Name] && v.Unreadable == "" {
				v = debugger.Variable{Name: v.Name, Expr: v.Expr, Type: v.Type, Kind: v.Kind, Unreadable: "it was assigned to since, and " + notHeld}
			}
			out = append(out, v)
		}
	}
	return out, len(out) >= len(args)
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

// typed reads the words of an argument as a value of a type, as far as its
// syntax tells what that is.
func typed(t ast.Expr, arg debugger.Variable) debugger.Variable {
	v := debugger.Variable{Type: types.ExprString(t), Unreadable: arg.Unreadable}
	first, count := wordOf(arg, 0)
	switch t := t.(type) {
	case *ast.ParenExpr:
		return typed(t.X, arg)
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
