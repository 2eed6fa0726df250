package main

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// scenario is what a person does with pausetui.
type scenario struct {
	name     string
	weight   int    // how often it is drawn
	files    string // of the module
	from     string // the scenario whose end it begins with, instead of the files
	args     []string
	model    bool   // a scripted model server runs
	code     int    // the exit code of a run without a fault
	bye      string // keys that leave it, with commas between; empty: those of the screen
	steps    []step
	attaches bool // to a server that the run starts
	lines    bool // the program prints lines
	brief    bool // it takes less than a tenth of a second
}

// step presses keys and waits until the screen shows one of the words.
type step struct {
	keys string
	wait []string
	do   func(*run) error // something else instead of keys
}

const (
	escape = "\x1b[27u" // as terminals with Kitty's protocol send it
	enter  = "\r"
)

func press(keys string, wait ...string) step { return step{keys: keys, wait: wait} }

var stopped = []step{press("", "nil-map-write"), press("", "make books in NewShelf")}

var applied = append(slices.Clone(stopped), press("6"), press("", "✓ verified", "✓ repairs"), press("a", "Approve fix"), press("y", "✓ fixed"))

var scenarios = []*scenario{
	{name: "panic", weight: 3, files: shelf, args: []string{"debug", "--offline", "."},
		steps: append(slices.Clone(stopped), press(":", ":"), press("whatis s"+enter, "*main.Shelf"), press(escape), press("4"), press("2"), press("3"), press("1"))},
	{name: "fix", weight: 0, files: shelf, args: []string{"fix", "--offline", "."}, code: 3},
	{name: "fix-apply", weight: 3, files: shelf, args: []string{"fix", "--offline", "--apply", "."}},
	{name: "apply", weight: 4, files: shelf, args: []string{"debug", "--offline", "."}, steps: applied},
	{name: "undo", weight: 3, files: shelf, args: []string{"debug", "--offline", "."},
		steps: append(slices.Clone(applied), press("u", "Undo the applied change?"), press("y", "undone", "as they were"))},
	{name: "sessions-undo", weight: 2, from: "apply", args: []string{"sessions", "undo"}, brief: true},
	{name: "restart", weight: 2, files: shelf, args: []string{"debug", "--offline", "."},
		steps: append(slices.Clone(stopped), press("r"), press("", "round 2", "restarted", "nil-map-write"), press("r"), press("", "nil-map-write"))},
	{name: "resume", weight: 2, from: "fix", args: []string{"sessions", "resume", "latest"},
		steps: append(slices.Clone(applied), press("u", "Undo the applied change?"), press("y", "undone", "as they were"))},
	{name: "browser", weight: 1, from: "apply", args: []string{"sessions"},
		steps: []step{press("", "1 session", "2 sessions"), press("n"), press("i"), press("l"), press(enter, "esc list"), press(escape, "enter open"), press(escape)}},
	{name: "plain", weight: 1, files: shelf, lines: true, bye: "quit\n,\x04", args: []string{"debug", "--plain", "--offline", "."},
		steps: []step{press("", "values: s.books"), press("fixes\n", "is verified"), press("approve 1\n", "y applies it"), press("y\n", "judged fixed")}},
	{name: "model", weight: 3, files: shelf, model: true, args: []string{"debug", "--model", "ollama/" + modelName, "."}, steps: asked},
	{name: "trace", weight: 1, files: shelf + trace, args: []string{"trace", "crash.log"},
		steps: []step{press("", "nil-map-write"), press("", "make books in NewShelf"), press("6"), press("2"), press("3"), press("1")}},
	{name: "share", weight: 2, files: shelf, args: []string{"debug", "--offline", "--share", "."}, steps: shared},
	{name: "bench", weight: 1, files: shelf, args: strings.Fields("bench run --yes --models builtin --rounds 0 --cases " + benchCase)},
	attached,
}

// benchCase is an open case that takes little time.
const benchCase = "closed-channel-csv-pipeline"

func find(name string) *scenario {
	for _, s := range scenarios {
		if s.name == name {
			return s
		}
	}
	return nil
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}

// versions are what the source may be: as it was, and with each of the fixes.
func (s *scenario) versions() []map[string]string {
	for s.from != "" {
		s = find(s.from)
	}
	versions := []map[string]string{{}}
	for _, f := range txtar.Parse([]byte(s.files)).Files {
		versions[0][f.Name] = string(f.Data)
	}
	for _, fix := range fixes {
		version := maps.Clone(versions[0])
		for file, text := range version {
			version[file] = fix.Replace(text)
		}
		versions = append(versions, version)
	}
	return versions
}

// fixes of shelf: two by the built-in fixer, one by the model.
var fixes = []*strings.Replacer{
	strings.NewReplacer("&Shelf{}", "&Shelf{books: make(map[string][]string)}"),
	strings.NewReplacer("\ts.books[author] =", "\tif s.books == nil {\n\t\ts.books = make(map[string][]string)\n\t}\n\ts.books[author] ="),
	strings.NewReplacer("{ return &Shelf{} }", "{\n\treturn &Shelf{books: map[string][]string{}}\n}", `"shelved"`, `"books shelved:"`),
}

// trace is what the program prints when it panics.
const trace = `-- crash.log --
panic: assignment to entry in nil map

goroutine 1 [running]:
main.(*Shelf).Put(...)
	/src/shelf/shelf.go:11
main.main()
	/src/shelf/main.go:7 +0x4f
exit status 2
`

// shelf stops at once. The built-in fix makes the map, and a test.
const shelf = `-- go.mod --
module example.org/shelf

go 1.26
-- main.go --
package main

import "fmt"

func main() {
	shelf := NewShelf()
	shelf.Put("Lem", "Solaris")
	fmt.Println("shelved", shelf.Count())
}
-- shelf.go --
package main

// Shelf holds books by their author.
type Shelf struct{ books map[string][]string }

// NewShelf returns an empty shelf.
func NewShelf() *Shelf { return &Shelf{} }

// Put adds a book.
func (s *Shelf) Put(author, title string) {
	s.books[author] = append(s.books[author], title)
}

// Count counts the authors.
func (s *Shelf) Count() int { return len(s.books) }
`
