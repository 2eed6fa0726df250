package verify

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/balance"
	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/review"
	"github.com/pausetui/pausetui/verify/subject"
	"github.com/pausetui/pausetui/verify/syntax"
	"github.com/pausetui/pausetui/verify/verdict"
	"github.com/pausetui/pausetui/verify/weaken"
)

// effect finds out what kind of fix the candidate is: the check that is called
// masking. Package effect compares the code; here are the runs that say which of
// its points were reached.
func (a *attempt) effect(ctx context.Context) (verdict.Check, error) {
	e, how, err := a.kind(ctx)
	if err != nil {
		return verdict.Check{}, err
	}
	if e == verdict.Repairs && a.raised {
		e, how = verdict.Declines, "panics with an error that is recovered"
	}
	a.evidence()
	if by, ok := a.lifts(e); ok {
		e, how = verdict.Repairs, how+"; "+by
	}
	if a.copied != "" && e == verdict.Skips {
		how += "; " + finding.Clean(a.copied) + " is also in a test, and may be copied from it"
	}
	if a.half != "" && e == verdict.Skips {
		how += "; it leaves out " + finding.Clean(a.half) + ", too"
	}
	if a.usedAt != "" && e == verdict.Skips {
		how += "; the function is used at " + finding.Clean(a.usedAt) + ", too"
	}
	a.verdict.Effect, a.verdict.How, a.verdict.Support = e, how, a.supported(e)
	a.verdict.Unsupported = e == verdict.Declines && !a.independent() && !slices.ContainsFunc(a.verdict.Evidence, func(ev verdict.Evidence) bool { return ev.Kind != verdict.AtOrigin })
	a.verdict.Masking = a.unseen == "" && (e == verdict.Skips && a.verdict.Support == "" || e == verdict.Hides)
	switch {
	case a.unseen != "":
		seen := fmt.Sprintf("%s by the edit alone%s; what it does in a run could not be seen", e, finding.After(": it ", how))
		return finding.Elsewhere(finding.Inconclusive("%s: %s", seen, a.unseen), "%s", seen), nil
	case a.verdict.Masking:
		return finding.Warn("it %s", how), nil
	}
	return finding.Pass(finding.After(string(e)+": it ", how) + finding.After("; ", finding.Clean(a.verdict.Support))), nil
}

// kind is the effect by the edit and the rerun, and how it comes about.
func (a *attempt) kind(ctx context.Context) (verdict.Effect, string, error) {
	if why := a.weakened(); why != "" {
		return verdict.Hides, why, nil
	}
	r := a.compared()
	deleted := r.Deleted && a.mayBeOneTooMany()
	if r.Hides != "" {
		return verdict.Hides, r.Hides, nil
	}
	if how := misled(a.patched); how != "" { // which may be right: a person is asked
		a.unseen, a.unexplained, a.satisfied = "", true, true
		return verdict.Skips, how, nil
	}
	loss := ""
	if r.Removed || deleted {
		loss = a.balance()
	}
	e, how, err := a.reached(ctx, r)
	switch {
	case err != nil:
		return "", "", err
	case loss != "":
		a.unseen = ""
		return verdict.Skips, loss, nil
	case a.removed != "" && e != verdict.Hides:
		a.unseen, a.unexplained = "", true
		return verdict.Skips, "removes " + a.removed + " when it runs; without the fix, that file stays", nil
	case a.retyped != "":
		a.unseen, a.unexplained = "", true
		return verdict.Skips, a.retyped, nil
	case e == verdict.Skips:
		return e, how, nil
	case r.Skips != "" && r.Support != "" && a.independent():
		a.note(verdict.ByConvention, r.Support)
		return verdict.Skips, r.Skips, nil
	case r.Skips != "":
		a.unseen = ""
		a.unexplained = a.unexplained || !r.Operation && !deleted
		return verdict.Skips, r.Skips, nil
	}
	return e, how, nil
}

// mayBeOneTooMany reports whether the stop is of a class in which the statement
// that failed may be one too many: leaving it out can be the fix.
func (a *patched) mayBeOneTooMany() bool {
	s, _ := a.v.Site()
	switch s.Class {
	case debugger.ClosedChannel, debugger.UnlockUnlocked, debugger.NegativeWaitGroup, debugger.Deadlock:
		return true
	}
	return false
}

// balance notes what the edit makes match, and says what it makes not match any
// more.
func (a *attempt) balance() (loss string) {
	for _, dir := range a.directories() {
		before, after := a.packageFiles(dir)
		gain, lost := balance.Compare(before, after)
		a.note(verdict.Balanced, gain)
		if loss == "" {
			loss = lost
		}
	}
	return loss
}

