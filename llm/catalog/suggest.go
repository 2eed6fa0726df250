package catalog

import (
	"fmt"
)

// Suggestion is a local model for a machine that has none.
type Suggestion struct {
	Model string // as Ollama's library names it
	Size  int64  // bytes to fetch, about
	Why   string
}

const gigabyte = 1 << 30

// suggested are models by the memory they want, the smallest first: about twice
// their size, for the context and for the program under debug. The sizes are
// those of Ollama's library.
var suggested = []struct {
	memory int64 // bytes
	Suggestion
}{
	{3 * gigabyte, Suggestion{"qwen2.5-coder:1.5b", 986e6, "small enough for this machine; expect it to follow the edit format, and few right fixes"}},
	{7 * gigabyte, Suggestion{"qwen2.5-coder:3b", 1.9e9, "the largest of its family that leaves room for the program here"}},
	{12 * gigabyte, Suggestion{"qwen2.5-coder:7b", 4.7e9, "writes whole Go functions reliably, and leaves room for the program"}},
	{22 * gigabyte, Suggestion{"qwen2.5-coder:14b", 9.0e9, "markedly better than 7B at edits, and still leaves room"}},
	{30 * gigabyte, Suggestion{"qwen3-coder:30b", 19e9, "a mixture of experts: the quality of 30B at the speed of 3B, and it calls tools"}},
}

// Suggest suggests a model for a machine of so many bytes of memory; false when
// there is too little for any, or the memory is not known (0).
func Suggest(memory uint64) (Suggestion, bool) {
	var best Suggestion
	found := false
	for _, s := range suggested {
		if memory >= uint64(s.memory) {
			best, found = s.Suggestion, true
		}
	}
	return best, found
}

// Words says that it is a suggestion, and why.
func (s Suggestion) Words(memory uint64) string {
	return fmt.Sprintf("a suggestion for %s of memory: %s (%s): %s", MemoryWords(memory), s.Model, Bytes(s.Size), s.Why)
}

// MemoryWords writes a machine's memory as it is sold: "16 GB".
func MemoryWords(memory uint64) string {
	return fmt.Sprintf("%d GB", (memory+gigabyte/2)/gigabyte)
}

// Fits reports whether a model of a size can be run in so many bytes of memory,
// with a context and what else runs on the machine. Where one of them is
// not known, it may.
func Fits(size int64, memory uint64) bool {
	if size <= 0 || memory == 0 {
		return true
	}
	return uint64(size)+uint64(size)/5+gigabyte <= memory
}

// Bytes writes a size as people say it: "986 MB", "4.7 GB", "16 GB".
func Bytes(n int64) string {
	switch {
	case n <= 0:
		return ""
	case n < 1e6:
		return fmt.Sprintf("%d kB", (n+999)/1000)
	case n < 1e9:
		return fmt.Sprintf("%d MB", n/1e6)
	case n < 10e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	}
	return fmt.Sprintf("%.0f GB", float64(n)/1e9)
}
