package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A candidate is unread code, and it may print whatever it can
// read, reversed or encoded, so that no redaction knows it. What of a failed
// check may go to another machine unseen (verdict.Check.Elsewhere) is therefore
// made of parts that the candidate's run does not choose, and never cut out of
// what it printed. What it can still choose is one of the classes, and a line
// of a file that exists.

// elsewhere adds to a check what may be said of it to another machine.
func elsewhere(c verdict.Check, format string, args ...any) verdict.Check {
	c.Elsewhere = fmt.Sprintf(format, args...)
	return c
}

// open is for a check that says nothing that a run has printed.
func open(c verdict.Check) verdict.Check { return elsewhere(c, "%s", c.Detail) }

// classOf says of a crash its class and place: not its message, which may be
// anything, unless it is that of the stop.
func (a *patched) classOf(c crash.Crash) string {
	text := "a stop of the class " + string(c.Class)
	if f, ok := c.Culprit(a.v.own); ok {
		text += a.placeOf(f.File, f.Line)
	}
	if stop := a.v.subject.Stop.Panic; stop != nil && c.Message != "" && c.Message == stop.Message {
		text += ", with the same message"
	}
	return text
}

// placeOf names a line of a source file that there is, with the function around
// it: traces are text, and a program can print its own.
func (a *patched) placeOf(file string, line int) string {
	if !filepath.IsAbs(file) || filepath.Ext(file) != ".go" {
		return ""
	}
	source, err := a.v.source(file, a.overlay)
	if err != nil || line < 1 || line > 1+strings.Count(source, "\n") {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", a.v.subject.Workspace.Rel(file), line)
}

// endingClass says how a run ended, but for its exit code: that is a byte of the
// candidate's choice.
func endingClass(r sandbox.Result) string {
	if r.Alive() || r.Limit != "" || r.Signal != "" || r.ExitCode == 0 {
		return ending(r)
	}
	return "ended with an exit code that is not 0"
}

// refusal is a check for code that the compiler or vet does not take. Of what
// they say only the messages about the candidate's own lines may leave the
// machine; of the others their places.
func (a *patched) refusal(diagnostics []build.Diagnostic, otherwise string) verdict.Check {
	check := fail("%s", a.v.list(diagnostics, otherwise))
	own := a.ownLines()
	shown := slices.Clone(diagnostics)
	for i, d := range shown {
		if !own(d) {
			shown[i].Message = "an error"
		}
	}
	return elsewhere(check, "%s", a.v.list(shown, "it does not build"))
}

// ownLines reports whether a message is about a declaration that the candidate
// changes, or its imports. With cgo nothing is: the C compiler quotes the files
// that it was made to include, under any place that they claim.
func (a *patched) ownLines() func(build.Diagnostic) bool {
	type lines struct{ from, to int }
	own := map[string][]lines{}
	for _, e := range a.candidate.Edits {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, e.File, e.After, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		if slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` }) || strings.Contains(e.After, "//line ") || strings.Contains(e.After, "/*line ") {
			return func(build.Diagnostic) bool { return false }
		}
		name := filepath.Clean(a.v.subject.Workspace.Abs(e.File))
		changed := changedLines(e)
		for _, d := range file.Decls {
			span := lines{set.Position(d.Pos()).Line, set.Position(d.End()).Line}
			g, ok := d.(*ast.GenDecl)
			if ok && g.Tok == token.IMPORT || slices.ContainsFunc(changed, func(n int) bool { return span.from <= n && n <= span.to }) {
				own[name] = append(own[name], span)
			}
		}
	}
	return func(d build.Diagnostic) bool {
		return !strings.Contains(d.Message, "\n") &&
			slices.ContainsFunc(own[filepath.Clean(d.File)], func(s lines) bool { return s.from <= d.Line && d.Line <= s.to })
	}
}

// changedLines are the lines of the edited text that an edit has changed, or
// that stand where it took some out.
func changedLines(e patch.Edit) []int {
	var changed []int
	for _, h := range patch.Hunks(e) {
		at := h.NewStart
		for _, l := range h.Lines {
			if l.Op != patch.Same {
				changed = append(changed, at)
			}
			if l.Op != patch.Del {
				at++
			}
		}
	}
	return changed
}
