package verify

import (
	"context"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/masking"
)

// removable are the classes whose statement may be one too many.
var removable = map[debugger.Class]bool{debugger.ClosedChannel: true, debugger.UnlockUnlocked: true, debugger.NegativeWaitGroup: true}

// masking tells whether the candidate only hides the symptom.
func (a *attempt) masking(context.Context) (proof.Check, error) {
	why := ""
	if _, ok := a.v.failing(); ok && a.testsOnly() {
		why = "it changes the test that fails, not what it tests"
	}
	s, _ := a.v.site() // without a site every function is looked at alike
	var changes []masking.Change
	for _, e := range a.candidate.Edits {
		switch {
		case strings.HasSuffix(e.File, "_test.go") && !e.Create:
			if found := masking.Weakened(e.Before, e.After); found != "" && why == "" {
				why = found
			}
			continue
		case !strings.HasSuffix(e.File, ".go") || e.Create:
			continue
		}
		change := masking.Change{Before: e.Before, After: e.After, Removable: removable[s.class]}
		if a.v.subject.Workspace.Abs(e.File) == s.file {
			change.Line = s.line
		}
		changes = append(changes, change)
	}
	if found := masking.Find(changes); found != "" {
		why = found
	}
	a.verdict.Masking = why != ""
	if why != "" {
		return warn("%s", why), nil
	}
	return pass(""), nil
}

// testsOnly tells whether the candidate edits nothing but tests.
func (a *attempt) testsOnly() bool {
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, "_test.go") {
			return false
		}
	}
	return len(a.candidate.Edits) > 0
}
