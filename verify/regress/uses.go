package regress

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/pausetui/pausetui/source/workspace"
)

// uses is what a program takes from around it.
type uses struct {
	args, stdin, files bool
	keepsStdin         bool // in a variable of a package
	exits              bool // it may end its process
}

// fileFunctions of package os and its like read or write by relative names.
var fileFunctions = map[string]string{
	"os":            " Chdir Create CreateTemp DirFS Getwd Lstat Mkdir MkdirAll Open OpenFile OpenRoot ReadDir ReadFile Remove RemoveAll Rename Stat WriteFile ",
	"path/filepath": " Abs Glob Walk WalkDir ",
	"io/ioutil":     " ReadDir ReadFile TempFile WriteFile ",
	"html/template": " ParseFiles ParseGlob ",
	"text/template": " ParseFiles ParseGlob ",
}

// usesOf looks at what the user's packages refer to. Packages of others may do
// anything.
func usesOf(code *workspace.Code) uses {
	var u uses
	own := map[string]bool{}
	for _, p := range code.Packages {
		own[p.PkgPath] = true
	}
	for _, p := range code.Packages {
		if p.Types == nil || p.TypesInfo == nil {
			continue
		}
		for _, imported := range p.Types.Imports() {
			first, _, _ := strings.Cut(imported.Path(), "/")
			if strings.Contains(first, ".") && !own[imported.Path()] {
				u.args, u.stdin, u.files, u.exits = true, true, true, true
			}
		}
		for _, object := range p.TypesInfo.Uses {
			u.note(object)
		}
		u.keepsStdin = u.keepsStdin || keepsStdin(p)
	}
	return u
}

func (u *uses) note(object types.Object) {
	if object.Pkg() == nil {
		return
	}
	switch name := object.Name(); object.Pkg().Path() {
	case "os":
		u.args = u.args || name == "Args"
		u.exits = u.exits || name == "Exit"
		u.stdin = u.stdin || name == "Stdin"
	case "flag":
		u.args, u.exits = true, true
	case "log":
		u.exits = u.exits || strings.HasPrefix(name, "Fatal")
	case "fmt":
		u.stdin = u.stdin || strings.HasPrefix(name, "Scan")
	}
	if strings.Contains(fileFunctions[object.Pkg().Path()], " "+object.Name()+" ") {
		u.files = true
	}
}

// keepsStdin reports whether a variable of a package is made from os.Stdin before
// main begins.
func keepsStdin(p *packages.Package) bool {
	found := false
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			ast.Inspect(gen, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					object := p.TypesInfo.Uses[id]
					found = found || object != nil && object.Pkg() != nil && object.Pkg().Path() == "os" && object.Name() == "Stdin"
				}
				_, literal := n.(*ast.FuncLit)
				return !literal
			})
		}
	}
	return found
}

var errServes = errors.New("does not return: it serves, or waits, forever")

// returns reports whether main looks as if it returns when nothing goes wrong.
func returns(fn workspace.Func) error {
	if fn.Decl == nil || fn.Decl.Body == nil {
		return errors.New("its source is not known")
	}
	for _, s := range fn.Decl.Body.List {
		switch s := s.(type) {
		case *ast.SelectStmt:
			if len(s.Body.List) == 0 {
				return errServes
			}
		case *ast.ForStmt:
			if s.Cond == nil && !leaves(s.Body) {
				return errServes
			}
		}
		if serves(fn, s) {
			return errServes
		}
	}
	return nil
}

// leaves reports whether a loop's body can end the loop.
func leaves(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK || n.Tok == token.GOTO
		}
		return !found
	})
	return found
}

// serves tells a statement, outside function literals, that runs a server.
func serves(fn workspace.Func, s ast.Stmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if f, ok := typeutil.Callee(fn.Package.TypesInfo, n).(*types.Func); ok && f.Pkg() != nil && f.Pkg().Path() == "net/http" {
				found = found || strings.HasPrefix(f.Name(), "ListenAndServe") || strings.HasPrefix(f.Name(), "Serve")
			}
		}
		return !found
	})
	return found
}
