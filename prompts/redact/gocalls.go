package redact

import (
	"go/ast"
	gotoken "go/token"
	"slices"
	"strings"
)

// composite goes through a composite literal, whose fields and keys are names of their own.
func (u under) composite(n *ast.CompositeLit) {
	typ := n.Type
	if typ == nil {
		typ = u.elem
	}
	u, whole := u.ofType(typ)
	if u.numbers(n.Elts) {
		return
	}
	fields := u.src.fields(typ)
	in := u
	switch {
	case u.ofToken() && n.Type == nil && elementOf(typ) == nil: // of a table of tokens, as tests of parsers have it
		in = in.fresh()
	case u.ofToken():
		in = in.beside()
	}
	in.elem = elementOf(typ)
	text, named := "", fieldOfName(n.Elts)
	for i, e := range n.Elts {
		switch pair, ok := e.(*ast.KeyValueExpr); {
		case ok && named != "" && strings.HasSuffix(lower(nameOf(pair.Key)), "value"): // {Key: "password", Value: …}
			in.named(named).walk(pair.Value)
		case ok && whole && !neutral("_"+nameOf(pair.Key)): // Secret{Name: …}
			u.fresh().pair(pair, typ)
		case ok:
			in.pair(pair, typ)
		case i < len(fields):
			in.field(fields[i]).walk(e)
		case u.word == "" && NamesSecret(text) && wordOf(text) != "": // "password", "…"
			in.named(text).beside().walk(e)
		default:
			in.walk(e)
		}
		text, _ = textOf(e)
	}
}

// ofType goes on with what a composite literal holds whose type, or that of its elements, has the
// name of a secret, where it goes by no other. It reports whether the literal is one of such a struct.
func (u under) ofType(typ ast.Expr) (in under, whole bool) {
	if u.word != "" {
		return u, false
	}
	elem := elementOf(typ)
	name := nameOf(typ)
	if elem != nil {
		name = nameOf(elem)
	}
	if w := ending(name, secretWords); w == "" || strings.HasSuffix(w, "token") { // of a parser
		return u, false
	}
	elems := u.elem
	u = u.compared(name)
	u.elem = elems
	return u, elem == nil
}

// fieldOfName is the name of a secret that the field for a name holds; empty without one.
func fieldOfName(fields []ast.Expr) string {
	for _, e := range fields {
		if pair, ok := e.(*ast.KeyValueExpr); ok && ofName.MatchString(nameOf(pair.Key)) {
			if text, _ := textOf(pair.Value); NamesSecret(text) && wordOf(text) != "" {
				return text
			}
		}
	}
	return ""
}

// pair goes through a field or an entry of a map.
func (u under) pair(n *ast.KeyValueExpr, typ ast.Expr) {
	m, isMap := typ.(*ast.MapType)
	if id, ok := n.Key.(*ast.Ident); ok && !isMap {
		u.field(id.Name).walk(n.Value)
		return
	}
	key := u
	key.elem = nil
	if isMap {
		key.elem = m.Key
	}
	name, ok := textOf(n.Key)
	if !ok {
		name = nameOf(n.Key)
	}
	if wordOf(name) != "" {
		u.named(name).walk(n.Value)
		return
	}
	if !isMap || holdsText(m.Value) { // the value is the secret, the key says whose
		key = key.beside()
	}
	key.walk(n.Key)
	u.walk(n.Value)
}

// field goes on with the value of a field. In a struct that goes by the name of a secret, it
// is near it.
func (u under) field(name string) under {
	in := u.named(name)
	if wordOf(name) == "" && !neutral("_"+name) {
		in = in.beside()
	}
	return in
}

// holdsText reports whether values of a type may be texts.
func holdsText(typ ast.Expr) bool {
	switch typ := typ.(type) {
	case *ast.Ident:
		return typ.Name != "bool" && !strings.HasPrefix(typ.Name, "int") && !strings.HasPrefix(typ.Name, "uint") && !strings.HasPrefix(typ.Name, "float")
	case *ast.StructType:
		return typ.Fields.NumFields() > 0
	}
	return true
}

// elementOf is the type of the elements of a list or a map.
func elementOf(typ ast.Expr) ast.Expr {
	switch t := typ.(type) {
	case *ast.ArrayType:
		typ = t.Elt
	case *ast.MapType:
		typ = t.Value
	default:
		return nil
	}
	if p, ok := typ.(*ast.StarExpr); ok {
		return p.X
	}
	return typ
}

// fields are the names of the fields of a struct; empty where its type is not declared in
// the same source.
func (g *goSource) fields(typ ast.Expr) (names []string) {
	if id, ok := typ.(*ast.Ident); ok {
		typ = g.declared(id.Name)
	}
	st, ok := typ.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			names = append(names, name.Name)
		}
		if len(f.Names) == 0 {
			names = append(names, nameOf(f.Type))
		}
	}
	return names
}

// declared is a type that the source declares; nil without one.
func (g *goSource) declared(name string) ast.Expr {
	if g.types == nil {
		g.types = map[string]ast.Expr{}
		ast.Inspect(g.file, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				g.types[t.Name.Name] = t.Type
			}
			return true
		})
	}
	return g.types[name]
}

// params are the names of the parameters of a function or method that the source declares.
func (g *goSource) params(function string) (names []string) {
	if g.functions == nil {
		g.functions = map[string][]string{}
		for _, d := range g.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || g.functions[f.Name.Name] != nil {
				continue
			}
			for _, p := range f.Type.Params.List {
				for _, name := range p.Names {
					g.functions[f.Name.Name] = append(g.functions[f.Name.Name], name.Name)
				}
			}
		}
	}
	return g.functions[function]
}

