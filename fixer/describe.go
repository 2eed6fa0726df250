package fixer

import (
	"path/filepath"

	"github.com/pausetui/pausetui/debugger"
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
		debugger.Deadlock:      "every goroutine waits for another one%s: none is left to send, receive or unlock",
		debugger.ConcurrentMap: "a map is used by several goroutines at once without a lock%s",
		debugger.StackOverflow: "the calls never return%s: a recursion has no end for this input",
		debugger.OutOfMemory:   "the program asked for more memory than there is%s",
		debugger.Reflect:       "reflection was used on a value that cannot do it%s: " + p.Message,
		debugger.CustomError:   "the program itself panics%s: " + p.Message,
		debugger.Custom:        "the program itself panics%s: " + p.Message,
	}[p.Class]
	if text == "" {
		text = p.Message + "%s"
	}
	return evidence.Diagnosis{Sentence: replaceOnce(text, where)}
}
