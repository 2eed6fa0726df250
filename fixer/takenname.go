package fixer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// takenName: a register of things by name refuses a name that is taken. The
// second thing has the name of the first by mistake, or was registered twice.
func (f libraryRules) takenName(s panicCall) {
	key, ok := f.refusedKey(s)
	if !ok {
		return
	}
	call, at, ok := f.callerOf(s.of(s.function()), f.at)
	if !ok {
		return
	}
	f.registeredTwice(call)
	switch k := ast.Unparen(key).(type) {
	case *ast.CallExpr: // c.Name()
		f.nameOfMethod(s, k, call, at)
	case *ast.Ident: // a parameter
		f.nameGiven(s, k, call)
	}
}

// refusedKey finds the key of the lookup whose success leads to the panic.
func (f libraryRules) refusedKey(s panicCall) (ast.Expr, bool) {
	for i, n := range s.path {
		is, ok := n.(*ast.IfStmt)
		if !ok || i == 0 || s.path[i-1] != ast.Node(is.Body) {
			continue
		}
		as, isAssign := is.Init.(*ast.AssignStmt)
		if !isAssign || len(as.Lhs) != 2 || len(as.Rhs) != 1 || f.text(is.Cond) != f.text(as.Lhs[1]) {
			return nil, false
		}
		ix, isIndex := ast.Unparen(as.Rhs[0]).(*ast.IndexExpr)
		if !isIndex || !isMap(s.info().TypeOf(ix.X)) {
			return nil, false
		}
		return ix.Index, true
	}
	return nil, false
}

// registeredTwice: the same call stands twice in one list.
func (f libraryRules) registeredTwice(call place) {
	stmt := call.statement()
	if stmt == nil {
		return
	}
	for _, other := range statements(call.anchorBlock()) {
		if other.Pos() < stmt.Pos() && f.text(other) == f.text(stmt) {
			f.offer(idea{rule: "takenname/registered-twice", title: fmt.Sprintf("drop the second %s", short(f.text(stmt))), weight: origin - 2, change: f.change().remove(stmt),
				why: fmt.Sprintf("The same call is already at %s.", f.where(other.Pos()))})
			return
		}
	}
}

// nameOfMethod: the thing says its name by a method, which returns the name of
// another type's.
func (f libraryRules) nameOfMethod(s panicCall, k *ast.CallExpr, call place, _ int) {
	sel, ok := ast.Unparen(k.Fun).(*ast.SelectorExpr)
	if !ok || len(k.Args) > 0 {
		return
	}
	v, isVar := s.object(sel.X).(*types.Var)
	d, isDecl := s.function().(*ast.FuncDecl)
	if !isVar || !isDecl {
		return
	}
	i, _, found := paramIndex(s.place, d.Type, d, v)
	args := call.node().(*ast.CallExpr).Args
	if !found || i >= len(args) {
		return
	}
	names := f.constantNames(sel.Sel.Name)
	mine, ok := names.of(named(call.info().TypeOf(args[i])))
	if !ok {
		return
	}
	f.rename(names, mine)
}

// nameGiven: the name is a literal of the call; what is registered by it tells
// what it should be.
func (f libraryRules) nameGiven(s panicCall, k *ast.Ident, call place) {
	v, isVar := s.info().ObjectOf(k).(*types.Var)
	d, isDecl := s.function().(*ast.FuncDecl)
	if !isVar || !isDecl {
		return
	}
	i, _, found := paramIndex(s.place, d.Type, d, v)
	obj, _ := s.info().Defs[d.Name].(*types.Func)
	calls, _ := f.callsOf(obj)
	if !found || obj == nil {
		return
	}
	var names nameList
	mine := -1
	for _, c := range calls {
		args := c.node().(*ast.CallExpr).Args
		if len(args) != 2 || i > 1 {
			return
		}
		lit, isLit := ast.Unparen(args[i]).(*ast.BasicLit)
		if !isLit || lit.Kind != token.STRING {
			continue
		}
		name, err := strconv.Unquote(lit.Value)
		if err != nil {
			continue
		}
		if c.node() == call.node() {
			mine = len(names)
		}
		names = append(names, constantName{c.of(lit), lit, name, thingName(f.text(args[1-i]))})
	}
	if mine >= 0 {
		f.rename(names, names[mine])
	}
}

