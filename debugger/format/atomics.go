package format

import (
	"github.com/pausetui/pausetui/debugger"
)

var atomics = map[string]formatter{
	"sync/atomic.Bool": func(d *describer, v debugger.Variable) (Value, error) {
		n, err := d.integer(v, "v")
		return Value{Text: choose(n != 0, "true", "false")}, err
	},
	"sync/atomic.Int32":   atomicNumber,
	"sync/atomic.Int64":   atomicNumber,
	"sync/atomic.Uint32":  atomicNumber,
	"sync/atomic.Uint64":  atomicNumber,
	"sync/atomic.Uintptr": atomicNumber,
	"sync/atomic.Value": func(d *describer, v debugger.Variable) (Value, error) {
		f, err := d.field(v, "v")
		if err != nil {
			return Value{}, err
		}
		if f.Nil {
			return Value{Text: "nothing stored"}, nil
		}
		inner, err := d.pointee(f)
		if err != nil {
			return Value{}, err
		}
		return Value{Text: d.plain(inner), Rows: []debugger.Variable{named(inner, "stored")}}, nil
	},
	"sync/atomic.Pointer": func(d *describer, v debugger.Variable) (Value, error) {
		f, err := d.field(v, "v")
		if err != nil {
			return Value{}, err
		}
		addr := pointer(f)
		if addr == 0 {
			return Value{Text: "nil"}, nil
		}
		to, err := d.at(arguments(v.QualifiedType()), addr)
		if err != nil {
			return Value{}, err
		}
		return Value{Text: "&" + d.plain(to), Rows: []debugger.Variable{named(to, "stored")}}, nil
	},
}

func atomicNumber(d *describer, v debugger.Variable) (Value, error) {
	f, err := d.field(v, "v")
	return Value{Text: f.Value}, err
}
