package main

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// tableTests is a module with a table test that fails in two cases.
const tableTests = `
-- go.mod --
module example.org/prices

go 1.26
-- prices.go --
// Package prices knows what things cost.
package prices

// WithTax adds the tax, in percent, rounded to the nearest cent.
func WithTax(cents, percent int) int { return cents + cents*percent/100 }
-- prices_test.go --
package prices

import "testing"

func TestWithTax(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		cents, percent, want int
	}{
		{"none", 500, 0, 500},
		{"even", 100, 19, 119},
		{"rounded up", 105, 19, 125},
		{"rounded up too", 99, 19, 118},
	} {
		t.Run(tt.name, func(t *testing.T) {
			equal(t, WithTax(tt.cents, tt.percent), tt.want)
		})
	}
}

func equal(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Errorf("%d cents, want %d", got, want)
	}
}
`

// written lays a module of a txtar archive out.
func written(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// test stops at each case that fails, on the line that go test names, with what
// was compared; a fix by hand passes after a restart.
func TestTestStopsAtEachFailingCase(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := written(t, tableTests)
	x := startTerminal(t, dir, 140, 40, nil, "test", "-run", "WithTax", "--offline", ".")
	x.wait("TEST FAILS · TestWithTax/rounded_up ")
	x.wait("124 cents, want 125")
	x.wait("prices_test.go:16")
	x.wait("reported by its helper prices.equal")
	x.wait(`tt = {name: "rounded up", cents: 105, percent: 19, want: 125}`)
	x.keys("n") // in the test, not in package testing
	x.wait("stepped · prices.TestWithTax.func1 · prices_test.go:17")
	x.keys("c")
	x.wait("TEST FAILS · TestWithTax/rounded_up_too")
	x.wait("117 cents, want 118")
	fixed := "package prices\n\n// WithTax adds the tax.\nfunc WithTax(cents, percent int) int { return cents + (cents*percent+50)/100 }\n"
	if err := os.WriteFile(filepath.Join(dir, "prices.go"), []byte(fixed), 0o644); err != nil {
		t.Fatal(err)
	}
	x.keys("r")
	x.wait("The program ended by itself with exit code 0.")
	x.wait("PASS")
	x.leave()
}
