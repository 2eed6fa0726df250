package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/ui/status"
)

// What has no room on the card names the command that tells all of it.
func TestACutCard(t *testing.T) {
	words := strings.Repeat("abcd efgh ", 20)
	if got := status.CardWords(words[:99], 50); len(got) != 2 || strings.Contains(got[1], status.Whole) {
		t.Errorf("it fits: %q", got)
	}
	got := status.CardWords(words, 50)
	if len(got) != 2 || !strings.HasSuffix(got[1], "…"+status.Whole) || len([]rune(got[1])) > 50 {
		t.Errorf("it is cut: %q", got)
	}
}
