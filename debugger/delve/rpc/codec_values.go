package rpc

import (
	"encoding/json"
	"reflect"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// plain is an api.Variable without its decoder, which reads what is in a value once more
// for each level around it.
type plain struct {
	Name             string            `json:"name"`
	Addr             uint64            `json:"addr"`
	OnlyAddr         bool              `json:"onlyAddr"`
	Type             string            `json:"type"`
	RealType         string            `json:"realType"`
	Flags            api.VariableFlags `json:"flags"`
	Kind             reflect.Kind      `json:"kind"`
	Value            string            `json:"value"`
	StringValueBytes []byte
	Len              int64   `json:"len"`
	Cap              int64   `json:"cap"`
	Children         []plain `json:"children"`
	Base             uint64  `json:"base"`
	Unreadable       string  `json:"unreadable"`
	LocationExpr     string
	DeclLine         int64
}

// decode reads an answer of Delve's.
func decode(answer []byte, into any) error {
	switch a := into.(type) {
	case *rpc2.ListFunctionArgsOut:
		var list struct{ Args []plain }
		err := json.Unmarshal(answer, &list)
		a.Args = asVariables(list.Args)
		return err
	case *rpc2.ListLocalVarsOut:
		var list struct{ Variables []plain }
		err := json.Unmarshal(answer, &list)
		a.Variables = asVariables(list.Variables)
		return err
	case *rpc2.EvalOut:
		var one struct{ Variable *plain }
		err := json.Unmarshal(answer, &one)
		if one.Variable != nil {
			v := one.Variable.variable()
			a.Variable = &v
		}
		return err
	}
	return json.Unmarshal(answer, into)
}

func asVariables(list []plain) []api.Variable {
	if list == nil {
		return nil
	}
	all := make([]api.Variable, len(list))
	for i := range list {
		all[i] = list[i].variable()
	}
	return all
}

func (p *plain) variable() api.Variable {
	if p.Kind == reflect.String && len(p.StringValueBytes) > 0 {
		p.Value = string(p.StringValueBytes)
	}
	return api.Variable{
		Name: p.Name, Addr: p.Addr, OnlyAddr: p.OnlyAddr, Type: p.Type, RealType: p.RealType, Flags: p.Flags, Kind: p.Kind, Value: p.Value,
		Len: p.Len, Cap: p.Cap, Children: asVariables(p.Children), Base: p.Base, Unreadable: p.Unreadable, LocationExpr: p.LocationExpr, DeclLine: p.DeclLine,
	}
}
