package debugger

// FailingTest says which test a stop is about, and how it fails there.
type FailingTest struct {
	Name string `json:"name"` // in full, "TestAdd/negative"; empty when it is not known
	// Call is what failed the test: "Errorf", "Fatal", "FailNow", "os.Exit",
	// "timeout".
	Call   string `json:"call"`
	Helper string `json:"helper,omitempty"` // the user's helper that reported it, "checkSum"
	// Case holds the element of the table, with its index or key, that the test
	// was at: the variables of the loops around the failing line, the outermost
	// first.
	Case []Variable `json:"case,omitempty"`
	// Compared holds the operands of the comparison that the failing line hangs on.
	Compared []Variable `json:"compared,omitempty"`
	// Frames holds the index of the frame of each of Compared: a helper's come first.
	Frames []int `json:"frames,omitempty"`
	// Differs holds the parts in which two of Compared differ that are composite.
	Differs []Difference `json:"differs,omitempty"`
}

// Difference is a pair of parts of two values, each with its path as its name.
type Difference struct {
	A Variable `json:"a"`
	B Variable `json:"b"`
}

// Ends reports whether nothing of the test runs after the failure but what it has
// deferred.
func (f FailingTest) Ends() bool {
	switch f.Call {
	case "Fatal", "Fatalf", "FailNow", "os.Exit", "timeout":
		return true
	}
	return false
}

// TestReport is how a test ended.
type TestReport struct {
	Name            string // in full
	Failed, Skipped bool
}
