package value

import (
	"context"
	"fmt"
	"go/types"
	"reflect"

	"github.com/pausetui/pausetui/debugger"
)

// Refusal says which value cannot be made again, and why.
type Refusal struct {
	Path string // where it is: "x.conn"
	Why  string // "is a net.Conn: cannot be rebuilt"
}

// Error implements error.
func (r *Refusal) Error() string { return r.Path + " " + r.Why }

// Bounds of what is read for one test.
const (
	maxValues = 20_000
	maxBytes  = 64 << 10 // of strings and byte slices in all
	maxDepth  = 40
	pageSize  = 1024 // elements read at once
)

// Reader reads values of one frame. Values that several variables share are
// read once. It is not safe for use by several goroutines.
type Reader struct {
	Inspect debugger.Inspector
	At      debugger.FrameRef
	Types   *Types
	// From is the package that the source will be in: what it may name.
	From *types.Package
	// Constructors returns how the program makes values of a type; may be nil.
	// Values that have a constructor are then made by it, and only what it does
	// not say is assigned.
	Constructors func(*types.Named) *Constructor
	// Closures returns the function literal of a name; may be nil.
	Closures func(symbol string) (Closure, bool)
	// Input returns what the target was given as standard input; false when
	// that is not known.
	Input func() (string, bool)

	ctx       context.Context
	shared    map[identity]*Value
	met       []identity        // the keys of shared, in the order they came
	globals   map[string]uint64 // addresses that package-level variables hold
	values    int
	bytes     int
	signs     int
	sentinels map[uint64]Ref // package-level errors, by address
}

// identity tells objects of the target apart; a struct and its first field have
// the same address.
type identity struct {
	addr uint64
	typ  string
}

// Read makes a graph of a variable of the static type t. path is what the
// variable is called in a refusal. The error is a *Refusal when the value cannot
// be made again, and the debugger's own when it cannot read any longer.
func (r *Reader) Read(ctx context.Context, path string, v debugger.Variable, t types.Type) (*Value, error) {
	r.ctx = ctx
	if r.shared == nil {
		r.shared, r.globals = map[identity]*Value{}, map[string]uint64{}
	}
	return r.attempt(site{path: path}, v, t)
}

// attempt reads a value that is done without if it is refused. What was met on the way
// is then forgotten: some of it was not read to its end, and pointers may come to it again.
func (r *Reader) attempt(at site, v debugger.Variable, t types.Type) (*Value, error) {
	before := len(r.met)
	found, err := r.read(at, v, t)
	if err != nil {
		for _, id := range r.met[before:] {
			delete(r.shared, id)
		}
		r.met = r.met[:before]
	}
	return found, err
}

// meet keeps the value of an object, which is still to be read.
func (r *Reader) meet(id identity, v *Value) {
	r.shared[id], r.met = v, append(r.met, id)
}

// site is where a value stands.
type site struct {
	path    string
	depth   int
	pointee bool // a pointer points at it
}

func (s site) field(name string) site { return site{path: s.path + "." + name, depth: s.depth + 1} }

func (s site) index(key string) site {
	return site{path: s.path + "[" + key + "]", depth: s.depth + 1}
}

func (s site) inside() site { return site{path: s.path, depth: s.depth + 1} }

func (s site) target() site { return site{path: s.path, depth: s.depth + 1, pointee: true} }

func (s site) refuse(format string, args ...any) error {
	return &Refusal{Path: s.path, Why: fmt.Sprintf(format, args...)}
}

// read reads a value where it is. Pointers to it find it there.
func (r *Reader) read(at site, v debugger.Variable, t types.Type) (*Value, error) {
	if at.pointee || !r.part(v) {
		return r.plain(at, v, t)
	}
	slot := &Value{}
	r.meet(identity{v.Addr, v.FullType}, slot)
	found, err := r.plain(at, v, t)
	if err != nil {
		return nil, err
	}
	*slot = *found
	return slot, nil
}

// part tells a value that pointers may point at, and that was not met yet.
func (r *Reader) part(v debugger.Variable) bool {
	switch v.Kind {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Map, reflect.Chan, reflect.Func, reflect.Interface, reflect.Slice:
		return false
	}
	return v.Addr != 0 && v.FullType != "" && r.shared[identity{v.Addr, v.FullType}] == nil
}

func (r *Reader) plain(at site, v debugger.Variable, t types.Type) (*Value, error) {
	if v.Unreadable != "" {
		return nil, at.refuse("cannot be read: %s", v.Unreadable)
	}
	if r.values++; r.values > maxValues {
		return nil, at.refuse("and what it refers to has more than %d values", maxValues)
	}
	if at.depth > maxDepth {
		return nil, at.refuse("is nested more than %d deep", maxDepth)
	}
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	if known, ok := knownTypes[typeName(t)]; ok && !v.Nil {
		return known(r, at, v, t)
	}
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return r.basic(at, v, t, u)
	case *types.Struct:
		return r.structure(at, v, t, u)
	case *types.Array:
		return r.list(at, v, t, u.Elem())
	case *types.Slice:
		return r.slice(at, v, t, u)
	case *types.Map:
		return r.mapping(at, v, t, u)
	case *types.Pointer:
		return r.pointer(at, v, t, u)
	case *types.Interface:
		return r.dynamic(at, v, t)
	case *types.Chan:
		return r.channel(at, v, t, u)
	case *types.Signature:
		return r.function(at, v, t)
	}
	return nil, at.refuse("is a %s: cannot be rebuilt", v.Type)
}

// typeName is the key of the tables of known types: "sync.Mutex", "*os.File".
func typeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if o := t.Origin().Obj(); o.Pkg() != nil {
			return o.Pkg().Path() + "." + o.Name()
		}
	case *types.Pointer:
		if _, ok := types.Unalias(t.Elem()).(*types.Named); ok {
			return "*" + typeName(t.Elem())
		}
	}
	return ""
}
