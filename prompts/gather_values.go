package prompts

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// maxExpressions bounds how many expressions of the faulting line are valued.
const maxExpressions = 12

func (g *gathering) line() draft {
	d := draft{Section: Section{Key: "line", Title: "The line, with its values"}}
	if g.at < 0 {
		return d
	}
	src := g.sources.file(g.frame.File)
	if src == nil {
		return d
	}
	d.Text = g.place(g.frame.File, g.frame.Line) + "\n" + fenced("go", src.lineText(g.frame.Line)) + "\n"
	if values := g.lineValues(src); values != "" {
		d.Text += data(values)
	}
	return d
}

// lineValues values the variables and fields that occur on the faulting line.
func (g *gathering) lineValues(src *source) string {
	if !g.hasHome {
		return ""
	}
	var b strings.Builder
	show := g.shower(g.frame.Index)
	for _, e := range expressions(src, g.home.decl, g.frame.Line) {
		v, ok := lookup(g.frame.Variables(), e)
		if !ok {
			v, ok = g.evaluate(e)
		}
		if ok && !v.Unset && v.Unreadable == "" {
			fmt.Fprintf(&b, "%s = %s\n", e, show.value(v, 2))
		}
	}
	return b.String()
}

// expressions lists the variables and field selections on a line, in order.
func expressions(src *source, in ast.Node, line int) []string {
	var list []string
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr: // the function's own name has no value worth telling
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
				list = append(list, onLine(src, line, sel.X)...)
			}
			for _, a := range n.Args {
				list = append(list, expressions(src, a, line)...)
			}
			return false
		case *ast.SelectorExpr, *ast.Ident:
			found := onLine(src, line, n.(ast.Expr))
			list = append(list, found...)
			return len(found) == 0
		case *ast.KeyValueExpr:
			list = append(list, expressions(src, n.Value, line)...)
			return false
		}
		return true
	})
	var unique []string
	for _, e := range list {
		if !slices.Contains(unique, e) && len(unique) < maxExpressions {
			unique = append(unique, e)
		}
	}
	return unique
}

// onLine returns a chain of names, such as x.terms, if it is on the line.
func onLine(src *source, line int, e ast.Expr) []string {
	if src.line(e.Pos()) != line {
		return nil
	}
	if chain := nameChain(e); chain != "" && chain != "_" && chain != "nil" && chain != "true" && chain != "false" {
		return []string{chain}
	}
	return nil
}

