package prompts

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
)

// rank orders what is said of the code around the bad value: where there is no
// room for all of it, the first stays.
type rank int

const (
	rankCalled   rank = iota // on the failing line, and what returned the bad value
	rankGuard                // decides whether the failing line is reached with its values
	rankWriter               // gives the bad value, or the field it is in
	rankArgument             // gives what a caller passed
	rankShared               // uses the same lock, channel or map
	rankSibling              // handles the same condition
	rankRest                 // concerns other values of the line
)

// relation is what the index says of one name on the way to the bad value.
type relation struct {
	rank    rank
	at      token.Pos        // where the name stands
	field   *types.Var       // whose uses these are; nil for a call
	owner   string           // the type that declares it
	uses    []workspace.Use  // of it
	without []workspace.Use  // what makes the owner without it
	to      []workspace.Func // what the call leads to
	many    int              // functions that it may lead to
	all     bool             // uses are all there are, reading included
	here    bool             // the failing line sets it, too
}

const (
	maxRelations = 12 // shown
	maxUses      = 10 // lines of one relation
	maxRest      = 3  // … of values that nothing is wrong with
	maxShown     = 4  // functions of one relation
)

// related shows the code that decides the bad value and is not on the stack:
// what the line calls, who writes what it reads, what the callers passed, who
// else uses what goroutines share, and how others handle the same condition.
func (g *gathering) related() draft {
	d := draft{Section: Section{Key: SectionRelated, Title: "The code that decides these values"}}
	if g.at < 0 || g.c.Code == nil {
		return d
	}
	fn, ok := g.c.Code.FuncAt(g.frame.File, g.frame.Line)
	if !ok {
		return d
	}
	t := newTracer(g)
	roots := t.roots(fn, g.frame.Line)
	t.run(g.suspects(fn, roots))
	t.guards(fn, roots)
	t.shared(fn, roots)
	slices.SortStableFunc(t.found, func(a, b relation) int { return cmp.Compare(a.rank, b.rank) })
	siblings := g.siblings(t, fn, roots)
	var b strings.Builder
	for i, r := range t.found {
		if i == maxRelations {
			break
		}
		if siblings != "" && r.rank > rankSibling {
			b.WriteString(siblings)
			siblings = ""
		}
		b.WriteString(g.relation(r))
	}
	b.WriteString(siblings)
	b.WriteString(g.sentinels(fn.Package, b.String()))
	d.Text = b.String()
	return d
}

// suspects puts the expressions of the failing line into the order in which
// they are followed: what the diagnosis blames first, then what is nil, zero or
// empty by the values read.
func (g *gathering) suspects(fn workspace.Func, roots []ast.Expr) []traced {
	var first, second, rest []traced
	for _, root := range roots {
		ast.Inspect(root, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			at := traced{in: fn, frame: g.at, expr: e, rank: rankCalled}
			text := types.ExprString(e)
			if text == g.c.Diagnosis.Expr {
				first = append(first, at)
			} else if v, known := lookup(g.frame.Variables(), text); known && !v.Unset && (v.Nil || v.Value == "0") {
				second = append(second, at)
			}
			_, closure := n.(*ast.FuncLit)
			return !closure
		})
		rest = append(rest, traced{in: fn, frame: g.at, expr: root, rank: rankCalled})
	}
	for i := range rest {
		if len(first) > 0 {
			rest[i].rank = rankRest
		}
	}
	return slices.Concat(first, second, rest)
}

func (g *gathering) relation(r relation) string {
	var b strings.Builder
	if r.field == nil {
		for _, fn := range r.to {
			fmt.Fprintf(&b, "%s is called at %s", patch.FuncKey(fn.Decl), g.position(r.at))
			if r.many > 1 {
				fmt.Fprintf(&b, ", one of %d functions that this call may lead to", r.many)
			}
			b.WriteString(". " + g.source(fn.Decl.Pos()))
		}
		return b.String()
	}
	name := inline(r.field.Name())
	if r.owner != "" {
		name = inline(r.owner) + "." + name
	}
	lines, at := g.useLines(r)
	written := slices.ContainsFunc(r.uses, func(u workspace.Use) bool { return u.Kind == workspace.Write || u.Kind == workspace.Address })
	switch {
	case r.all:
		fmt.Fprintf(&b, "What uses %s outside tests, also under other names:\n", name)
	case written:
		fmt.Fprintf(&b, "What sets or changes %s:\n", name)
	case r.here:
		fmt.Fprintf(&b, "No statement outside tests but the failing one sets %s by name.\n", name)
	default:
		fmt.Fprintf(&b, "No statement outside tests sets %s by name.\n", name)
	}
	most := maxUses
	switch {
	case r.all:
		most = maxAllUses
	case r.rank == rankRest:
		most = maxRest
	}
	for i, l := range lines {
		if i == most {
			fmt.Fprintf(&b, "- [… %d more left out]\n", len(lines)-i)
			break
		}
		b.WriteString("- " + l + "\n")
	}
	shown := 0
	for _, pos := range g.deciding(r, at) {
		text := g.source(pos)
		if shown == maxShown {
			break
		}
		if strings.Contains(text, "```") {
			shown++
			b.WriteString(text)
		}
	}
	return b.String()
}

