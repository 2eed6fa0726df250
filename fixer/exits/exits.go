// Package exits finds how a function can refuse a bad value: the error it returns, the item
// it skips, the reply it sends, as the code around does.
package exits

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/analysis"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// Finder finds how the function at the fault can refuse the bad value: the
// error it returns, the item it skips, the reply it sends.
type Finder struct {
	*analysis.Analysis
	missing string // what is nil while ways to refuse it are made; see ExitsWithout
}

// Exit is a way to leave the statement list when a value is bad.
type Exit struct {
	Lines   string // statements
	Imports []string
	Weight  Weight
	How     string // completes "… and": "returns an error"
	Edit    func(*code.Change) bool
	Grounds string // what in the code calls for it; may be empty
}

// Message is the text of a refusal: a format and the expressions it takes.
type Message struct {
	Format string
	Args   []string
}

// withoutEveryCall drops the ways to leave that would be taken in every call.
func (f *Finder) withoutEveryCall(p syntax.Place, list []Exit) []Exit {
	if f.Every.Value || f.Every.Loop != nil && len(p.Path) > 1 && p.Path[1] == ast.Node(f.Every.Loop) {
		return nil
	}
	return list
}

// quoted is the message as the arguments of a printf-like function, or plain text without any.
func (m Message) quoted() string {
	if len(m.Args) == 0 {
		return strconv.Quote(strings.ReplaceAll(m.Format, "%%", "%"))
	}
	return strconv.Quote(m.Format) + ", " + strings.Join(m.Args, ", ")
}

// errorText writes an error with this message for a file.
func (m Message) errorText(file *ast.File) (text, path string) {
	if len(m.Args) == 0 {
		if syntax.ImportsPath(file, "errors") || !syntax.ImportsPath(file, "fmt") {
			return syntax.PkgName(file, "errors") + ".New(" + m.quoted() + ")", "errors"
		}
		return syntax.PkgName(file, "fmt") + ".Errorf(" + strconv.Quote(m.Format) + ")", "fmt"
	}
	return syntax.PkgName(file, "fmt") + ".Errorf(" + m.quoted() + ")", "fmt"
}

// Exits lists the ways to refuse a bad value at a place, the best first.
// cause is the expression of an error at hand, or empty for a new one.
func (f *Finder) Exits(p syntax.Place, m Message, cause string) []Exit {
	return f.released(p, f.withoutEveryCall(p, f.allExits(p, m, cause)))
}

func (f *Finder) allExits(p syntax.Place, m Message, cause string) []Exit {
	var list []Exit
	if cause == "" {
		list = append(f.alikeExits(p), f.meantExits(p)...)
	}
	reported := len(list)
	if e, ok := f.ErrorReturn(p, m, cause); ok {
		list = append(list, e)
	}
	if e, ok := httpReply(p, m); ok {
		list = append(list, e)
	}
	if len(list) > reported {
		return list
	}
	if e, ok := f.falseReturn(p); ok {
		list = append(list, e)
	}
	if e, ok := f.skipItem(p, m, cause); ok {
		list = append(list, e)
	}
	if skipsElsewhere(p) {
		list = append(list, Exit{Lines: "continue", Weight: Handled + 3, How: "goes on with the next item as it does elsewhere"})
	}
	if e, ok := f.skipGoroutine(p, m); ok {
		list = append(list, e)
	}
	if e, ok := f.addErrorResult(p, m, cause); ok {
		list = append(list, e)
	}
	if e, ok := quitMain(p, m, cause); ok {
		list = append(list, e)
	}
	if e, ok := f.customaryReturn(p); ok {
		return append(list, e)
	}
	if e, ok := f.unchangedReturn(p); ok {
		list = append(list, e)
	}
	if e, ok := zeroReturn(p); ok {
		list = append(list, e)
	}
	return list
}

// meantExits lists the ways that the code itself names: a test, a comment, and what the
// neighboring code does.
func (f *Finder) meantExits(p syntax.Place) []Exit {
	var list []Exit
	add := func(m meant, ok bool) {
		if ok {
			list = append(list, Exit{Lines: m.lines, Imports: m.imports, Weight: m.weight, How: m.how, Grounds: m.grounds})
		}
	}
	if p.Loop() == nil {
		add(f.testWants(p))
	}
	return list
}

