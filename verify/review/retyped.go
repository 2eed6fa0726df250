package review

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/effect/match"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// An edit may leave the statement that failed as it is, and change the type of what it works
// on. It may mean something else then: a map that has no entry answers with a zero value, a
// struct is there where a pointer was nil, and dividing a float by 0 gives no panic.

// Operation is the kind of an operation that fails.
type Operation int

// The operations that mean something else for other types.
const (
	Dereference Operation = iota + 1
	Indexing              // slicing, too
	Division
	Assertion
)

// Failed is where an operation failed.
type Failed struct {
	Package string // its import path
	File    string
	Line    int
	Operation
}

// Retyped says how the operation that failed, where it still stands, means something else
// for the type of what it works on now; empty where it does not. before and after give the
// files of a package of the user's by its import path, and none of others. The points are
// where a slice is taken beyond a length, within the capacity, of what failed so.
func Retyped(before, after func(path string) map[string]string, f Failed) (how string, beyond []effect.Point) {
	was := loader{before, map[string]*types.Package{}}.load(f.Package)
	now := loader{after, map[string]*types.Package{}}.load(f.Package)
	around := was.around(f)
	if around == nil {
		return "", nil
	}
	r := retyping{f, was, now, around}
	for _, o := range was.operands(around, f.Operation) {
		if from, to := was.fset.PositionFor(o.at.Pos(), false).Line, was.fset.PositionFor(o.at.End(), false).Line; f.Line < from || to < f.Line {
			continue
		}
		for name, d := range r.searched() {
			for _, n := range now.operands(d, f.Operation) {
				switch means := f.means(o.typ, n.typ); {
				case how == "" && means != "" && r.same(o, n, d) && !(f.Operation == Dereference && was.isNothing(o)):
					how = "changes " + match.Cut(types.ExprString(o.of)) + " from " + r.change(o.typ, n.typ) + ", " + means
				case how == "" && means == "" && r.same(o, n, d):
					beyond = append(beyond, now.beyond(name, n)...)
				}
			}
		}
	}
	return how, beyond
}

// around is the declaration in which an operation failed.
func (t typed) around(f Failed) ast.Decl {
	for i, file := range t.files {
		for _, d := range file.Decls {
			from, to := t.fset.PositionFor(d.Pos(), false).Line, t.fset.PositionFor(d.End(), false).Line
			if t.names[i] == f.File && from <= f.Line && f.Line <= to {
				return d
			}
		}
	}
	return nil
}

// retyping compares one operation in two versions of its package.
type retyping struct {
	Failed
	was, now typed
	around   ast.Decl // it was there
}

// searched are the declarations in which the operation may stand now, with the names of the
// functions: the one in which it failed, and those that are not as they were.
func (r retyping) searched() func(yield func(string, ast.Decl) bool) {
	had := map[match.Form]bool{}
	for _, f := range r.was.files {
		for _, d := range f.Decls {
			had[match.FormOf(d)] = d != r.around
		}
	}
	return func(yield func(string, ast.Decl) bool) {
		for _, f := range r.now.files {
			for _, d := range f.Decls {
				if !had[match.FormOf(d)] && !yield(declarationName(d), d) {
					return
				}
			}
		}
	}
}

func declarationName(d ast.Decl) string {
	if fn, ok := d.(*ast.FuncDecl); ok {
		return syntax.NameOf(fn)
	}
	return ""
}

// same reports whether an operand of the new version is that of the old one: it reads the
// same in the same function, comes from the same place, or the same member of it is used, which
// the old function used through pointers only.
func (r retyping) same(o, n operand, in ast.Decl) bool {
	if declarationName(in) == declarationName(r.around) && match.FormOf(o.of) == match.FormOf(n.of) {
		return true
	}
	if s := r.was.slot(o.of); s != "" && s == r.now.slot(n.of) {
		return true
	}
	return o.member != "" && o.member == n.member && !slices.ContainsFunc(r.was.operands(r.around, r.Operation), func(other operand) bool {
		return other.member == o.member && r.means(o.typ, other.typ) != ""
	})
}

// change is that of a type in words: "*User to User".
func (r retyping) change(was, now types.Type) string {
	text := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string {
			if p.Path() == r.Package {
				return ""
			}
			return p.Name()
		})
	}
	if text(was) == text(now) { // it is declared in another way
		was, now = was.Underlying(), now.Underlying()
	}
	return match.Cut(text(was) + " to " + text(now))
}

// means says what an operation does for another type that it did not do for the one that it
// had; empty where it does the same, or the types are not known.
func (o Operation) means(was, now types.Type) string {
	_, parameter := types.Unalias(was).(*types.TypeParam)
	if was == nil || now == nil || parameter || now == types.Typ[types.Invalid] {
		return ""
	}
	switch o {
	case Dereference:
		return dereferenced(was, now)
	case Indexing:
		return indexed(holds(was), holds(now))
	case Division:
		if isBasic(was, types.IsInteger) && isBasic(now, types.IsFloat|types.IsComplex) {
			return "so that dividing by 0 gives Inf or NaN"
		}
	case Assertion:
		if !types.IsInterface(was) && types.IsInterface(now) && !isUnknown(was) {
			return "which more values are"
		}
	}
	return ""
}

// dereferenced is what means says of a dereference.
func dereferenced(was, now types.Type) string {
	to, isPointer := was.Underlying().(*types.Pointer)
	same := isPointer && types.TypeString(to.Elem(), nil) == types.TypeString(now, nil)
	if (isPointer || types.IsInterface(was)) && !isUnknown(was) && !types.IsInterface(now) && !isPointerType(now) && (same || !isUnknown(now)) {
		return "so that there is a zero value where there was none"
	}
	if types.IsInterface(was) && isPointerType(now) {
		return "whose methods may run where there is none"
	}
	return ""
}

