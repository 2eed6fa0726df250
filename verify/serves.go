package verify

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
)

// A program that was still running when its time was up has passed where it is
// meant to run on: it serves. Any other one has to come to its end.

// outlived decides a run that went past the site and was still running when its
// time was up; past says how it went there.
func (a *patched) outlived(c execute.Control, r sandbox.Result, past string) verdict.Check {
	if why := a.serves(r); why != "" {
		return finding.Pass(past + ", and " + execute.LivesOn(r) + because(r, why) + a.v.Answers(c, r))
	}
	all := crash.Goroutines(r.Stacks)
	where := waitsAt(a.v, all)
	quickest := a.v.Quickest()
	switch {
	case quickest > 0 && 4*quickest < r.Took && waitsForKeys(a, r, all):
		return finding.Inconclusive("%s, and waits for what is typed next; with another fix the program ended after %s: which of them is meant is not known", past, execute.Brief(quickest))
	case quickest > 0 && 4*quickest < r.Took:
		hangs := finding.Fail("%s, but it hangs: still running after %s%s; with another fix the program ended after %s", past, finding.Short(r.Took), where, execute.Brief(quickest))
		return finding.Elsewhere(hangs, "%s, but it hangs; with another fix the program ended", past)
	case stuck(a.v, all):
		return finding.Elsewhere(finding.Fail("%s, but it hangs: still running after %s%s", past, finding.Short(r.Took), where), "%s, but it hangs", past)
	}
	return finding.Inconclusive("%s, but the program was still running after %s%s, and nothing says that it is meant to keep running%s%s", past, finding.Short(r.Took), where, c.Slow(r), execute.Refused(r))
}

// waitsForKeys reports whether a run that has read all recorded keys may wait for another one.
// A program that takes SIGQUIT for itself does not say what its goroutines do.
func waitsForKeys(a *patched, r sandbox.Result, all []crash.Goroutine) bool {
	return r.ReadAll && len(a.v.Subject.Run.Input) > 0 && !a.adds(reads) && (len(all) == 0 || slices.ContainsFunc(all, readsTerminal))
}

// because gives the reason why a program may run on, where its answer to the
// command next to it does not say as much.
func because(r sandbox.Result, why string) string {
	if r.Repro != nil {
		return ""
	}
	return ": " + why
}

// works reports whether a run whose time was up seems to be at work: it may come to
// its end, if it is given more time.
func (a *patched) works(r sandbox.Result) bool {
	all := crash.Goroutines(r.Stacks)
	quickest := a.v.Quickest()
	return r.Limit == sandbox.LimitTime && len(all) > 0 && !stuck(a.v, all) && (quickest == 0 || 4*quickest > r.Took) && a.serves(r) == "" && !a.wantsMore(r)
}

// serves says what shows that a program is meant to run on: how it was stopped,
// or how it waits now. Empty when nothing does.
func (a *patched) serves(r sandbox.Result) string {
	switch {
	case a.v.Subject.Build.Test:
		return "" // a server in it is the test's, which has to come to its end
	case r.Repro != nil && r.Repro.Started:
		return "it was sent a request"
	case a.v.Subject.Stop.LivesOn() && !a.v.Subject.Stop.Hangs():
		return "it recovers such panics"
	case len(a.v.Subject.Ports) > 0:
		return "it listens on a port"
	}
	if a.wantsMore(r) {
		return hasReadAll
	}
	all := crash.Goroutines(r.Stacks)
	if slices.ContainsFunc(all, func(g crash.Goroutine) bool { return g.Calls("net.(*netFD).accept") }) && !a.adds(listens) {
		return "it waits for connections"
	}
	i := slices.IndexFunc(all, func(g crash.Goroutine) bool { return g.ID == 1 })
	if i < 0 {
		return ""
	}
	main, state := all[i], waitState(all[i])
	signals := slices.ContainsFunc(all, func(g crash.Goroutine) bool { return g.Calls("os/signal.signal_recv") })
	switch {
	case state == "select (no cases)" && !a.adds(blocks):
		return "its main goroutine waits for nothing"
	case signals && !a.adds(notifies) && (state == "select" || state == "chan receive"):
		return "it waits for signals"
	case main.Calls("os.(*File).Read") && !a.adds(reads) && a.v.Subject.Run.Stdin == "":
		return "it waits for input"
	}
	for _, f := range main.Frames {
		if a.v.Own(f) && a.endlessAt(f) {
			return "the loop in " + subject.Named(f.Function) + " has no end"
		}
	}
	return ""
}