// ErrorReturn returns an error where the function has one among its results.
func (f *Finder) ErrorReturn(p syntax.Place, m Message, cause string) (Exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() == 0 {
		return Exit{}, false
	}
	last := sig.Results().At(sig.Results().Len() - 1).Type()
	if !syntax.ImplementsError(last) {
		return Exit{}, false
	}
	rest, ok := syntax.ZeroResults(p, sig, 1)
	if !ok {
		return Exit{}, false
	}
	text, path := cause, ""
	if text == "" {
		own, found := f.ownError(p, m)
		found = found && !goesThrough(own, f.missing)
		named, known := f.sentinelFor(p, last)
		elsewhere := ""
		if !found && !known && !syntax.IsError(last) {
			elsewhere = f.errorElsewhere(p)
		}
		switch {
		case known && !found:
			return Exit{Lines: "return " + syntax.Join(rest, named.text), Weight: Handled - 2, How: "returns " + named.text}, true
		case elsewhere != "":
			return Exit{Lines: elsewhere, Weight: Handled, How: "returns an error as it does elsewhere"}, true
		case found:
			text = own
			if strings.Contains(own, "fmt.") {
				path = "fmt"
			}
		case syntax.IsError(last):
			text, path = f.readable(f.prefixed(p, m), m).errorText(p.File)
		default:
			return Exit{}, false
		}
	} else if !syntax.IsError(last) {
		return Exit{}, false
	}
	return Exit{Lines: "return " + syntax.Join(rest, text), Imports: []string{path}, Weight: Handled, How: "returns an error"}, true
}

// httpReply answers a request with a failure.
func httpReply(p syntax.Place, m Message) (Exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() != 0 || sig.Params().Len() < 2 {
		return Exit{}, false
	}
	w, r := sig.Params().At(0), sig.Params().At(1)
	if types.TypeString(w.Type(), nil) != "net/http.ResponseWriter" || types.TypeString(r.Type(), nil) != "*net/http.Request" || w.Name() == "" || w.Name() == "_" {
		return Exit{}, false
	}
	text := m.quoted()
	path := ""
	if len(m.Args) > 0 {
		text, path = syntax.PkgName(p.File, "fmt")+".Sprintf("+m.quoted()+")", "fmt"
	}
	http := syntax.PkgName(p.File, "net/http")
	status := "StatusInternalServerError"
	if strings.HasPrefix(m.Format, "no ") || strings.Contains(m.Format, "not found") {
		status = "StatusNotFound"
	}
	lines := fmt.Sprintf("%s.Error(%s, %s, %s.%s)\nreturn", http, w.Name(), text, http, status)
	return Exit{Lines: lines, Imports: []string{path}, Weight: Handled, How: "answers the request with an error"}, true
}

// falseReturn returns "not there" from a function that can say so.
func (f *Finder) falseReturn(p syntax.Place) (Exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() < 2 {
		return Exit{}, false
	}
	last := sig.Results().At(sig.Results().Len() - 1).Type()
	if b, ok := last.Underlying().(*types.Basic); !ok || b.Kind() != types.Bool {
		return Exit{}, false
	}
	if text := f.customary(p, endsFalse); text != "" {
		return Exit{Lines: text, Weight: Handled, How: "returns false as it does elsewhere"}, true
	}
	rest, ok := syntax.ZeroResults(p, sig, 1)
	return Exit{Lines: "return " + syntax.Join(rest, "false"), Weight: Handled, How: "returns false"}, ok
}

// skipItem passes over one item of a loop, with a word.
func (f *Finder) skipItem(p syntax.Place, m Message, cause string) (Exit, bool) {
	if !overItems(p) || !f.mayPrint(p) {
		return Exit{}, false
	}
	text := m.skipped().printed(p.File)
	paths := []string{"fmt", "os"}
	if cause != "" {
		text = fmt.Sprintf("%s.Fprintln(%s.Stderr, \"skipped:\", %s)", syntax.PkgName(p.File, "fmt"), syntax.PkgName(p.File, "os"), cause)
	}
	if syntax.ImportsPath(p.File, "log") {
		paths = nil
		text = syntax.PkgName(p.File, "log") + ".Printf(" + m.skipped().formatted() + ")"
		if cause != "" {
			text = syntax.PkgName(p.File, "log") + ".Println(\"skipped:\", " + cause + ")"
		}
	}
	return Exit{Lines: text + "\ncontinue", Imports: paths, Weight: Handled + 2, How: "says so and goes on with the next item"}, true
}

