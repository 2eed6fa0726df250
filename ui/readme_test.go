package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The key table of the README is made from the keymap.
func TestREADMEHasTheKeyTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range strings.Split(strings.TrimSpace(KeyTable()), "\n") {
		if strings.HasPrefix(row, "|  |") { // an action without a key is in the palette only
			continue
		}
		if !strings.Contains(string(data), row) {
			t.Errorf("README.md lacks the row %q: put KeyTable() between its marks", row)
		}
	}
}
