package agent

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts"
)

func (t *Tools) eval(ctx context.Context, a args) (string, error) {
	expr := a.text("expr")
	if err := t.readOnly(expr); err != nil {
		return "", err
	}
	at, err := t.frame(a)
	if err != nil {
		return "", err
	}
	if err := t.OwnFrame(ctx, at); err != nil {
		return "", err
	}
	v, err := t.c.Inspect.Evaluate(ctx, at, expr)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s = %s (%s)", prompts.OneLine(expr), prompts.Value(v), prompts.OneLine(v.Type)), nil
}

// frame is where an expression is meant: the frame that stopped, or the
// innermost one of another goroutine, unless it is named.
func (t *Tools) frame(a args) (debugger.FrameRef, error) {
	if t.c.Inspect == nil {
		return debugger.FrameRef{}, debugger.ErrGone
	}
	at := t.home
	if g, ok := a["goroutine"].(int); ok && debugger.GoroutineID(g) != at.Goroutine {
		at = debugger.FrameRef{Goroutine: debugger.GoroutineID(g)}
	}
	at.Frame = a.number("frame", at.Frame)
	return at, nil
}

// errCall is returned for an expression that would run code of the target.
var errCall = errors.New("functions cannot be called, only len, cap, min, max, real, imag, complex and conversions; read the fields instead")

// builtins that only compute.
var builtins = map[string]bool{"len": true, "cap": true, "min": true, "max": true, "real": true, "imag": true, "complex": true}

// readOnly reports whether an expression only reads: no call but builtins and
// conversions, no receive, no function or composite literal, no assignment.
func (t *Tools) readOnly(expr string) error {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return fmt.Errorf("%q is no Go expression: assignments and statements are not possible", shorten(expr))
	}
	var refused error
	ast.Inspect(e, func(n ast.Node) bool {
		if n != nil && refused == nil {
			refused = t.allowed(n)
		}
		return refused == nil
	})
	return refused
}

// ReadOnly says why an expression may not be evaluated, as far as that is known without the
// program: no type of its own is, so that no conversion to one is possible.
func ReadOnly(expr string) error { return new(Tools).readOnly(expr) }

func (t *Tools) allowed(n ast.Node) error {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return t.ownVariable(n)
	case *ast.Ident, *ast.BasicLit, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.ParenExpr,
		*ast.TypeAssertExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType:
		return nil
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return errors.New("nothing can be received from a channel: that would change the program")
		}
		return nil
	case *ast.BinaryExpr:
		if n.Op == token.SHL && !smallShift(n.Y) {
			return fmt.Errorf("a value can be shifted left by a literal number up to %d only", maxShift)
		}
		return nil
	case *ast.InterfaceType, *ast.FieldList:
		return nil
	case *ast.CallExpr:
		if t.toPointer(n.Fun) {
			return errAddress
		}
		if id, ok := n.Fun.(*ast.Ident); ok && builtins[id.Name] || t.isType(n.Fun) && len(n.Args) == 1 {
			return nil
		}
		return errCall
	}
	return fmt.Errorf("only variables, fields, elements, operators and conversions can be read, not a %s", strings.TrimPrefix(fmt.Sprintf("%T", n), "*ast."))
}

// maxShift bounds a shift to the left: the debugger computes with numbers of any
// size, and 1<<99999999999 would take all memory.
const maxShift = 63

func smallShift(by ast.Expr) bool {
	lit, ok := by.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT {
		return false
	}
	n, err := strconv.ParseUint(lit.Value, 0, 64)
	return err == nil && n <= maxShift
}

// isType reports whether what is called is known to be a type, which makes the
// call a conversion. In doubt it is not.
func (t *Tools) isType(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return t.isType(e.X)
	case *ast.StarExpr:
		return t.isType(e.X)
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.InterfaceType:
		return true
	case *ast.Ident:
		return t.namesType("", e.Name)
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		return ok && t.namesType(pkg.Name, e.Sel.Name)
	}
	return false
}

// namesType looks a name up in the loaded code: in the packages of that name,
// or in all of the user's when none is given. A name that is a type in one and
// something else in another counts as something else.
func (t *Tools) namesType(pkg, name string) bool {
	if _, basic := types.Universe.Lookup(name).(*types.TypeName); basic && pkg == "" {
		return !t.declares(name)
	}
	if t.c.Code == nil {
		return false
	}
	found := false
	for _, p := range t.c.Code.Packages {
		if p.Types == nil {
			continue
		}
		for _, in := range append([]*types.Package{p.Types}, p.Types.Imports()...) {
			if pkg != "" && in.Name() != pkg || pkg == "" && in != p.Types {
				continue
			}
			switch in.Scope().Lookup(name).(type) {
			case nil:
			case *types.TypeName:
				found = true
			default:
				return false
			}
		}
	}
	return found
}

// declares reports whether the user's code gives a predeclared name to
// something of its own.
func (t *Tools) declares(name string) bool {
	if t.c.Code == nil {
		return false
	}
	for _, p := range t.c.Code.Packages {
		if p.Types != nil && p.Types.Scope().Lookup(name) != nil {
			return true
		}
	}
	return false
}
