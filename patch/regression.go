package patch

// RegressionTest is a Go test made from the values of a stop: it fails without
// the fix and passes with it.
type RegressionTest struct {
	Name string `json:"name"` // "TestIndexAddDoesNotPanic"
	// Asserts is all that the test asserts of the call: "does not panic". It is
	// empty in journals from before tests said so.
	Asserts string `json:"asserts,omitempty"`
	// Edit creates a _test.go file, or adds to one; it touches nothing else.
	Edit Edit `json:"edit"`
	// Calls names what the test calls, and where its values come from:
	// "(*Index).Add, as it was called in frame 2".
	Calls string `json:"calls"`
}

// Proves says what it means that the test fails without the fix and passes with
// it: no more than it asserts.
func (t RegressionTest) Proves() string {
	text := t.Name + " fails without it and passes with it"
	if t.Asserts != "" {
		text += ": " + t.Asserts
	}
	return text
}
