package verify

import (
	"strings"

	"github.com/pausetui/pausetui/internal/printable"
)

// maxDetail bounds what a check says, in bytes.
const maxDetail = 2000

// clean makes text fit to be shown: without control sequences, bounded.
func clean(s string) string {
	return strings.TrimRight(shortened(printable.Text(s), maxDetail), "\n ")
}

// shortened cuts a text to some bytes, between characters.
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// lastLine returns the last line that says something.
func lastLine(output []byte) string {
	lines := strings.Split(clean(tail(output)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(lines[i]); line != "" {
			return line[:min(len(line), 200)]
		}
	}
	return ""
}

// tail is the end of a long output.
func tail(output []byte) string {
	const most = maxDetail
	return string(output[max(0, len(output)-most):])
}
