package fixer

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// released has the ways to leave a place release the locks that are held there, and that the
// function releases by itself further on.
func (f *exitFinder) released(p place, list []exit) []exit {
	for _, lock := range heldBy(p) {
		for i, e := range list {
			last := strings.LastIndexByte(e.lines, '\n') + 1
			leaves, _, _ := strings.Cut(strings.TrimSpace(e.lines[last:]), " ")
			if leaves == "return" || (leaves == "continue" || leaves == "break") && lock.loop() == p.loop() {
				list[i].lines = e.lines[:last] + f.unlockOf(lock) + "\n" + e.lines[last:]
			}
		}
	}
	return list
}

// heldBy finds the calls that have taken the locks which are held at a place, the last one
// first, without those of locks that the function releases by defer.
func heldBy(p place) (held []lockUse) {
	fn := p.function()
	uses := map[string][]lockUse{} // by what is locked
	var names []string
	for i, n := range p.path {
		if _, ok := n.(*ast.FuncDecl); !ok {
			continue
		}
		for _, l := range locks(place{pkg: p.pkg, file: p.file, root: p.root, path: p.path[i:]}) {
			name := types.ExprString(l.mutex)
			if uses[name] == nil {
				names = append(names, name)
			}
			uses[name] = append(uses[name], lockUse{lockCall: l})
		}
	}
	for _, name := range slices.Backward(names) {
		explicit, otherwise := false, false
		for _, u := range uses[name] {
			explicit = explicit || !u.takes() && u.function() == fn && !u.deferred()
			otherwise = otherwise || !u.takes() && (u.function() != fn || u.deferred())
		}
		if l, is := heldAt(uses[name], fn, p.node()); is && explicit && !otherwise {
			held = append(held, l)
		}
	}
	return held
}
