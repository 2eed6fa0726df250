package prompts

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/source/evidence"
)

// A part of a secret looks like nothing: four slices of a token, each too short
// to be known, make the token. So a value is judged by what its expression is
// taken from. Whatever it is made of, by an index, a slice, a conversion, an
// operator, is hidden where one of these is; lengths are not.

// Guarded returns a case for a model that asks for expressions of its own: what
// is taken from a secret is hidden as the secret is.
func (s *Screen) Guarded(c evidence.Case) evidence.Case {
	c = s.Case(c)
	if c.Inspect != nil && !s.redactor.HidesNothing() {
		if have, ok := c.Inspect.(screened); ok {
			c.Inspect = have.Inspector
		}
		c.Inspect = guarded{screened{c.Inspect, s}}
	}
	return c
}

// guarded is an inspector that also hides what is taken from secrets.
type guarded struct{ screened }

// ofSecret is shown for what is taken from a secret.
const ofSecret = "[taken from a secret]"

// Evaluate implements debugger.Inspector. An error, and a nil that a secret has
// led to, would tell as much as a value: x[token[0]] for one x after the other.
func (g guarded) Evaluate(ctx context.Context, at debugger.FrameRef, expr string) (debugger.Variable, error) {
	v, err := g.screened.Evaluate(ctx, at, expr)
	e, parseErr := parser.ParseExpr(expr)
	if parseErr != nil || ctx.Err() != nil || errors.Is(err, debugger.ErrRunning) || errors.Is(err, debugger.ErrGone) {
		return v, err
	}
	s := &secretSearch{g: g, ctx: ctx, at: at, expr: expr}
	var found bool
	switch {
	case err != nil:
		found = s.in(e, nil)
	case v.Nil:
		found = s.chooses(e)
	default:
		found = s.in(e, &v)
	}
	if found {
		return debugger.Variable{Name: expr, Value: ofSecret}, nil
	}
	return v, err
}

// maxParts bounds the expressions within one that are looked at; one with more
// is hidden.
const maxParts = 24

// secretSearch looks for secrets in the parts of an expression.
type secretSearch struct {
	g     guarded
	ctx   context.Context
	at    debugger.FrameRef
	expr  string
	parts int
}

// in reports whether any expression within e is a secret. e itself counts where
// its value, if it is known, would be shown in another form than its text.
func (s *secretSearch) in(e ast.Expr, whole *debugger.Variable) bool {
	secret := false
	ast.Inspect(e, func(n ast.Node) bool {
		if secret {
			return false
		}
		if of, ok := measured(n); ok {
			secret = s.chooses(of)
			return false
		}
		x, ok := n.(ast.Expr)
		if !ok || !hasValue(x) {
			return true
		}
		if x != e {
			secret = s.is(x)
		} else if whole != nil && (whole.Kind != reflect.String || !s.g.screen.isSecret(s.expr, *whole)) { // a text is taken out of the result as of any
			secret = s.g.screen.isSecret(nameFor(x, *whole), *whole) || s.g.nearSecret(s.ctx, s.at, s.expr, x)
		}
		return !secret
	})
	return secret
}

// is reports whether a part of the expression is a secret.
func (s *secretSearch) is(x ast.Expr) bool {
	if s.parts++; s.parts > maxParts {
		return true
	}
	text := textIn(s.expr, x)
	if _, hidden := s.g.within(s.ctx, s.at, text); hidden {
		return true
	}
	v, err := s.g.Inspector.Evaluate(s.ctx, s.at, text)
	if err != nil {
		return false
	}
	_, hidden := s.g.screen.hidesHeld(v)
	_, raw := s.g.screen.redactor.HidesBytes(nameOf(x))
	return hidden || raw && isRaw(v) || s.g.screen.isSecret(nameFor(x, v), v) || s.g.nearSecret(s.ctx, s.at, s.expr, x)
}

// chooses reports whether a secret decides which value e stands for: an index, the
// bound of a slice, an operand. The length of that value, or that it is nil, would
// tell the secret.
func (s *secretSearch) chooses(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.CompositeLit, *ast.FuncLit:
		return false
	case *ast.SelectorExpr:
		return s.chooses(e.X)
	case *ast.StarExpr:
		return s.chooses(e.X)
	case *ast.ParenExpr:
		return s.chooses(e.X)
	case *ast.TypeAssertExpr:
		return s.chooses(e.X)
	case *ast.IndexExpr:
		return s.chooses(e.X) || s.decides(e.Index)
	case *ast.SliceExpr:
		return s.chooses(e.X) || s.decides(e.Low) || s.decides(e.High) || s.decides(e.Max)
	case *ast.CallExpr:
		if _, path := ast.Unparen(e.Fun).(*ast.ArrayType); path && len(e.Args) == 1 {
			return s.chooses(e.Args[0])
		}
	}
	return s.decides(e)
}

