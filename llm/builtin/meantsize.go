package builtin

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

var (
	allWords    = regexp.MustCompile(`(?i)(?:-1|\bnegative\b|\bbelow (?:0|zero)\b)[^.;,]*\b(?:all|every\w*|unlimited|no (?:limit|bound)|without (?:a )?limit)\b|\b(?:all|unlimited|no limit)\b[^.;]*(?:-1|\bnegative\b)`)
	widthFewer  = regexp.MustCompile(`(?i)\b(?:fewer|less|shorter|smaller)\b[^.;]*\b(?:one|all|single|whole)\b`)
	rotateWords = regexp.MustCompile(`(?i)rotat|cycl|wrap(s|ped)? around|circular`)
)

// saidOfNumber is what is said of a number where it comes from: the usage text
// of its flag, the comments on its field, its constant, and the functions.
func (f *fixer) saidOfNumber(p place, frame int, e ast.Expr) []said {
	list := f.saidOfFunction(p)
	f.upstream(p, frame, e, func(q place, _ int, e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.CallExpr:
			if fn := q.callee(e); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "flag" {
				for _, a := range e.Args {
					if lit, ok := ast.Unparen(a).(*ast.BasicLit); ok && lit.Kind == token.STRING {
						list = append(list, said{strings.Trim(lit.Value, "\"`"), lit.Pos(), "the flag " + f.text(e.Args[0])})
					}
				}
			}
		case *ast.SelectorExpr:
			if v, ok := q.object(e).(*types.Var); ok && v.IsField() {
				list = append(list, f.saidOfField(v)...)
			}
		}
		list = append(list, f.saidOfFunction(q)...)
		return true
	})
	return list
}

// negativeMeansAll takes a negative number for as many as there are, where the
// usage text or a comment says so.
func (f *fixer) negativeMeansAll(p place, frame int, bad ast.Expr, list string) {
	name := f.text(bad)
	anchor := p.anchor()
	if anchor == nil || !isPath(bad) || list == "" {
		return
	}
	for _, s := range f.saidOfNumber(p, frame, bad) {
		if !allWords.MatchString(s.text) {
			continue
		}
		f.offer(idea{title: fmt.Sprintf("take a negative %s for all", name), weight: origin - 1, grounds: s.grounds(f),
			change: f.change().before(anchor, fmt.Sprintf("if %s < 0 {\n\t%s = len(%s)\n}", name, name, list)),
			why:    fmt.Sprintf("A negative %s stands for no limit; it is now as large as %s.", name, list)})
		return
	}
}

// onlyList names the only slice, map or string among a function's parameters.
func (f *fixer) onlyList(p place) string {
	ft := typeOfFunc(p.function())
	name := ""
	if ft == nil {
		return ""
	}
	for _, field := range ft.Params.List {
		switch p.info().TypeOf(field.Type).Underlying().(type) {
		case *types.Slice, *types.Map:
		default:
			continue
		}
		if len(field.Names) != 1 || name != "" {
			return ""
		}
		name = field.Names[0].Name
	}
	return name
}

// fewerThanWindow takes all there is for a window that is larger, where it is
// said that this gives one result: of len(x)-n+1 windows of n.
func (f *fixer) fewerThanWindow(s suspect) {
	sum, ok := ast.Unparen(s.bad).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD {
		return
	}
	base, call, n := f.lengthMinus(s.place, sum.X)
	one, isConst := constantInt(s.place, sum.Y)
	anchor := s.anchor()
	sig := s.signature()
	if call == nil || !isConst || one != 1 || anchor == nil || sig == nil {
		return
	}
	diff := ast.Unparen(sum.X).(*ast.BinaryExpr)
	none, fits := results(s.place, sig, 0)
	if _, isIdent := ast.Unparen(diff.Y).(*ast.Ident); !isIdent || isConstant(s.place, diff.Y) || !fits {
		return
	}
	for _, w := range f.saidOfNumber(s.place, f.at, diff.Y) {
		if !widthFewer.MatchString(w.text) {
			continue
		}
		f.offer(idea{title: fmt.Sprintf("take all of %s for a larger %s", base, n), weight: origin - 1, grounds: w.grounds(f),
			change: f.change().before(anchor, fmt.Sprintf("if len(%s) == 0 {\n\treturn %s\n}\n%s = min(%s, len(%s))", base, none, n, n, base)),
			why:    fmt.Sprintf("Where %s is larger than %s, there is one result, of all there is; of nothing there is none.", n, base)})
		return
	}
}

