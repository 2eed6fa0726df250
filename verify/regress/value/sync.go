package value

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// unlocked makes a lock, that is not held in a test.
func unlocked(_ *Reader, _ site, _ debugger.Variable, t types.Type) (*Value, error) {
	return zero(t), nil
}

func waitGroup(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	state, err := r.intField(at, v, "state.v")
	if err != nil {
		return nil, err
	}
	if counter := int32(uint64(state) >> 32); counter > 0 {
		return withAfter(t, Self{}, fmt.Sprintf(".Add(%d)", counter)), nil
	}
	return zero(t), nil
}

func once(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	done, err := r.intField(at, v, "done.v")
	if err != nil || done == 0 {
		return zero(t), err
	}
	return withAfter(t, Self{}, ".Do(func() {})"), nil
}

func cond(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	lock, err := r.anyField(at, v, "L")
	return made(t, std("sync", "NewCond"), "(", lock, ")"), err
}

func atomicBool(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	n, err := r.intField(at, v, "v")
	if err != nil || n == 0 {
		return zero(t), err
	}
	return withAfter(t, Self{}, ".Store(true)"), nil
}

func atomicNumber(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	f, err := r.field(at, v, "v")
	if err != nil || debugger.Number(f.Value) == "0" {
		return zero(t), err
	}
	return withAfter(t, Self{}, ".Store(", debugger.Number(f.Value), ")"), nil
}

func atomicValue(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	inner, err := r.anyField(at, v, "v")
	if err != nil || inner.isZero() {
		return zero(t), err
	}
	return withAfter(t, Self{}, ".Store(", inner, ")"), nil
}

// atomicPointer reads the pointer that an atomic.Pointer[T] keeps without a type.
func atomicPointer(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	f, err := r.field(at, v, "v")
	if err != nil || f.Nil {
		return zero(t), err
	}
	_, elemName, ok := strings.Cut(strings.TrimSuffix(v.FullType, "]"), "[")
	named, isNamed := types.Unalias(t).(*types.Named)
	hex := strings.TrimSuffix(strings.TrimPrefix(f.Value, "unsafe.Pointer("), ")")
	if !ok || !isNamed || named.TypeArgs().Len() != 1 {
		return nil, at.refuse("is a %s: cannot be rebuilt", v.Type)
	}
	elem := named.TypeArgs().At(0)
	target, err := r.evaluate(at, fmt.Sprintf("*(*%q)(%s)", elemName, hex))
	if err != nil {
		return nil, err
	}
	to, have := r.object(target.Addr, target.FullType)
	if !have {
		found, err := r.read(at.inside(), target, elem)
		if err != nil {
			return nil, err
		}
		*to = *found
	}
	return withAfter(t, Self{}, ".Store(", &Value{Type: types.NewPointer(elem), Form: Pointer, To: to}, ")"), nil
}
