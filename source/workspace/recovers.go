package workspace

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
)

const (
	maxRecoverFiles = 3000 // that are looked into
	maxRecoverBytes = 1 << 20
)

// Recovers lists where the user's modules call recover, as "file:line" relative
// to the root, at most so many; tests are left out. What cannot be read or
// parsed is passed over.
func (w Workspace) Recovers(most int) []string {
	var found []string
	seen := 0
	for _, m := range w.Modules {
		_ = filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil //nolint:nilerr // passed over
			case len(found) >= most || seen >= maxRecoverFiles:
				return filepath.SkipAll
			case d.IsDir() && path != m.Dir && skipped(d.Name()):
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || !w.Owns(path):
				return nil
			}
			if info, err := d.Info(); err != nil || info.Size() > maxRecoverBytes {
				return nil //nolint:nilerr // passed over
			}
			seen++
			for _, line := range recoverLines(path) {
				found = append(found, w.Rel(path)+":"+line)
			}
			return nil
		})
	}
	return found[:min(len(found), most)]
}

// skipped directories hold no code of the module's own.
func skipped(name string) bool {
	return name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// recoverLines are the lines of a file that call recover.
func recoverLines(path string) []string {
	text, err := regular.Read(path)
	if err != nil || !bytes.Contains(text, []byte("recover()")) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var lines []string
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) > 0 {
			return true
		}
		if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "recover" {
			lines = append(lines, strconv.Itoa(fset.Position(call.Pos()).Line))
		}
		return true
	})
	return lines
}
