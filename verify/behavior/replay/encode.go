//go:build go1.21

package replay

import (
	"context"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// The largest values that are written.
const (
	maxNodes = 4000
	maxDepth = 60
	maxText  = 16 << 10 // bytes
)

// place is an address with the type of what is there: a struct and its first field
// have the same one.
type place struct {
	at unsafe.Pointer
	of reflect.Type
}

// encoder writes values that refer to one another.
type encoder struct {
	nodes int
	ids   map[place]int
}

// unable is why a value cannot be written; encode recovers it.
type unable string

// encode writes values. They have to be addressable.
func encode(values []reflect.Value) (nodes []Node, why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unable:
			nodes, why = nil, string(r)
		default:
			nodes, why = nil, fmt.Sprint("cannot be read: ", r)
		}
	}()
	e := encoder{ids: map[place]int{}}
	nodes = make([]Node, len(values))
	for i, v := range values {
		nodes[i] = e.value(v, 0)
	}
	return nodes, ""
}

// readable returns an addressable value without the mark that it came from a field
// that is not exported.
func readable(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// copied returns an addressable copy of a value.
func copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// held returns an addressable interface that holds a value.
func held(v any) reflect.Value { return reflect.ValueOf(&v).Elem() }

var (
	timeType    = reflect.TypeOf(time.Time{})
	contextType = reflect.TypeOf((*context.Context)(nil)).Elem()
	errorType   = reflect.TypeOf((*error)(nil)).Elem()
	fileType    = reflect.TypeOf((*os.File)(nil))
	syncMapType = reflect.TypeOf(sync.Map{})
	mutexType   = reflect.TypeOf(sync.Mutex{})
	rwMutexType = reflect.TypeOf(sync.RWMutex{})
)

// foreign are the packages whose values stand for something outside of the program,
// or of its runtime.
var foreign = map[string]string{"internal/poll": "holds a connection or a file", "os/exec": "holds a process", "reflect": "holds a reflected value",
	"internal/abi": "holds a reflected type", "database/sql": "holds a database", "plugin": "holds a plugin", "runtime": "holds a value of the runtime"}

func (e *encoder) value(v reflect.Value, depth int) Node {
	if e.nodes++; e.nodes > maxNodes || depth > maxDepth {
		panic(unable("is too large"))
	}
	v = readable(v)
	t := v.Type()
	n := Node{Type: TypeName(t)}
	if why, ok := foreign[t.PkgPath()]; ok {
		panic(unable(why))
	}
	if e.special(v, &n, depth) {
		return n
	}
	switch v.Kind() {
	case reflect.Bool:
		n.Kind, n.Text = Bool, strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.Kind, n.Text = Int, strconv.FormatInt(v.Int(), 10)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n.Kind, n.Text = Uint, strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		n.Kind, n.Text = Float, strconv.FormatFloat(v.Float(), 'g', -1, t.Bits())
	case reflect.Complex64, reflect.Complex128:
		n.Kind, n.Text = Complex, strconv.FormatComplex(v.Complex(), 'g', -1, t.Bits())
	case reflect.String:
		n.Kind, n.Text = String, quoted(v.String())
	case reflect.Struct:
		e.fields(v, &n, depth)
	case reflect.Array:
		n.Kind = Array
		e.elements(v, &n, depth)
	default:
		e.reference(v, &n, depth)
	}
	return n
}

// reference writes a value of a kind that may be nil.
func (e *encoder) reference(v reflect.Value, n *Node, depth int) {
	if v.Kind() == reflect.UnsafePointer {
		if v.Pointer() != 0 {
			panic(unable("holds an unsafe pointer"))
		}
		n.Kind = Nil
		return
	}
	if v.IsNil() {
		n.Kind = Nil
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		e.pointer(v, n, depth)
	case reflect.Interface:
		in := copied(v.Elem())
		n.Kind, n.Text = Interface, errorText(v)
		n.Type = TypeName(in.Type())
		if n.Text != "" && in.Type() != fileType {
			n.Nodes, n.Wraps = e.errorValue(in, depth), chain(v)
			return
		}
		n.Nodes = []Node{e.value(in, depth+1)}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			n.Kind, n.Text = Bytes, quoted(string(v.Bytes()))
			return
		}
		n.Kind = Slice
		e.elements(v, n, depth)
	case reflect.Map:
		e.pairs(v, n, depth)
	case reflect.Func:
		n.Kind, n.Text = Func, "func"
		if f := runtime.FuncForPC(v.Pointer()); f != nil {
			n.Text = f.Name()
		}
	case reflect.Chan:
		n.Kind, n.Text = Chan, strconv.Itoa(v.Cap())
	}
}

