package verify

import (
	"context"

	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// orDeclined takes the check of a run that has not got past the failing line, and makes
// a warning of it where that is because the candidate declines the input: the
// run went through a statement it adds that returns an error or ends the
// program, and ended with an exit code of its own. Whether the input deserves it
// is for the reader to say.
func (a *attempt) orDeclined(ctx context.Context, r sandbox.Result, c verdict.Check) (verdict.Check, error) {
	if c.Status == verdict.Pass || c.Status == verdict.Warn || !execute.ByItself(r) || a.v.Subject.Build.Test || len(a.compared().Points) == 0 {
		return c, nil
	}
	t, err := a.traced(ctx)
	switch {
	case ctx.Err() != nil:
		return c, ctx.Err()
	case err != nil || t.reached.Last < 0 || t.result.ExitCode != r.ExitCode:
		return c, nil //nolint:nilerr // then the run is judged without
	}
	p := t.Points[t.reached.Last]
	return finding.Warn("it declines the input: it %s at %s:%d, which the fix adds%s", execute.Ending(r), p.File, p.Line, execute.Said(r)), nil
}