// deciding keeps the uses whose functions are shown whole: the one that the
// diagnosis names as the origin, else those that give or leave the zero value that
// stopped the program. Where nothing tells them apart, all are kept.
func (g *gathering) deciding(r relation, at []token.Pos) []token.Pos {
	if r.all {
		return at
	}
	for _, pos := range at {
		file, line := g.c.Code.Index().Where(pos)
		if fn, ok := g.sources.funcAt(file, line); ok && g.c.Diagnosis.Origin != "" && g.holdsOrigin(fn) {
			return []token.Pos{pos}
		}
	}
	var zero []token.Pos
	switch g.c.Stop.Panic.Class {
	case debugger.NilDereference, debugger.NilMapWrite, debugger.DivideByZero:
		for _, u := range r.uses {
			if u.Kind == workspace.Write && u.In.Decl != nil && givesZero(u.Value) {
				zero = append(zero, u.Node.Pos())
			}
		}
		for _, u := range r.without {
			if u.In.Decl != nil {
				zero = append(zero, u.Node.Pos())
			}
		}
	}
	if len(zero) > 0 {
		return zero
	}
	return at
}

// holdsOrigin reports whether the origin of the bad value is in a function.
func (g *gathering) holdsOrigin(fn function) bool {
	file, line, _ := strings.Cut(g.c.Diagnosis.Origin, ":")
	n, err := strconv.Atoi(line)
	return err == nil && g.rel(fn.src.file) == file && fn.first <= n && n <= fn.last
}

// givesZero reports whether an expression is written as nil or 0.
func givesZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.BasicLit:
		return e.Value == "0"
	}
	return false
}

// useLines writes each use in a line, and returns where they are.
func (g *gathering) useLines(r relation) (lines []string, at []token.Pos) {
	seen := map[string]bool{}
	add := func(u workspace.Use, what string) {
		l := g.position(u.Node.Pos()) + ", " + what
		if u.In.Decl != nil {
			l = g.position(u.Node.Pos()) + " in " + patch.FuncKey(u.In.Decl) + ", " + what
			at = append(at, u.Node.Pos())
		}
		if !seen[l] {
			seen[l] = true
			lines = append(lines, l)
		}
	}
	order := []workspace.UseKind{workspace.Write, workspace.Address, workspace.Element, workspace.Read, workspace.Call}
	if r.all {
		order = order[:1]
	}
	for _, kind := range order {
		for _, u := range r.uses {
			if u.Kind == kind || r.all {
				add(u, "`"+g.code(u.Node)+"`")
			}
		}
		if kind == workspace.Write {
			for _, u := range r.without {
				add(u, "made without it: `"+g.code(u.Node)+"`")
			}
		}
	}
	return lines, at
}

// code is the line that a node begins on.
func (g *gathering) code(n ast.Node) string {
	file, line := g.c.Code.Index().Where(n.Pos())
	src := g.sources.file(file)
	if src == nil {
		return ""
	}
	return inline(src.lineText(line))
}

func (g *gathering) position(pos token.Pos) string {
	file, line := g.c.Code.Index().Where(pos)
	return g.place(file, line)
}

// source shows the function around a position; a long one only around it.
func (g *gathering) source(pos token.Pos) string {
	file, line := g.c.Code.Index().Where(pos)
	fn, ok := g.sources.funcAt(file, line)
	if !ok {
		return ""
	}
	return g.showAround(fn, line)
}

// showAround is show for a function that may be too long to be shown whole.
func (g *gathering) showAround(fn function, line int) string {
	if fn.last-fn.first <= maxCallerLines {
		return g.show(fn)
	}
	text, _ := trim(fn.text(), 20*maxCallerLines, fn.src.lineText(line))
	return g.place(fn.src.file, line) + ", in part:\n" + fenced("go", text) + "\n"
}
