package exits

import (
	"go/types"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// mayPrint reports whether a function may write messages of its own: main, and
// what main calls. A library leaves that to its callers.
func (f *Finder) mayPrint(p syntax.Place) bool {
	d := p.Declaration()
	if d == nil || p.Pkg.Name != "main" {
		return false
	}
	if d.Recv == nil && d.Name.Name == "main" {
		return true
	}
	fn, ok := p.Info().Defs[d.Name].(*types.Func)
	if !ok {
		return false
	}
	calls, _ := f.CallsOf(fn)
	for _, c := range calls {
		if by := c.Declaration(); by != nil && by.Recv == nil && by.Name.Name == "main" {
			return true
		}
	}
	return false
}
