// Package finding writes what checks have found: for people, and what of it may go to
// another machine.
package finding

import (
	"fmt"

	"github.com/pausetui/pausetui/verify/verdict"
)

// Pass is a check that found nothing wrong.
func Pass(detail string) verdict.Check { return verdict.Check{Status: verdict.Pass, Detail: detail} }

// Fail is a check that found something wrong.
func Fail(format string, args ...any) verdict.Check {
	return verdict.Check{Status: verdict.Fail, Detail: fmt.Sprintf(format, args...)}
}

// Warn is a check that passes, with something that a person has to look at.
func Warn(format string, args ...any) verdict.Check {
	return verdict.Check{Status: verdict.Warn, Detail: fmt.Sprintf(format, args...)}
}

// Inconclusive is a check that could not tell.
func Inconclusive(format string, args ...any) verdict.Check {
	return verdict.Check{Status: verdict.Inconclusive, Detail: fmt.Sprintf(format, args...)}
}

// Skip is a check that was not made.
func Skip(format string, args ...any) verdict.Check {
	return verdict.Check{Status: verdict.Skip, Detail: fmt.Sprintf(format, args...)}
}

// A candidate is unread code, and it may print whatever it can
// read, reversed or encoded, so that no redaction knows it. What of a failed
// check may go to another machine unseen (verdict.Check.Elsewhere) is therefore
// made of parts that the candidate's run does not choose, and never cut out of
// what it printed. What it can still choose is one of the classes, and a function
// on the stack of the stop.

// Elsewhere adds to a check what may be said of it to another machine.
func Elsewhere(c verdict.Check, format string, args ...any) verdict.Check {
	c.Elsewhere = fmt.Sprintf(format, args...)
	return c
}

// Open is for a check that says nothing that a run has printed.
func Open(c verdict.Check) verdict.Check { return Elsewhere(c, "%s", c.Detail) }
