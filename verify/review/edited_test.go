package review_test

import (
	"strings"
	"testing"
)

// edited is a text with some replacements, in pairs.
func edited(t *testing.T, text string, changes ...string) string {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		after := strings.Replace(text, changes[i], changes[i+1], 1)
		if after == text {
			t.Fatalf("%q is not there", changes[i])
		}
		text = after
	}
	return text
}
