package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docs/reference/keys.md holds the table of the keymap; -update writes it again.
func TestReferenceHasTheKeyTable(t *testing.T) {
	file := filepath.Join("..", "docs", "reference", "keys.md")
	head, table, tail := cutTable(t, file)
	if table == KeyTable() {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: run make docs", file)
	}
	if err := os.WriteFile(file, []byte(head+KeyTable()+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The README shows some of the keys, in the words of that table.
func TestREADMEShowsKeys(t *testing.T) {
	_, table, _ := cutTable(t, filepath.Join("..", "README.md"))
	rows := strings.Split(strings.TrimSpace(table), "\n")[2:]
	if len(rows) < 5 {
		t.Fatalf("%d keys in README.md", len(rows))
	}
	for _, row := range rows {
		if !strings.Contains("\n"+KeyTable(), "\n"+row) {
			t.Errorf("README.md has the row %q, which docs/reference/keys.md has not", row)
		}
	}
}

// cutTable cuts a file at its marks around the table of keys.
func cutTable(t *testing.T, file string) (head, table, tail string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const open, end = "<!-- keys -->\n", "<!-- /keys -->"
	head, rest, ok := strings.Cut(string(data), open)
	table, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s lacks the marks %q and %q", file, open, end)
	}
	return head + open, table, end + tail
}
