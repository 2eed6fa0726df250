package weaken_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/weaken"
)

const harness = `package harness

import "testing"

var strict = true

type book struct{ pages map[string]*page }

type page struct{ done bool }

func (b *book) open(n string) { b.pages[n] = &page{} }

func (b *book) shut(n string) { b.pages[n].done = true }

func guard(t *testing.T) {
	if v := recover(); v != nil {
		t.Errorf("chapter panicked: %v", v)
	}
}

func Chapter(t *testing.T, b *book, n string, before, body func(t *testing.T)) {
	t.Run(n, func(t *testing.T) {
		defer guard(t)
		defer b.shut(n)
		before(t)
		b.open(n)
		body(t)
	})
}

func equal(a, b int) bool { return a == b }

func Equal(t testing.TB, got, want int) {
	t.Helper()
	if !equal(got, want) {
		t.Errorf("got %d, want %d", got, want)
	}
}

func Check(t testing.TB, b *book, n string) {
	b.open(n)
	p := b.pages[n]
	if p == nil {
		t.Fatal("no page")
	}
}
`

// Code that runs tests may be fixed as other code may; what reports failures, and
// what decides whether it does, stays as it was.
func TestReportsLess(t *testing.T) {
	for _, tt := range []struct {
		name    string
		changes []string // old, new, …
		less    bool
	}{
		{"the page is opened before", []string{"\t\tbefore(t)\n\t\tb.open(n)\n", "\t\tb.open(n)\n\t\tbefore(t)\n"}, false},
		{"a function that reports nothing", []string{"{ b.pages[n].done = true }", "{\n\tif p := b.pages[n]; p != nil {\n\t\tp.done = true\n\t}\n}"}, false},
		{"a new helper", []string{"func guard(", "func (b *book) has(n string) bool { return b.pages[n] != nil }\n\nfunc guard("}, false},
		{"the map is made", []string{"\t\tdefer b.shut(n)\n", "\t\tif b.pages == nil {\n\t\t\tb.pages = map[string]*page{}\n\t\t}\n\t\tdefer b.shut(n)\n"}, false},
		{"the report is gone", []string{"\t\tt.Errorf(\"chapter panicked: %v\", v)\n", ""}, true},
		{"it is another one", []string{"t.Errorf(\"chapter", "t.Logf(\"chapter"}, true},
		{"its condition is another", []string{"v != nil {", "v != nil && strict {"}, true},
		{"the guard is gone", []string{"\t\tdefer guard(t)\n", ""}, true},
		{"a skip", []string{"\t\tbefore(t)\n", "\t\tt.Skip()\n\t\tbefore(t)\n"}, true},
		{"a return", []string{"\t\tbefore(t)\n", "\t\tif b == nil {\n\t\t\treturn\n\t\t}\n\t\tbefore(t)\n"}, true},
		{"the body is not run", []string{"\t\tbody(t)\n", ""}, true},
		{"the body comes first", []string{"\t\tbefore(t)\n\t\tb.open(n)\n\t\tbody(t)\n", "\t\tbody(t)\n\t\tb.open(n)\n\t\tbefore(t)\n"}, true},
		{"what compares", []string{"return a == b", "return true"}, true},
		{"what is compared", []string{"\tt.Helper()\n", "\tt.Helper()\n\tgot = want\n"}, true},
		{"what a condition comes from", []string{"\tp := b.pages[n]\n", "\tb.open(\"x\")\n\tp := b.pages[n]\n"}, true},
		{"a variable", []string{"strict = true", "strict = false"}, true},
		{"a function is gone", []string{"func equal(a, b int) bool { return a == b }\n", ""}, true},
	} {
		if got := weaken.ReportsLess(harness, changed(t, harness, tt.changes...), nil); got != tt.less {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// changed replaces texts of a file: old, new, old, new, …
func changed(t *testing.T, text string, changes ...string) string {
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