// leastParts is how many numbers or characters of a list make a secret.
const leastParts = 3

// numbers hides a list of numbers or characters that is the secret, part by part.
func (u under) numbers(list []ast.Expr) bool {
	if u.word == "" || u.near || len(list) < leastParts {
		return false
	}
	for _, e := range list {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind == gotoken.STRING || lit.Kind != gotoken.CHAR && !u.number {
			return false
		}
	}
	from, to := u.src.at(list[0].Pos()), u.src.at(list[len(list)-1].End())
	u.scan.add(u.src.place(from), u.src.place(to-1)+1, kindNamed)
	return true
}

// setters begin the names of functions that take a secret.
var setters = []string{"add", "change", "put", "save", "set", "store", "update", "use", "with"}

func sets(name string) bool {
	words := splitName(name)
	return len(words) > 0 && slices.Contains(setters, lower(words[0]))
}

// basic are the types that numbers are converted to, and what else returns its arguments.
var basic = []string{"append", "new", "rune", "int", "int32", "int64", "uint", "uint32", "uint64", "float64", "float32"}

// call goes through the arguments of a call.
func (u under) call(n *ast.CallExpr) {
	pkg, name := calleeOf(n.Fun)
	u.beside().walk(n.Fun)
	if name == "append" && len(n.Args) > 0 && u.numbers(n.Args[1:]) {
		return
	}
	params := u.src.params(name)
	in, rest := u.argument(n, pkg, name)
	before := ""
	for i, e := range n.Args {
		text, _ := textOf(e)
		switch {
		case goName.MatchString(text) && wordOf(text) != "": // which one is asked for
		case NamesSecret(before) && wordOf(before) != "" && in.word == "": // Get("PASSWORD", "…")
			to := u.named(before)
			if !sets(name) && pkg != "flag" && pkg != "pflag" {
				to = to.beside()
			}
			to.walk(e)
		case i < len(params) && in.word == "" && slices.Contains(thoughtOf, wordOf(params[i])): // login("bob", "…")
			u.compared(params[i]).walk(e)
		case i > 0:
			rest.walk(e)
		default:
			in.walk(e)
		}
		before = text
	}
}

// argument is what the first argument of a call and the other ones go by.
func (u under) argument(n *ast.CallExpr, pkg, name string) (first, rest under) {
	first, rest = u, u
	first.elem, rest.elem = nil, nil
	switch {
	case passes(n.Fun, pkg, name) || u.src.declared(name) != nil || name != "" && wordOf(name) == lower(name):
	case pkg == "strings" || pkg == "bytes":
		rest = rest.beside()
	default:
		first, rest = first.beside(), rest.beside()
	}
	if u.word != "" {
		return first, rest
	}
	switch w := wordOf(name); {
	case strings.HasSuffix(lower(name), anchorBasicAuth):
		return first, u.named(anchorPass)
	case w != "" && (sets(name) || w == lower(name)): // SetPassword, ssh.Password
		return u.compared(name), u.compared(name)
	case w != "":
		return u.compared(name).beside(), u.compared(name).beside()
	}
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && sets(name) && wordOf(nameOf(sel.X)) != "" { // password.Store("…")
		to := u.compared(nameOf(sel.X))
		if len(n.Args) == 1 {
			return to, to
		}
		return to.beside(), to
	}
	for _, e := range n.Args {
		of := nameOf(e)
		if wordOf(of) == "" {
			continue
		}
		to := u.compared(of)
		if low := lower(name); !strings.Contains(low, "equal") && !strings.Contains(low, "compare") {
			to = to.beside()
		}
		return to, to
	}
	return first, rest
}

// passes reports whether a call returns its arguments in another form.
func passes(fun ast.Expr, pkg, name string) bool {
	switch ast.Unparen(fun).(type) {
	case *ast.ArrayType, *ast.InterfaceType, *ast.StarExpr, *ast.MapType, *ast.ChanType:
		return true
	}
	return slices.Contains(basic, name) || converts(name) || pkg == "cmp" || strings.HasPrefix(name, "Sprint") || name == "Join" || name == "DecodeString" || name == "Repeat" || strings.HasPrefix(name, "New") && (pkg == "strings" || pkg == "bytes")
}

// calleeOf is the name of a function and of what it is selected from.
func calleeOf(fun ast.Expr) (of, name string) {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			of = x.Name
		}
		return of, f.Sel.Name
	case *ast.IndexExpr: // type arguments
		return calleeOf(f.X)
	}
	return "", ""
}

// maxNested bounds how far the name of an expression is looked for within it.
const maxNested = 8

// nameOf is the name that the value of an expression goes by: that of a secret, if one is in
// what it is taken from.
func nameOf(e ast.Expr) string {
	last := ""
	for range maxNested {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.SelectorExpr:
			if wordOf(x.Sel.Name) != "" || !neutral("_"+x.Sel.Name) {
				return x.Sel.Name
			}
			last, e = x.Sel.Name, x.X
		case *ast.IndexExpr:
			if key, ok := textOf(x.Index); ok && wordOf(key) != "" {
				return key
			}
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.CallExpr:
			_, name := calleeOf(x.Fun)
			switch {
			case name == "len" || name == "cap":
				return ""
			case len(x.Args) == 0:
				e = x.Fun
			default:
				e = x.Args[0]
			}
		default:
			return last
		}
	}
	return last
}
