package probe

import (
	"strings"
	"testing"
)

const declining = `package main

func load(path string) (int, error) {
	if path == "" {
		return 0, errNoPath
	}
	each(func() error { return nil })
	return 1, nil
}

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	if n := count(); n < 0 {
		log.Fatalf("n = %d", n)
	}
	os.Exit(0)
}

func count() int { return -1 }

func usage() {
	println("usage: load PATH")
	os.Exit(2)
}
`

func TestExitsAreMarked(t *testing.T) {
	text, marked, err := Exits(declining, 3, func(line int) bool { return line != 18 })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"pausetuiProbeExit(3, 5); return 0, errNoPath", "pausetuiProbeExit(3, 13); usage()", "pausetuiProbeExit(3, 16); log.Fatalf", "pausetuiProbeExit(3, 25); os.Exit(2)"}
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
	if marked != len(want) {
		t.Errorf("%d marks, want %d:\n%s", marked, len(want), text)
	}
}
