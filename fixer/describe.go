package fixer

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// describeOnly explains a stop for which there is no rule or no source code.
func describeOnly(c evidence.Case) evidence.Diagnosis {
	if c.Stop.Panic == nil {
		return evidence.Diagnosis{}
	}
	p := debugger.Blamed(c.Stop.Frames, *c.Stop.Panic)
	where := ""
	if p.Culprit >= 0 && p.Culprit < len(c.Stop.Frames) {
		fr := c.Stop.Frames[p.Culprit]
		where = whereIn(fr, filepath.Base(fr.File))
	}
	if c.Stop.Test != nil {
		return evidence.Diagnosis{Sentence: describeFailure(*c.Stop.Test, p.Class, where)}
	}
	text := map[debugger.Class]string{
		debugger.Deadlock:      "every goroutine waits%s: none is left to send, receive or unlock",
		debugger.ConcurrentMap: "a map is used by several goroutines at once without a lock%s",
		debugger.StackOverflow: "the calls never return%s: a recursion has no end for this input",
		debugger.OutOfMemory:   "the program asked for more memory than there is%s",
		debugger.CustomError:   "the program itself panics%s: " + syntax.FirstLine(p.Message),
		debugger.Custom:        "the program itself panics%s: " + syntax.FirstLine(p.Message),
	}[p.Class]
	if c.Stop.Hangs() {
		text = ""
	}
	if p.Class == debugger.Deadlock && strings.Contains(p.Message, "runtime.Goexit") {
		text, where = "main called runtime.Goexit%s, and no other goroutine can go on", goexit(c)
	}
	if p.Message == "" { // a trace without its head
		return evidence.Diagnosis{}
	}
	if text == "" {
		return evidence.Diagnosis{Sentence: syntax.FirstLine(p.Message) + where}
	}
	return evidence.Diagnosis{Sentence: replaceOnce(text, where)}
}

// goexit is where the program calls runtime.Goexit, if at one place only.
func goexit(c evidence.Case) string {
	if c.Code == nil {
		return ""
	}
	f := code.New(c, map[string]string{})
	var at []string
	f.Each(func(p syntax.Place) {
		ast.Inspect(p.File, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && syntax.IsCallTo(p, call, "runtime", "Goexit") {
				at = append(at, f.Where(call.Pos()))
			}
			return true
		})
	})
	if len(at) != 1 {
		return ""
	}
	return fmt.Sprintf(" (%s)", at[0])
}

// replaceOnce puts where in place of the first %s.
func replaceOnce(text, where string) string { return strings.Replace(text, "%s", where, 1) }