func nameChain(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x := nameChain(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// lookup finds a chain of names among loaded variables.
func lookup(vars []debugger.Variable, chain string) (debugger.Variable, bool) {
	names := strings.Split(chain, ".")
	for i := len(vars) - 1; i >= 0; i-- { // inner declarations come later
		if vars[i].Name != names[0] || vars[i].Shadowed {
			continue
		}
		v := vars[i]
		for _, n := range names[1:] {
			next, ok := v.Deref().Child(n)
			if !ok {
				return debugger.Variable{}, false
			}
			v = next
		}
		return v, true
	}
	return debugger.Variable{}, false
}

// evaluate asks the paused target. Chains of names have no effects.
func (g *gathering) evaluate(chain string) (debugger.Variable, bool) {
	if g.c.Inspect == nil || g.ctx.Err() != nil {
		return debugger.Variable{}, false
	}
	ctx, cancel := context.WithTimeout(g.ctx, g.o.Read)
	defer cancel()
	v, err := g.c.Inspect.Evaluate(ctx, debugger.FrameRef{Goroutine: g.c.Stop.Goroutine, Frame: g.frame.Index}, chain)
	return v, err == nil && v.Unreadable == ""
}

// values tells all variables of the culprit, what is known of the cause, and
// the code that the bad value comes from.
func (g *gathering) values() draft {
	d := draft{Section: Section{Key: "values", Title: "The values, and where they come from"}}
	var b strings.Builder
	if diag := g.c.Diagnosis; diag.Sentence != "" {
		b.WriteString("The debugger's own diagnosis:\n" + data(manyLines(diag.Sentence)) + "\n")
		if diag.Observed != "" {
			b.WriteString("What a second run of the program has shown:\n" + data(manyLines(diag.Observed)+"\n"+g.history(diag.History)) + "\n")
		}
		if diag.Origin != "" {
			b.WriteString(g.origin(diag.Origin))
		}
	}
	switch vars := g.shower(g.frame.Index).list(g.frame.Variables(), valueDepth); {
	case vars != "":
		fmt.Fprintf(&b, "Arguments and variables of %s:\n%s\n", funcName(g.frame.Function), data(vars))
	case g.frame.Err != "":
		b.WriteString("The variables could not be read: " + oneLine(g.frame.Err) + "\n")
	}
	d.Text = b.String()
	return d
}

// history is what was recorded of the bad value, the newest first.
func (g *gathering) history(h *evidence.History) string {
	if h == nil {
		return ""
	}
	return manyLines(h.WithoutValues().Listing())
}

// origin shows the function around "file:line".
func (g *gathering) origin(at string) string {
	file, number, ok := strings.Cut(at, ":")
	line, err := strconv.Atoi(number)
	if !ok || err != nil {
		return "It comes from " + inline(at) + ".\n"
	}
	fn, ok := g.sources.funcAt(g.c.Workspace.Abs(file), line)
	if !ok {
		return "It comes from " + inline(at) + ".\n"
	}
	return fmt.Sprintf("It comes from line %d of %s", line, g.show(fn))
}

// maxTypes bounds how many type definitions are shown.
const maxTypes = 10

// types shows the definitions of the types that the culprit names, and of
// those that these name.
func (g *gathering) types() draft {
	d := draft{Section: Section{Key: "types", Title: "The types involved"}}
	if !g.hasHome {
		return d
	}
	declared := g.sources.types(g.frame.File)
	var order []string
	add := func(set map[string]bool) {
		var more []string
		for n := range set {
			if _, ok := declared[n]; ok && !slices.Contains(order, n) {
				more = append(more, n)
			}
		}
		slices.Sort(more)
		order = append(order, more...)
	}
	used := names(g.home.decl)
	for _, v := range g.frame.Variables() {
		t := funcName(strings.TrimLeft(v.Type, "*[]"))
		used[t[strings.LastIndex(t, ".")+1:]] = true
	}
	add(used)
	for _, n := range slices.Clone(order) {
		add(names(declared[n].spec))
	}
	for _, n := range order {
		t := declared[n]
		g.typeTexts = append(g.typeTexts, g.place(t.src.file, t.src.line(t.spec.Pos()))+"\n"+fenced("go", t.text+g.constants(n)))
	}
	return d
}

// smallTypes is what the types may take, in bytes, however short the rest is.
const smallTypes = 3000

// typesBeside writes the types that fit beside the other sections: they take at
// most a third of the text. Those that the function names come first.
func (g *gathering) typesBeside(others []draft) string {
	room := 0
	for _, d := range others {
		room += len(d.Text)
	}
	room = max(room/2, smallTypes)
	var parts []string
	for i, text := range g.typeTexts {
		if room -= len(text); i == maxTypes || room < 0 && i > 0 {
			parts = append(parts, fmt.Sprintf("[… %d types left out]", len(g.typeTexts)-i))
			break
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n")
}

// maxConstantLines bounds the constants of a type that are shown.
const maxConstantLines = 40

// constants are the declarations of an enumerated type's constants.
func (g *gathering) constants(name string) string {
	if g.c.Code == nil {
		return ""
	}
	pkg, _, ok := g.c.Code.FileOf(g.frame.File)
	if !ok || pkg.Types == nil {
		return ""
	}
	object, _ := pkg.Types.Scope().Lookup(name).(*types.TypeName)
	if object == nil {
		return ""
	}
	if _, basic := object.Type().Underlying().(*types.Basic); !basic {
		return ""
	}
	var b strings.Builder
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			block, ok := decl.(*ast.GenDecl)
			if !ok || block.Tok != token.CONST || !declares(pkg.TypesInfo, block, object.Type()) {
				continue
			}
			at, first := g.c.Code.Index().Where(block.Pos())
			_, last := g.c.Code.Index().Where(block.End())
			src := g.sources.file(at)
			if src == nil {
				continue
			}
			b.WriteString("\n")
			lines := strings.Split(src.text, "\n")
			lines = lines[min(first-1, len(lines)):min(last, len(lines))]
			if left := len(lines) - maxConstantLines; left > 0 {
				lines = append(slices.Clip(lines[:maxConstantLines]), fmt.Sprintf("\t// [… %d lines left out]", left))
			}
			b.WriteString("\n" + strings.Join(lines, "\n"))
		}
	}
	return b.String()
}

// declares reports whether a block declares a constant of a type.
func declares(info *types.Info, block *ast.GenDecl, t types.Type) bool {
	for _, s := range block.Specs {
		for _, id := range s.(*ast.ValueSpec).Names {
			if c, ok := info.Defs[id].(*types.Const); ok && types.Identical(c.Type(), t) {
				return true
			}
		}
	}
	return false
}
