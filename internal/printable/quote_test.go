package printable

import (
	"errors"
	"strings"
	"testing"
)

// Each further line of an argument is marked, whatever its verb; our own lines are not.
func TestFprintf(t *testing.T) {
	type class string
	var b strings.Builder
	Fprintf(&b, "%s: %v|%q|%5d|%*d|%-6s|%v\nours\n", class("a\n\nb\n"), errors.New("x\r\ny\x1b[31m"), "p\nq", 7, 3, 9, "z", []string{"m\nn"})
	want := "a\n    | \n    | b: x\n    | y|\"p\\nq\"|    7|  9|z     |[m\n    | n]\nours\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	Fprintln(&b, "ours", "a\nb\n", 3)
	Row(&b, "a\tb", "c\nd")
	if want := "ours a\n    | b 3\na b\tc d\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestBlockAndDiff(t *testing.T) {
	if got := Block("a\n\n\tb\r\n\n") + Block("") + Block("\n"); got != "  a\n  \n  \tb\n" {
		t.Errorf("%q", got)
	}
	const diff = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n-b\n c\n\n\\ No newline at end of file\n"
	if got := Diff(diff); got != diff {
		t.Errorf("%q", got)
	}
	if got := Diff("+a\n1. ✓ verified\n-b"); got != "+a\n  1. ✓ verified\n-b" {
		t.Errorf("%q", got)
	}
}
