package prompts

import (
	"context"
	"go/ast"
	"go/parser"
	"reflect"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts/redact"
)

// screened is an inspector that hides values.
type screened struct {
	debugger.Inspector
	screen *Screen
}

// Load implements debugger.Inspector.
func (i screened) Load(ctx context.Context, at debugger.FrameRef) (debugger.Frame, error) {
	f, err := i.Inspector.Load(ctx, at)
	return i.screen.frame(f), err
}

// Evaluate implements debugger.Inspector. What an expression selects from
// something hidden is hidden.
func (i screened) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	v, err := i.Inspector.Evaluate(ctx, at, expr)
	if err != nil {
		return v, err
	}
	if instead, ok := i.screen.hides(expr); ok && !v.Nil {
		return i.screen.hide(v, instead), nil
	}
	if instead, ok := i.within(ctx, at, expr); ok && !v.Nil {
		return i.screen.hide(v, instead), nil
	}
	return i.screen.variable(v, nameIn(expr, v)), nil
}

// within reports whether an expression looks into a value of a hidden type: u.Name,
// where u is a User. Every expression in it that a part is taken of is looked at.
func (i screened) within(ctx context.Context, at debugger.FrameRef, expr string) (instead string, hidden bool) {
	if i.screen.redactor.HidesNothing() {
		return "", false
	}
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return "", false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := measured(n); ok {
			return false
		}
		base, ok := looksInto(n)
		if !ok || hidden {
			return !hidden
		}
		from, to := int(base.Pos())-1, int(base.End())-1
		if from < 0 || to > len(expr) || from >= to {
			return true
		}
		v, err := i.Inspector.Evaluate(ctx, at, expr[from:to])
		if err != nil {
			return true
		}
		if instead, hidden = i.screen.hidesHeld(v); !hidden && isList(v.Deref()) && isNumbers(nameFor(base, v), v) { // a part of it is too short to be known
			instead, hidden = ofSecret, true
		}
		if sel, ok := n.(*ast.SelectorExpr); ok && !hidden {
			if instead, hidden = i.screen.promoted(v, sel.Sel.Name); !hidden {
				instead, hidden = i.screen.besideName(v, sel.Sel.Name)
			}
		}
		return !hidden
	})
	return instead, hidden
}

// namesSecret reports whether a value, or a part of it, is the name of a secret.
func namesSecret(v debugger.Variable) bool {
	name, ok := textOf(v)
	return ok && redact.NamesSecret(name) || slices.ContainsFunc(v.Children, namesSecret)
}

// hidesHeld reports whether a value is of a hidden type, or what it points to or holds is.
func (s *Screen) hidesHeld(v debugger.Variable) (instead string, hidden bool) {
	for {
		instead, hidden = s.redactor.Hides("", typeOf(v))
		if hidden || v.Kind != reflect.Pointer && v.Kind != reflect.Interface || len(v.Children) != 1 {
			return instead, hidden
		}
		v = v.Children[0]
	}
}

// besideName reports whether a field of a struct is hidden for the name in another one.
func (s *Screen) besideName(v debugger.Variable, field string) (instead string, hidden bool) {
	fields := v.Deref().Children
	for i, shown := range s.named(fields) {
		if fields[i].Name == field && shown.Value != fields[i].Value {
			return ofSecret, true
		}
	}
	return "", false
}

// promoted reports whether a field of a struct is one of a hidden type that is
// embedded in it.
func (s *Screen) promoted(v debugger.Variable, field string) (instead string, hidden bool) {
	if v.Kind == reflect.Pointer && len(v.Children) == 1 {
		v = v.Children[0]
	}
	if slices.ContainsFunc(v.Children, func(c debugger.Variable) bool { return c.Name == field }) {
		return "", false
	}
	for _, c := range v.Children {
		typ := typeOf(c)
		if typ[strings.LastIndexAny(typ, "./*")+1:] != c.Name {
			continue // not embedded
		}
		if instead, hidden = s.redactor.Hides("", typ); !hidden {
			instead, hidden = s.promoted(c, field)
		}
		if hidden {
			return instead, true
		}
	}
	return "", false
}

// looksInto is the expression that a node takes a part of.
func looksInto(n ast.Node) (ast.Expr, bool) {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return n.X, true
	case *ast.IndexExpr:
		return n.X, true
	case *ast.SliceExpr:
		return n.X, true
	case *ast.StarExpr:
		return n.X, true
	case *ast.CallExpr: // a conversion
		if len(n.Args) == 1 {
			return n.Args[0], true
		}
	}
	return nil, false
}

// Children implements debugger.Inspector.
func (i screened) Children(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	children, err := i.Inspector.Children(ctx, at, v, page)
	instead, hidden := i.screen.redactor.Hides(v.Name, typeOf(v))
	if !hidden {
		instead, hidden = i.screen.hides(v.Expr)
	}
	if !hidden && v.Expr != "" {
		instead, hidden = i.within(ctx, at, v.Expr)
	}
	name := heldName(v.Expr, strings.Trim(v.Name, `[]"*`))
	if !hidden && isList(v) && isNumbers(name, debugger.Variable{Kind: v.Kind, Len: v.Len, Children: children}) {
		instead, hidden = ofSecret, true
	}
	if !hidden {
		return i.screen.variables(children, name), err
	}
	for k, c := range children {
		children[k] = i.screen.hide(c, instead)
	}
	return children, err
}
