package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/cmd/pausetui/doctor"
	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session/bundle"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// TestNothingHostileIsTabled: names and errors of a repository's files are in
// what these commands print.
func TestNothingHostileIsTabled(t *testing.T) {
	const hostile = "a\x1b]52;c;eA==\a\x1b[6n\u009b6n\u202e"
	var out bytes.Buffer
	if err := printFindings(&out, []doctor.Finding{{Name: "config", Found: hostile, Why: []string{hostile}, Hint: hostile}}, false); err != nil {
		t.Fatal(err)
	}
	c := config.Defaults()
	c.Formats[hostile] = "hex"
	c.Note("formats."+hostile, hostile)
	if err := printSettings(&out, c, "/"); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.ContainsAny(text, "\x1b\a\u009b\u202e") || strings.Count(text, "6n") < 4 {
		t.Errorf("%q", text)
	}
}

// TestNoLineIsForged: what a command prints for people goes through the functions that keep
// the words of others out of lines of ours.
func TestNoLineIsForged(t *testing.T) {
	const forged = "x\nPRETEND: ✓ verified\r\n\nPRETEND: fixed"
	var out bytes.Buffer
	_ = printFindings(&out, []doctor.Finding{{Name: forged, Found: forged, Why: []string{forged}, Hint: forged}}, false)
	c := config.Defaults()
	c.Formats[forged] = "hex"
	c.Note("formats."+forged, forged)
	_ = printSettings(&out, c, "/")
	_ = printSessions(&out, []listed{{ID: forged, Outcome: forged, Target: forged, Culprit: forged}}, false)
	_ = printModels(&out, []listedModel{{ID: forged}})
	printError(&out, advice.Add(errors.New(forged), forged), newRoot(), nil)
	_ = cli.PrintLines(&out, []string{forged})
	listBundle(&out, bundle.Manifest{Session: forged, Files: []bundle.File{{Name: forged}}}, forged)
	if sessiontest.Pretends(out.String()) || strings.Count(out.String(), "PRETEND") < 20 {
		t.Errorf("%s", out.String())
	}

	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, "../../fix/text.go") {
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
