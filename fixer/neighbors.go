package fixer

// treatLengthAlike is treatAlike for what is too short to be indexed.
func (f indexRules) treatLengthAlike(x indexing) {
	t, ok := f.ThingOf(x.Place, x.base)
	if !ok || x.negative() {
		return
	}
	kind := "short"
	if x.length == 0 {
		kind = "zero"
	}
	t.Part += " len"
	f.Alike = append(f.Alike, f.RefusalsOfThing(x.Place, t, kind)...)
}
