package masking

import (
	"go/ast"
	"regexp"
	"strings"
)

// What looks like a mask may be what was meant: the code says so.

// baseCase tells whether the guard ends a recursion: it looks at a parameter or
// the receiver of a function that calls itself.
func (w *weigher) baseCase(s *ast.IfStmt) bool {
	calls := false
	ast.Inspect(w.fn.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			switch f := c.Fun.(type) {
			case *ast.Ident:
				calls = calls || w.fn.Recv == nil && f.Name == w.fn.Name.Name
			case *ast.SelectorExpr:
				calls = calls || w.fn.Recv != nil && f.Sel.Name == w.fn.Name.Name
			}
		}
		return !calls
	})
	return calls && w.aboutArguments(s.Cond)
}

// aboutArguments tells whether an expression looks at a parameter or the
// receiver.
func (w *weigher) aboutArguments(e ast.Expr) bool {
	names := map[string]bool{}
	for _, list := range []*ast.FieldList{w.fn.Recv, w.fn.Type.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				names[n.Name] = true
			}
		}
	}
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && names[id.Name] {
			found = true
		}
		return !found
	})
	return found
}

// says are the ways to write in a doc comment that a zero value is an answer:
// "or nil", "0 if there are none", "for no samples it returns 0".
var says = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\bor (an? |the )?(nil|zero|0|empty|false|"")`),
	regexp.MustCompile(`(?i)\b(nil|zero|0|empty|false|nothing|none)\b[^.;]{0,40}\b(if|when|for|unless|without|where)\b`),
	regexp.MustCompile(`(?i)\b(if|when|for|without|where)\b[^.;]{0,60}\b(nil|zero|0|empty|false|nothing)\b`),
}

// documented tells whether the function's comment, as it was before, says that
// a zero value is one of its answers.
func (w *weigher) documented() bool {
	doc := ""
	for _, d := range w.before.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc != nil && name(fn, w.before) == name(w.fn, w.after) {
			doc = strings.Join(strings.Fields(fn.Doc.Text()), " ")
		}
	}
	for _, r := range says {
		if doc != "" && r.MatchString(doc) {
			return true
		}
	}
	return false
}

// usage tells whether the guard is a command's own word on how it is called:
// it looks at the arguments, prints, and ends.
func (w *weigher) usage(s *ast.IfStmt, printed []ast.Stmt) bool {
	cond := w.after.code(s.Cond)
	about := strings.Contains(cond, "os.Args") || strings.Contains(cond, "flag.NArg") || strings.Contains(cond, "flag.Arg") || strings.Contains(cond, "len(args)")
	last := w.after.code(s.Body.List[len(s.Body.List)-1])
	said := len(printed) > 0 && w.quiet(printed) || strings.HasPrefix(last, "log.Fatal")
	return about && said && last != "os.Exit(0)"
}
