package regress

import (
	"cmp"
	"fmt"
	"go/types"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// instance is a function's signature with the types it was called with.
type instance struct {
	signature *types.Signature
	receiver  *types.Var
	args      []types.Type // type arguments of a generic function, not of its receiver
}

// instantiate returns the signature of the function that a frame runs. The type
// arguments are taken from the types of the frame's variables.
func instantiate(fn workspace.Func, frame debugger.Frame, known *value.Types) (instance, error) {
	sig := fn.Object.Signature()
	switch {
	case sig.RecvTypeParams().Len() > 0:
		return ofReceiver(fn, frame, known)
	case sig.TypeParams().Len() > 0:
		return ofArguments(sig, frame, known)
	}
	return instance{signature: sig, receiver: sig.Recv()}, nil
}

// ofReceiver is the method of the receiver's own type.
func ofReceiver(fn workspace.Func, frame debugger.Frame, known *value.Types) (instance, error) {
	recv := fn.Object.Signature().Recv()
	for _, v := range frame.Args {
		if v.Name != recv.Name() {
			continue
		}
		t, err := known.Resolve(v.FullType)
		if err != nil {
			return instance{}, err
		}
		object, _, _ := types.LookupFieldOrMethod(t, true, fn.Package.Types, fn.Object.Name())
		method, ok := object.(*types.Func)
		if !ok {
			return instance{}, fmt.Errorf("%s has no method %s", v.Type, fn.Object.Name())
		}
		sig := method.Signature()
		return instance{signature: sig, receiver: types.NewParam(recv.Pos(), recv.Pkg(), recv.Name(), t)}, nil
	}
	return instance{}, fmt.Errorf("the type of its receiver is not known")
}

// ofArguments finds type arguments by matching parameters with values.
func ofArguments(sig *types.Signature, frame debugger.Frame, known *value.Types) (instance, error) {
	found := map[*types.TypeParam]types.Type{}
	actual := map[string]types.Type{}
	for _, v := range frame.Args {
		if t, err := known.Resolve(v.FullType); err == nil {
			actual[v.Name] = t
		}
	}
	for p := range sig.Params().Variables() {
		if t := actual[p.Name()]; t != nil {
			match(p.Type(), t, found)
		}
	}
	for i := range sig.Results().Len() {
		result := sig.Results().At(i)
		if t := actual[cmp.Or(result.Name(), fmt.Sprint("~r", i))]; t != nil {
			match(result.Type(), t, found)
		}
	}
	var args []types.Type
	for p := range sig.TypeParams().TypeParams() {
		if found[p] == nil {
			return instance{}, fmt.Errorf("its type argument %s is not known", p.Obj().Name())
		}
		args = append(args, found[p])
	}
	t, err := types.Instantiate(nil, sig, args, true)
	if err != nil {
		return instance{}, err
	}
	return instance{signature: t.(*types.Signature), args: args}, nil
}

// match walks a parameter's type and a value's type together.
func match(param, actual types.Type, found map[*types.TypeParam]types.Type) {
	switch p := types.Unalias(param).(type) {
	case *types.TypeParam:
		if found[p] == nil {
			found[p] = actual
		}
	case *types.Pointer:
		if a, ok := actual.(*types.Pointer); ok {
			match(p.Elem(), a.Elem(), found)
		}
	case *types.Slice:
		if a, ok := actual.Underlying().(*types.Slice); ok {
			match(p.Elem(), a.Elem(), found)
		}
	case *types.Array:
		if a, ok := actual.Underlying().(*types.Array); ok {
			match(p.Elem(), a.Elem(), found)
		}
	case *types.Chan:
		if a, ok := actual.Underlying().(*types.Chan); ok {
			match(p.Elem(), a.Elem(), found)
		}
	case *types.Map:
		if a, ok := actual.Underlying().(*types.Map); ok {
			match(p.Key(), a.Key(), found)
			match(p.Elem(), a.Elem(), found)
		}
	case *types.Signature:
		if a, ok := actual.Underlying().(*types.Signature); ok {
			matchTuples(p.Params(), a.Params(), found)
			matchTuples(p.Results(), a.Results(), found)
		}
	case *types.Named:
		if a, ok := actual.(*types.Named); ok && a.TypeArgs().Len() == p.TypeArgs().Len() {
			for i := range p.TypeArgs().Len() {
				match(p.TypeArgs().At(i), a.TypeArgs().At(i), found)
			}
		}
	}
}

func matchTuples(param, actual *types.Tuple, found map[*types.TypeParam]types.Type) {
	for i := range min(param.Len(), actual.Len()) {
		match(param.At(i).Type(), actual.At(i).Type(), found)
	}
}
