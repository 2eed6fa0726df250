// Package scan reads the text of edits for what no later check, and no reader of a diff, is
// sure to find: hidden characters, work for more than the Go compiler, another toolchain. It
// says what of a compiler's messages may leave the machine.
package scan

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// hiddenIn names the characters of a candidate that are invisible in its
// diff.
func hiddenIn(edits []patch.Edit) []string {
	var found []string
	for _, e := range edits {
		if strings.ContainsFunc(e.File, unicode.IsControl) { // the end of a line, too: what follows would be read as the next line of the diff
			found = append(found, fmt.Sprintf("the name %q holds a control character", e.File))
		}
		for _, h := range patch.HiddenIn("", e.File) {
			found = append(found, fmt.Sprintf("the name %s holds %v", patch.Visible(e.File), h))
		}
		for _, h := range patch.HiddenIn(e.Before, e.After) {
			found = append(found, fmt.Sprintf("%s:%d:%d: %v: write it as an escape", patch.Visible(e.File), h.Line, h.Column, h))
		}
	}
	return found
}

// native are the ends of names of files that the go command gives to others
// than the Go compiler, or to the linker as they are.
var native = []string{".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".for", ".f90", ".s", ".sx", ".syso", ".swig", ".swigcxx"}

// directives are the beginnings of comments that have the toolchain read files,
// run programs, pass by the language's own rules or report other lines.
var directives = []string{"//go:embed", "//go:generate", "//go:linkname", "//go:cgo_", "//export ", "//line ", "/*line "}

// ownFiles is what the names of the files that proofs add begin with, without the digit that has
// one stand first: they would take the place of a candidate's own.
const ownFiles = "pausetui_"

// beyondGo names what a candidate adds that has the toolchain do more than
// compile Go: read files of its choice, run a C compiler, or pass by the rules
// of the language. What a file had before it may keep.
func beyondGo(edits []patch.Edit) []string {
	var found []string
	for _, e := range edits {
		name := strings.ToLower(filepath.Base(e.File))
		switch {
		case !e.Create:
		case strings.HasPrefix(strings.TrimPrefix(name, "0-"), ownFiles):
			found = append(found, e.File+": files of that name take part in the proof only")
			continue
		case strings.HasSuffix(name, ".go") && name < instrument.First:
			found = append(found, e.File+": its variables would be set up before what watches the proof; give it a name that begins with a letter")
			continue
		}
		if slices.Contains(native, strings.ToLower(filepath.Ext(e.File))) {
			found = append(found, e.File+": it is not Go")
			continue
		}
		if !strings.HasSuffix(e.File, ".go") {
			continue
		}
		had := map[string]int{}
		for _, p := range powers(e.File, e.Before) {
			had[p.key]++
		}
		for _, p := range powers(e.File, e.After) {
			if had[p.key]--; had[p.key] < 0 {
				found = append(found, fmt.Sprintf("%s:%d: %s", e.File, p.line, p.what))
			}
		}
	}
	return found
}

// partlyBuilt names the Go files that come to be part of only those builds of a proof
// in which the race detector is, or is not.
func partlyBuilt(v *subject.Target, edits []patch.Edit) []string {
	var found []string
	for _, e := range edits {
		partly := func(text string) bool { return v.IsBuiltAs(e.File, text) != v.IsBuiltAs(e.File, text, "race") }
		if strings.HasSuffix(e.File, ".go") && partly(e.After) && (e.Create || !partly(e.Before)) {
			found = append(found, e.File+": whether it is built depends on the race detector")
		}
	}
	return found
}

// power is one thing in a file that directs the toolchain.
type power struct {
	key  string // with all that it says
	what string
	line int
}

// powers finds them in a file's text; in one that does not parse, as far as it
// does.
func powers(name, text string) []power {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var found []power
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			for _, spec := range g.Specs {
				if s, ok := spec.(*ast.ImportSpec); ok && syntax.ImportsC(s) {
					key := "C" + written(g.Doc) + written(s.Doc)
					found = append(found, power{key: key, what: `import "C" is new, or what stands above it`, line: set.Position(s.Pos()).Line})
				}
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			for _, d := range directives {
				if strings.HasPrefix(c.Text, d) {
					found = append(found, power{key: c.Text, what: strings.TrimSpace(d) + " is new", line: set.Position(c.Pos()).Line})
				}
			}
		}
	}
	return found
}

// written is a comment with its marks.
func written(group *ast.CommentGroup) string {
	text := ""
	if group != nil {
		for _, c := range group.List {
			text += "\x00" + c.Text
		}
	}
	return text
}

// Refuse fails edits for what no later check, and no reader of its diff,
// is sure to find.
func Refuse(v *execute.Runner, edits []patch.Edit) (verdict.Check, bool) {
	if found := hiddenIn(edits); len(found) > 0 {
		return finding.Open(finding.Fail("characters that are invisible in print:\n%s", finding.Some(found))), true
	}
	if found := newerToolchains(edits, v.Subject.Workspace.Go); len(found) > 0 {
		return finding.Open(finding.Fail("it asks for another Go toolchain than that of the proof:\n%s", finding.Some(found))), true
	}
	found := slices.Concat(beyondGo(edits), included(v.Target, edits), partlyBuilt(v.Target, edits))
	if len(found) == 0 || v.Allows(verdict.AllowDirectives) && v.Runs() {
		return verdict.Check{}, false
	}
	check := finding.Open(finding.Fail("it makes the toolchain do more than compile Go:\n%s", finding.Some(found)))
	if !v.Runs() {
		check.Detail += "\nit can be allowed only where fixes may be run: " + sandbox.ErrNoSandbox.Error()
		return check, true
	}
	check.Blocked = []string{verdict.AllowDirectives}
	return check, true
}
