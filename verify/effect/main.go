package effect

import (
	"fmt"
	"go/ast"
)

// markMain marks that main has returned: its body becomes a function that main
// calls. A main that ends in os.Exit is marked before that call. It reports
// whether there is a main.
func markMain(s source, marks map[int]string) bool {
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil || fn.Name.Name != "main" || s.ast.Name.Name != "main" {
			continue
		}
		returned := fmt.Sprintf("pausetuiMark(%d, false); ", Returns-FirstCount)
		begin, end := s.offset(fn.Body.Lbrace)+1, s.offset(fn.Body.Rbrace)
		marks[begin] = " pausetuiBegin(); func() { " + marks[begin]
		marks[end] += " }(); " + returned
		if exit := s.lastExit(fn.Body); exit != nil {
			marks[s.offset(exit.Pos())] += returned
		}
		return true
	}
	return false
}

// DeclaresMain reports whether a Go file declares a program's main.
func DeclaresMain(text string) bool {
	s := parse(text)
	return s.ast != nil && markMain(s, map[int]string{})
}

// lastExit is the os.Exit that a body ends with; nil without one.
func (s source) lastExit(body *ast.BlockStmt) ast.Stmt {
	if len(body.List) == 0 {
		return nil
	}
	last := body.List[len(body.List)-1]
	e, ok := last.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	exit, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || exit.Sel.Name != "Exit" {
		return nil
	}
	from, ok := exit.X.(*ast.Ident)
	if !ok || s.imports()[from.Name] != "os" {
		return nil
	}
	return last
}

// MayExit reports whether one of the packages may end the program with the status
// of a success before main returns.
func MayExit(packages []Package) bool {
	for _, e := range exits(packages) {
		if len(e.functions)+len(e.methods) > 0 {
			return true
		}
		for _, text := range e.Texts {
			if s := parse(text); s.ast != nil && e.mainMayExit(s) {
				return true
			}
		}
	}
	return false
}

// mainMayExit looks into main and init, which nothing calls.
func (e exiting) mainMayExit(s source) bool {
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Body != nil && fn.Recv == nil && (fn.Name.Name == "main" || fn.Name.Name == "init") && e.mayExit(s, fn.Body) {
			return true
		}
	}
	return false
}
