package convert

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
)

// How much of a value is read at once; Children and String read on.
const (
	StringLoad = 512 // bytes of a string
	ArrayLoad  = 64  // elements of an array, slice or map
)

var (
	// FrameLoad reads the variables of a frame: deep enough for the fields of
	// what a pointer receiver points to, and their elements.
	FrameLoad = api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 2, MaxStringLen: StringLoad, MaxArrayValues: ArrayLoad, MaxStructFields: -1}
	// ChildLoad reads one page of children.
	ChildLoad = api.LoadConfig{FollowPointers: true, MaxVariableRecurse: 1, MaxStringLen: StringLoad, MaxArrayValues: ArrayLoad, MaxStructFields: -1}
)

// PackageLoad reads the values of package variables, of which there are many:
// their first level.
var PackageLoad = api.LoadConfig{MaxStringLen: 64, MaxStructFields: 3}

// sparse is how Delve says that it has given up looking for the entries of a map, which has
// room for many: they are read when it is opened.
const sparse = "max number of groups exceeded"

// AbsentPrefix begins what is said of memory that a core dump lacks.
const AbsentPrefix = "not in the core dump: mapped from "

// Variable makes a variable of Delve's; expr evaluates to it.
func Variable(v *api.Variable, name, expr string) debugger.Variable {
	if v.Kind == reflect.Map && strings.HasPrefix(v.Unreadable, sparse) {
		v.Unreadable = ""
	}
	out := debugger.Variable{
		Name: name, Expr: expr, Type: ShortType(v.Type), Kind: goKind(v),
		Addr: v.Addr, Unreadable: v.Unreadable, FullType: v.Type, Base: v.Base,
	}
	if v.Unreadable != "" {
		return out
	}
	switch v.Kind {
	case reflect.String, reflect.Array, reflect.Map:
		out.Len = v.Len
	case reflect.Slice:
		out.Len, out.Cap = v.Len, v.Cap
	case reflect.Chan:
		out.Len, out.Cap = channelSize(v)
	}
	out.Nil = IsNil(v)
	if !out.Nil {
		out.Children = Children(v, expr, 0)
		if v.Kind == reflect.Slice && len(out.Children) > 0 && strings.HasPrefix(out.Children[0].Unreadable, AbsentPrefix) {
			out.Children = out.Children[:1] // which says it for the others
		}
		out.Unloaded = unloaded(v, len(out.Children))
	}
	out.Value = Value(v, 0)
	return out
}

// integers are the kinds of the basic types that Delve calls int or uint.
var integers = map[string]reflect.Kind{
	"int8": reflect.Int8, "int16": reflect.Int16, "int32": reflect.Int32, "int64": reflect.Int64,
	"uint8": reflect.Uint8, "uint16": reflect.Uint16, "uint32": reflect.Uint32, "uint64": reflect.Uint64, "uintptr": reflect.Uintptr,
}

// goKind is the kind of a variable as package reflect has it.
func goKind(v *api.Variable) reflect.Kind {
	if v.Kind == reflect.Int || v.Kind == reflect.Uint {
		return cmp.Or(integers[v.RealType], v.Kind)
	}
	return v.Kind
}

// IsNil reports whether a value of a kind that can be nil is.
func IsNil(v *api.Variable) bool {
	switch v.Kind {
	case reflect.Pointer, reflect.UnsafePointer:
		return len(v.Children) > 0 && v.Children[0].Addr == 0
	case reflect.Interface:
		return len(v.Children) > 0 && v.Children[0].Kind == reflect.Invalid && v.Children[0].Addr == 0
	case reflect.Slice:
		return v.Base == 0 && v.Cap == 0 // what a conversion makes has no address
	case reflect.Map, reflect.Func, reflect.Chan:
		return v.Base == 0
	}
	return false
}

// channelSize takes length and capacity from the fields of a channel, which
// Delve gives as its children where they are loaded.
func channelSize(v *api.Variable) (length, capacity int64) {
	length, capacity = v.Len, v.Cap
	for i := range v.Children {
		n, err := strconv.ParseInt(v.Children[i].Value, 10, 64)
		if err != nil {
			continue
		}
		switch v.Children[i].Name {
		case "qcount":
			length = n
		case "dataqsiz":
			capacity = n
		}
	}
	return length, capacity
}

