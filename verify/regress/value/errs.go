package value

import (
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// errorString makes an error of package errors: by its name where it is a
// variable of a package, else with the same text.
func errorString(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	text, err := r.textField(at, v, "s")
	if err != nil {
		return nil, err
	}
	if ref, ok := r.sentinel(v.Addr); ok {
		return saying(made(t, ref), text), nil
	}
	return saying(made(t, std("errors", "New"), "(", Quote(text), ")"), text), nil
}

// saying remembers what an error says.
func saying(v *Value, text string) *Value {
	v.says = text
	return v
}

// errorPackages of the standard library have errors that programs compare with.
var errorPackages = []string{"bufio", "bytes", "context", "database/sql", "encoding/hex", "errors", "io", "io/fs", "net", "net/http", "os", "os/exec", "strconv", "time"}

// sentinel returns the package-level variable that holds an error.
func (r *Reader) sentinel(addr uint64) (Ref, bool) {
	if r.sentinels == nil {
		r.sentinels = map[uint64]Ref{}
		for _, p := range r.Types.paths() {
			pkg := r.Types.byPath[p]
			if !r.Types.own[pkg] && !slices.Contains(errorPackages, p) || !r.scope().importable(pkg) {
				continue
			}
			r.addSentinels(pkg)
		}
	}
	ref, ok := r.sentinels[addr]
	return ref, ok
}

func (r *Reader) addSentinels(pkg *types.Package) {
	fault := types.Universe.Lookup("error").Type()
	for _, name := range pkg.Scope().Names() {
		v, ok := pkg.Scope().Lookup(name).(*types.Var)
		if !ok || !types.Identical(v.Type(), fault) || !r.scope().visible(v) {
			continue
		}
		path := pkg.Path()
		if pkg.Name() == "main" {
			path = "main"
		}
		if held := r.address(`"` + path + `".` + name); held != 0 {
			if _, have := r.sentinels[held]; !have {
				r.sentinels[held] = Ref{pkg.Path(), pkg.Name(), name}
			}
		}
	}
}

// wrapError makes an error that wraps another as fmt.Errorf does.
func wrapError(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	message, err := r.textField(at, v, "msg")
	if err != nil {
		return nil, err
	}
	inner, err := r.anyField(at, v, "err")
	if err != nil {
		return nil, err
	}
	if text, ok := textOf(inner); ok {
		if before, after, found := cutLast(message, text); found {
			return saying(made(t, std("fmt", "Errorf"), "(", Quote(escaped(before)+"%w"+escaped(after)), ", ", inner, ")"), message), nil
		}
	}
	return saying(made(t, std("errors", "New"), "(", Quote(message), ")"), message), nil
}

// textOf is what an error says, where that is known.
func textOf(err *Value) (string, bool) {
	if err.Form == Interface {
		err = err.To
	}
	return err.says, err.says != ""
}

func cutLast(text, part string) (before, after string, found bool) {
	i := strings.LastIndex(text, part)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(part):], true
}

func escaped(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// wrapErrors makes an error that wraps several, as text only when the texts of
// those are not known.
func wrapErrors(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	message, err := r.textField(at, v, "msg")
	if err != nil {
		return nil, err
	}
	list, err := r.errorList(at, v)
	if err != nil {
		return nil, err
	}
	format, rest := "", message
	code := Code{std("fmt", "Errorf"), "(", ""}
	for _, inner := range list {
		text, ok := textOf(inner)
		before, after, found := strings.Cut(rest, text)
		if !ok || !found {
			return saying(made(t, std("errors", "New"), "(", Quote(message), ")"), message), nil
		}
		format, rest = format+escaped(before)+"%w", after
		code = append(code, ", ", inner)
	}
	code[2] = Quote(format + escaped(rest))
	return saying(made(t, append(code, ")")...), message), nil
}

func joinError(r *Reader, at site, v debugger.Variable, t types.Type) (*Value, error) {
	list, err := r.errorList(at, v)
	if err != nil {
		return nil, err
	}
	code := Code{std("errors", "Join"), "("}
	for i, inner := range list {
		if i > 0 {
			code = append(code, ", ")
		}
		code = append(code, inner)
	}
	return made(t, append(code, ")")...), nil
}

func (r *Reader) errorList(at site, v debugger.Variable) ([]*Value, error) {
	errs, err := r.field(at, v, "errs")
	if err != nil {
		return nil, err
	}
	elems, err := r.children(at, errs)
	if err != nil {
		return nil, err
	}
	var list []*Value
	for _, e := range elems {
		inner, err := r.dynamic(at.inside(), e, nil)
		if err != nil {
			return nil, err
		}
		list = append(list, inner)
	}
	return list, nil
}
