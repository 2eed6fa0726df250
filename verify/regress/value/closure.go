package value

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// Closure is a function literal of the package that the source will stand in.
type Closure struct {
	Lit    *ast.FuncLit
	Info   *types.Info
	Fset   *token.FileSet
	Source []byte // of its file
}

// Variable is a part of Code that stands for the variable which holds a value.
type Variable struct {
	Name  string // that it has in the program
	Value *Value
	// Changed: the code assigns to it, or takes its address. Otherwise the value
	// itself will do.
	Changed bool
}

// maxClosure is the length of a function literal that is copied, in bytes.
const maxClosure = 2 << 10

// closure copies a function literal, with variables like those it refers to.
func (r *Reader) closure(at site, v debugger.Variable, t types.Type) (*Value, error) {
	if receiver, ok := strings.CutSuffix(v.Value, "-fm"); ok {
		return r.methodValue(at, v, t, receiver)
	}
	if r.Closures == nil {
		return nil, at.refuse("is the function %s: cannot be rebuilt", v.Value)
	}
	c, ok := r.Closures(v.Value)
	if !ok || !types.Identical(c.Info.TypeOf(c.Lit), t.Underlying()) {
		return nil, at.refuse("is the function literal %s: cannot be rebuilt", v.Value)
	}
	text := c.text(c.Lit.Pos(), c.Lit.End())
	if len(text) > maxClosure {
		return nil, at.refuse("is the function literal %s, which is too long to repeat", v.Value)
	}
	code, err := r.copied(at, v, c)
	if err != nil {
		return nil, err
	}
	return made(t, code...), nil
}

func (c *Closure) text(from, to token.Pos) string {
	return string(c.Source[c.Fset.Position(from).Offset:c.Fset.Position(to).Offset])
}

// copied is the text of a literal, with what it gets from around it replaced.
func (r *Reader) copied(at site, v debugger.Variable, c Closure) (Code, error) {
	var code Code
	var wrong error
	from := c.Lit.Pos()
	ast.Inspect(c.Lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || wrong != nil {
			return wrong == nil
		}
		part, err := r.captured(at, v, c, id)
		if err != nil {
			wrong = err
		}
		if part != nil {
			code = append(code, c.text(from, id.Pos()), part)
			from = id.End()
		}
		return true
	})
	return append(code, c.text(from, c.Lit.End())), wrong
}

// captured is what an identifier of a literal is replaced by; nil to leave it.
func (r *Reader) captured(at site, v debugger.Variable, c Closure, id *ast.Ident) (any, error) {
	object := c.Info.Uses[id]
	if object == nil || object.Pkg() == nil || c.Lit.Pos() <= object.Pos() && object.Pos() < c.Lit.End() {
		return nil, nil
	}
	if p, ok := object.(*types.PkgName); ok {
		return packageName{p.Imported().Path(), p.Imported().Name()}, nil
	}
	variable, isVar := object.(*types.Var)
	if object.Parent() == nil || object.Parent() == object.Pkg().Scope() || isVar && variable.IsField() {
		return nil, nil
	}
	if !isVar {
		return nil, at.refuse("is a function literal that refers to %s: cannot be rebuilt", id.Name)
	}
	held, err := r.evaluate(at, "("+v.Expr+")."+id.Name)
	if err != nil {
		return nil, err
	}
	to, known := r.object(held.Addr, held.FullType)
	if !known {
		found, err := r.read(site{path: id.Name, depth: at.depth + 1}, held, variable.Type())
		if err != nil {
			return nil, err
		}
		*to = *found
	}
	return Variable{id.Name, to, c.changes(object)}, nil
}

// changes reports whether a literal assigns to a variable or takes its address.
func (c Closure) changes(object types.Object) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && c.Info.Uses[id] == object
	}
	found := false
	ast.Inspect(c.Lit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			found = found || is(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && is(n.X)
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value))
		}
		return !found
	})
	return found
}

// packageName stands for the name by which the file knows a package.
type packageName struct{ path, name string }

// Import returns the package that a part of Code names.
func Import(part any) (path, name string, ok bool) {
	p, ok := part.(packageName)
	return p.path, p.name, ok
}

// methodValue takes a method of a value that is kept with it.
func (r *Reader) methodValue(at site, v debugger.Variable, t types.Type, name string) (*Value, error) {
	typeName, ok := receiverType(name)
	if !ok || v.Addr == 0 {
		return nil, at.refuse("is the method value %s: cannot be rebuilt", name)
	}
	// The receiver stands after the code's address.
	object, err := r.evaluate(at, fmt.Sprintf(`*(*"uintptr")(%#x)`, v.Addr))
	if err != nil {
		return nil, err
	}
	addr, err := strconv.ParseUint(object.Value, 10, 64)
	if err != nil {
		return nil, at.refuse("is the method value %s, whose receiver cannot be read", name)
	}
	held, err := r.evaluate(at, fmt.Sprintf("*(*%q)(%#x)", typeName, addr+8))
	if err != nil {
		return nil, err
	}
	typ, err := r.Types.Resolve(held.FullType)
	if err != nil {
		return nil, at.refuse("is the method value %s: cannot be rebuilt", name)
	}
	method := name[strings.LastIndexByte(name, '.')+1:]
	found, _, _ := types.LookupFieldOrMethod(typ, true, r.From, method)
	if found == nil || !r.scope().visible(found) {
		return nil, at.refuse("is the method value %s: cannot be rebuilt", name)
	}
	receiver, err := r.read(at.inside(), held, typ)
	if err != nil {
		return nil, err
	}
	return made(t, receiver, "."+method), nil
}

// receiverType is the receiver's type in a method's name: "*main.server" in
// "main.(*server).stock".
func receiverType(method string) (string, bool) {
	dot := strings.LastIndexByte(method, '.')
	if dot < 0 || strings.ContainsRune(method, '[') {
		return "", false
	}
	path, ok := strings.CutSuffix(method[:dot], ")")
	if !ok {
		return path, true
	}
	before, after, ok := strings.Cut(path, "(*")
	return "*" + before + after, ok
}
