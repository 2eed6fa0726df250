package session

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// PanicHistory tells what came before a panic on its goroutine, the oldest
// first, and how this one came of it; empty where it is the only one.
//
//	first: divide-by-zero: runtime error: integer divide by zero, recovered
//	then: this one, in a deferred call
func PanicHistory(p debugger.Panic) []string {
	var lines []string
	for i, earlier := range p.Chain {
		words := "then: "
		if i == 0 {
			words = "first: "
		}
		lines = append(lines, words+fmt.Sprintf("%s: %s", earlier.Class.Words(), oneLine(earlier.Message))+afterwards(earlier))
	}
	switch {
	case len(lines) > 0 && p.Repanicked:
		return append(lines, "then: this one, in a deferred call, where it was recovered and panicked again")
	case len(lines) > 0:
		return append(lines, "then: this one, in a deferred call")
	case p.Repanicked:
		return []string{"a deferred call has recovered it, and panicked with the same value again"}
	}
	return nil
}

// afterwards tells what has become of a panic that was not the last.
func afterwards(p debugger.Panic) string {
	switch {
	case p.Repanicked:
		return ", recovered and panicked again"
	case p.Recovered:
		return ", recovered"
	}
	return ""
}
