package trace

import (
	"path/filepath"
	"strings"
	"testing"
)

const calling = `package app

import "strings"

func bar(width, used int, show func(string)) string {
	defer strings.ToLower("x")
	title := "used"
	title = strings.ToUpper(title)
	show(title)
	if used > 0 {
		return title + strings.Repeat("#",
			width-used)
	}
	return title
}
`

// A line that cannot have called the function above it in the trace has changed.
func TestDriftWithinAFunctionIsNoticed(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.go"), calling)
	for line, same := range map[string]bool{"7": false, "8": false, "9": true, "11": true, "12": true} {
		text := "panic: strings: negative Repeat count\n\ngoroutine 1 [running]:\nstrings.Repeat({0x1, 0x1}, 0x2)\n\t/usr/local/go/src/strings/strings.go:624 +0x4d8\n" +
			"example.org/app.bar(0x3, 0x5)\n\t/b/a.go:" + line + " +0x9c\n"
		tr := locate(t, read(t, text).Traces[0], Home{Modules: []Module{{"example.org/app", dir}}})
		if stale := tr.Stale(); (stale == "") != same || !same && !strings.HasSuffix(stale, "the line does not call strings.Repeat") {
			t.Errorf("line %s: %q", line, stale)
		}
	}
}

// A running goroutine whose innermost line prints no stack has crashed there,
// also where the message is cut off.
func TestATraceWithoutItsMessageIsACrash(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.go"), "package app\n\nimport \"runtime\"\n\nfunc f(m map[string]int) {\n\tm[\"a\"] = 1\n}\n\nfunc g(b []byte) {\n\truntime.Stack(b, false)\n}\n")
	home := Home{Modules: []Module{{"example.org/app", dir}}}
	const lib = "strings.Repeat({0x1, 0x1}, 0x2)\n\t/usr/local/go/src/strings/strings.go:624 +0x4d8\n"
	for _, tt := range []struct {
		before, frames, class string
		died                  bool
	}{
		{"", "example.org/app.f(0x0)\n\t/b/a.go:6 +0x1\n", "custom", true},
		{"", "example.org/app.g(0x0)\n\t/b/a.go:10 +0x1\n", "custom", false},
		{"", lib + "example.org/app.f(0x0)\n\t/b/a.go:6 +0x1\n", "negative-size", true},
		{"SIGQUIT: quit\n", "example.org/app.f(0x0)\n\t/b/a.go:6 +0x1\n", "custom", false},
		{"", "example.com/other.f(0x0)\n\t/b/other.go:6 +0x1\n", "custom", false},
	} {
		tr := locate(t, read(t, tt.before+"goroutine 1 [running]:\n"+tt.frames).Traces[0], home)
		if tr.Died() != tt.died || string(tr.Panic.Class) != tt.class {
			t.Errorf("%q: died %v of %q, want %v of %q", tt.frames, tr.Died(), tr.Panic.Class, tt.died, tt.class)
		}
	}
}
