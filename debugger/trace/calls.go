package trace

import (
	"go/ast"
	"strings"

	"github.com/pausetui/pausetui/debugger"
)

// mayCall reports whether a line may be one that calls a function: a call on it
// has its name, or is one of a value: a parameter, a field, an interface whose
// method has another name. A deferred call runs on the lines that return.
func (s *sourceFile) mayCall(line int, function string) bool {
	name := baseName(function)
	if name == "" || inner.MatchString(function) || line > len(s.lines) {
		return true
	}
	on := line < len(s.calls) && s.calls[line]
	may := false
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil || may {
			return false
		}
		from, to := s.set.Position(n.Pos()).Line, s.set.Position(n.End()).Line
		if line < from || to < line {
			_, isFile := n.(*ast.File)
			return isFile
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			may = s.mayBe(n, name)
		case *ast.BlockStmt:
			may = s.defers(n, name)
		case *ast.RangeStmt: // over a function
			may = may || !on
		}
		return !may
	})
	return may
}

// mayBe reports whether a call may be one of a function of that name.
func (s *sourceFile) mayBe(call *ast.CallExpr, name string) bool {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) { // of an instance
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.FuncLit:
		return false // its name is not that of a declaration
	case *ast.Ident:
		return x.Name == name || !builtins[x.Name] && !s.hasFunction(x.Name)
	case *ast.SelectorExpr:
		pkg, ok := x.X.(*ast.Ident)
		return x.Sel.Name == name || !ok || !s.imports(pkg.Name)
	}
	return true
}

// defers reports whether a block defers a call that may be one of that name.
func (s *sourceFile) defers(block *ast.BlockStmt, name string) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			found = found || s.mayBe(d.Call, name)
		}
		return !found
	})
	return found
}

var builtins = map[string]bool{"append": true, "cap": true, "clear": true, "close": true, "complex": true, "copy": true, "delete": true, "imag": true, "len": true,
	"make": true, "max": true, "min": true, "new": true, "panic": true, "print": true, "println": true, "real": true, "recover": true}

func (s *sourceFile) hasFunction(name string) bool {
	for _, d := range s.decls {
		if d.symbol == name {
			return true
		}
	}
	return false
}

// imports reports whether a name is that of a package of the standard library,
// whose functions are no variables.
func (s *sourceFile) imports(name string) bool {
	for _, i := range s.file.Imports {
		path := strings.Trim(i.Path.Value, "\"`")
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			continue
		}
		if i.Name != nil && i.Name.Name == name || i.Name == nil && path[strings.LastIndexByte(path, '/')+1:] == name {
			return true
		}
	}
	return false
}

// crashed reports whether a stack without a message is that of a crash: its
// goroutine ran, and the innermost line does not print a stack.
func (l *locator) crashed(t Trace) bool {
	if len(t.Goroutines) == 0 || strings.Contains(t.Before, "SIGQUIT") {
		return false
	}
	g := t.Goroutines[0]
	if g.ID == 0 || g.State != "running" || len(g.Frames) == 0 {
		return false
	}
	top := g.Frames[0]
	if s := l.source(top.File); top.User && s != nil {
		return s.parsed && top.Err == "" && !s.printsStack(top.Line)
	}
	return standard(top)
}

// raised is the class of a crash whose innermost function says it.
func raised(g Goroutine) (debugger.Class, bool) {
	for _, r := range raisers {
		if len(g.Frames) > 0 && strings.HasPrefix(g.Frames[0].Function, r.prefix) {
			return r.class, true
		}
	}
	return "", false
}

// standard reports whether a frame is in the standard library, but not in what
// prints stacks.
func standard(f debugger.Frame) bool {
	pkg, _ := debugger.CutFunction(f.Function)
	first, _, _ := strings.Cut(pkg, "/")
	return !f.Runtime && !f.User && pkg != "" && pkg != "main" && !strings.Contains(first, ".") && strings.Contains(f.File, "/src/"+pkg+"/") &&
		!strings.HasPrefix(pkg, "runtime") && !strings.HasPrefix(pkg, "log") && !strings.HasPrefix(pkg, "net/http/pprof")
}

// printsStack reports whether a line calls runtime.Stack or a function that may.
func (s *sourceFile) printsStack(line int) bool {
	prints := false
	ast.Inspect(s.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && s.set.Position(call.Pos()).Line <= line && line <= s.set.Position(call.End()).Line {
			sel, isSel := call.Fun.(*ast.SelectorExpr)
			prints = prints || isSel && sel.Sel.Name == "Stack"
		}
		return !prints
	})
	return prints
}
