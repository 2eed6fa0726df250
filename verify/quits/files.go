package quits

import (
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/verify/syntax"
)

// changing are the functions that change files, or have another program do so, by the
// packages that export them.
var changing = map[string][]string{
	"os":        {"Create", "OpenFile", "WriteFile", "Remove", "RemoveAll", "Rename", "Truncate", "Link", "Symlink", "OpenRoot", "CopyFS", "StartProcess"},
	"io/ioutil": {"WriteFile"},
	"os/exec":   {"Command", "CommandContext"},
}

// ChangesFiles reports whether an edit of a file adds calls of these.
func ChangesFiles(before, after string) bool {
	left := map[string]int{}
	if was := syntax.Parse(before); was != nil {
		for _, name := range namesOf(was, changing) {
			left[name]++
		}
	}
	now := syntax.Parse(after)
	return now != nil && slices.ContainsFunc(namesOf(now, changing), func(name string) bool {
		left[name]--
		return left[name] < 0
	})
}

// namesOf are the places of a file that name one of the functions: "os.Remove". All of a
// package of system calls count.
func namesOf(s *syntax.File, functions map[string][]string) (names []string) {
	imports := s.Imports()
	for n := range ast.Preorder(s.AST) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if from := operand(n); from != nil {
				if path := imports[from.Name]; slices.Contains(functions[path], n.Sel.Name) || system[path] {
					names = append(names, path+"."+n.Sel.Name)
				}
			}
		case *ast.Ident:
			for path, list := range functions {
				if imports["."+path] != "" && slices.Contains(list, n.Name) {
					names = append(names, path+"."+n.Name)
				}
			}
		}
	}
	return names
}
