package debugger

// Class is the stable name of a kind of crash (docs/reference/stops.md); it is part of the
// command line's JSON and of file names.
type Class string

// The classes.
const (
	NilMapWrite       Class = "nil-map-write"
	NilDereference    Class = "nil-dereference"
	IndexOutOfRange   Class = "index-out-of-range"
	SliceBounds       Class = "slice-bounds"
	DivideByZero      Class = "divide-by-zero"
	TypeAssertion     Class = "type-assertion"
	ClosedChannel     Class = "closed-channel"
	NegativeWaitGroup Class = "negative-waitgroup"
	UnlockUnlocked    Class = "unlock-unlocked"
	NegativeSize      Class = "negative-size"
	Reflect           Class = "reflect"
	UnhashableKey     Class = "unhashable-key"
	Uncomparable      Class = "uncomparable"
	IteratorContinued Class = "iterator-continued"
	CustomError       Class = "custom-error" // panic(err)
	Custom            Class = "custom"       // panic(v)
	Deadlock          Class = "deadlock"
	ConcurrentMap     Class = "concurrent-map"
	StackOverflow     Class = "stack-overflow"
	OutOfMemory       Class = "out-of-memory"
	Fatal             Class = "fatal"
	TestFailure       Class = "test-failure"
	ExitClass         Class = "exit"
	SignalClass       Class = "signal"
)

// Words is the class for people: a panic that the program has called itself, with
// whatever value, is a panic.
func (c Class) Words() string {
	if c == Custom || c == CustomError {
		return "panic"
	}
	return string(c)
}

// HasStatement reports whether a crash of the class is of one statement, which a program can
// come past: those that end with the whole program have none.
func (c Class) HasStatement() bool {
	switch c {
	case Deadlock, StackOverflow, ConcurrentMap, OutOfMemory, Fatal:
		return false
	}
	return true
}

// SameClass compares classes as far as printed text tells them apart: it does
// not show whether a panic's value was an error.
func SameClass(a, b Class) bool {
	custom := func(c Class) bool { return c == Custom || c == CustomError }
	return a == b || custom(a) && custom(b)
}

// Panic is what is known of a crash.
type Panic struct {
	Class   Class  `json:"class"`
	Message string `json:"message"` // as the runtime prints it, without "panic: " and without "[recovered]"
	// Value is the panic's value with its type and fields, as it was before
	// the runtime turned it into text. Zero for fatal errors.
	Value Variable `json:"value,omitzero"`
	// Fault is the address of the access that the processor refused, where a trace tells it.
	Fault *uint64 `json:"fault,omitempty"`
	// Recovered: a deferred function has recovered it, and the program lives on.
	Recovered bool `json:"recovered,omitempty"`
	// Repanicked: a deferred function has recovered it and panicked with the same
	// value again.
	Repanicked bool `json:"repanicked,omitempty"`
	// Thrown: it has only begun; a deferred function may still recover it.
	Thrown bool `json:"thrown,omitempty"`
	// Chain holds the panics that came before this one on the same goroutine
	// (a deferred function panicked again), oldest first.
	Chain []Panic `json:"chain,omitempty"`
	// Raised is the stack where it was raised first, where its text tells it: it was
	// caught and raised again since. Message is the first line of the text then.
	Raised []Frame `json:"raised,omitempty"`
	// Culprit is the innermost frame of the user's modules below the last
	// gopanic; -1 when the stack has none.
	Culprit     int    `json:"culprit"`
	Fingerprint string `json:"fingerprint,omitempty"`
}