// turnOften lets a list be turned by more than its length.
func (f *fixer) turnOften(x slicing) {
	d := x.declaration()
	anchor := x.anchor()
	if d == nil || anchor == nil || x.fault != highTooLarge && (x.fault != lowAboveHigh || x.slice.High != nil) || !isPath(x.bad) || !isIntType(x.info().TypeOf(x.bad)) || !rotateWords.MatchString(d.Name.Name+" "+d.Doc.Text()) || !f.slicedAgain(x) {
		return
	}
	base, n := f.text(x.slice.X), f.text(x.bad)
	f.offer(idea{title: fmt.Sprintf("turn %s by the remainder of %s", base, n), weight: origin,
		change:  f.change().before(anchor, fmt.Sprintf("if len(%s) > 0 {\n\t%s %%= len(%s)\n}", base, n, base)),
		grounds: fmt.Sprintf("%s turns a list around (%s)", funcName(d), f.where(d.Pos())),
		why:     fmt.Sprintf("After len(%s) steps everything is where it was: only the remainder counts.", base)})
}

// wideEnough makes the width of a table or box that of the longest of what is
// padded to it, where the width is computed from something else before.
func (f *fixer) wideEnough(s suspect) {
	diff, ok := ast.Unparen(s.bad).(*ast.BinaryExpr)
	if !ok || diff.Op != token.SUB {
		return
	}
	id, isIdent := ast.Unparen(diff.X).(*ast.Ident)
	loop, inLoop := s.loop().(*ast.RangeStmt)
	if !isIdent || !inLoop || loop.Value == nil || !isPathOrIndex(loop.X) || isConstant(s.place, id) {
		return
	}
	v, isVar := s.object(id).(*types.Var)
	if !isVar || !mentionsObject(s.place, diff.Y, s.object(loop.Value)) {
		return
	}
	defs := f.definitions(s.place, v)
	if len(defs) == 0 || defs[0].of != fromExpr || defs[0].declaration() != s.declaration() {
		return
	}
	as, isAssign := defs[0].stmt.(*ast.AssignStmt)
	if !isAssign || defs[0].of2(as).anchor() != ast.Stmt(as) || as.Pos() > loop.Pos() || f.madeAfter(s.place, loop.X, as) {
		return
	}
	for _, d := range defs[1:] {
		if d.stmt.Pos() < loop.Pos() && mentions(f.text(d.stmt), "max") {
			return
		}
	}
	item := f.text(loop.Value)
	f.blame(fmt.Sprintf("%s (%s) does not look at %s", f.text(as), f.where(as.Pos()), f.text(loop.X)), as.Pos())
	f.offer(idea{title: fmt.Sprintf("make %s wide enough for %s", id.Name, f.text(loop.X)), weight: origin,
		change: f.change().after(as, fmt.Sprintf("for _, %s := range %s {\n\t%s = max(%s, %s)\n}", item, f.text(loop.X), id.Name, id.Name, f.text(diff.Y))),
		why:    fmt.Sprintf("What is padded to %s must not be longer; it is now at least as wide as the widest of %s.", id.Name, f.text(loop.X))})
}

// madeAfter tells whether a list gets its value only after a statement.
func (f *fixer) madeAfter(p place, list ast.Expr, s ast.Stmt) bool {
	root, _ := rootOf(list)
	id, ok := root.(*ast.Ident)
	if !ok {
		return true
	}
	v, isVar := p.object(id).(*types.Var)
	if !isVar {
		return true
	}
	for _, d := range f.definitions(p, v) {
		if d.stmt.Pos() > s.Pos() && !isGlobal(v) {
			return true
		}
	}
	return false
}
