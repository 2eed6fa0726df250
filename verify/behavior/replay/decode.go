//go:build go1.21

package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"
	"time"
	"unsafe"
)

// decoder makes values from nodes.
type decoder struct {
	types types
	funcs map[string]reflect.Value // those that can be called, by their names
	at    map[int]reflect.Value    // pointers to the values with a number
}

// decode makes the arguments of a call.
func (d *decoder) decode(nodes []Node, in []reflect.Type) (args []reflect.Value, why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unable:
			why = string(r)
		default:
			why = fmt.Sprint("cannot be made: ", r)
		}
	}()
	if len(nodes) != len(in) {
		return nil, "has other parameters"
	}
	d.at = map[int]reflect.Value{}
	for i, n := range nodes {
		v := reflect.New(in[i]).Elem()
		d.value(n, v)
		args = append(args, v)
	}
	return args, ""
}

// value sets an addressable value to what a node says.
func (d *decoder) value(n Node, v reflect.Value) {
	v = readable(v)
	if n.ID != 0 && n.Kind == Struct {
		d.at[n.ID] = v.Addr()
	}
	switch n.Kind {
	case Nil:
		v.SetZero()
	case Bool:
		v.SetBool(n.Text == "true")
	case Int, Uint, Float, Complex, String, Bytes:
		d.scalar(n, v)
	case Slice:
		v.Set(reflect.MakeSlice(v.Type(), len(n.Nodes), len(n.Nodes)))
		d.elements(n, v)
	case Array:
		d.elements(n, v)
	case Map:
		v.Set(reflect.MakeMapWithSize(v.Type(), len(n.Nodes)/2))
		for i := 0; i+1 < len(n.Nodes); i += 2 {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			d.value(n.Nodes[i], key)
			d.value(n.Nodes[i+1], value)
			v.SetMapIndex(key, value)
		}
	case Struct:
		d.structure(n, v)
	case Pointer, Same:
		d.pointer(n, v)
	case Interface:
		d.dynamic(n, v)
	case Func:
		d.function(n, v)
	case Chan:
		size, _ := strconv.Atoi(n.Text)
		v.Set(reflect.MakeChan(reflect.ChanOf(reflect.BothDir, v.Type().Elem()), size).Convert(v.Type()))
	case Time:
		t, err := time.Parse(time.RFC3339Nano, n.Text)
		if err != nil {
			panic(unable("holds a time that cannot be written"))
		}
		v.Set(reflect.ValueOf(t))
	case Context:
		v.Set(reflect.ValueOf(context.Background()))
	case File:
		v.Set(reflect.ValueOf(map[string]*os.File{"Stdin": os.Stdin, "Stdout": os.Stdout, "Stderr": os.Stderr}[n.Text]))
	case SyncMap:
		m := v.Addr().Interface().(*sync.Map)
		for i := 0; i+1 < len(n.Nodes); i += 2 {
			var key, value any
			d.value(n.Nodes[i], reflect.ValueOf(&key).Elem())
			d.value(n.Nodes[i+1], reflect.ValueOf(&value).Elem())
			m.Store(key, value)
		}
	default:
		panic(unable("holds what cannot be made"))
	}
}

func (d *decoder) scalar(n Node, v reflect.Value) {
	switch n.Kind {
	case Int:
		i, _ := strconv.ParseInt(n.Text, 10, 64)
		v.SetInt(i)
	case Uint:
		u, _ := strconv.ParseUint(n.Text, 10, 64)
		v.SetUint(u)
	case Float:
		f, _ := strconv.ParseFloat(n.Text, 64)
		v.SetFloat(f)
	case Complex:
		c, _ := strconv.ParseComplex(n.Text, 128)
		v.SetComplex(c)
	case String:
		s, _ := strconv.Unquote(n.Text)
		v.SetString(s)
	case Bytes:
		s, _ := strconv.Unquote(n.Text)
		b := reflect.MakeSlice(v.Type(), len(s), len(s))
		reflect.Copy(b.Convert(reflect.TypeOf([]byte(nil))), reflect.ValueOf([]byte(s)))
		v.Set(b)
	}
}

func (d *decoder) elements(n Node, v reflect.Value) {
	for i, c := range n.Nodes {
		if i < v.Len() {
			d.value(c, v.Index(i))
		}
	}
}

// structure sets fields by their names: another version may have others. A lock is free:
// whoever held it in the run is not there to let it go.
func (d *decoder) structure(n Node, v reflect.Value) {
	if t := v.Type(); t == mutexType || t == rwMutexType {
		return
	}
	if t := v.Type(); t.PkgPath() == "sync/atomic" && len(n.Names) == 1 && t.NumField() == 3 && len(t.Name()) > 8 && t.Name()[:8] == "Pointer[" {
		d.value(n.Nodes[0], reflect.NewAt(t.Field(0).Type.Elem(), unsafe.Pointer(v.Field(2).UnsafeAddr())).Elem())
		return
	}
	for i, c := range n.Nodes {
		field, ok := v.Type().FieldByName(n.Names[i])
		if ok && len(field.Index) == 1 {
			d.value(c, v.Field(field.Index[0]))
		}
	}
}

func (d *decoder) pointer(n Node, v reflect.Value) {
	if n.Kind == Same {
		to, ok := d.at[n.ID]
		if !ok || to.Type() != v.Type() {
			panic(unable("refers to a part of itself"))
		}
		v.Set(to)
		return
	}
	to := reflect.New(v.Type().Elem())
	d.at[n.ID] = to.Convert(v.Type())
	v.Set(d.at[n.ID])
	d.value(n.Nodes[0], to.Elem())
}

// dynamic sets an interface.
func (d *decoder) dynamic(n Node, v reflect.Value) {
	t := d.types.find(n.Type)
	if t == nil || len(n.Nodes) == 0 || !t.AssignableTo(v.Type()) {
		text, err := strconv.Unquote(n.Text)
		if n.Text == "" || err != nil || !reflect.TypeOf(errors.New("")).AssignableTo(v.Type()) {
			panic(unable("holds a value of type " + n.Type))
		}
		v.Set(reflect.ValueOf(errors.New(text)))
		return
	}
	in := reflect.New(t).Elem()
	d.value(n.Nodes[0], in)
	v.Set(in)
}

// function sets a function: the one of that name, or one that returns zero values.
func (d *decoder) function(n Node, v reflect.Value) {
	if f, ok := d.funcs[n.Text]; ok && f.Type().AssignableTo(v.Type()) {
		v.Set(f)
		return
	}
	t := v.Type()
	v.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.Zero(t.Out(i))
		}
		return out
	}))
}
