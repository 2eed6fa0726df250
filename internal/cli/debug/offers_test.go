package debug

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// What is offered is there: commands, directories with tests, the last sessions.
func TestOffers(t *testing.T) {
	dir := testsupport.Module(t, `
-- go.mod --
module example.com/m

go 1.24
-- cmd/a/main.go --
package main

func main() {}
-- lib/lib.go --
package lib
-- lib/lib_test.go --
package lib
-- testdata/x_test.go --
package x
`)
	t.Chdir(dir)
	words := func() string {
		var out []string
		for _, o := range offers(t.Context(), dir, time.Date(2026, 11, 20, 19, 0, 0, 0, time.Local)) {
			r := o.row()
			out = append(out, strings.TrimSuffix(r.Words+" · "+r.Note, " · "))
		}
		return strings.Join(out, "\n")
	}
	if got, want := words(), "debug ./cmd/a\ntest ./lib\nsessions · all of them\nhelp"; got != want {
		t.Errorf("offers:\n%s\nwant:\n%s", got, want)
	}
	logs := filepath.Join(dir, "debug")
	if err := os.MkdirAll(logs, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, class := range map[string]string{"20261120-170203-nil-map-write": "nil-map-write", "20261120-160203-quit": "", "20261119-100000-divide": "divide"} {
		front := "---\nsession: " + name + "\nclass: " + class + "\n---\n"
		for file, text := range map[string]string{name + ".md": front, name + ".jsonl": ""} {
			if err := os.WriteFile(filepath.Join(logs, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := "sessions resume 20261120-170203-nil-map-write · 1 hour ago\nsessions resume 20261120-160203-quit · 2 hours ago\nsessions resume 20261119-100000-divide · 33 hours ago\ntest ./lib\n"
	if got := words(); !strings.Contains(got, want) {
		t.Errorf("offers:\n%s\nwant in it:\n%s", got, want)
	}
	for i, want := range []string{"func main() {}", "nil-map-write\n\n1 hour ago", "", "", "package lib"} {
		if _, text := offers(t.Context(), dir, time.Date(2026, 11, 20, 19, 0, 0, 0, time.Local))[i].preview(); !strings.Contains(text, want) {
			t.Errorf("preview %d: %q, want in it %q", i, text, want)
		}
	}
}
