package fix

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// WriteText prints a report for people.
func WriteText(w io.Writer, r Report) {
	w = printable.NewWriter(w)
	if r.Stop != nil {
		printable.Fprintf(w, "%s: %s\n  at %s:%d in %s, goroutine %d\n", r.Stop.Class.Words(), r.Stop.Message, r.Stop.File, r.Stop.Line, session.ShortFunction(r.Stop.Function), r.Stop.Goroutine)
	}
	if r.Stop != nil && r.Stop.Block != nil {
		printable.Fprintf(w, "  in the block %s: %s\n", r.Stop.Block.ID, r.Stop.Block.Intent)
	}
	if r.Diagnosis != "" {
		printable.Fprintf(w, "  %s\n", r.Diagnosis)
	}
	for _, q := range r.Requests {
		if q.Error != "" {
			printable.Fprintf(w, "  %s: %s\n", proposer(q.Model), q.Error)
		}
		if q.Hint != "" {
			printable.Fprintf(w, "    hint: %s\n", q.Hint)
		}
	}
	for _, c := range r.Candidates {
		printable.Fprintf(w, "\n%d. %s  [%s]  +%d −%d\n   %s\n", c.Rank, c.Title, proposer(c.Model), c.Added, c.Removed, badge(c))
		printable.Fprintf(w, "   %s\n", checksLine(c.Checks))
		for _, e := range c.speaks {
			printable.Fprintf(w, "   · %s\n", e)
		}
		for _, words := range c.changes {
			printable.Fprintf(w, "   · %s\n", cut(words, 160))
		}
		for _, k := range c.Checks {
			if (k.Name != verdict.Masking || k.Status == verdict.Inconclusive) && (k.Status == verdict.Fail || k.Status == verdict.Warn || k.Status == verdict.Inconclusive) {
				printable.Fprintf(w, "   %s: %s\n", k.Name, k.Detail)
			}
		}
	}
	writePrinted(w, r.Candidates)
	if best := r.Best(); best != nil {
		writeBehavior(w, best.Behavior)
		writeFix(w, best.Explanation, best.Diff)
		if best.Test != nil {
			printable.Fprintf(w, "\nRegression test %s: it fails without the fix and passes with it (asserts: %s).\n\n", best.Test.Name, best.Test.Asserts)
			_, _ = io.WriteString(w, printable.Diff(patch.Visible(best.Test.Diff)))
		}
	}
	if c := r.unrun(); c != nil {
		writeFix(w, c.Explanation+" It was not run.", c.Diff)
	}
	printable.Fprintf(w, "\n%s\n", outcomeText(r))
	for _, n := range r.Notices {
		printable.Fprintf(w, "note: %s\n", n)
	}
	writeCommit(w, r.Applied)
	if r.Session != "" {
		printable.Fprintf(w, "log: %s\n", r.Session)
	}
}

// writeFix shows a fix that can be applied.
func writeFix(w io.Writer, explanation, diff string) {
	_, _ = io.WriteString(w, "\n"+printable.Block(explanation)+"\n"+printable.Diff(patch.Visible(diff)))
}

// writePrinted shows in what the runs of the candidates differ.
func writePrinted(w io.Writer, candidates []Candidate) {
	var order []string
	who := map[string][]string{} // the numbers of those that print the same
	for _, c := range candidates {
		if c.prints == "" {
			continue
		}
		if who[c.prints] == nil {
			order = append(order, c.prints)
		}
		who[c.prints] = append(who[c.prints], fmt.Sprint(c.Rank))
	}
	for _, printed := range order {
		verb := "prints"
		if len(who[printed]) > 1 {
			verb = "print"
		}
		printable.Fprintf(w, "\n%s %s:\n", strings.Join(who[printed], ", "), verb)
		_, _ = io.WriteString(w, printable.Block(printed))
	}
}

func writeCommit(w io.Writer, a *Applied) {
	switch {
	case a == nil:
		return
	case a.Reverted != "":
		printable.Fprintf(w, "commit: %s, taken back by %s\n", a.Commit, a.Reverted)
	case a.Commit != "":
		printable.Fprintf(w, "commit: %s\n", a.Commit)
	}
	if a.CommitError != "" {
		printable.Fprintf(w, "commit: %s\n", a.CommitError)
	}
}

// Best is the candidate ranked first, if it is verified.
func (r Report) Best() *Candidate {
	if len(r.Candidates) == 0 || !r.Candidates[0].Verified {
		return nil
	}
	return &r.Candidates[0]
}

// unrun is the candidate ranked first, if nothing speaks against it but that it
// could not be run: there is only a trace.
func (r Report) unrun() *Candidate {
	if len(r.Candidates) == 0 || r.Candidates[0].Verified {
		return nil
	}
	first := r.Candidates[0]
	for _, k := range first.Checks {
		if k.Status == verdict.Fail || k.Status == verdict.Inconclusive || k.Name == verdict.Rerun && k.Status != verdict.Skip || k.Name == verdict.Masking && k.Status == verdict.Warn {
			return nil
		}
	}
	return &first
}

func badge(c Candidate) string {
	switch {
	case !c.Verified && (Report{Candidates: []Candidate{c}}).unrun() != nil:
		return "? not run"
	case c.badge == "":
		return "✗"
	}
	return c.badge
}

// proof is a candidate's badge, and where that says only that it does not count, the check
// that says why.
func proof(c Candidate) string {
	words := badge(c)
	if c.Verified || c.badge != "" {
		return words
	}
	for _, status := range []verdict.Status{verdict.Fail, verdict.Inconclusive, verdict.Warn} {
		for _, k := range c.Checks {
			if first, _, _ := strings.Cut(strings.TrimSpace(k.Detail), "\n"); k.Status == status && first != "" {
				return words + " " + k.Name + ": " + first
			}
		}
	}
	return words
}