// directories are those of the files that change.
func (a *patched) directories() []string {
	var dirs []string
	for _, c := range a.changes() {
		if dir := path.Dir(c.File); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// packageFiles are the Go files of a directory of the workspace that are built
// into the program, without the candidate and with it, by their names relative
// to the module. Files of other systems have functions of the same names.
func (a *patched) packageFiles(dir string) (before, after map[string]string) {
	if known, ok := a.packages.Load(dir); ok {
		both := known.([2]map[string]string)
		return both[0], both[1]
	}
	before, after = map[string]string{}, map[string]string{}
	defer func() { a.packages.Store(dir, [2]map[string]string{before, after}) }()
	builds := a.v.Builds()
	root := a.v.Subject.Workspace.Abs(dir)
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil {
		return before, after
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := a.v.Source(file, nil)
		if err != nil || !a.v.Takes(builds, filepath.Clean(file), text) {
			continue
		}
		name := a.v.Subject.Workspace.Rel(file)
		before[name], after[name] = text, text
		if changed, ok := a.overlay[filepath.Clean(file)]; ok {
			after[name] = changed
		}
	}
	for file, text := range a.overlay { // what the candidate creates
		name := a.v.Subject.Workspace.Rel(file)
		if filepath.Dir(file) == filepath.Clean(root) && after[name] == "" && strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
			if a.v.Takes(builds, file, text) {
				after[name] = text
			}
		}
	}
	return before, after
}

// weakened says how the candidate makes tests ask less.
func (a *patched) weakened() string {
	if _, ok := a.v.Failing(); ok && a.testsOnly() {
		return "changes the test that fails, not what it tests"
	}
	for _, e := range a.candidate.Edits {
		if !e.Create && a.expected(e.File) {
			return "changes what tests expect: " + e.File
		}
		if !e.Create && a.helps(e.File, e.Before) && weaken.ReportsLess(e.Before, e.After, a.beside(e.File)) {
			return "changes how tests find a failure: " + e.File
		}
		if why := misleads(a.v, e); why != "" {
			return why
		}
		if strings.HasSuffix(e.File, "_test.go") {
			if why := weaken.Quits(e.File, e.Before, e.After); why != "" {
				return why
			}
		}
		if strings.HasSuffix(e.File, "_test.go") && !e.Create {
			if why := weaken.Tests(e.Before, e.After); why != "" {
				return why
			}
		}
	}
	return sets(a)
}

// testsOnly reports whether the candidate edits nothing but tests.
func (a *patched) testsOnly() bool {
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, "_test.go") {
			return false
		}
	}
	return len(a.candidate.Edits) > 0
}

// changes are the candidate's edits of code that is no test.
func (a *patched) changes() []effect.Change {
	var changes []effect.Change
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") || strings.HasSuffix(e.File, "_test.go") {
			continue
		}
		change := effect.Change{Change: syntax.Change{File: e.File, Before: e.Before, After: e.After}}
		if e.Create {
			change.Before = "package created" // what is called of it is looked at
		}
		changes = append(changes, placed(a.v.Target, change))
	}
	return changes
}

// compared is what the edit alone shows, once.
func (a *attempt) compared() effect.Report {
	a.compare.Do(func() {
		a.report = effect.Compare(a.withSite(a.changes()), a.among()...)
		a.retypes()
		a.recalls()
		for _, dir := range a.directories() {
			a.report.Points = append(review.Lost(a.packageFiles(dir)), a.report.Points...)
		}
	})
	return a.report
}

// spokenFor adds what speaks for a point at which the edit leaves the work; where nothing
// does, that stays unexplained.
func (a *attempt) spokenFor(ctx context.Context, support []verdict.Evidence, p effect.Point) []verdict.Evidence {
	if a.copied == "" {
		before, _ := a.packageFiles(path.Dir(p.File))
		a.copied = review.Copied(before, testsBeside(a.v, p.File), p)
	}
	if a.half == "" {
		before, after := a.packageFiles(path.Dir(p.File))
		a.half = review.Half(before, after, p)
	}
	if a.calmed && a.usedAt == "" {
		a.usedAt = shared(ctx, a.patched, p)
	}
	a.lost = a.lost || p.Lost
	s := a.support(p)
	if s.Detail != "" {
		return append(support, s)
	}
	a.unexplained = a.unexplained || p.Effect == verdict.Skips
	return support
}

