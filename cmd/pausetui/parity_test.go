package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// What docs/dlv-parity.md claims of our own commands and flags is there.
func TestParityClaims(t *testing.T) {
	data, err := os.ReadFile("../../docs/dlv-parity.md")
	if err != nil {
		t.Fatal(err)
	}
	claims := regexp.MustCompile("`pausetui ([a-z]+)((?: --[a-z-]+)?)[^`]*`").FindAllStringSubmatch(string(data), -1)
	if len(claims) < 20 {
		t.Fatalf("only %d claims were found", len(claims))
	}
	root := newRoot()
	for _, claim := range claims {
		c, _, err := root.Find([]string{claim[1]})
		if err != nil || c == root {
			t.Errorf("%s: there is no such command", claim[0])
			continue
		}
		if flag := strings.TrimPrefix(strings.TrimSpace(claim[2]), "--"); flag != "" && c.Flags().Lookup(flag) == nil {
			t.Errorf("%s: there is no such flag", claim[0])
		}
	}
}