func checksLine(checks []Check) string {
	var parts []string
	for _, c := range checks {
		if c.Name == verdict.Masking {
			continue // the badge says as much
		}
		name := c.Name
		if c.Count > 0 {
			name += fmt.Sprintf(" %d", c.Count)
		}
		parts = append(parts, name+" "+session.Sign(c.Status))
	}
	return strings.Join(parts, "  ")
}

// undecided says why nothing is known of the first candidate, where no check of it fails,
// or that there is none.
func (r Report) undecided() string {
	if r.Applied == nil && len(r.Candidates) == 0 {
		if slices.ContainsFunc(r.Requests, func(q Request) bool { return q.Provider == patch.BuiltinProvider && q.Error == "" }) {
			return ": nothing was proposed: none of the built-in fixer's rules fits here"
		}
		return ": nothing was proposed"
	}
	if r.Applied != nil || slices.ContainsFunc(r.Candidates[0].Checks, func(k Check) bool { return k.Status == verdict.Fail }) {
		return ""
	}
	for _, k := range r.Candidates[0].Checks {
		if first, _, _ := strings.Cut(strings.TrimSpace(k.Detail), "\n"); k.Status == verdict.Inconclusive && first != "" {
			return ": the check " + k.Name + " of fix 1 is inconclusive: " + first
		}
	}
	return ""
}

// byID returns the candidate with an id; the zero value if there is none.
func (r Report) byID(id string) Candidate {
	for _, c := range r.Candidates {
		if c.ID == id {
			return c
		}
	}
	return Candidate{}
}

// appliedFix names the applied fix by its place in the printed list.
func (r Report) appliedFix() string {
	if c := r.byID(r.Applied.ID); c.Rank > 0 {
		return fmt.Sprintf("fix %d", c.Rank)
	}
	return "the fix"
}

// declined names the first fix whose checks pass and that was seen to decline, and how it is applied; empty without one.
func (r Report) declined() string {
	for _, c := range r.Candidates {
		if c.declines {
			return fmt.Sprintf("fix %d %s: --apply --allow-declines writes it", c.Rank, cmp.Or(c.How, "declines"))
		}
	}
	return ""
}

// applying is the flags with which a verified fix is applied.
func applying(c *Candidate) string {
	switch {
	case c == nil || c.Effect == verdict.Repairs:
		return "--apply"
	case c.Effect == verdict.Declines:
		return "--apply --allow-declines"
	}
	return "--apply --allow-masking"
}

// hint says what the outcome of a run does not show: goroutines that race meet in
// some runs only.
func hint(r Report) string {
	switch {
	case r.Outcome == Clean && r.Target.Runs > 1:
		return "--repeat N with a larger N runs it more often: a race may show in few runs"
	case r.Outcome == Clean:
		return "--repeat N runs it up to N times, if it stops only in some runs: a race may not show in one"
	case r.Outcome == Fixed && r.mayRace:
		return "--repeat N runs it N times: a race may not show in one run"
	}
	return ""
}

func outcomeText(r Report) string {
	switch r.Outcome {
	case Clean:
		if r.Target.Runs > 1 {
			return fmt.Sprintf("clean: nothing stopped in %d runs; %s", r.Target.Runs, hint(r))
		}
		return "clean: nothing stopped; " + hint(r)
	case Exited:
		words := fmt.Sprintf("exited with %d; nothing stopped", r.Target.ExitCode)
		if r.Target.Signal != "" {
			words = "killed by " + r.Target.Signal + "; nothing stopped"
		}
		if r.Target.LastLine != "" {
			words += ". The last line it printed: " + r.Target.LastLine
		}
		return words
	case Verified:
		return "verified, not applied: " + applying(r.Best()) + " writes it, or pipe the diff into git apply"
	case Fixed:
		switch c := r.byID(r.Applied.ID); {
		case c.Confirm || c.Masking:
			return "applied, unconfirmed: " + r.appliedFix() + " " + cmp.Or(c.How, string(c.Effect)) + " where the same run panicked, and nothing shows that this is right"
		case c.Effect == verdict.Declines:
			return "fixed: " + r.appliedFix() + " is applied, and where the same run panicked it " + cmp.Or(c.How, "declines")
		}
		words := "fixed: " + r.appliedFix() + " is applied and the same run went past the stop"
		if len(r.Stops) > 1 {
			last := r.Stops[len(r.Stops)-1]
			words += fmt.Sprintf(". Next stop: %s at %s:%d in %s; pausetui fix proposes fixes for it", last.Class.Words(), last.File, last.Line, session.ShortFunction(last.Function))
		}
		if more := hint(r); more != "" {
			words += ". " + more
		}
		return words
	case AppliedOut:
		return "applied, and the restart did not reach the place: look at it"
	case Failed:
		if r.Error != nil {
			return "failed: " + printable.Line(r.Error.Message)
		}
	case Masking:
		if declined := r.declined(); declined != "" {
			return "not fixed: " + declined
		}
		return "not fixed: what has no panic only skips the work or hides the failure; --allow-masking lets it count"
	case Unverified:
		if declined := r.declined(); r.Applied == nil && declined != "" {
			return "nothing is verified: " + declined
		}
		return "nothing could be verified" + r.undecided()
	}
	return r.Outcome
}

// proposer names a model for people.
func proposer(model string) string {
	if model == patch.BuiltinModel {
		return "the built-in fixer"
	}
	return model
}