// How code makes a program wait in ways that servers do. What does so only with
// the candidate says nothing of what the program is meant to do.
var (
	listens  = lazyregexp.New(`\bListen\w*\(|\bServe\w*\(|\bNewServer\(`)
	blocks   = lazyregexp.New(`\bselect\s*\{\s*\}`)
	notifies = lazyregexp.New(`\bNotify\w*\b`)
	reads    = lazyregexp.New(`\bos\s*\.\s*Stdin\b`)
)

// adds reports whether the candidate's code has more places of that kind.
func (a *patched) adds(kind *lazyregexp.Regexp) bool {
	more := 0
	for _, e := range a.candidate.Edits {
		more += len(kind.FindAllString(e.After, -1)) - len(kind.FindAllString(e.Before, -1))
	}
	return more > 0
}

// endlessAt reports whether a frame of the candidate is in a loop without an
// end, in a function that had one before the edit, too.
func (a *patched) endlessAt(f debugger.Frame) bool {
	now, err := a.v.Source(f.File, a.overlay)
	if err != nil {
		return false
	}
	before, err := a.v.Source(f.File, nil)
	if err != nil {
		return false
	}
	then, there := syntax.Parse(before), syntax.Parse(now)
	if then == nil || there == nil {
		return false
	}
	decl := there.At(f.Line)
	if decl == nil || !hasEndless(decl, func(loop *ast.ForStmt) bool { return there.Spans(loop, f.Line) }) {
		return false
	}
	return slices.ContainsFunc(then.Declared(), func(d *ast.FuncDecl) bool {
		return syntax.Key(d) == syntax.Key(decl) && hasEndless(d, func(*ast.ForStmt) bool { return true })
	})
}

// hasEndless reports whether a function has such a loop without a condition and
// without a way out.
func hasEndless(fn *ast.FuncDecl, is func(*ast.ForStmt) bool) bool {
	for loop := range syntax.All[*ast.ForStmt](fn.Body) {
		if loop.Cond == nil && is(loop) && !leaves(loop.Body, true) {
			return true
		}
	}
	return false
}

// leaves reports whether a statement of a loop can leave it; plain: a break
// without a label does.
func leaves(n ast.Node, plain bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		case *ast.BranchStmt:
			found = found || n.Tok == token.GOTO || n.Tok == token.BREAK && (plain || n.Label != nil)
		case *ast.CallExpr:
			found = found || ends(n)
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			found = found || leaves(syntax.Body(n.(ast.Stmt)), false)
			return false
		}
		return !found
	})
	return found
}

// ends reports whether a call ends the program or the goroutine.
func ends(call *ast.CallExpr) bool {
	switch fn := call.Fun.(type) {
	case *ast.Ident:
		return fn.Name == "panic"
	case *ast.SelectorExpr:
		switch name := fn.Sel.Name; name {
		case "Exit", "Goexit", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf", "Panicln":
			return true
		}
	}
	return false
}

// waitState is what a goroutine waits for, without how long it has.
func waitState(g crash.Goroutine) string {
	state, _, _ := strings.Cut(g.State, ",")
	return state
}

// stuck reports whether every goroutine of the user's code waits for another one:
// none computes, sleeps, or waits for anything from outside.
func stuck(v *Verifier, all []crash.Goroutine) bool {
	waiting := 0
	for _, g := range all {
		if !slices.ContainsFunc(g.Frames, v.Own) {
			continue
		}
		switch state := waitState(g); {
		case state == "chan receive", state == "chan send", state == "semacquire", strings.HasPrefix(state, "sync."):
			waiting++
		default:
			return false
		}
	}
	return waiting > 0
}

// waitsAt says where the main goroutine was, or else the first of the user's.
func waitsAt(v *Verifier, all []crash.Goroutine) string {
	for _, g := range all {
		if i := slices.IndexFunc(g.Frames, v.Own); i >= 0 {
			return ", [" + waitState(g) + "] in " + subject.Named(g.Frames[i].Function) + " (" + v.Place(g.Frames[i]) + ")"
		}
	}
	return ""
}
