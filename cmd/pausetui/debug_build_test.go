package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A program that does not compile is shown with its messages and its source,
// and runs once it is fixed.
func TestDebugShowsBuildErrors(t *testing.T) {
	t.Parallel()
	broken := strings.Replace(echoProgram, "words := NewWords()", "words := NewWord()\n\tvar unused int", 1)
	dir := program(t, broken)
	x := offline(t, dir)
	x.wait("build failed")
	x.wait(fmt.Sprintf("main.go:%d", lineOf(t, broken, "NewWord()\n")))
	x.shows("undefined: NewWord", "declared and not used: unused", fmt.Sprintf("main.go:%d", lineOf(t, broken, "var unused")))
	x.wait("words := NewWord()") // the source
	x.keys("r")                  // still broken
	x.wait("build failed")
	put(t, filepath.Join(dir, "main.go"), echoProgram)
	x.keys("r")
	x.wait("ready")
	x.leave()
	has(t, logOf(t, dir), "NewWord", "does not compile")
}
