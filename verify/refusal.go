package verify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/verdict"
)

// withheld stands for the messages of a compiler that may not leave the machine.
const withheld = "an error that is not sent: its text may hold values of constants"

// refusal is a check for code that the compiler or vet does not take. Of what
// they say only messages about the candidate's own lines may leave the machine,
// and of the others their places. A message that tells the value of a constant,
// or appears only for some values, is not sent at all: a candidate would
// otherwise learn any constant of the program by naming it.
func (a *patched) refusal(diagnostics []build.Diagnostic, otherwise string) verdict.Check {
	check := fail("%s", a.v.list(diagnostics, otherwise))
	own, added := a.ownLines(), a.addedText()
	var shown []build.Diagnostic
	for _, d := range diagnostics {
		switch {
		case own == nil || tellsValues(d.Message, added):
			continue
		case !own(d):
			d.Message = "an error"
		}
		shown = append(shown, d)
	}
	if len(shown) < len(diagnostics) {
		shown = append(shown, build.Diagnostic{Message: withheld})
	}
	return elsewhere(check, "%s", a.v.list(shown, "it does not build"))
}

var (
	// counts are numbers that the compiler has counted in the source.
	counts = regexp.MustCompile(`\b\d+ (variables?|values?|arguments?)\b`)
	// literalOperand follows an operand that is a literal itself.
	literalOperand = regexp.MustCompile(`\(untyped \w+ constant\)`)
	// unused names an import of the file.
	unused = regexp.MustCompile(`^"[^"]*" imported (as \w+ )?and not used`)
	// byValue are words of messages that appear for some values of constants and
	// not for others: of the type checker, and of vet's look at formats.
	byValue = regexp.MustCompile(`(?i)constant|duplicate|overflow|truncat|out of (bounds|range)|by zero|negative|too (large|small|big)|larger|shift|always|never|%|\[\d`)
	// literals are quoted texts and numbers.
	literals = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'(?:[^'\\\\]|\\\\.)+'|\\b\\d[\\w.]*")
)

// tellsValues reports whether a message quotes a value that the candidate's own
// text does not hold, or appears only for some values of constants.
func tellsValues(message, added string) bool {
	if unused.MatchString(message) {
		return false
	}
	message = counts.ReplaceAllString(literalOperand.ReplaceAllString(message, ""), "")
	if byValue.MatchString(message) {
		return true
	}
	for _, l := range literals.FindAllString(message, -1) {
		if !strings.Contains(added, l) {
			return true
		}
	}
	return strings.ContainsAny(literals.ReplaceAllString(message, ""), "\"`")
}

// addedText is what the candidate adds to the source, line by line.
func (a *patched) addedText() string {
	var b strings.Builder
	for _, e := range a.candidate.Edits {
		for _, h := range patch.Hunks(e) {
			for _, l := range h.Lines {
				if l.Op == patch.Add {
					b.WriteString(l.Text + "\n")
				}
			}
		}
	}
	return b.String()
}

// ownLines reports whether a message is about a declaration that the candidate
// changes, or its imports. It is nil where places cannot be trusted: with cgo the C
// compiler quotes the files that it was made to include, under any place that they claim.
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
			return nil
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
