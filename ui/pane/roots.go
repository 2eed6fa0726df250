package pane

import (
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
	"github.com/pausetui/pausetui/ui/keymap"
)

// Root is an expression whose value is above the variables: a result of the
// command line, or one that is to be seen at every stop.
type Root struct {
	Name string // what it is called; the expression when empty
	Expr string
	// Label is what is shown for the name of one that is watched.
	Label string
	// At is the frame that it is evaluated in; nil for the selected one.
	At *debugger.FrameRef
	// Kept roots stay from stop to stop; others go with their stop.
	Kept bool
	stop uint64
}

func (r Root) name() string {
	if r.Name != "" {
		return r.Name
	}
	return r.Expr
}

func (r Root) label() string {
	if r.Label != "" {
		return r.Label
	}
	return r.name()
}

// Watched is the watched expression that the cursor is on, by its name; false
// where it is on none.
func (p *Locals) Watched() (name string, ok bool) {
	n := p.current()
	if n == nil {
		return "", false
	}
	for _, r := range p.roots {
		if r.Kept && n.path == rootPath(r) {
			return r.name(), true
		}
	}
	return "", false
}

// Show puts an expression above the variables, in the place of one of the same
// name, and opens it.
func (p *Locals) Show(c *Context, r Root) {
	p.Hide(r.name())
	r.stop = c.Store.Tag().Stop
	p.roots = append(p.roots, r)
	p.cursor, p.top = 0, 0
	p.open[rootPath(r)] = !r.Kept // those that are watched stay a line each
}

// Hide takes an expression away; false when there is none of the name.
func (p *Locals) Hide(name string) bool {
	before := len(p.roots)
	p.roots = slices.DeleteFunc(p.roots, func(r Root) bool { return r.name() == name })
	return len(p.roots) < before
}

// Roots are the expressions above the variables.
func (p *Locals) Roots() []Root { return p.roots }

func rootPath(r Root) string { return ":" + r.name() }

func (p *Locals) rootAt(r Root) debugger.FrameRef {
	if r.At != nil {
		return *r.At
	}
	return p.c.At
}

// addRoots adds the expressions. Their values page and open like variables.
func (p *Locals) addRoots(t *tree) {
	if tag := p.c.Store.Tag(); tag.Stop != 0 {
		p.roots = slices.DeleteFunc(p.roots, func(r Root) bool { return !r.Kept && r.stop != tag.Stop })
	}
	align, watched := 0, false
	for _, r := range p.roots {
		align = max(align, min(len(r.label()), maxName))
	}
	for _, r := range p.roots {
		if r.Kept && !watched {
			watched = true
			t.add(&node{kind: isNote, index: -1, size: 1, words: "watched · " + p.c.Keys.Key(keymap.WatchExpr) + " adds one, or removes the one under the cursor"})
		}
		v, err, known := p.c.Store.Expression(p.rootAt(r), r.Expr)
		v.Name = r.label()
		switch {
		case !known:
			t.add(&node{kind: isNote, index: -1, size: 1, words: r.label() + "  …"})
		case err != "":
			v.Unreadable = err
			t.add(&node{v: v, frame: p.rootAt(r), path: rootPath(r), index: -1, align: align, size: 1, leaf: true})
		default:
			t.add(p.value(v, place{frame: p.rootAt(r), path: rootPath(r), align: align, index: -1}))
		}
	}
}

func (p *Locals) rootNeeds() []inspect.Need {
	var needs []inspect.Need
	for _, r := range p.roots {
		needs = append(needs, p.c.Store.NeedExpression(p.rootAt(r), r.Expr)...)
	}
	return needs
}
