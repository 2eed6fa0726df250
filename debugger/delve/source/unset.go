package source

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"sync"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
)

// maxParsed bounds a source file that is looked into, in bytes.
const maxParsed = 4 << 20

// parsedFile is the syntax of a source file as it was read last.
type parsedFile struct {
	changed time.Time
	size    int64
	Fset    *token.FileSet
	Syntax  *ast.File
}

// parsedFiles are the source files that were looked into.
type parsedFiles struct {
	mu    sync.Mutex
	files map[string]*parsedFile
}

// parse returns the syntax of a file; nil where it cannot be read.
func (p *parsedFiles) parse(file string) *parsedFile {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxParsed {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := p.files[file]; have != nil && have.size == info.Size() && have.changed.Equal(info.ModTime()) {
		return have
	}
	fset := token.NewFileSet()
	syntax, _ := regular.Parse(fset, file, parser.SkipObjectResolution)
	if syntax == nil {
		return nil
	}
	if p.files == nil || len(p.files) >= 64 {
		p.files = map[string]*parsedFile{}
	}
	p.files[file] = &parsedFile{info.ModTime(), info.Size(), fset, syntax}
	return p.files[file]
}

// MarkUnset marks the variables of a frame that hold nothing yet: Delve gives
// what the memory held before.
func MarkUnset(src *Finder, frame *debugger.Frame) {
	p := src.parsed.parse(frame.File)
	if p == nil {
		return
	}
	for _, d := range declaring(p.Fset, p.Syntax, frame.Line) {
		for i := range frame.Locals {
			d.mark(&frame.Locals[i])
		}
		if d.results {
			for i := range frame.Args {
				d.mark(&frame.Args[i])
			}
		}
	}
	for i := range frame.Locals {
		if v := &frame.Locals[i]; v.DeclLine > int64(frame.Line) {
			v.Unset, v.Unreadable = true, ""
		}
	}
}

// declaration is a name that the statement on a line declares.
type declaration struct {
	name        string
	first, last int64 // lines of the statement
	results     bool  // it is a result of the function, which has only begun
}

// mark marks a variable if it is the one declared. One of the name from further
// up, which := only assigns to, has its value.
func (d declaration) mark(v *debugger.Variable) {
	if v.Name == d.name && d.first <= v.DeclLine && v.DeclLine <= d.last {
		v.Unset, v.Unreadable = true, ""
	}
}

// declaring lists what the statements around a line of a file declare: while
// one of them runs, its names have no value.
func declaring(fset *token.FileSet, file *ast.File, line int) []declaration {
	var list []declaration
	spans := func(n ast.Node) bool {
		return fset.Position(n.Pos()).Line <= line && line <= fset.Position(n.End()).Line
	}
	add := func(n ast.Node, names ...*ast.Ident) {
		for _, id := range names {
			list = append(list, declaration{name: id.Name, first: int64(fset.Position(n.Pos()).Line), last: int64(fset.Position(n.End()).Line)})
		}
	}
	headers := map[ast.Node]bool{} // statements of headers that may have ended
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || !spans(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncDecl:
			list = append(list, resultsOf(fset, n, line)...)
		case *ast.IfStmt:
			headers[n.Init] = mayStop(n.Cond)
		case *ast.SwitchStmt:
			headers[n.Init] = n.Tag == nil || mayStop(n.Tag)
		case *ast.TypeSwitchStmt:
			headers[n.Init], headers[n.Assign] = true, true
		case *ast.ForStmt:
			headers[n.Init] = true
		case *ast.BlockStmt:
			passed(fset, n.List, line, headers)
		case *ast.CaseClause:
			passed(fset, n.Body, line, headers)
		case *ast.CommClause:
			headers[n.Comm] = true
			passed(fset, n.Body, line, headers)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && !headers[n] {
				add(n, identifiers(n.Lhs)...)
			}
		case *ast.DeclStmt:
			return !headers[n]
		case *ast.ValueSpec:
			add(n, n.Names...)
		}
		return true
	})
	return list
}

// passed notes the statements of a list that others follow on the line: the stop
// may be in any of them.
func passed(fset *token.FileSet, list []ast.Stmt, line int, into map[ast.Node]bool) {
	for i := range list[:max(len(list)-1, 0)] {
		if fset.Position(list[i+1].Pos()).Line == line {
			into[list[i]] = true
		}
	}
}

func identifiers(list []ast.Expr) []*ast.Ident {
	var names []*ast.Ident
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			names = append(names, id)
		}
	}
	return names
}

// resultsOf are the named results of a function that is at its first line:
// they are cleared only there.
func resultsOf(fset *token.FileSet, fn *ast.FuncDecl, line int) []declaration {
	if fn.Type.Results == nil || fn.Body == nil || fset.Position(fn.Body.Lbrace).Line != line || fset.Position(fn.Body.Rbrace).Line == line {
		return nil
	}
	var list []declaration
	for _, field := range fn.Type.Results.List {
		for _, id := range field.Names {
			at := int64(fset.Position(id.Pos()).Line)
			list = append(list, declaration{name: id.Name, first: at, last: at, results: true})
		}
	}
	return list
}

// mayStop reports whether evaluating an expression may call a function or panic:
// then the statement before it in the header may have ended.
func mayStop(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.SelectorExpr, *ast.TypeAssertExpr:
			found = true
		case *ast.BinaryExpr:
			found = found || n.Op == token.QUO || n.Op == token.REM || n.Op == token.SHL || n.Op == token.SHR
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
