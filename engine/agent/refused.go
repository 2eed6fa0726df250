package agent

import (
	"context"
	"errors"
	"go/ast"
	"go/types"
	"path"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// What an expression could read past the names that secrets are known by: the
// memory at an address, and the tables in which the runtime keeps the
// environment and the arguments.

var (
	errAddress = errors.New("memory cannot be read by its address: name the variable")
	errRuntime = errors.New("the variables of the runtime, its environment and arguments among them, cannot be read")
)

// closed reports whether the variables of a package are not shown: those that hold
// the environment, or lead to it.
func closed(pkg string) bool {
	switch pkg = path.Base(pkg); pkg {
	case "runtime", "syscall", "syscalls", "godebug", "goos", "envs":
		return true
	}
	return false
}

// ownVariable refuses the variables of closed packages. A package may be named by
// its path, in quotes.
func (t *Tools) ownVariable(s *ast.SelectorExpr) error {
	pkg := ""
	switch x := ast.Unparen(s.X).(type) {
	case *ast.Ident:
		pkg = x.Name
	case *ast.BasicLit:
		if text, err := strconv.Unquote(x.Value); err == nil {
			pkg = text
		}
	}
	if closed(pkg) || path.Base(pkg) == "os" && s.Sel.Name == "Args" {
		return errRuntime
	}
	return nil
}

// OwnFrame refuses frames of closed packages: there, their variables need no
// package's name.
func (t *Tools) OwnFrame(ctx context.Context, at debugger.FrameRef) error {
	if at == t.home {
		return nil
	}
	f, err := t.c.Inspect.Load(ctx, at)
	if err != nil {
		return err
	}
	dir, base := path.Split(f.Function)
	name, _, _ := strings.Cut(base, ".")
	if closed(name) || strings.HasPrefix(dir, "internal/") || dir+name == "os" {
		return errRuntime
	}
	return nil
}

// toPointer reports whether a conversion makes a pointer, of a number for instance.
func (t *Tools) toPointer(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return true
	case *ast.Ident:
		return t.pointerType("", e.Name)
	case *ast.SelectorExpr:
		pkg, ok := e.X.(*ast.Ident)
		return ok && (pkg.Name == "unsafe" || t.pointerType(pkg.Name, e.Sel.Name))
	}
	return false
}

// pointerType reports whether a name stands, in any of the loaded packages, for a
// type of pointers.
func (t *Tools) pointerType(pkg, name string) bool {
	if t.c.Code == nil {
		return false
	}
	for _, p := range t.c.Code.Packages {
		if p.Types == nil {
			continue
		}
		for _, in := range append([]*types.Package{p.Types}, p.Types.Imports()...) {
			if pkg != "" && in.Name() != pkg {
				continue
			}
			found, ok := in.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			switch u := found.Type().Underlying().(type) {
			case *types.Pointer:
				return true
			case *types.Basic:
				if u.Kind() == types.UnsafePointer {
					return true
				}
			}
		}
	}
	return false
}