// decides reports whether an operand is a secret, or holds one.
func (s *secretSearch) decides(e ast.Expr) bool {
	return e != nil && (hasValue(e) && s.is(e) || s.in(e, nil))
}

func textIn(expr string, e ast.Expr) string { return expr[e.Pos()-1 : e.End()-1] }

// aroundPart is how much of a long text is read on both sides of a part of it, in bytes.
const aroundPart = 256

// nearSecret reports whether a part is taken of a text too long to have been read
// as a whole, where a secret is.
func (g guarded) nearSecret(ctx context.Context, at debugger.FrameRef, expr string, e ast.Expr) bool {
	var of, from, to ast.Expr
	switch e := e.(type) {
	case *ast.IndexExpr:
		of, from, to = e.X, e.Index, e.Index
	case *ast.SliceExpr:
		of, from, to = e.X, e.Low, e.High
	default:
		return false
	}
	whole, err := g.Inspector.Evaluate(ctx, at, textIn(expr, of))
	if text, ok := textOf(whole); err != nil || !ok || int64(len(text)) >= whole.Len {
		return false
	}
	number := func(e ast.Expr, otherwise int64) int64 {
		if e == nil {
			return otherwise
		}
		v, err := g.Inspector.Evaluate(ctx, at, textIn(expr, e))
		n, parseErr := strconv.ParseInt(v.Value, 10, 64)
		if err != nil || parseErr != nil {
			return otherwise
		}
		return n
	}
	step := int64(aroundPart) // an answer holds twice as much of a text
	if whole.Kind != reflect.String {
		step = aroundPart / 8
	}
	low, high := max(number(from, 0)-2*step, 0), min(number(to, whole.Len)+2*step, whole.Len)
	for ; low < high; low += step {
		part, err := g.Inspector.Evaluate(ctx, at, fmt.Sprintf("(%s)[%d:%d]", textIn(expr, of), low, min(low+2*step, high)))
		if err != nil || high-low > 16*step || g.screen.isSecret(nameOf(of), part) {
			return true // too much to look at, too
		}
	}
	return false
}

// measured returns what an expression says nothing of but how long it is, or
// whether it is there at all.
func measured(n ast.Node) (ast.Expr, bool) {
	switch n := n.(type) {
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") && len(n.Args) == 1 {
			return n.Args[0], true
		}
	case *ast.BinaryExpr:
		switch {
		case n.Op != token.EQL && n.Op != token.NEQ:
		case isNothing(n.Y):
			return n.X, true
		case isNothing(n.X):
			return n.Y, true
		}
	}
	return nil, false
}

func isNothing(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.BasicLit:
		return e.Value == `""`
	}
	return false
}

// hasValue reports whether an expression may stand for a value of the program.
func hasValue(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.ParenExpr, *ast.TypeAssertExpr, *ast.CallExpr, *ast.BinaryExpr:
		return true
	}
	return false
}

// nameOf is the name that a value goes by: of a field, a variable, or the key of
// a map.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr:
		if lit, ok := e.Index.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if key, err := strconv.Unquote(lit.Value); err == nil {
				return key
			}
		}
		return nameOf(e.X)
	case *ast.SliceExpr:
		return nameOf(e.X)
	case *ast.StarExpr:
		return nameOf(e.X)
	case *ast.ParenExpr:
		return nameOf(e.X)
	case *ast.TypeAssertExpr:
		return nameOf(e.X)
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return nameOf(e.Args[0])
		}
	}
	return ""
}

// isSecret reports whether a value under a name would be taken out of a text.
func (s *Screen) isSecret(name string, v debugger.Variable) bool {
	if v.Value == ofSecret || isNumbers(name, v) || s.isKnownNumber(v) {
		return true
	}
	text, ok := textOf(v)
	if !ok {
		return false
	}
	if redact.IsPassword(name, text) {
		return true
	}
	_, found := s.secretless(name + " = " + strconv.Quote(text))
	return len(found) > 0
}

// textOf is the text of a value: of a string, of bytes or runes, or of what a
// pointer or an interface holds.
func textOf(v debugger.Variable) (string, bool) {
	switch {
	case v.Kind == reflect.String:
		return v.Value, v.Value != ""
	case (v.Kind == reflect.Pointer || v.Kind == reflect.Interface) && len(v.Children) == 1:
		return textOf(v.Children[0])
	case v.Kind != reflect.Slice && v.Kind != reflect.Array || len(v.Children) == 0:
		return "", false
	}
	elem := v.Type[strings.IndexByte(v.Type, ']')+1:]
	if kind := v.Children[0].Kind; kind != reflect.Uint8 && kind != reflect.Int32 && elem != "uint8" && elem != "int32" && elem != "byte" && elem != "rune" {
		return "", false
	}
	var text []rune
	for _, c := range v.Children {
		n, err := strconv.ParseInt(c.Value, 10, 32)
		if err != nil {
			return "", false
		}
		text = append(text, rune(n))
	}
	return string(text), true
}
