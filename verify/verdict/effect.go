package verdict

// Effect is the kind of fix that a candidate is, found from its edit and its
// rerun together.
type Effect string

// The effects, the best first.
const (
	// Repairs: the run goes past the site and does the work there.
	Repairs Effect = "repairs"
	// Declines: the run reports an error, or refuses, where it panicked.
	Declines Effect = "declines"
	// Skips: the work that failed is left out, or its statement is deleted.
	Skips Effect = "skips"
	// Hides: the failure is caught, or a test asks less.
	Hides Effect = "hides"
)

// Evidence is one thing that speaks for a candidate and that a check
// established.
type Evidence struct {
	Kind   EvidenceKind `json:"kind"`
	Detail string       `json:"detail"` // a clause for a person: "TestAdd failed and passes now"
}

// EvidenceKind says where evidence comes from.
type EvidenceKind string

// The kinds of evidence.
const (
	// ByTests: a test that failed without the candidate passes with it.
	ByTests EvidenceKind = "tests"
	// AtOrigin: the statement that failed is unchanged, and now runs.
	AtOrigin EvidenceKind = "origin"
	// BySibling: another function of the package handles the same condition in
	// the same way.
	BySibling EvidenceKind = "sibling"
	// ByConvention: the code around treats the case the same way: another guard of the
	// function leaves as this one does, or nil is a value that is meant there.
	ByConvention EvidenceKind = "convention"
	// Balanced: locks, counters and closes match on every path, and did not.
	Balanced EvidenceKind = "balance"
)

// Has reports whether there is evidence of that kind.
func (v Verdict) Has(kind EvidenceKind) bool {
	for _, e := range v.Evidence {
		if e.Kind == kind {
			return true
		}
	}
	return false
}

// EndedWell reports whether the rerun came to a good end: exit code 0, or a
// server that lives on and whose client got its answer.
func (v Verdict) EndedWell() bool {
	e := v.Ending
	switch {
	case e == nil:
		rerun, _ := Find(v.Checks, Rerun)
		return v.Effect != Declines && rerun.Status == Pass // a test passes, or a regression test does
	case e.Alive:
		return e.Reply == nil || *e.Reply == 0
	}
	return e.Exit == 0 && e.Signal == ""
}

// Warns reports whether a reader is warned: it hides, its effect was not seen, there is a
// caution, or an error that was probably right is another one now.
func (v Verdict) Warns() bool { return v.hides() || v.Caution != "" || v.OtherErrors || !v.Seen() }

// hides is also true of what a version that knew no effects called masking.
func (v Verdict) hides() bool { return v.Effect == Hides || v.Effect == "" && v.Masking }

// Asks reports whether a reader is asked: it leaves work out, or the built-in fixer refuses
// an input, nothing that was checked says that this is right, and nobody has confirmed it.
func (v Verdict) Asks() bool {
	asks := v.Effect == Skips || v.Effect == Declines && v.Unsupported
	return asks && !v.Verified && !v.Confirmed && v.Passes() && v.Seen()
}

// Passes reports whether the checks pass, whatever kind of fix it is.
func (v Verdict) Passes() bool { return v.Verified || Passes(v.Checks) }

// Seen reports whether the effect rests on what a run did, where it depends on one.
func (v Verdict) Seen() bool {
	masking, _ := Find(v.Checks, Masking)
	return masking.Status != Inconclusive
}

// Holds reports whether the candidate counts as verified: its checks pass, and it
// was seen that it repairs, or that it declines and the program copes with that, or
// has declined for the same reason before, or that there is support for what it skips or,
// where the built-in fixer guessed it, declines.
func (v Verdict) Holds() bool {
	if !Passes(v.Checks) || !v.Seen() {
		return false
	}
	switch v.Effect {
	case Repairs:
		return true
	case Declines:
		return v.EndedWell() && !v.Unsupported || v.Has(ByConvention)
	case Skips:
		return v.Support != ""
	}
	return false
}