// skipsElsewhere reports whether the loop over items around a place passes over some of them
// before it, without a word.
func skipsElsewhere(p syntax.Place) bool {
	if !overItems(p) {
		return false
	}
	for i := 0; i+2 < len(p.Path); i++ {
		if p.Path[i+2] != ast.Node(p.Loop()) {
			continue
		}
		for _, s := range syntax.Statements(p.Path[i+1]) {
			if s.Pos() >= p.Path[i].Pos() {
				return false
			}
			if check, ok := s.(*ast.IfStmt); ok && check.Else == nil && len(check.Body.List) == 1 {
				if b, ok := check.Body.List[0].(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil {
					return true
				}
			}
		}
	}
	return false
}

// skipGoroutine returns in one of many goroutines, with a word.
func (f *Finder) skipGoroutine(p syntax.Place, m Message) (Exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() > 0 || !f.mayPrint(p) || !f.RunsAsGoroutine(p) || !f.StartedInLoop(p) {
		return Exit{}, false
	}
	text, paths := m.skipped().printed(p.File), []string{"fmt", "os"}
	if syntax.ImportsPath(p.File, "log") {
		text, paths = syntax.PkgName(p.File, "log")+".Printf("+m.skipped().formatted()+")", nil
	}
	return Exit{Lines: text + "\nreturn", Imports: paths, Weight: Handled + 2, How: "says so and returns"}, true
}

// StartedInLoop reports whether the goroutine of a place is one of many.
func (f *Finder) StartedInLoop(p syntax.Place) bool {
	switch fn := p.Function().(type) {
	case *ast.FuncLit:
		at := p.Of(fn)
		return len(at.Path) > 1 && at.Outside().Loop() != nil
	case *ast.FuncDecl:
		for _, g := range f.GoStatements(p, fn) {
			if g.Loop() != nil {
				return true
			}
		}
	}
	return false
}

// overItems reports whether the loop goes over items that it does not change
// what the loop waits for: range loops and counting loops.
func overItems(p syntax.Place) bool {
	switch l := p.Loop().(type) {
	case *ast.RangeStmt:
		return true
	case *ast.ForStmt:
		if l.Post != nil {
			return true
		}
		// for scanner.Scan() {…} moves on by its condition.
		call, ok := l.Cond.(*ast.CallExpr)
		return ok && call != nil
	}
	return false
}

// skipped says of what the message tells that it was skipped.
func (m Message) skipped() Message { return Message{"skipped: " + m.Format, m.Args} }

// printed writes the message to standard error.
func (m Message) printed(file *ast.File) string {
	fmtName, osName := syntax.PkgName(file, "fmt"), syntax.PkgName(file, "os")
	if len(m.Args) == 0 {
		return fmt.Sprintf("%s.Fprintln(%s.Stderr, %s)", fmtName, osName, m.quoted())
	}
	return fmt.Sprintf("%s.Fprintf(%s.Stderr, %s)", fmtName, osName, Message{m.Format + "\n", m.Args}.quoted())
}

// quitMain ends the program with a message and exit code 1.
func quitMain(p syntax.Place, m Message, cause string) (Exit, bool) {
	d, ok := p.Function().(*ast.FuncDecl)
	if !ok || d.Recv != nil || d.Name.Name != "main" || p.Pkg.Name != "main" {
		return Exit{}, false
	}
	if syntax.ImportsPath(p.File, "log") {
		log := syntax.PkgName(p.File, "log")
		text := log + ".Fatalf(" + m.formatted() + ")"
		if cause != "" {
			text = log + ".Fatal(" + cause + ")"
		}
		return Exit{Lines: text, Weight: Handled + 5, How: "ends with a message and exit code 1"}, true
	}
	text := m.printed(p.File)
	if cause != "" {
		text = fmt.Sprintf("%s.Fprintln(%s.Stderr, %s)", syntax.PkgName(p.File, "fmt"), syntax.PkgName(p.File, "os"), cause)
	}
	text += "\n" + syntax.PkgName(p.File, "os") + ".Exit(1)"
	return Exit{Lines: text, Imports: []string{"fmt", "os"}, Weight: Handled + 5, How: "ends with a message and exit code 1"}, true
}

// zeroReturn gives up in silence.
func zeroReturn(p syntax.Place) (Exit, bool) {
	sig := p.Signature()
	if sig == nil {
		return Exit{}, false
	}
	if sig.Results().Len() == 0 {
		return Exit{Lines: "return", Weight: Hiding, How: "returns without doing its work"}, true
	}
	rest, ok := syntax.ZeroResults(p, sig, 0)
	return Exit{Lines: "return " + rest, Weight: Hiding, How: "returns " + rest}, ok
}

// Weight orders candidates: smaller comes first.
type Weight int

const (
	Origin  Weight = iota * 10 // where the bad value comes from
	Handled                    // the bad value is refused, and the caller learns of it
	Soft                       // the statement copes with the bad value
	Hiding                     // the work is left out in silence
)

// Confidence is a weight as proposers of all kinds state it: above 0 at the
// origin, below 0 where the statement copes.
func (w Weight) Confidence() int { return int(Handled - w) }

// mayPrint reports whether a function may write messages of its own: main, and
// what main calls. A library leaves that to its callers.
func (f *Finder) mayPrint(p syntax.Place) bool {
	d := p.Declaration()
	if d == nil || p.Pkg.Name != "main" {
		return false
	}
	if d.Recv == nil && d.Name.Name == "main" {
		return true
	}
	fn, ok := p.Info().Defs[d.Name].(*types.Func)
	if !ok {
		return false
	}
	calls, _ := f.CallsOf(fn)
	for _, c := range calls {
		if by := c.Declaration(); by != nil && by.Recv == nil && by.Name.Name == "main" {
			return true
		}
	}
	return false
}
