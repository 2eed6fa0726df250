package values

import (
	"context"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// PackageVariables lists the variables of packages whose names a regular
// expression matches; whole reads them as deep as those of a frame.
func (vs *Inspector) PackageVariables(ctx context.Context, filter string, whole bool) (list []debugger.Variable, err error) {
	load := convert.PackageLoad
	if whole {
		load = convert.FrameLoad
	}
	err = vs.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.ListPackageVarsOut](ctx, vs.srv.Client, "ListPackageVars", rpc2.ListPackageVarsIn{Filter: filter, Cfg: load})
		if err != nil {
			return err
		}
		for i := range out.Variables {
			v := &out.Variables[i]
			list = append(list, convert.Variable(v, v.Name, convert.ByAddress(v)))
		}
		return nil
	})
	return list, err
}

// Type describes the type of an expression, or a type by its name.
func (vs *Inspector) Type(ctx context.Context, at debugger.FrameRef, text string) (typ debugger.Type, err error) {
	err = vs.srv.Do(ctx, func(ctx context.Context) error {
		v, err := ask.Eval(ctx, vs.srv, at, text, convert.PackageLoad)
		if err == nil {
			typ = typeOf(v)
			return nil
		}
		out, err2 := rpc.Call[rpc2.TypeInfoOut](ctx, vs.srv.Client, "TypeInfo", rpc2.TypeInfoIn{Name: text})
		if err2 != nil || out.TypeInfo == nil {
			return err
		}
		typ = debugger.Type{Name: text, Kind: out.TypeInfo.Kind.String(), Size: out.TypeInfo.Size, Real: out.TypeInfo.RealType}
		for _, f := range out.TypeInfo.Fields {
			typ.Fields = append(typ.Fields, debugger.Field{Name: f.Name, Type: f.Type})
		}
		for _, m := range out.TypeInfo.Methods {
			typ.Methods = append(typ.Methods, m.Name)
		}
		return nil
	})
	return typ, err
}

// Print evaluates an expression and also writes it out: with a verb of package
// fmt ("%x"), else as dlv does, over several lines.
func (vs *Inspector) Print(ctx context.Context, at debugger.FrameRef, expr, verb string) (v debugger.Variable, text string, err error) {
	err = vs.srv.Do(ctx, func(ctx context.Context) error {
		var got *api.Variable
		if got, v, err = vs.evaluate(ctx, at, expr); err != nil {
			return err
		}
		text = got.StringWithOptions("", verb, api.PrettyNewlines)
		return nil
	})
	return v, text, err
}

func typeOf(v *api.Variable) debugger.Type {
	typ := debugger.Type{Name: v.Type, Location: v.LocationExpr, Register: v.Flags&api.VariableCPURegister != 0}
	if v.RealType != v.Type {
		typ.Real = v.RealType
	}
	if v.Kind.String() == "interface" && len(v.Children) > 0 {
		typ.Concrete = v.Children[0].Type
	}
	return typ
}
