package output

import "sync"

// Buffer keeps a stream of bytes as lines, bounded. It is safe for one writer
// and any number of readers.
type Buffer struct {
	mu sync.Mutex
}
