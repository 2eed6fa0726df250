package finding

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/printable"
)

// MaxDetail bounds what a check says, in bytes.
const MaxDetail = 2000

// Clean makes text fit to be shown: without control sequences, bounded.
func Clean(s string) string {
	return strings.TrimRight(Shortened(printable.Text(s), MaxDetail), "\n ")
}

// Shortened cuts a text to some bytes, between characters.
func Shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// LastLine returns the last line that says something.
func LastLine(output []byte) string {
	lines := strings.Split(Clean(tail(output)), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if line := strings.TrimSpace(lines[i]); line != "" {
			return line[:min(len(line), 200)]
		}
	}
	return ""
}

// tail is the end of a long output.
func tail(output []byte) string {
	const most = MaxDetail
	return string(output[max(0, len(output)-most):])
}

// Count is a number with what is counted: "2 tests".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Enumerate lists the first few names.
func Enumerate(names []string) string {
	const most = 5
	if n := len(names) - most; n > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// Short rounds a duration for people.
func Short(d time.Duration) time.Duration {
	if d > 10*time.Second {
		return d.Round(time.Second)
	}
	return d.Round(100 * time.Millisecond)
}

// After puts the separator before a text, if there is one.
func After(separator, text string) string {
	if text == "" {
		return ""
	}
	return separator + text
}

// Some are the first few lines, and how many more there are.
func Some(lines []string) string {
	const most = 8
	if n := len(lines) - most; n > 0 {
		lines = append(slices.Clone(lines[:most]), fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}
