package fixer

import (
	"go/ast"
	"go/types"
	"strings"
)

// released has the ways to leave a place release a lock that is held there, and that the
// function releases by itself further on.
func (f *exitFinder) released(p place, list []exit) []exit {
	lock, ok := heldBy(p)
	if !ok {
		return list
	}
	unlock := f.text(lock.mutex) + "." + strings.Replace(lock.method, "Lock", "Unlock", 1) + "()\n"
	for i, e := range list {
		last := strings.LastIndexByte(e.lines, '\n') + 1
		leaves, _, _ := strings.Cut(strings.TrimSpace(e.lines[last:]), " ")
		if leaves == "return" || (leaves == "continue" || leaves == "break") && lock.loop() == p.loop() {
			list[i].lines = e.lines[:last] + unlock + e.lines[last:]
		}
	}
	return list
}

// heldBy finds the call that has taken a lock which is held at a place, and which the function
// does not release by defer.
func heldBy(p place) (lockUse, bool) {
	fn := p.function()
	uses := map[string][]lockUse{} // by what is locked
	for i, n := range p.path {
		if _, ok := n.(*ast.FuncDecl); ok {
			for _, l := range locks(place{pkg: p.pkg, file: p.file, root: p.root, path: p.path[i:]}) {
				name := types.ExprString(l.mutex)
				uses[name] = append(uses[name], lockUse{lockCall: l})
			}
		}
	}
	for _, list := range uses {
		explicit, otherwise := false, false
		for _, u := range list {
			explicit = explicit || !u.takes() && u.function() == fn && !u.deferred()
			otherwise = otherwise || !u.takes() && (u.function() != fn || u.deferred())
		}
		if l, held := heldAt(list, fn, p.node()); held && explicit && !otherwise {
			return l, true
		}
	}
	return lockUse{}, false
}
