package fixer

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// message is the text of a refusal: a format and the expressions it takes.
type message struct {
	format string
	args   []string
}

// quoted is the message as the arguments of a printf-like function, or plain text without any.
func (m message) quoted() string {
	if len(m.args) == 0 {
		return strconv.Quote(strings.ReplaceAll(m.format, "%%", "%"))
	}
	return strconv.Quote(m.format) + ", " + strings.Join(m.args, ", ")
}

// errorText writes an error with this message for a file.
func (m message) errorText(file *ast.File) (text, path string) {
	if len(m.args) == 0 {
		if syntax.ImportsPath(file, "errors") || !syntax.ImportsPath(file, "fmt") {
			return syntax.PkgName(file, "errors") + ".New(" + m.quoted() + ")", "errors"
		}
		return syntax.PkgName(file, "fmt") + ".Errorf(" + strconv.Quote(m.format) + ")", "fmt"
	}
	return syntax.PkgName(file, "fmt") + ".Errorf(" + m.quoted() + ")", "fmt"
}

// exit is a way to leave the statement list when a value is bad.
type exit struct {
	lines   string // statements
	imports []string
	weight  weight
	how     string // completes "… and": "returns an error"
	edit    func(*code.Change) bool
	grounds string // what in the code calls for it; may be empty
}

// exits lists the ways to refuse a bad value at a place, the best first.
// cause is the expression of an error at hand, or empty for a new one.
func (f *exitFinder) exits(p syntax.Place, m message, cause string) []exit {
	return f.released(p, f.withoutEveryCall(p, f.allExits(p, m, cause)))
}

