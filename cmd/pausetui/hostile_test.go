package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/clitest"
)

func TestErrorsAreHarmless(t *testing.T) {
	clitest.Harmless(t, 4, func(w io.Writer, words string) { printError(w, advice.Add(errors.New(words), words), newRoot(), nil) })
	clitest.Harmless(t, 2, func(w io.Writer, words string) { _ = cli.PrintLines(w, []string{words}) })
}

// TestNoLineIsForged: what a command prints for people goes through the functions that keep
// the words of others out of lines of ours.
func TestNoLineIsForged(t *testing.T) {
	files := []string{"../../fix/text.go"}
	for _, pattern := range []string{"*.go", "../../internal/cli/*.go", "../../internal/cli/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && (strings.HasPrefix(s.Sel.Name, "Fprint") || strings.HasPrefix(s.Sel.Name, "Print")) {
				if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "fmt" {
					t.Errorf("%s prints by fmt.%s: use package printable", name, s.Sel.Name)
				}
			}
			return true
		})
	}
}
