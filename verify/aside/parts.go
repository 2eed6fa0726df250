package aside

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/instrument"
)

// What an expression is made of is read with it: whether its value may be told depends on
// that. A byte of a key looks like any number.

// Types are those of the file that a look is in.
type Types struct {
	Fset    *token.FileSet
	Package *types.Package
	File    *ast.File
}

// maxParts bounds the expressions within one; one with more is not read.
const maxParts = 40

// ErrParts is returned where it is not known what an expression is made of.
var ErrParts = errors.New("what it is made of is not known there: read a shorter one")

// Parts fills in the expressions within those of a look that stand for values there.
func (l *Look) Parts(source string, t Types) error {
	s := instrument.Parse(source)
	file := t.Fset.File(t.File.FileStart)
	if s == nil || file == nil || file.Size() != len(source) {
		return fmt.Errorf("%s has changed: %w", l.File, ErrParts)
	}
	offset, ok := place(s, l.Line)
	if !ok {
		return ErrNoStatement
	}
	l.parts, l.condParts = nil, nil
	for _, v := range l.Values {
		if err := t.parts(v, file.Pos(offset), &l.parts); err != nil {
			return err
		}
	}
	if l.Cond == "" {
		return nil
	}
	return t.parts(l.Cond, file.Pos(offset), &l.condParts)
}

// parts adds the expressions within one, as they are written in it, that are no constants
// but for texts.
func (t Types) parts(expr string, at token.Pos, list *[]string) error {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return fmt.Errorf("%q is no Go expression", expr)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if types.CheckExpr(t.Fset, t.Package, at, e, info) != nil {
		return ErrParts
	}
	n := 0
	ast.Inspect(e, func(node ast.Node) bool {
		x, ok := node.(ast.Expr)
		if !ok || x == e {
			return true
		}
		tv, known := info.Types[x]
		if !known || !tv.IsValue() || tv.IsNil() || tv.Value != nil && !isText(tv.Type) {
			return true
		}
		if n++; n > maxParts {
			err = ErrParts
			return false
		}
		if text := expr[x.Pos()-1 : x.End()-1]; !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
		return true
	})
	return err
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