func (f *exitFinder) allExits(p syntax.Place, m message, cause string) []exit {
	var list []exit
	if cause == "" {
		list = append(f.alikeExits(p), f.meantExits(p)...)
	}
	reported := len(list)
	if e, ok := f.errorReturn(p, m, cause); ok {
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
		list = append(list, exit{lines: "continue", weight: handled + 3, how: "goes on with the next item as it does elsewhere"})
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
func (f *exitFinder) meantExits(p syntax.Place) []exit {
	var list []exit
	add := func(m meant, ok bool) {
		if ok {
			list = append(list, exit{lines: m.lines, imports: m.imports, weight: m.weight, how: m.how, grounds: m.grounds})
		}
	}
	if p.Loop() == nil {
		add(f.testWants(p))
	}
	return list
}

func (f *exitFinder) errorReturn(p syntax.Place, m message, cause string) (exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() == 0 {
		return exit{}, false
	}
	last := sig.Results().At(sig.Results().Len() - 1).Type()
	if !syntax.ImplementsError(last) {
		return exit{}, false
	}
	rest, ok := syntax.ZeroResults(p, sig, 1)
	if !ok {
		return exit{}, false
	}
	text, path := cause, ""
	if text == "" {
		own, found := f.ownError(p, m)
		found = found && !goesThrough(own, f.Missing)
		named, known := f.sentinelFor(p, last)
		elsewhere := ""
		if !found && !known && !syntax.IsError(last) {
			elsewhere = f.errorElsewhere(p)
		}
		switch {
		case known && !found:
			return exit{lines: "return " + syntax.Join(rest, named.text), weight: handled - 2, how: "returns " + named.text}, true
		case elsewhere != "":
			return exit{lines: elsewhere, weight: handled, how: "returns an error as it does elsewhere"}, true
		case found:
			text = own
			if strings.Contains(own, "fmt.") {
				path = "fmt"
			}
		case syntax.IsError(last):
			text, path = f.readable(f.prefixed(p, m), m).errorText(p.File)
		default:
			return exit{}, false
		}
	} else if !syntax.IsError(last) {
		return exit{}, false
	}
	return exit{lines: "return " + syntax.Join(rest, text), imports: []string{path}, weight: handled, how: "returns an error"}, true
}

// httpReply answers a request with a failure.
func httpReply(p syntax.Place, m message) (exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() != 0 || sig.Params().Len() < 2 {
		return exit{}, false
	}
	w, r := sig.Params().At(0), sig.Params().At(1)
	if types.TypeString(w.Type(), nil) != "net/http.ResponseWriter" || types.TypeString(r.Type(), nil) != "*net/http.Request" || w.Name() == "" || w.Name() == "_" {
		return exit{}, false
	}
	text := m.quoted()
	path := ""
	if len(m.args) > 0 {
		text, path = syntax.PkgName(p.File, "fmt")+".Sprintf("+m.quoted()+")", "fmt"
	}
	http := syntax.PkgName(p.File, "net/http")
	status := "StatusInternalServerError"
	if strings.HasPrefix(m.format, "no ") || strings.Contains(m.format, "not found") {
		status = "StatusNotFound"
	}
	lines := fmt.Sprintf("%s.Error(%s, %s, %s.%s)\nreturn", http, w.Name(), text, http, status)
	return exit{lines: lines, imports: []string{path}, weight: handled, how: "answers the request with an error"}, true
}

// falseReturn returns "not there" from a function that can say so.
func (f *exitFinder) falseReturn(p syntax.Place) (exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() < 2 {
		return exit{}, false
	}
	last := sig.Results().At(sig.Results().Len() - 1).Type()
	if b, ok := last.Underlying().(*types.Basic); !ok || b.Kind() != types.Bool {
		return exit{}, false
	}
	if text := f.customary(p, endsFalse); text != "" {
		return exit{lines: text, weight: handled, how: "returns false as it does elsewhere"}, true
	}
	rest, ok := syntax.ZeroResults(p, sig, 1)
	return exit{lines: "return " + syntax.Join(rest, "false"), weight: handled, how: "returns false"}, ok
}

// skipItem passes over one item of a loop, with a word.
func (f *exitFinder) skipItem(p syntax.Place, m message, cause string) (exit, bool) {
	if !overItems(p) || !f.mayPrint(p) {
		return exit{}, false
	}
	text := m.withPrefix("skipped: ").printed(p.File)
	paths := []string{"fmt", "os"}
	if cause != "" {
		text = fmt.Sprintf("%s.Fprintln(%s.Stderr, \"skipped:\", %s)", syntax.PkgName(p.File, "fmt"), syntax.PkgName(p.File, "os"), cause)
	}
	if syntax.ImportsPath(p.File, "log") {
		paths = nil
		text = syntax.PkgName(p.File, "log") + ".Printf(" + m.withPrefix("skipped: ").formatted() + ")"
		if cause != "" {
			text = syntax.PkgName(p.File, "log") + ".Println(\"skipped:\", " + cause + ")"
		}
	}
	return exit{lines: text + "\ncontinue", imports: paths, weight: handled + 2, how: "says so and goes on with the next item"}, true
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
func (f *exitFinder) skipGoroutine(p syntax.Place, m message) (exit, bool) {
	sig := p.Signature()
	if sig == nil || sig.Results().Len() > 0 || !f.mayPrint(p) || !f.RunsAsGoroutine(p) || !f.startedInLoop(p) {
		return exit{}, false
	}
	text, paths := m.withPrefix("skipped: ").printed(p.File), []string{"fmt", "os"}
	if syntax.ImportsPath(p.File, "log") {
		text, paths = syntax.PkgName(p.File, "log")+".Printf("+m.withPrefix("skipped: ").formatted()+")", nil
	}
	return exit{lines: text + "\nreturn", imports: paths, weight: handled + 2, how: "says so and returns"}, true
}

// startedInLoop reports whether the goroutine of a place is one of many.
func (f *exitFinder) startedInLoop(p syntax.Place) bool {
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

func (m message) withPrefix(prefix string) message { return message{prefix + m.format, m.args} }

// printed writes the message to standard error.
func (m message) printed(file *ast.File) string {
	fmtName, osName := syntax.PkgName(file, "fmt"), syntax.PkgName(file, "os")
	if len(m.args) == 0 {
		return fmt.Sprintf("%s.Fprintln(%s.Stderr, %s)", fmtName, osName, m.quoted())
	}
	return fmt.Sprintf("%s.Fprintf(%s.Stderr, %s)", fmtName, osName, message{m.format + "\n", m.args}.quoted())
}

// quitMain ends the program with a message and exit code 1.
func quitMain(p syntax.Place, m message, cause string) (exit, bool) {
	d, ok := p.Function().(*ast.FuncDecl)
	if !ok || d.Recv != nil || d.Name.Name != "main" || p.Pkg.Name != "main" {
		return exit{}, false
	}
	if syntax.ImportsPath(p.File, "log") {
		log := syntax.PkgName(p.File, "log")
		text := log + ".Fatalf(" + m.formatted() + ")"
		if cause != "" {
			text = log + ".Fatal(" + cause + ")"
		}
		return exit{lines: text, weight: handled + 5, how: "ends with a message and exit code 1"}, true
	}
	text := m.printed(p.File)
	if cause != "" {
		text = fmt.Sprintf("%s.Fprintln(%s.Stderr, %s)", syntax.PkgName(p.File, "fmt"), syntax.PkgName(p.File, "os"), cause)
	}
	text += "\n" + syntax.PkgName(p.File, "os") + ".Exit(1)"
	return exit{lines: text, imports: []string{"fmt", "os"}, weight: handled + 5, how: "ends with a message and exit code 1"}, true
}

// zeroReturn gives up in silence.
func zeroReturn(p syntax.Place) (exit, bool) {
	sig := p.Signature()
	if sig == nil {
		return exit{}, false
	}
	if sig.Results().Len() == 0 {
		return exit{lines: "return", weight: hiding, how: "returns without doing its work"}, true
	}
	rest, ok := syntax.ZeroResults(p, sig, 0)
	return exit{lines: "return " + rest, weight: hiding, how: "returns " + rest}, ok
}

// guard offers every way to refuse a bad value before the statement at p.
// cond is true when the value is bad.
func (f *proposal) guard(p syntax.Place, cond string, m message, bad string) {
	anchor := p.Anchor()
	if anchor == nil || saysNothing(cond) {
		return
	}
	at := p.Of(anchor)
	equal, ok := f.inOtherBranches(p)
	if !ok || !f.repeatable(at, cond) || f.preempts(at, anchor, cond) {
		return
	}
	missing := strings.TrimSuffix(cond, " == nil")
	for _, e := range f.exitsWithout(at, m, missing) {
		lines := "if " + cond + " {\n\t" + syntax.Indented(e.lines) + "\n}"
		ch := f.Change().Before(anchor, lines).Need(p.File, e.imports...)
		for _, s := range equal {
			ch.Before(s, lines)
		}
		if e.edit != nil && !e.edit(ch) {
			continue
		}
		f.offer(idea{rule: "guard/guard", title: fmt.Sprintf("check %s first: %s", bad, shortHow(e)), weight: e.weight, change: ch, grounds: e.grounds,
			why: fmt.Sprintf("Before the statement, where %s, %s %s.", cond, syntax.FuncName(at.Function()), e.how)})
	}
}

func shortHow(e exit) string {
	first, _, _ := strings.Cut(e.how, " (")
	if e.grounds == "" {
		first, _, _ = strings.Cut(first, ",")
	}
	words := strings.Fields(first)
	verbs := map[string]string{"returns": "return", "answers": "answer", "fails": "fail", "says": "say", "ends": "end", "passes": "pass", "goes": "go", "does": "do"}
	if len(words) > 0 && verbs[words[0]] != "" {
		words[0] = verbs[words[0]]
	}
	text := strings.Join(words, " ")
	return strings.NewReplacer(" and goes ", " and go ", " and ends ", " and end ").Replace(text)
}
