package delve

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
	"github.com/pausetui/pausetui/debugger/delve/convert"
)

// absent is the memory of mapped files that is not in a core dump, in order. Delve takes
// all mapped files for the executable, and reads its bytes there (Delve 1.27.2,
// core.buildMemory).
type absent []mapping

// mapping is memory that a file is mapped to.
type mapping struct {
	start, end uint64
	file       string
}

// at says why memory cannot be known; empty if it can.
func (a absent) at(addr, size uint64) string {
	i, _ := slices.BinarySearchFunc(a, addr, func(m mapping, addr uint64) int {
		if m.end <= addr {
			return -1
		}
		return 1
	})
	if i < len(a) && a[i].start < addr+max(size, 1) {
		return convert.AbsentPrefix + a[i].file
	}
	return ""
}

// mark makes those values of an answer unreadable that lie there.
func (a absent) mark(in, out any) error {
	if len(a) == 0 {
		return nil
	}
	switch out := out.(type) {
	case *rpc2.EvalOut:
		if out.Variable != nil {
			a.variable(out.Variable)
		}
	case *rpc2.ListFunctionArgsOut:
		a.variables(out.Args)
	case *rpc2.ListLocalVarsOut:
		a.variables(out.Variables)
	case *rpc2.ListPackageVarsOut:
		a.variables(out.Variables)
	case *rpc2.StacktraceOut:
		for _, frame := range out.Locations {
			a.variables(frame.Arguments)
			a.variables(frame.Locals)
		}
	case *rpc2.ExaminedMemoryOut:
		return a.examined(in)
	}
	return nil
}

func (a absent) examined(in any) error {
	var asked rpc2.ExamineMemoryIn
	switch in := in.(type) {
	case rpc2.ExamineMemoryIn:
		asked = in
	case *rpc2.ExamineMemoryIn:
		asked = *in
	}
	if why := a.at(asked.Address, uint64(max(asked.Length, 0))); why != "" {
		return errors.New(why)
	}
	return nil
}

func (a absent) variables(list []api.Variable) {
	for i := range list {
		a.variable(&list[i])
	}
}

// variable marks a value, or what it consists of or leads to.
func (a absent) variable(v *api.Variable) {
	if v.Unreadable != "" {
		return
	}
	why := ""
	if v.Addr != 0 {
		why = a.at(v.Addr, 1)
	}
	if text := v.Kind == reflect.String && v.Len > 0; why == "" && v.Base != 0 && (text || v.Kind == reflect.Map || v.Kind == reflect.Chan) {
		why = a.at(v.Base, 1)
	}
	if why != "" {
		v.Unreadable, v.Value, v.Children = why, "", nil
		return
	}
	a.variables(v.Children)
}

// maxOperands bounds the operands of an expression that are looked at.
const maxOperands = 32

// operand reports why an operand of an expression cannot be known, whose value has no
// address of its own: a sum, or what a pointer that was read there leads to.
func (a absent) operand(ctx context.Context, c *client, in rpc2.EvalIn, got *api.Variable) string {
	if len(a) == 0 || got == nil || got.Unreadable != "" {
		return ""
	}
	flat := in
	flat.Cfg = &api.LoadConfig{MaxStringLen: 1, MaxArrayValues: 1, MaxStructFields: -1}
	for _, expr := range operandsOf(in.Expr) {
		flat.Expr = expr.text
		out, err := call[rpc2.EvalOut](ctx, c, "Eval", flat)
		if err != nil || out.Variable == nil { // a type, or the name of a package
			continue
		}
		v := out.Variable
		if v.Kind == reflect.Slice && expr.converted && len(v.Children) > 0 {
			v = &v.Children[0]
		}
		if strings.HasPrefix(v.Unreadable, convert.AbsentPrefix) {
			return v.Unreadable
		}
	}
	return ""
}

// operandText is a part of an expression; converted says that a call takes it.
type operandText struct {
	text      string
	converted bool
}

// operandsOf are the parts of an expression that stand for memory. What is asked only for
// its length is none.
func operandsOf(expr string) (found []operandText) {
	whole, err := parser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	converted := map[ast.Node]bool{}
	ast.Inspect(whole, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "len" || name.Name == "cap") {
				return false
			}
			for _, arg := range n.Args {
				converted[arg] = true
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND { // an address is known without what is there
				return n.X == nil
			}
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.Ident:
			if n != ast.Node(whole) && len(found) < maxOperands {
				found = append(found, operandText{expr[n.Pos()-1 : n.End()-1], converted[n]})
			}
		}
		return true
	})
	return found
}
