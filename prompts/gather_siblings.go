package prompts

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
)

const (
	maxSiblings     = 4  // places shown
	maxOthers       = 2  // … of the same call or role, anywhere
	maxSiblingLines = 6  // of one
	maxSentinels    = 12 // errors listed
)

// checked is a piece of code that checks a value, and the function it is in.
type checked struct {
	from, to token.Pos
	in       *ast.FuncDecl
}

// siblings shows where other functions check the values that stopped this one: those
// of the package, and those of the user's modules that make the same call or
// implement the same method.
func (g *gathering) siblings(t *tracer, fn workspace.Func, roots []ast.Expr) string {
	about := subjects(fn, roots)
	var list []checked
	shown := map[*ast.FuncDecl]bool{fn.Decl: true}
	for _, file := range fn.Package.Syntax {
		if g.isTest(file) {
			continue
		}
		for _, d := range file.Decls {
			other, ok := d.(*ast.FuncDecl)
			if !ok || other == fn.Decl || other.Body == nil {
				continue
			}
			for _, check := range about.checks(fn.Package.TypesInfo, t.x, other) {
				list = append(list, checked{check.Pos(), check.End(), other})
				shown[other] = true
			}
		}
	}
	var others []checked
	for _, c := range append(g.sameCall(t, fn, roots), g.sameMethod(t, fn, roots)...) {
		if !shown[c.in] {
			shown[c.in] = true
			others = append(others, c)
		}
	}
	return g.checks("Where other functions of the package check the same values and leave:\n", list, maxSiblings) +
		g.checks("Where other functions make the same call, or implement the same method, and check the values:\n", others, maxOthers)
}

func (g *gathering) isTest(file *ast.File) bool {
	return strings.HasSuffix(g.c.Code.Fset.Position(file.FileStart).Filename, "_test.go")
}

func (g *gathering) checks(title string, list []checked, most int) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(title)
	for i, c := range list {
		if i == most {
			fmt.Fprintf(&b, "[… %d more left out]\n", len(list)-i)
			break
		}
		fmt.Fprintf(&b, "%s, in %s\n%s\n", g.position(c.from), patch.FuncKey(c.in), fenced("go", g.head(c)))
	}
	return b.String()
}

// head is the first lines of a check.
func (g *gathering) head(c checked) string {
	file, first := g.c.Code.Index().Where(c.from)
	_, last := g.c.Code.Index().Where(c.to)
	src := g.sources.file(file)
	if src == nil {
		return ""
	}
	lines := strings.Split(src.text, "\n")
	last = min(last, len(lines))
	if first > last {
		return ""
	}
	text := lines[first-1 : min(last, first+maxSiblingLines-1)]
	indent := text[0][:len(text[0])-len(strings.TrimLeft(text[0], "\t"))]
	var b strings.Builder
	for _, l := range text {
		b.WriteString(strings.TrimPrefix(l, indent) + "\n")
	}
	if last-first+1 > len(text) {
		b.WriteString("\t// …\n")
	}
	return b.String()
}

// subject is what a condition may be about: the fields on the failing line, and
// the named types of its values.
type subject struct {
	fields []*types.Var
	types  []types.Type
}

func subjects(fn workspace.Func, roots []ast.Expr) subject {
	var s subject
	info := fn.Package.TypesInfo
	for _, root := range roots {
		ast.Inspect(root, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if sel, ok := e.(*ast.SelectorExpr); ok {
				if v := variableOf(info, sel); v != nil && v.IsField() {
					s.fields = append(s.fields, v.Origin())
				}
			}
			tv := info.Types[e]
			if n, named := deref0(tv.Type).(*types.Named); named && !tv.IsType() && n.Obj().Pkg() == fn.Package.Types {
				s.types = append(s.types, tv.Type)
			}
			return true
		})
	}
	return s
}

// deref0 is deref of a type that may be missing.
func deref0(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	return deref(t)
}

// checks are the if statements of a function that ask about a subject and leave
// the function or the turn of a loop.
func (s subject) checks(info *types.Info, x *workspace.Index, fn *ast.FuncDecl) []ast.Node {
	var list []ast.Node
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		is, ok := n.(*ast.IfStmt)
		if ok && exits(is.Body) && (s.asks(info, x, is.Cond) || s.asksInit(info, x, is)) {
			list = append(list, is)
		}
		return true
	})
	return list
}

// exits reports whether a block ends the function, the turn of a loop, or more.
func exits(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// asks reports whether a condition compares a subject, or its length.
func (s subject) asks(info *types.Info, x *workspace.Index, cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || found {
			return !found
		}
		switch b.Op {
		case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
			found = s.compared(info, x, b.X) || s.compared(info, x, b.Y)
		}
		return !found
	})
	return found
}

// compared reports whether one side of a comparison is a subject, or its length.
func (s subject) compared(info *types.Info, x *workspace.Index, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") {
			e = ast.Unparen(call.Args[0])
		}
	}
	if v := variableOf(info, e); v != nil && v.IsField() {
		return slices.ContainsFunc(s.fields, func(f *types.Var) bool { return x.Same(f, v) })
	}
	t := info.TypeOf(e)
	return t != nil && slices.ContainsFunc(s.types, func(have types.Type) bool { return types.Identical(have, t) })
}

// asksInit reports whether an if statement begins with the comma-ok form of a
// subject.
func (s subject) asksInit(info *types.Info, x *workspace.Index, is *ast.IfStmt) bool {
	as, ok := is.Init.(*ast.AssignStmt)
	if !ok || len(as.Lhs) != 2 || len(as.Rhs) != 1 {
		return false
	}
	switch e := ast.Unparen(as.Rhs[0]).(type) {
	case *ast.IndexExpr:
		return s.compared(info, x, e.X)
	case *ast.TypeAssertExpr:
		return s.compared(info, x, e.X) || s.compared(info, x, e)
	}
	return false
}

// sentinels lists the variables of a package that hold errors and that the code
// shown, in functions and in the text, names: others belong to something else.
func (g *gathering) sentinels(pkg *packages.Package, text string) string {
	failure := types.Universe.Lookup("error").Type()
	for _, f := range g.shown {
		text += "\n" + f.text()
	}
	var b strings.Builder
	count := 0
	for _, name := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok || !types.Identical(v.Type(), failure) || !namesWord(text, name) {
			continue
		}
		if count++; count > maxSentinels {
			b.WriteString("// … more left out\n")
			break
		}
		file, line := g.c.Code.Index().Where(v.Pos())
		if src := g.sources.file(file); src != nil && !strings.HasSuffix(file, "_test.go") {
			fmt.Fprintf(&b, "%s // %s\n", inline(src.lineText(line)), g.place(file, line))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "The errors that this code returns:\n" + fenced("go", b.String()) + "\n"
}

// namesWord reports whether a name stands in a text as a word.
func namesWord(text, name string) bool {
	part := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for {
		before, after, found := strings.Cut(text, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if !part(last) && !part(first) {
			return true
		}
		text = after
	}
}
