package patch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// RegressionTest is a Go test made from the values of a stop: it fails without
// the fix and passes with it.
type RegressionTest struct {
	Name string `json:"name"` // "TestIndexAddDoesNotPanic"
	// Asserts is all that the test asserts of the call: "does not panic". It is
	// empty in journals from before tests said so.
	Asserts string `json:"asserts,omitempty"`
	// Edit creates a _test.go file, or adds to one; it touches nothing else.
	Edit Edit `json:"edit"`
	// Calls names what the test calls, and where its values come from:
	// "(*Index).Add, as it was called in frame 2".
	Calls string `json:"calls"`
}

// Proves says what it means that the test fails without the fix and passes with
// it: no more than it asserts.
func (t RegressionTest) Proves() string {
	text := t.Name + " fails without it and passes with it"
	if t.Asserts != "" {
		text += ": " + t.Asserts
	}
	return text
}

// ConfirmMark stands in a test beside an answer that nobody has confirmed.
const ConfirmMark = "// new: confirm"

// AssertsOnly is what the comment of a test says that does not assert what a call answers.
func AssertsOnly(asserts string) string { return assertsOnly(asserts, notKnown) }

const notKnown = "the right result is not known"

func assertsOnly(asserts, why string) string {
	return "Asserts only that it " + asserts + ": " + why + "."
}

// Because is the test with the reason in its comment why it asserts no more, a line.
func (t RegressionTest) Because(why string) RegressionTest {
	const most = 160 // bytes
	if why = printable.Line(strings.TrimSuffix(why, ".")); len(why) > most {
		why = strings.ToValidUTF8(why[:most], "") + "…"
	}
	at := t.begins()
	head, rest := t.Edit.After[:at], t.Edit.After[at:]
	t.Edit.After = head + strings.Replace(rest, assertsOnly(t.Asserts, notKnown), assertsOnly(t.Asserts, notKnown+" ("+why+")"), 1)
	return t
}

// begins is where the test begins in its file.
func (t RegressionTest) begins() int {
	return max(strings.LastIndex(t.Edit.After, "\nfunc "+t.Name+"("), 0)
}

// Asks reports whether the test has answers that nobody has confirmed.
func (t RegressionTest) Asks() bool { return strings.Contains(t.Edit.After[t.begins():], ConfirmMark) }

// Confirmed is the test without the marks of answers: a person has confirmed them.
func (t RegressionTest) Confirmed() RegressionTest {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", t.Edit.After, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return t
	}
	var out strings.Builder
	from := 0
	for _, c := range t.marks(file) {
		start, end := fset.Position(c.Pos()).Offset, fset.Position(c.Pos()).Offset+len(c.Text)
		before := strings.TrimRight(t.Edit.After[from:start], " \t")
		if strings.HasSuffix(before, "\n") { // a line of its own
			end += strings.IndexByte(t.Edit.After[end:], '\n') + 1
		}
		out.WriteString(before)
		from = end
	}
	out.WriteString(t.Edit.After[from:])
	t.Edit.After = out.String()
	return t
}

// marks are the comments in the test that mark answers, and the one that says so.
func (t RegressionTest) marks(file *ast.File) []*ast.Comment {
	var list []*ast.Comment
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != t.Name {
			continue
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if fn.Pos() <= c.Pos() && c.End() <= fn.End() && strings.HasPrefix(c.Text, ConfirmMark) {
					list = append(list, c)
				}
			}
		}
	}
	return list
}