// indexed is what means says of an index, by what kinds of list there were and are.
func indexed(was, now string) string {
	switch {
	case now == "map" && was != "" && was != "map":
		return "which answers with a zero value where it has no entry"
	case now == "array" && (was == "slice" || was == "string"):
		return "which answers with a zero value where nothing was stored"
	}
	return ""
}

func isPointerType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isBasic(t types.Type, info types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

// holds is what kind of list a type is.
func holds(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return "slice"
	case *types.Array:
		return "array"
	case *types.Map:
		return "map"
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			return "string"
		}
	}
	return ""
}

// beyond is the point at which a slice is taken beyond the length of an operand: what is
// read there is not what it holds. It is looked for where naming the operand twice does
// nothing else.
func (t typed) beyond(function string, o operand) []effect.Point {
	part, ok := o.at.(*ast.SliceExpr)
	if !ok || part.High == nil || match.Calls(part.X) {
		return nil
	}
	from, to := t.fset.PositionFor(part.High.Pos(), false), t.fset.PositionFor(part.High.End(), false)
	code := types.ExprString(part.X)
	return []effect.Point{{File: from.Filename, Line: from.Line, Function: function, Effect: verdict.Skips,
		How: "takes a slice beyond the length of " + match.Cut(code), Offset: from.Offset, TestEnd: to.Offset, Beyond: code}}
}

// operand is what an operation works on.
type operand struct {
	at     ast.Expr   // the operation
	of     ast.Expr   // what it names
	typ    types.Type // that of what is worked on, which may be embedded in it
	object types.Object
	member string // that is selected of it: a field or method, with its type
}

// operands are those of all operations of a kind in a node. An entry that is only written is
// none, nor is one that is asked for with "v, ok :=".
func (t typed) operands(in ast.Node, kind Operation) (list []operand) {
	other := map[ast.Expr]bool{}
	var receiver types.Object
	add := func(at, of ast.Expr) {
		list = append(list, operand{at: at, of: of, typ: t.info.TypeOf(of), object: t.object(of)})
	}
	for n := range ast.Preorder(in) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			leaveOut(other, n)
			if kind == Division && divides(n.Tok) {
				list = append(list, t.divisor(n.Lhs[0], n.Rhs[0]))
			}
		case *ast.IncDecStmt:
			other[ast.Unparen(n.X)] = true
		case *ast.BinaryExpr:
			if kind == Division && divides(n.Op) {
				list = append(list, t.divisor(n, n.Y))
			}
		case *ast.IndexExpr:
			if kind == Indexing && !other[n] {
				add(n, n.X)
			}
		case *ast.SliceExpr:
			if kind == Indexing {
				add(n, n.X)
			}
		case *ast.TypeAssertExpr:
			if kind == Assertion && n.Type != nil && !other[n] {
				list = append(list, operand{at: n, of: n.Type, typ: t.info.TypeOf(n.Type)})
			}
		case *ast.FuncDecl:
			receiver = t.receiver(n) // what is called of nil for a value fails there
		case *ast.Ident:
			if kind == Dereference && !other[n] && t.info.ObjectOf(n) != receiver {
				add(n, n)
			}
		case *ast.SelectorExpr:
			if other[n.Sel] = true; kind == Dereference {
				add(n, n)
				list = append(list, t.selected(n)...)
			}
		}
	}
	return list
}

func divides(t token.Token) bool {
	return t == token.QUO || t == token.REM || t == token.QUO_ASSIGN || t == token.REM_ASSIGN
}

// leaveOut notes what an assignment only writes, and what it asks for with "v, ok :=".
func leaveOut(other map[ast.Expr]bool, n *ast.AssignStmt) {
	for _, l := range n.Lhs {
		other[ast.Unparen(l)] = true
	}
	if len(n.Lhs) == 2 && len(n.Rhs) == 1 {
		other[ast.Unparen(n.Rhs[0])] = true
	}
}

// receiver is that of a method; nil if it has none or no name.
func (t typed) receiver(f *ast.FuncDecl) (object types.Object) {
	if f.Recv == nil {
		return nil
	}
	for id := range syntax.All[*ast.Ident](f.Recv) {
		object = t.info.Defs[id]
	}
	return object
}

// divisor is the operand of a division, by what it is converted from.
func (t typed) divisor(at, by ast.Expr) operand {
	typ := t.info.TypeOf(by)
	for {
		call, ok := ast.Unparen(by).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !t.info.Types[call.Fun].IsType() {
			return operand{at: at, of: by, typ: typ, object: t.object(by)}
		}
		by = call.Args[0]
	}
}

// selected are the operands of a selection: what stands before the dot, and what is embedded
// in it and leads to the member.
func (t typed) selected(e *ast.SelectorExpr) (list []operand) {
	s := t.info.Selections[e]
	if s == nil {
		return nil
	}
	typ, object, of := s.Recv(), t.object(e.X), e.X
	for i, at := range s.Index() {
		last := i == len(s.Index())-1
		o := operand{at: e, of: of, typ: typ, object: object}
		if last {
			o.member = memberOf(typ) + e.Sel.Name
		}
		list = append(list, o)
		if p, ok := typ.Underlying().(*types.Pointer); ok {
			typ = p.Elem()
		}
		st, ok := typ.Underlying().(*types.Struct)
		if !ok || last {
			break
		}
		typ, object, of = st.Field(at).Type(), st.Field(at), &ast.SelectorExpr{X: of, Sel: ast.NewIdent(st.Field(at).Name())}
	}
	return list
}

// memberOf is the type that has a member, in words that hold in both versions; empty for one
// without a name.
func memberOf(t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Id() + "."
	}
	return "."
}
