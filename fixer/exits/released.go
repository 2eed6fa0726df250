package exits

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/fixer/syntax"
)

// released has the ways to leave a place release the locks that are held there, and that the
// function releases by itself further on.
func (f *Finder) released(p syntax.Place, list []Exit) []Exit {
	for _, lock := range heldBy(p) {
		for i, e := range list {
			last := strings.LastIndexByte(e.Lines, '\n') + 1
			leaves, _, _ := strings.Cut(strings.TrimSpace(e.Lines[last:]), " ")
			if leaves == "return" || (leaves == "continue" || leaves == "break") && lock.Loop() == p.Loop() {
				list[i].Lines = e.Lines[:last] + f.UnlockOf(lock) + "\n" + e.Lines[last:]
			}
		}
	}
	return list
}

// heldBy finds the calls that have taken the locks which are held at a place, the last one
// first, without those of locks that the function releases by defer.
func heldBy(p syntax.Place) (held []syntax.LockUse) {
	fn := p.Function()
	uses := map[string][]syntax.LockUse{} // by what is locked
	var names []string
	for i, n := range p.Path {
		if _, ok := n.(*ast.FuncDecl); !ok {
			continue
		}
		for _, l := range syntax.Locks(syntax.Place{Pkg: p.Pkg, File: p.File, Root: p.Root, Path: p.Path[i:]}) {
			name := types.ExprString(l.Mutex)
			if uses[name] == nil {
				names = append(names, name)
			}
			uses[name] = append(uses[name], syntax.LockUse{LockCall: l})
		}
	}
	for _, name := range slices.Backward(names) {
		explicit, otherwise := false, false
		for _, u := range uses[name] {
			explicit = explicit || !u.Takes() && u.Function() == fn && !u.Deferred()
			otherwise = otherwise || !u.Takes() && (u.Function() != fn || u.Deferred())
		}
		if l, is := syntax.HeldAt(uses[name], fn, p.Node()); is && explicit && !otherwise {
			held = append(held, l)
		}
	}
	return held
}
