package probe

import (
	_ "embed"
	"fmt"
	"go/ast"
	"path/filepath"
)

// The words in which marked exits say where the program went last: the line, and
// the number of the file.
const (
	ExitLine = 0
	ExitFile = 1
)

//go:embed exit.go.txt
var exitCounter string

// Exits puts a mark before each statement by which the source declines its
// input, on the lines that count: it returns an error, or ends the program. The
// number tells files apart. Lines keep their numbers; marked is how many there
// are.
func Exits(source string, number int, counts func(line int) bool) (instrumented string, marked int, err error) {
	f, err := parse(source)
	if err != nil {
		return "", 0, err
	}
	ends := f.enders()
	marks := map[int]string{}
	mark := func(s ast.Stmt) {
		if line := f.fset.Position(s.Pos()).Line; counts(line) {
			marks[f.offset(s.Pos())] = fmt.Sprintf("pausetuiProbeExit(%d, %d); ", number, line)
		}
	}
	for _, d := range f.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		eachFunction(fn, func(t *ast.FuncType, body *ast.BlockStmt) {
			for _, list := range blocksOf(body) {
				for _, s := range list {
					if declines(s, t, ends) {
						mark(s)
					}
				}
			}
		})
	}
	return insert(source, marks), len(marks), nil
}

// ExitCounter returns the file that goes beside a marked one, in its package. It
// notes exits in the memory of the program's file 3.
func ExitCounter(source, path string) (name, text string, err error) {
	f, err := parse(source)
	if err != nil {
		return "", "", err
	}
	return filepath.Join(filepath.Dir(path), CounterName(path)), "package " + f.ast.Name.Name + "\n" + exitCounter, nil
}

// eachFunction visits a declaration and the function literals in it.
func eachFunction(d *ast.FuncDecl, visit func(*ast.FuncType, *ast.BlockStmt)) {
	visit(d.Type, d.Body)
	for _, lit := range literals(d) {
		visit(lit.Type, lit.Body)
	}
}

// declines tells whether a statement of such a function returns an error, or
// ends the program.
func declines(s ast.Stmt, t *ast.FuncType, ends map[string]bool) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return returnsError(t) && len(s.Results) > 0 && !isNil(s.Results[len(s.Results)-1])
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && ender(call, ends)
	}
	return false
}

// returnsError tells whether the last result is an error.
func returnsError(t *ast.FuncType) bool {
	if t.Results == nil || len(t.Results.List) == 0 {
		return false
	}
	name, ok := t.Results.List[len(t.Results.List)-1].Type.(*ast.Ident)
	return ok && name.Name == "error"
}

func isNil(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "nil"
}

// enders are the functions of the file that end the program in a statement of
// their own.
func (f file) enders() map[string]bool {
	found := map[string]bool{}
	for _, d := range f.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil {
			continue
		}
		for _, s := range fn.Body.List {
			if e, ok := s.(*ast.ExprStmt); ok {
				if call, ok := e.X.(*ast.CallExpr); ok && ender(call, nil) {
					found[fn.Name.Name] = true
				}
			}
		}
	}
	return found
}

// ender tells whether a call ends the program: os.Exit, log.Fatal and its kin,
// or a function that is known to.
func ender(call *ast.CallExpr, known map[string]bool) bool {
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		return known[fn.Name]
	case *ast.SelectorExpr:
		switch fn.Sel.Name {
		case "Exit":
			from, ok := fn.X.(*ast.Ident)
			return ok && from.Name == "os"
		case "Fatal", "Fatalf", "Fatalln":
			return true
		}
	}
	return false
}
