package patch

import (
	"fmt"
	"go/parser"
	"go/token"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/imports"
)

// Import is an import of a Go file; Name is empty without an explicit one.
type Import struct{ Name, Path string }

// AddImports adds imports to a Go file. Only its import declarations change.
func AddImports(name, src string, add []Import) (string, error) {
	if len(add) == 0 {
		return src, nil
	}
	g, err := parseGo(name, src)
	if err != nil {
		return "", fmt.Errorf("add imports to %q: %w", name, err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("add imports to %q: %w", name, err)
	}
	for _, i := range add {
		astutil.AddNamedImport(fset, f, i.Name, i.Path)
	}
	text, err := FormatNode(fset, f)
	if err != nil {
		return "", fmt.Errorf("add imports to %q: %w", name, err)
	}
	out, err := imports.Process(name, text, &imports.Options{Comments: true, TabIndent: true, TabWidth: 8, FormatOnly: true})
	if err != nil {
		return "", fmt.Errorf("add imports to %q: %w", name, err)
	}
	fixed, err := parseGo(name, string(out))
	if err != nil {
		return "", fmt.Errorf("add imports to %q: %w", name, err)
	}
	return replaceImports(g, fixed), nil
}
