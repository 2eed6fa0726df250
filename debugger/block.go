package debugger

import "strings"

// The labels by which package pause says in which block of work a goroutine is.
const (
	labelBlock  = "pausetui.block"
	labelIntent = "pausetui.intent"
)

// Block is a block of work that the program names with package pause. Its words
// are the program's.
type Block struct {
	ID     string `json:"id"` // with those around it: "import/parse"
	Intent string `json:"intent"`
}

// BlockOf reads the block from a goroutine's labels; nil without one.
func BlockOf(labels map[string]string) *Block {
	if labels[labelBlock] == "" {
		return nil
	}
	return &Block{ID: labels[labelBlock], Intent: labels[labelIntent]}
}

// PauseFrame reports whether a function belongs to package pause, which stands between the
// blocks of a stack and says nothing of why they failed.
func PauseFrame(function string) bool {
	return strings.HasPrefix(function, "github.com/pausetui/pausetui/pause.")
}
