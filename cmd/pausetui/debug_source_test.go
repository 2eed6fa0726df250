package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

const travelProgram = `package main

import (
	"fmt"
	"strings"
)

type shelf struct{ books map[string]int }

// put puts a book on the shelf.
func (s *shelf) put(title string) { s.books[strings.ToUpper(title)]++ }

func main() {
	s := &shelf{}
	fmt.Println("on the shelf")
	s.put("Go")
}
`

// A symbol is found, its definition gone to, a library entered, and the way back
// leads to the stop.
func TestDebugFindsItsWayInTheSource(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := offline(t, program(t, travelProgram))
	x.wait("nil-map-write")
	x.wait("▶ 11")
	x.keys("\x0f") // ctrl+o
	x.wait("Find a file or symbol")
	for _, k := range "shelf.put" {
		x.keys(string(k))
	}
	x.wait("(*shelf).put")
	x.keys("\r")
	x.gone("Find a file or symbol")
	x.wait("esc back")
	x.keys("C")
	x.wait("Callers of (*shelf).put")
	x.wait("s.put(\"Go\")")
	x.keys("\r")
	x.gone("Callers of")
	x.keys("d") // on put
	x.wait("esc back")
	x.keys("/", "T", "o", "U", "p", "\r", "d")
	x.wait("strings/strings.go", "func ToUpper")
	x.keys("D")
	x.wait("0x")
	x.keys("D", escape)
	x.wait("1 Source · main.go")
	x.keys("\r")
	x.gone("esc back")
	x.wait("▶ 11")
	x.leave()
}

// While the target runs the source can be looked at, too; a file that is gone
// says so.
func TestDebugFindsFilesWhileRunning(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, endlessProgram)
	put(t, filepath.Join(dir, "notes.txt"), "nothing to see\n")
	x := startTerminal(t, dir, 80, 24, nil, "debug", "--offline", ".")
	x.wait("started")
	x.keys("\x0f")
	x.wait("notes.txt")
	for _, k := range "notes" {
		x.keys(string(k))
	}
	x.keys("\r")
	x.wait("nothing to see")
	if err := os.Remove(filepath.Join(dir, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	x.keys("\x0f")
	x.wait("runtime", "main.go")
	for _, k := range "main.go" {
		x.keys(string(k))
	}
	x.keys("\r")
	x.wait("package main")
	x.leave()
}
