package patch

// RegressionTest is a Go test made from the values of a stop: it fails without
// the fix and passes with it.
type RegressionTest struct {
	Name string `json:"name"` // "TestIndexAddNilMapWrite"
	// Edit creates a _test.go file, or adds to one; it touches nothing else.
	Edit Edit `json:"edit"`
	// Calls names what the test calls, and where its values come from:
	// "(*Index).Add, as it was called in frame 2".
	Calls string `json:"calls"`
}
