package nilness

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/proposal"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/workspace"
)

// usualValues are the values that the standard library offers for its own types.
var usualValues = map[string][2]string{
	"*log.Logger":                      {"log.Default()", "log"},
	"*log/slog.Logger":                 {"slog.Default()", "log/slog"},
	"*net/http.Client":                 {"http.DefaultClient", "net/http"},
	"net/http.RoundTripper":            {"http.DefaultTransport", "net/http"},
	"context.Context":                  {"context.Background()", "context"},
	"*time.Location":                   {"time.UTC", "time"},
	"*container/list.List":             {"list.New()", "container/list"},
	"*sync.Cond":                       {"sync.NewCond(&sync.Mutex{})", "sync"},
	"*math/big.Int":                    {"new(big.Int)", "math/big"},
	"*net/http.ServeMux":               {"http.NewServeMux()", "net/http"},
	"*flag.FlagSet":                    {"flag.CommandLine", "flag"},
	"func() time.Time":                 {"time.Now", "time"},
	"func(format string, args ...any)": {"func(string, ...any) {}", ""},
}

// freshValue writes a sensible new value of a pointer, function or interface
// type: a constructor's, a zero struct's, or the library's usual one.
func (f makers) freshValue(p syntax.Place, t types.Type, avoid *ast.FuncDecl) (text, path string, ok bool) {
	if usual, found := usualValues[types.TypeString(t, nil)]; found {
		if usual[1] == "" || syntax.ImportsPath(p.File, usual[1]) || proposal.StandIns[usual[1]] != "" {
			return usual[0], usual[1], true
		}
	}
	if call, found := constructor(p, t, avoid); found {
		return call, "", true
	}
	ptr, isPtr := t.Underlying().(*types.Pointer)
	if !isPtr {
		if sig, isFunc := t.Underlying().(*types.Signature); isFunc && sig.Results().Len() == 0 {
			text, fits := syntax.TypeText(p, t.Underlying())
			return text + " {}", "", fits
		}
		return "", "", false
	}
	elem, fits := syntax.TypeText(p, ptr.Elem())
	switch ptr.Elem().Underlying().(type) {
	case *types.Struct:
		if n := syntax.Named(t); n != nil && n.Obj().Pkg() != nil && !f.usefulZero(n) {
			return "", "", false
		}
		return "&" + elem + f.mapsOf(p, ptr.Elem()), "", fits
	case *types.Basic:
		return "new(" + elem + ")", "", fits
	}
	return "", "", false
}

// mapsOf writes {field: make(…)} for the maps of a struct that are written to.
func (f makers) mapsOf(p syntax.Place, t types.Type) string {
	st, ok := syntax.UnderStruct(t)
	n := syntax.Named(t)
	if !ok || n == nil || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != p.Pkg.PkgPath {
		return "{}"
	}
	var parts []string
	for i := range st.NumFields() {
		if v := st.Field(i); syntax.IsMap(v.Type()) && f.writesEntries(v) {
			if text, fits := makeText(p, v.Type()); fits {
				parts = append(parts, v.Name()+": "+text)
			}
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// usefulZero reports whether a struct's zero value can be used: the user's own
// types that start empty, and those of the library that say so.
func (f makers) usefulZero(n *types.Named) bool {
	for _, pkg := range f.Case.Code.Packages {
		if pkg.PkgPath == n.Obj().Pkg().Path() {
			return f.startsEmpty(n)
		}
	}
	switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
	case "sync.Mutex", "sync.RWMutex", "sync.WaitGroup", "sync.Once", "sync.Map", "sync.Pool", "bytes.Buffer", "strings.Builder",
		"net/http.Client", "net/http.Transport", "net/http.Server", "time.Time", "math/big.Float", "math/big.Rat", "container/list.List",
		"sync/atomic.Int64", "sync/atomic.Int32", "sync/atomic.Bool", "sync/atomic.Value", "net/url.URL", "math/big.Int":
		return true
	}
	return false
}

// startsEmpty reports whether a struct is filled while it is in use, as a
// counter or a list is: every field that is read is also written after the
// struct was made. A record whose fields are only read means something by them,
// and its zero value is made up.
func (f makers) startsEmpty(n *types.Named) bool {
	st, ok := syntax.UnderStruct(n)
	if !ok {
		return false
	}
	for field := range st.Fields() {
		inner := syntax.Named(field.Type())
		if _, isStruct := field.Type().Underlying().(*types.Struct); isStruct && inner != nil && inner.Obj().Pkg() != nil && !syntax.IsPointer(field.Type()) && f.usefulZero(inner) {
			continue
		}
		uses := f.Case.Code.Index().Uses(field)
		read := slices.ContainsFunc(uses, func(u workspace.Use) bool { return u.Kind == workspace.Read || u.Kind == workspace.Call })
		if read && !f.setOutsideLiterals(field) && !f.writesEntries(field) && !changesItself(field.Type()) {
			return false
		}
	}
	return true
}

// constructor finds a function of the package that makes a value without arguments.
func constructor(p syntax.Place, t types.Type, avoid *ast.FuncDecl) (string, bool) {
	n := syntax.Named(t)
	if n == nil || p.Pkg.Types == nil || n.Obj().Pkg() == nil {
		return "", false
	}
	scope, prefix := p.Pkg.Types.Scope(), ""
	if n.Obj().Pkg().Path() != p.Pkg.PkgPath {
		name, imported := syntax.ImportName(p.File, n.Obj().Pkg())
		if !imported {
			return "", false
		}
		scope, prefix = n.Obj().Pkg().Scope(), name+"."
	}
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		low := strings.ToLower(name)
		if !ok || prefix != "" && !fn.Exported() || !(strings.HasPrefix(low, "new") || strings.HasPrefix(low, "default") || strings.HasPrefix(low, "make")) {
			continue
		}
		if avoid != nil && p.Info().Defs[avoid.Name] == fn {
			continue
		}
		sig := fn.Type().(*types.Signature)
		params := sig.Params().Len()
		if sig.TypeParams().Len() > 0 || sig.Results().Len() != 1 || !types.AssignableTo(sig.Results().At(0).Type(), t) || params > 1 || (params == 1 && !sig.Variadic()) {
			continue
		}
		if _, isInterface := t.Underlying().(*types.Interface); isInterface && !types.Identical(sig.Results().At(0).Type(), t) && syntax.Named(sig.Results().At(0).Type()) == nil {
			continue
		}
		return prefix + name + "()", true
	}
	return "", false
}
