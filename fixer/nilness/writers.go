package nilness

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// maxWriters bounds how many writers of a value a sentence names.
const maxWriters = 3

// blameWriters says where a nil field or package variable comes from: what sets
// it to nil, or that no statement outside tests names it to set it. Where
// something sets it to a value, that is named. What builds a struct without a field may be
// as much to blame as what sets it to nil; t is that struct, nil for a variable.
func (f makers) blameWriters(t *types.Named, v *types.Var, lacking []code.Building) {
	name := v.Name()
	if t != nil {
		name = t.Obj().Name() + "." + name
	}
	var none, some []workspace.Use
	for _, u := range f.Case.Code.Index().Uses(v) {
		switch {
		case u.Test || u.Kind != workspace.Write && u.Kind != workspace.Address:
		case u.Kind == workspace.Write && isNil(u):
			none = append(none, u)
		default:
			some = append(some, u)
		}
	}
	switch {
	case len(none) > 0 && len(lacking) > 0:
		reason := fmt.Sprintf("%s (%s) does not set it", lacking[0].BuildName(), f.Where(lacking[0].Node().Pos()))
		if len(lacking) > 1 {
			reason = f.severalLack(t, lacking, v)
		}
		f.Guess(reason+", and "+f.writers(none)+" "+plural(len(none), "sets", "set")+" it to nil", lacking[0].Node().Pos())
	case len(none) > 0:
		f.Guess(f.writers(none)+" "+plural(len(none), "sets", "set")+" it to nil", none[0].Node.Pos())
	case len(some) > 0:
		what := "it"
		switch {
		case v.IsField() && strings.Count("."+f.Diagnosis.Expr+".", "."+v.Name()+".") > 1:
			what = v.Name() // maybe that of another struct
		case !strings.HasSuffix(f.Diagnosis.Expr, "."+v.Name()) && f.Diagnosis.Expr != v.Name():
			what = name
		}
		f.Add(what + " is set in " + f.writers(some))
	case v.IsField() && v.Exported(): // a decoder may
		f.Add("no statement outside tests sets " + name + " by name")
	default:
		f.Note("no statement outside tests sets "+name+" by name", v.Pos())
	}
}

// isNil reports whether a use writes nil.
func isNil(u workspace.Use) bool {
	return u.Value != nil && u.In.Package.TypesInfo.Types[ast.Unparen(u.Value)].IsNil()
}

// writers names functions that write something, each with its line.
func (f makers) writers(list []workspace.Use) string {
	var names []string
	seen := map[string]bool{}
	for _, u := range list {
		name := "the declaration"
		if u.In.Decl != nil {
			name = syntax.FuncName(u.In.Decl)
		}
		name = fmt.Sprintf("%s (%s)", name, f.Where(u.Node.Pos()))
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if more := len(names) - maxWriters; more > 0 {
		names = append(names[:maxWriters], fmt.Sprintf("%d more", more))
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// plural chooses between the words for one and for many.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
