package verify

import (
	"strings"
	"testing"
)

// What ends the lines is no matter of gofmt's.
func TestFormattedWithCarriageReturns(t *testing.T) {
	const good, bad = "package a\n\nfunc f() {\n\tg()\n}\n", "package a\n\nfunc f() {\n  g()\n}\n"
	for text, want := range map[string]bool{good: true, bad: false} {
		for _, ends := range []string{"\n", "\r\n"} {
			if got := formatted("\ufeff" + strings.ReplaceAll(text, "\n", ends)); got != want {
				t.Errorf("%q with %q: %t", text, ends, got)
			}
		}
	}
}
