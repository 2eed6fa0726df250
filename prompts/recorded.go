package prompts

import "strings"

// goroutinesTitle heads the section of the goroutines.
const goroutinesTitle = "The other goroutines"

// RecordedGoroutines returns what a prompt that was sent before tells of the
// goroutines; empty when it tells nothing. A journal keeps them nowhere else.
func RecordedGoroutines(prompt string) string {
	_, rest, ok := strings.Cut(prompt, "\n## "+goroutinesTitle+"\n")
	if !ok {
		return ""
	}
	lines := strings.Split(rest, "\n")
	for i, l := range lines {
		if l == "" && openFence(lines[:i]) == "" {
			return strings.Join(lines[:i], "\n")
		}
	}
	return rest
}
