package exits

// Weight orders candidates: smaller comes first.
type Weight int

const (
	Origin  Weight = iota * 10 // where the bad value comes from
	Handled                    // the bad value is refused, and the caller learns of it
	Soft                       // the statement copes with the bad value
	Hiding                     // the work is left out in silence
)

// Confidence is a weight as proposers of all kinds state it: above 0 at the
// origin, below 0 where the statement copes.
func (w Weight) Confidence() int { return int(Handled - w) }