// special writes values of types that stand for more than their fields.
func (e *encoder) special(v reflect.Value, n *Node, depth int) bool {
	t := v.Type()
	switch {
	case t == timeType:
		n.Kind, n.Text = Time, v.Interface().(time.Time).Round(0).Format(time.RFC3339Nano)
	case t == syncMapType:
		n.Kind = SyncMap
		var keys, values []reflect.Value
		v.Addr().Interface().(*sync.Map).Range(func(key, value any) bool {
			keys, values = append(keys, held(key)), append(values, held(value))
			return true
		})
		e.inOrder(keys, values, n, depth)
	case t == contextType && !v.IsNil():
		n.Kind = Context
	case t == fileType && !v.IsNil():
		n.Kind = File
		switch v.Interface() {
		case os.Stdin:
			n.Text = "Stdin"
		case os.Stdout:
			n.Text = "Stdout"
		case os.Stderr:
			n.Text = "Stderr"
		default:
			panic(unable("holds a file"))
		}
	case t.PkgPath() == "sync/atomic" && strings.HasPrefix(t.Name(), "Pointer["):
		// The pointer's own field has no type; the first one has.
		to := t.Field(0).Type.Elem()
		n.Kind, n.Names = Struct, []string{"v"}
		n.Nodes = []Node{e.value(reflect.NewAt(to, unsafe.Pointer(v.Field(2).UnsafeAddr())).Elem(), depth+1)}
	default:
		return false
	}
	return true
}

// pointer writes a pointer: what it leads to once, then the number of that.
func (e *encoder) pointer(v reflect.Value, n *Node, depth int) {
	to := place{v.UnsafePointer(), v.Type().Elem()}
	if id, ok := e.ids[to]; ok {
		n.Kind, n.ID = Same, id
		return
	}
	id := len(e.ids) + 1
	e.ids[to] = id
	n.Kind, n.ID = Pointer, id
	n.Nodes = []Node{e.value(v.Elem(), depth+1)}
}

func (e *encoder) fields(v reflect.Value, n *Node, depth int) {
	n.Kind = Struct
	if at := (place{unsafe.Pointer(v.UnsafeAddr()), v.Type()}); e.ids[at] == 0 && v.Type().Size() > 0 {
		e.ids[at] = len(e.ids) + 1
		n.ID = e.ids[at]
	}
	for i := 0; i < v.NumField(); i++ {
		name := v.Type().Field(i).Name
		if name == "_" {
			continue
		}
		n.Names = append(n.Names, name)
		n.Nodes = append(n.Nodes, e.value(v.Field(i), depth+1))
	}
}

func (e *encoder) elements(v reflect.Value, n *Node, depth int) {
	for i := 0; i < v.Len(); i++ {
		n.Nodes = append(n.Nodes, e.value(v.Index(i), depth+1))
	}
}

func (e *encoder) pairs(v reflect.Value, n *Node, depth int) {
	n.Kind = Map
	var keys, values []reflect.Value
	for it := v.MapRange(); it.Next(); {
		keys, values = append(keys, copied(it.Key())), append(values, copied(it.Value()))
	}
	e.inOrder(keys, values, n, depth)
}

// inOrder writes the pairs of a map in an order that runs have in common. The values are
// written in that order, too: the first pointer to a value has the value.
func (e *encoder) inOrder(keys, values []reflect.Value, n *Node, depth int) {
	nodes, texts, order := make([]Node, len(keys)), make([]string, len(keys)), make([]int, len(keys))
	for i, key := range keys {
		nodes[i] = e.value(key, depth+1)
		texts[i], order[i] = flat(nodes[i]), i
	}
	sort.SliceStable(order, func(a, b int) bool { return texts[order[a]] < texts[order[b]] })
	for _, i := range order {
		n.Nodes = append(n.Nodes, nodes[i], e.value(values[i], depth+1))
	}
}

// flat is a text by which nodes are put into an order.
func flat(n Node) string {
	text := string(n.Kind) + n.Type + "\x00" + n.Text
	for _, c := range n.Nodes {
		text += "\x01" + flat(c)
	}
	return text
}

// errorText is what the error in an interface says; empty where there is none.
func errorText(v reflect.Value) (text string) {
	if !v.Elem().Type().Implements(errorType) {
		return ""
	}
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	return quoted(v.Elem().Interface().(error).Error())
}

// maxChain bounds how many errors of a chain are written.
const maxChain = 16

// chain are an error and those that it wraps, as far as they can be read.
func chain(v reflect.Value) (list []Node) {
	defer func() { _ = recover() }()
	var walk func(err error)
	walk = func(err error) {
		if err == nil || len(list) == maxChain {
			return
		}
		list = append(list, Node{Type: TypeName(reflect.TypeOf(err)), Text: quoted(err.Error())})
		switch wrapping := err.(type) { //nolint:errorlint // each level by itself
		case interface{ Unwrap() error }:
			walk(wrapping.Unwrap())
		case interface{ Unwrap() []error }:
			for _, inner := range wrapping.Unwrap() {
				walk(inner)
			}
		}
	}
	walk(v.Elem().Interface().(error))
	return list
}

// errorValue writes the value of an error where that is possible; its text has to do
// otherwise.
func (e *encoder) errorValue(in reflect.Value, depth int) (nodes []Node) {
	was := e.nodes
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unable); !ok {
				panic(r)
			}
			nodes, e.nodes = nil, was
		}
	}()
	return []Node{e.value(in, depth+1)}
}

// quoted writes a text so that every byte of it can be read back.
func quoted(s string) string {
	if len(s) > maxText {
		panic(unable("is too large"))
	}
	return strconv.QuoteToASCII(s)
}
