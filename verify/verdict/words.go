package verdict

import (
	"slices"
	"strings"
)

// Badge is what is said of a proved candidate first, with its sign, the same
// everywhere: "✓ verified · repairs", "✓ no panic · declines", "✓ no panic · skips ·
// confirm", "⚠ hides", "✗ failed" by a check, "? unproved" where none failed and one could
// not decide; "? no panic · effect not seen" where the run
// that tells was not seen; "⚠ verified · repairs · often wrong" with a caution;
// "✓ verified · repairs · tests unfinished" where a limit ended a check that can
// only fail a candidate; "⚠ verified · another error · declines" where an error
// that was probably right is another one now.
func (v Verdict) Badge() string {
	badge := v.badge()
	if !v.Passes() {
		return badge
	}
	for _, name := range []string{Vet, Tests} {
		if c, ok := Find(v.Checks, name); ok && c.Status == Inconclusive {
			badge += " · " + name + " unfinished"
		}
	}
	return badge
}

func (v Verdict) badge() string {
	switch {
	case !v.Passes() && slices.ContainsFunc(v.Checks, func(c Check) bool { return c.Status == Fail }):
		return "✗ failed"
	case !v.Passes():
		return "? unproved"
	case v.Effect == "" && v.Masking: // a log of a version that knew no effects
		return "⚠ skips or hides"
	case v.Effect == "":
		return "✓ verified"
	case !v.Seen():
		return "? no panic · effect not seen"
	case v.Effect == Hides:
		return "⚠ hides"
	case v.Asks():
		return "✓ no panic · " + string(v.Effect) + askSuffix
	case v.Confirmed:
		return "✓ no panic · " + string(v.Effect) + " · confirmed"
	case v.Verified && v.Caution != "":
		return "⚠ verified · " + string(v.Effect) + " · often wrong"
	}
	sign, what := "✓", "no panic · "
	if v.Verified {
		what = "verified · "
	}
	if v.OtherErrors {
		sign, what = "⚠", what+"another error · "
	}
	return sign + " " + what + string(v.Effect)
}

// Short is the badge where there is little room: "✓ repairs", "⚠ skips".
func (v Verdict) Short() string {
	if !v.Passes() || v.Effect == "" || !v.Seen() {
		return v.Badge()
	}
	if v.Asks() {
		return "✓ " + string(v.Effect) + "?"
	}
	sign, _, _ := strings.Cut(v.Badge(), " ")
	return sign + " " + string(v.Effect)
}

// askSuffix ends the badge of a fix that a person has to confirm.
const askSuffix = " · confirm"

// Kind is the effect with how it comes about: "skips: returns nil when
// x == nil". Empty where nothing is known.
func (v Verdict) Kind() string {
	if v.How == "" || v.Effect == "" {
		return string(v.Effect)
	}
	return string(v.Effect) + ": " + v.How
}

// Label is the badge with how the effect comes about: "✓ no panic · declines: returns
// an error when x == nil", "✓ no panic · returns nil when x == nil · confirm".
func (v Verdict) Label() string {
	if v.Verified && v.Caution != "" {
		return v.Badge() + ": " + v.Caution
	}
	if v.How == "" || v.Effect == Repairs || !v.Passes() || !v.Seen() {
		return v.Badge()
	}
	if v.Asks() {
		return "✓ no panic · " + v.How + askSuffix
	}
	return v.Badge() + ": " + v.How
}
