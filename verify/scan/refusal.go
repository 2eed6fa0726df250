package scan

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// withheld stands for the messages of a compiler that may not leave the machine.
const withheld = "errors that are not sent, because what they say may depend on values: of types, of constants"

// Refusal is a check for code that the compiler or vet does not take. Of what
// they say only messages about the candidate's own lines may leave the machine,
// and of the others their places. Of a message that may depend on the value of a
// constant not even the place is sent, nor how many there are: a candidate would
// otherwise learn any constant of the program by naming it.
func Refusal(v *subject.Target, edits []patch.Edit, diagnostics []build.Diagnostic, otherwise string) verdict.Check {
	check := finding.Fail("%s", v.List(diagnostics, otherwise))
	own, lengths := ownLines(v, edits), computesLengths(edits)
	var shown []build.Diagnostic
	for _, d := range diagnostics {
		switch {
		case own == nil || !Sendable(d.Message, lengths):
			continue
		case !own(d):
			d.Message = "an error"
		}
		shown = append(shown, d)
	}
	if len(shown) < len(diagnostics) {
		shown = append(shown, build.Diagnostic{Message: withheld})
	}
	return finding.Elsewhere(check, "%s", v.List(shown, "it does not build"))
}

// nameMessages are messages that say nothing of values: they come from names and from
// syntax.
var nameMessages = []*lazyregexp.Regexp{
	lazyregexp.New(`^undefined: [\pL_][\pL\d_.]*$`),
	lazyregexp.New(`^declared and not used: [\pL_][\pL\d_]*$`),
	lazyregexp.New(`^"[^"\s]*" imported (as [\pL\d_]+ )?and not used$`),
	lazyregexp.New(`^missing return$`),
	lazyregexp.New(`^no new variables on left side of :=$`),
	lazyregexp.New(`^[\pL_][\pL\d_]* redeclared in this block$`),
	lazyregexp.New(`^label [\pL_][\pL\d_]* (not )?defined( and not used)?$`),
	lazyregexp.New(`^syntax error: `),
	lazyregexp.New(`^unreachable code$`),
}

// typeMessages are messages that come from types. These depend on a constant where it is
// the length of an array, and only there.
var typeMessages = []*lazyregexp.Regexp{
	lazyregexp.New(`^cannot (use|convert|assign to|call|range over|infer|index|slice) `),
	lazyregexp.New(`^(assignment mismatch|impossible type assertion|invalid operation): `),
	lazyregexp.New(`^[\pL_][\pL\d_.]* undefined \(type `),
	lazyregexp.New(`^(not enough|too many) (arguments|return values)`),
	lazyregexp.New(`^missing .* method `),
}

var (
	// counts are numbers that the compiler has counted in the source, and operands
	// literals that stand there.
	counts = lazyregexp.New("\\b\\d+ (variables?|values?|arguments?)\\b|(\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|'(?:[^'\\\\]|\\\\.)+'|\\b\\d[\\w.]*|\\b[tf][a-z]+) \\(untyped \\w+ constant\\)")
	// byValue matches what such a message says of a value.
	byValue = lazyregexp.New("(?i)constant|overflow|truncat|out of (bounds|range)|by zero|negative|too (large|small|big)|larger|shift|duplicate|%|[\"`]|(^|[^\\pL\\d_])\\d")
)

// Sendable reports whether a message cannot depend on the value of a constant.
// lengths tells that the candidate's code computes the length of an array.
func Sendable(message string, lengths bool) bool {
	is := func(r *lazyregexp.Regexp) bool { return r.MatchString(message) }
	return slices.ContainsFunc(nameMessages, is) ||
		!lengths && slices.ContainsFunc(typeMessages, is) && !byValue.MatchString(counts.ReplaceAllString(message, ""))
}

// computesLengths reports whether a file that the candidate changes has an array
// type whose length is no plain number.
func computesLengths(edits []patch.Edit) bool {
	for _, e := range edits {
		file := syntax.Parse(e.After)
		if file == nil {
			continue // it has messages about its syntax alone
		}
		for t := range syntax.All[*ast.ArrayType](file.AST) {
			if _, plain := t.Len.(*ast.BasicLit); t.Len != nil && !plain {
				return true
			}
		}
	}
	return false
}

// ownLines reports whether a message is about a declaration that the candidate
// changes, or its imports. It is nil where places cannot be trusted: with cgo the C
// compiler quotes the files that it was made to include, under any place that they claim.
func ownLines(v *subject.Target, edits []patch.Edit) func(build.Diagnostic) bool {
	type lines struct{ from, to int }
	own := map[string][]lines{}
	for _, e := range edits {
		file := syntax.Parse(e.After)
		if file == nil {
			continue
		}
		if file.Cgo() || strings.Contains(e.After, "//line ") || strings.Contains(e.After, "/*line ") {
			return nil
		}
		name := filepath.Clean(v.Subject.Workspace.Abs(e.File))
		changed := changedLines(e)
		for _, d := range file.AST.Decls {
			span := lines{file.Line(d.Pos()), file.Line(d.End())}
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
// that are where it took some out.
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