var firstName = lazyregexp.New(`[A-Za-z]\w*`)

// thingName is the name of a type, function or variable in an expression:
// "xmlCodec" of "&pkg.xmlCodec{}".
func thingName(text string) string {
	text, _, _ = strings.Cut(text, "{")
	text, _, _ = strings.Cut(text, "(")
	parts := firstName.FindAllString(text, -1)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

// constantName is a name that is written in the code, with the name of what it
// stands for.
type constantName struct {
	place
	lit   *ast.BasicLit
	value string
	thing string
}

type nameList []constantName

// constantNames lists the types whose method returns nothing but a literal.
func (f libraryRules) constantNames(method string) nameList {
	var list nameList
	f.each(func(p place) {
		for _, decl := range p.file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Recv == nil || d.Name.Name != method || d.Body == nil || len(d.Body.List) != 1 {
				continue
			}
			r, ok := d.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(r.Results) != 1 {
				continue
			}
			lit, isLit := ast.Unparen(r.Results[0]).(*ast.BasicLit)
			tv := p.info().Types[r.Results[0]]
			t := named(p.info().TypeOf(d.Recv.List[0].Type))
			if isLit && tv.Value != nil && tv.Value.Kind() == constant.String && t != nil {
				list = append(list, constantName{p.of(lit), lit, constant.StringVal(tv.Value), t.Obj().Name()})
			}
		}
	})
	return list
}

func (l nameList) of(t *types.Named) (constantName, bool) {
	for _, n := range l {
		if t != nil && n.thing == t.Obj().Name() {
			return n, true
		}
	}
	return constantName{}, false
}

// rename gives a thing the name that the texts of the program have for it, or
// that its type says as those of the others do.
func (f libraryRules) rename(names nameList, mine constantName) {
	taken := map[string]bool{}
	var first constantName
	for _, n := range names {
		taken[n.value] = true
		if n.value == mine.value && n.lit != mine.lit && first.lit == nil {
			first = n
		}
	}
	if first.lit == nil {
		return
	}
	f.diagnosis.Sentence = fmt.Sprintf("%s (%s) has the name %q, which is that of %s (%s)", mine.thing, f.where(mine.lit.Pos()), mine.value, first.thing, f.where(first.lit.Pos()))
	f.diagnosis.Origin = f.relWhere(mine.lit.Pos())
	name := alikeName(names, mine)
	if name == "" || taken[name] {
		return
	}
	f.offer(idea{rule: "takenname/rename", title: fmt.Sprintf("call %s %q", mine.thing, name), weight: origin - 1,
		change: f.change().replace(mine.lit.Pos(), mine.lit.End(), strconv.Quote(name)),
		why:    fmt.Sprintf("Each has a name of its own; %q is that of %s.", mine.value, first.thing)})
}

// alikeName names a thing as the others are named by their types: "csv" is
// csvCodec, so xmlCodec is "xml".
func alikeName(names nameList, mine constantName) string {
	for _, n := range names {
		low := strings.ToLower(n.thing)
		if n.lit == mine.lit || n.value == "" || n.value != strings.ToLower(n.value) {
			continue
		}
		before, after, ok := strings.Cut(low, n.value)
		if !ok {
			continue
		}
		rest := strings.ToLower(mine.thing)
		if strings.HasPrefix(rest, before) && strings.HasSuffix(rest, after) && len(rest) > len(before)+len(after) {
			return rest[len(before) : len(rest)-len(after)]
		}
	}
	return ""
}