// unloaded counts what is missing from the loaded children.
func unloaded(v *api.Variable, loaded int) int64 {
	switch v.Kind {
	case reflect.Struct, reflect.Array, reflect.Slice, reflect.Map:
		return max(0, v.Len-int64(loaded))
	case reflect.Pointer, reflect.Interface:
		return int64(1 - loaded)
	case reflect.Chan:
		length, _ := channelSize(v)
		return length // what is in its buffer, in order
	}
	return 0
}

// Children converts the loaded children; start is the index of the first one
// of a slice or an array.
func Children(v *api.Variable, expr string, start int) []debugger.Variable {
	switch v.Kind {
	case reflect.Struct:
		return fields(v, Operand(expr))
	case reflect.Array, reflect.Slice:
		list := make([]debugger.Variable, 0, len(v.Children))
		for i := range v.Children {
			index := fmt.Sprintf("[%d]", start+i)
			list = append(list, Variable(&v.Children[i], index, join(Operand(expr), index)))
		}
		return list
	case reflect.Map:
		return Entries(v, expr)
	case reflect.Func:
		return captured(v, expr)
	case reflect.Pointer:
		return pointee(v, expr)
	case reflect.Interface:
		if len(v.Children) == 0 || v.Children[0].OnlyAddr {
			return nil
		}
		return []debugger.Variable{Variable(&v.Children[0], "", join(Operand(expr), ".(data)"))}
	}
	return nil
}

// fields converts the fields of a struct that base, an operand, selects from.
func fields(v *api.Variable, base string) []debugger.Variable {
	list := make([]debugger.Variable, 0, len(v.Children))
	for i := range v.Children {
		field := &v.Children[i]
		expr := join(base, "."+field.Name)
		if field.Name == "_" || field.Name == "" {
			expr = ByAddress(field)
		}
		list = append(list, Variable(field, field.Name, expr))
	}
	return list
}

// captured converts the variables that a closure holds; the first word of a
// closure is the address of its code.
func captured(v *api.Variable, expr string) []debugger.Variable {
	var list []debugger.Variable
	for i := range v.Children {
		if c := &v.Children[i]; c.Name != ".F" && c.Name != "F" && c.Name != "" {
			list = append(list, Variable(c, c.Name, join(Operand(expr), "."+c.Name)))
		}
	}
	return list
}

// pointee converts what a pointer points at: one child. The fields of a struct
// are selected from the pointer itself.
func pointee(v *api.Variable, expr string) []debugger.Variable {
	if len(v.Children) == 0 || v.Children[0].OnlyAddr {
		return nil
	}
	return []debugger.Variable{Dereferenced(&v.Children[0], expr)}
}

// Dereferenced converts the value that the pointer expr points at.
func Dereferenced(v *api.Variable, expr string) debugger.Variable {
	target := Variable(v, "", join("*", Operand(expr)))
	if target.Kind == reflect.Struct && target.Unreadable == "" {
		target.Children = fields(v, Operand(expr))
	}
	return target
}

// Entries converts the entries of a map, which Delve gives as a flat list of
// keys and values.
func Entries(v *api.Variable, expr string) []debugger.Variable {
	list := make([]debugger.Variable, 0, len(v.Children)/2)
	for i := 0; i+1 < len(v.Children); i += 2 {
		key, val := &v.Children[i], &v.Children[i+1]
		entry := ByAddress(val)
		if literal, ok := keyLiteral(key); ok {
			entry = join(Operand(expr), "["+literal+"]")
		}
		child := Variable(val, "["+KeyText(key)+"]", entry)
		child.Key = keyOf(key)
		list = append(list, child)
	}
	return list
}

// keyOf converts the key of a map's entry.
func keyOf(key *api.Variable) *debugger.Variable {
	k := Variable(key, "", ByAddress(key))
	return &k
}
