package debugger

import "context"

// MemoryReader is an Inspector that also reads what values are made of: long
// texts and memory. Like its other calls they fail while the target runs.
type MemoryReader interface {
	// ReadMemory reads n bytes of the target from an address on. What can be read
	// comes also where not all of it can, with an error.
	ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error)
	// String returns a part of a string: Count bytes from the byte Start on.
	String(ctx context.Context, at FrameRef, v Variable, page Page) (string, error)
}

// Finder is an Inspector that looks for elements of collections where they are,
// without loading them.
type Finder interface {
	// Find looks for children of v, from page.Start on, that match. It looks at
	// page.Count of them at most, and at fewer where that takes long: looked says
	// at how many. match is called with variables that hold no more than the
	// element itself and, of pointers, what they point at; it must not keep them.
	Find(ctx context.Context, at FrameRef, v Variable, match func(*Variable) bool, page Page) (found []int64, looked int, err error)
}