// reached says to which points of the edit the rerun came. Where that cannot be
// found out, it may have come to all of them.
func (a *attempt) reached(ctx context.Context, r effect.Report) (verdict.Effect, string, error) {
	e, how := verdict.Repairs, ""
	moves := len(r.Moves) > 0 && a.mustMove()
	if len(r.Points) == 0 && !a.mustReturn() && !moves && !changesFiles(a.patched) {
		return e, how, nil
	}
	t, err := a.traced(ctx)
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	a.notSeen(err)
	if err == nil {
		if why := a.unreturned(ctx, t); why != "" {
			return verdict.Hides, why, nil
		}
		a.notSeen(a.cutShort(t))
	}
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	seen := err == nil && a.unseen == ""
	if locked := a.leavesLocked(t, seen); locked != "" { // whatever else it does, who locks it next waits for ever
		a.unexplained = true
		return verdict.Skips, locked, nil
	}
	var support []verdict.Evidence
	declined := 0
	for i, p := range t.Points {
		if !a.leavesOut(p, seen, t.reached.Points, i) {
			continue
		}
		if p.Effect == verdict.Declines {
			declined++
		}
		support = a.spokenFor(ctx, support, p)
		ignored := ""
		if e != verdict.Skips && p.Effect == verdict.Declines {
			ignored = a.ignored(p)
		}
		switch {
		case e == verdict.Skips:
		case ignored != "":
			e, how, a.unexplained = verdict.Skips, p.How+", "+ignored, true
		case p.Effect == verdict.Skips:
			e, how = p.Effect, p.How
		case e == verdict.Repairs:
			e, how = p.Effect, p.How
		}
	}
	if left := t.Unrun(t.reached, false); seen && moves && left != "" {
		e, how, a.unexplained = verdict.Skips, "has "+left+" where it is not run to its end", true
	}
	if left := t.Unrun(t.reached, true); seen && moves && left != "" && a.mustReturn() {
		a.idle = true
		if e == verdict.Repairs {
			e, how, a.unexplained = verdict.Skips, "does not come to "+left, true
		}
	}
	if len(support) > 0 && (e != verdict.Declines || len(support) == declined) && !a.unexplained && (r.Skips == "" || r.Support != "" && a.independent()) {
		a.note(support[0].Kind, support[0].Detail)
	}
	if name := t.Always(t.reached); seen && name != "" && e == verdict.Declines {
		e, how, a.unexplained = verdict.Skips, how+", in every call of "+name, true
	}
	if seen && t.overwritten != "" && a.changer.is {
		return verdict.Hides, "writes to a file that was there, with a call that it adds: " + t.overwritten, nil
	}
	if by := a.byValue(t); seen && by != "" {
		e, how, a.unexplained = verdict.Skips, by, true
	}
	return e, how, nil
}

// leavesLocked says how the run leaves with a lock held; empty where it does not.
func (a *attempt) leavesLocked(t trace, seen bool) string {
	for i, p := range t.Points {
		if !a.leavesOut(p, seen, t.reached.Points, i) {
			continue
		}
		_, after := a.packageFiles(path.Dir(p.File))
		if lock := review.Locked(after, p); lock != "" {
			return p.How + ", with " + lock + " locked"
		}
	}
	return ""
}

// leavesOut reports whether work may be left out at a point: the run came there, or that is not
// known. It notes that a slice was taken beyond the length.
func (a *attempt) leavesOut(p effect.Point, seen bool, came []uint64, i int) bool {
	if seen && came[i] == 0 {
		return false
	}
	if p.Beyond != "" && seen {
		a.retyped = p.How
	}
	return p.Beyond == ""
}

// mustMove reports whether a statement that the candidate moves has to run: a model
// or a person wrote it, and the program comes there in every run.
func (a *attempt) mustMove() bool {
	_, ok := a.v.Site()
	return ok && a.candidate.Source.Provider != patch.BuiltinProvider && !a.v.Sometimes()
}

// placed notes in a change at which lines of its file the stopped program was.
func placed(v *subject.Target, change effect.Change) effect.Change {
	s, _ := v.Site() // without a site every function is looked at alike
	if v.Subject.Workspace.Abs(change.File) == s.File {
		change.Line = s.Line
	}
	for _, f := range v.Subject.Stop.Frames {
		if v.Subject.Workspace.Abs(change.File) == f.File && f.Line != change.Line && !slices.Contains(change.Callers, f.Line) {
			change.Callers = append(change.Callers, f.Line)
		}
	}
	return change
}

// support says what in the code speaks for leaving work out at a point: another
// function that handles the condition of the point in the same way, or the
// function's own guards and values.
func (a *attempt) support(p effect.Point) verdict.Evidence {
	before, after := a.packageFiles(path.Dir(p.File))
	if name, file, line := review.Sibling(before, after, p); name != "" {
		return verdict.Evidence{Kind: verdict.BySibling, Detail: fmt.Sprintf("%s does the same (%s:%d)", name, file, line)}
	}
	if !a.independent() {
		return verdict.Evidence{}
	}
	detail := effect.Support(before, after, p)
	if detail == "" {
		detail = review.MeantNil(before, after, p)
	}
	if detail == "" && p.Effect == verdict.Skips {
		detail = a.zeroDividend(before, p)
	}
	return verdict.Evidence{Kind: verdict.ByConvention, Detail: detail}
}

// independent reports whether the candidate was not made from the form of the code
// around: the built-in fixer offers what its neighbors do, which are no second
// opinion then.
func (a *patched) independent() bool { return !a.candidate.Source.BuiltIn() }
