package regress

import "github.com/pausetui/pausetui/debugger"

// assertion is what a test asks of a call. The values of a stop say what the
// call was given; what it should return is unknown, least of all from what a
// candidate makes it return. So a test asks only that the stop is not there any
// more, and says so in its name.
type assertion struct {
	name  string // the end of the test's name
	words string // of the call: "does not panic"
}

func (m *maker) asserts() assertion {
	switch {
	case m.deadlocked():
		return assertion{"Returns", "returns"}
	case m.c.Stop.Reason == debugger.ReasonFatal:
		return assertion{"DoesNotCrash", "does not crash"}
	}
	return assertion{"DoesNotPanic", "does not panic"}
}
