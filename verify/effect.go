package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/build"
	"github.com/pausetui/pausetui/proof"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// effect finds out what kind of fix the candidate is.
func (a *attempt) effect(ctx context.Context) (proof.Check, error) {
	e, how, err := a.kind(ctx)
	if err != nil {
		return proof.Check{}, err
	}
	a.verdict.Evidence = a.evidence()
	if by, ok := a.lifts(e); ok {
		e, how = proof.Repairs, how+"; "+by
	}
	a.verdict.Effect, a.verdict.How = e, how
	a.verdict.Masking = e == proof.Skips || e == proof.Hides
	if a.verdict.Masking {
		return warn("it %s", how), nil
	}
	return pass(after(string(e)+": it ", how)), nil
}

// kind is the effect by the edit and the rerun, and how it comes about.
func (a *attempt) kind(ctx context.Context) (proof.Effect, string, error) {
	if why := a.weakened(); why != "" {
		return proof.Hides, why, nil
	}
	r := a.compared()
	if r.Hides != "" {
		return proof.Hides, r.Hides, nil
	}
	e, how, err := a.reached(ctx, r)
	switch {
	case err != nil:
		return "", "", err
	case e == proof.Skips:
		return e, how, nil
	case r.Skips != "":
		return proof.Skips, r.Skips, nil
	}
	return e, how, nil
}

// weakened says how the candidate makes tests ask less.
func (a *attempt) weakened() string {
	if _, ok := a.v.failing(); ok && a.testsOnly() {
		return "changes the test that fails, not what it tests"
	}
	for _, e := range a.candidate.Edits {
		if strings.HasSuffix(e.File, "_test.go") && !e.Create {
			if why := effect.Weakened(e.Before, e.After); why != "" {
				return why
			}
		}
	}
	return ""
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

// changes are the candidate's edits of code that is no test.
func (a *attempt) changes() []effect.Change {
	s, _ := a.v.site() // without a site every function is looked at alike
	var changes []effect.Change
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") || strings.HasSuffix(e.File, "_test.go") || e.Create {
			continue
		}
		change := effect.Change{File: e.File, Before: e.Before, After: e.After}
		if a.v.subject.Workspace.Abs(e.File) == s.file {
			change.Line = s.line
		}
		changes = append(changes, change)
	}
	return changes
}

// compared is what the edit alone shows, once.
func (a *attempt) compared() effect.Report {
	a.compare.Do(func() { a.report = effect.Compare(a.changes()) })
	return a.report
}

// reached says to which points of the edit the rerun came. Where that cannot be
// found out, it may have come to all of them.
func (a *attempt) reached(ctx context.Context, r effect.Report) (proof.Effect, string, error) {
	e, how := proof.Repairs, ""
	if len(r.Points) == 0 {
		return e, how, nil
	}
	t, err := a.traced(ctx)
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	for i, p := range t.Points {
		switch {
		case err == nil && t.reached.Points[i] == 0, e == proof.Skips:
		case p.Effect == proof.Skips:
			e, how = p.Effect, p.How
		case e == proof.Repairs:
			e, how = p.Effect, p.How
		}
	}
	if name := t.Always(t.reached); err == nil && name != "" && e == proof.Declines {
		e, how = proof.Skips, how+", in every call of "+name
	}
	return e, how, nil
}

// trace is a run of the candidate with marks at its points.
type trace struct {
	effect.Marked
	reached effect.Reached
	result  sandbox.Result
}

// errUnmarked is returned where marks would not be built.
var errUnmarked = errors.New("files that are named one by one cannot be joined by another")

// traced runs the candidate with marks, once. Without a run the points are
// there, and an error says why they are all that is known.
func (a *attempt) traced(ctx context.Context) (trace, error) {
	return a.trace.get(ctx, func(ctx context.Context) (trace, error) {
		changes := a.changes()
		t := trace{Marked: effect.Mark(changes, a.compared(), func(file string) string { return filepath.Clean(a.v.subject.Workspace.Abs(file)) })}
		if strings.HasSuffix(a.v.subject.Build.Package, ".go") {
			return t, errUnmarked
		}
		if why := a.v.subject.Unrunnable; why != "" || !a.v.runs() {
			return t, sandbox.ErrNoSandbox
		}
		dir := filepath.Join(a.dir, "marks")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return t, err
		}
		built, err := build.Build(ctx, a.v.spec(filepath.Join(dir, "program"), a.overlay, t.Overlay), nil)
		if err != nil {
			return t, err
		}
		counters, err := probeMemory(filepath.Join(dir, "counters"))
		if err != nil {
			return t, err
		}
		defer counters.Close()
		if failing, ok := a.v.failing(); ok {
			_, _, err = a.v.runTest(ctx, built.Binary, failing, counters)
		} else {
			t.result, err = a.v.execute(ctx, built.Binary, a.v.wall(), counters)
		}
		t.reached = t.Read(func(n int) uint64 { return word(counters, n) })
		return t, err
	})
}

// evidence is what speaks for the candidate.
func (a *attempt) evidence() []proof.Evidence {
	var list []proof.Evidence
	add := func(kind proof.EvidenceKind, detail string) {
		if detail != "" {
			list = append(list, proof.Evidence{Kind: kind, Detail: detail})
		}
	}
	add(proof.ByTests, a.passingNow())
	add(proof.AtOrigin, a.atOrigin())
	return list
}

// passingNow names a test that failed without the candidate and passes with it.
func (a *attempt) passingNow() string {
	rerun, _ := proof.Find(a.verdict.Checks, proof.Rerun)
	tests, _ := proof.Find(a.verdict.Checks, proof.Tests)
	t, ok := a.v.failing()
	switch {
	case ok && (rerun.Status == proof.Pass || rerun.Status == proof.Warn):
		return t.Name + " failed without it and passes"
	case tests.Mended > 0:
		return count(tests.Mended, "test") + " failed without it and now passes"
	}
	return ""
}

// atOrigin tells that the function that stopped is as it was and now runs: the
// edit is where the bad value comes from.
func (a *attempt) atOrigin() string {
	s, ok := a.v.site()
	rerun, _ := proof.Find(a.verdict.Checks, proof.Rerun)
	if !ok || s.line == 0 || rerun.Status != proof.Pass {
		return ""
	}
	for _, c := range a.changes() {
		if c.Line > 0 && effect.Touches(c) {
			return ""
		}
	}
	return "the statement that failed is unchanged and now runs"
}

// lifts tells whether evidence makes a repair of what leaves work out.
func (a *attempt) lifts(e proof.Effect) (string, bool) {
	if e != proof.Skips && e != proof.Declines {
		return "", false
	}
	for _, ev := range a.verdict.Evidence {
		switch ev.Kind {
		case proof.ByTests, proof.BySibling, proof.Balanced:
			return ev.Detail, true
		}
	}
	return "", false
}
