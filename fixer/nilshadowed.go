package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// valueAtDeclaration gives a variable its value where it is declared.
func (f nilRules) valueAtDeclaration(src source) {
	spec, ok := src.stmt.(*ast.ValueSpec)
	if !ok || spec.Type == nil || len(spec.Names) != 1 {
		return
	}
	if v, isVar := src.object.(*types.Var); !isVar {
		return
	} else if _, meant := nilIsMeant(f.facts, v); meant {
		return
	}
	at := src.of2(spec)
	text, path, ok := f.freshValue(at, src.object.Type(), nil)
	if !ok {
		return
	}
	ch := f.change().need(src.file, path)
	if _, isInterface := src.object.Type().Underlying().(*types.Interface); isInterface {
		ch.insert(spec.Type.End(), " = "+text)
	} else {
		ch.replace(spec.Type.Pos(), spec.Type.End(), "= "+text)
	}
	w := origin
	if len(f.definitions(src.place, src.object.(*types.Var))) > 1 {
		w = soft // it is assigned elsewhere: this is only a stand-in
	}
	f.offer(idea{rule: "nil/value-at-declaration", title: fmt.Sprintf("give %s a value where it is declared", src.object.Name()), weight: w, change: ch,
		why: fmt.Sprintf("%s (%s) now starts as %s.", src.object.Name(), f.where(spec.Pos()), text)})
}

// shadowed finds a := that declares another variable of the same name and type
// where the outer one was meant.
func (f nilRules) shadowed(src source) {
	v := src.object
	inScope := func(p place, as *ast.AssignStmt) bool {
		return isGlobal(v) || v != nil && v.Parent() != nil && v.Parent().Contains(as.Pos()) && as.Pos() > v.Pos()
	}
	f.each(func(p place) {
		ast.Inspect(p.file, func(n ast.Node) bool {
			as, ok := n.(*ast.AssignStmt)
			if !ok || as.Tok != token.DEFINE || v == nil || !inScope(p, as) {
				return true
			}
			hit := -1
			for i, l := range as.Lhs {
				id, isIdent := l.(*ast.Ident)
				if !isIdent || id.Name != v.Name() || p.pkg.PkgPath != v.Pkg().Path() {
					continue
				}
				if def := p.info().Defs[id]; def != nil && types.Identical(def.Type(), v.Type()) {
					hit = i
				}
			}
			if hit >= 0 {
				f.unshadow(p, as, hit)
			}
			return true
		})
	})
}

func (f nilRules) unshadow(p place, as *ast.AssignStmt, hit int) {
	at := p.of(as)
	ch := f.change()
	lines := ""
	for i, l := range as.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok || i == hit || id.Name == "_" || p.info().Defs[id] == nil {
			continue
		}
		typ, fits := typeText(p, p.info().Defs[id].Type())
		if !fits {
			return
		}
		lines += fmt.Sprintf("var %s %s\n", id.Name, typ)
	}
	if lines != "" {
		if at.anchor() != ast.Stmt(as) {
			return
		}
		ch.before(as, strings.TrimSuffix(lines, "\n"))
	}
	ch.replace(as.TokPos, as.TokPos+2, "=")
	name := f.text(as.Lhs[hit])
	f.blame(fmt.Sprintf("%s (%s) sets another variable of that name with :=", funcName(at.function()), f.where(as.Pos())), as.Pos())
	outer := "the outer " + name
	if _, isGlobal := p.pkg.Types.Scope().Lookup(name).(*types.Var); isGlobal {
		outer = "the package's " + name
	}
	f.offer(idea{rule: "nil/unshadow", title: fmt.Sprintf("assign to %s instead of a new variable", outer), weight: origin - 3, change: ch,
		why: fmt.Sprintf("The := at %s declares a second %s that ends with its block; = sets the one that is used here.", f.where(as.Pos()), name)})
}
