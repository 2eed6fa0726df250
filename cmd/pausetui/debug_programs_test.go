package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// The programs that the tests debug, beside the examples.

// echoProgram reads lines: "boom" panics, "bye" ends it.
const echoProgram = `package main

import (
	"bufio"
	"fmt"
	"os"
)

// Words counts what was said.
type Words struct {
	Said map[string]int
	Last string
}

// NewWords returns a counter.
func NewWords() *Words {
	return &Words{Last: "none"}
}

// Count counts a word.
func (w *Words) Count(word string) {
	w.Last = word
	w.Said[word]++
}

func main() {
	words := NewWords()
	lines := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	for lines.Scan() {
		word := lines.Text()
		fmt.Printf("heard <%s>\n", word)
		switch word {
		case "boom":
			words.Count(word)
			fmt.Println("counted", words.Said[word])
		case "bye":
			return
		}
	}
}
`

// endlessProgram works for ever and is deaf to polite signals. The lines that
// tests name carry a mark.
const endlessProgram = `package main

import (
	"fmt"
	"os/signal"
	"syscall"
	"time"
)

func work(values []int, x int) int {
	total := 0 // mark: work begins
	for _, v := range values {
		total += v * x
	}
	return total % 7 // mark: work ends
}

func main() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM)
	values := []int{1, 2, 3}
	x := 1
	fmt.Println("started")
	for round := 0; ; round++ {
		x = work(values, x) + 1 // mark: call
		time.Sleep(time.Millisecond)
	}
}
`

// twoBugsProgram has a second bug right behind the first one.
const twoBugsProgram = `package main

import "fmt"

// Shelf holds books by their author.
type Shelf struct {
	books map[string][]string
	order []string
}

// NewShelf returns an empty shelf.
func NewShelf() *Shelf {
	return &Shelf{}
}

// Put adds a book.
func (s *Shelf) Put(author, title string) {
	s.books[author] = append(s.books[author], title)
	s.order = append(s.order, title)
}

// Titles lists the titles in the order they came.
func (s *Shelf) Titles() []string {
	var list []string
	for i := 0; i <= len(s.order); i++ {
		list = append(list, s.order[i])
	}
	return list
}

func main() {
	shelf := NewShelf()
	shelf.Put("Lem", "Solaris")
	shelf.Put("Lem", "Fiasco")
	fmt.Println("shelved")
	for _, title := range shelf.Titles() {
		fmt.Println("title:", title)
	}
	fmt.Println("all is well")
}
`

// crowdProgram stops with several goroutines and a big slice.
const crowdProgram = `package main

import (
	"fmt"
	"sync"
	"time"
)

// Ledger sums amounts by name.
type Ledger struct{ sums map[string]int }

// waitForever waits for something that never comes.
func waitForever(ready *sync.WaitGroup, never chan int, name string) {
	ready.Done()
	fmt.Println(name, <-never)
}

func main() {
	numbers := make([]int, 5000)
	for i := range numbers {
		numbers[i] = i * 3
	}
	var ready sync.WaitGroup
	never := make(chan int)
	for i := range 3 {
		ready.Add(1)
		go waitForever(&ready, never, fmt.Sprint("waiter ", i))
	}
	ready.Wait()
	time.Sleep(200 * time.Millisecond) // all of them get to the receive
	ledger := &Ledger{}
	ledger.sums["all"] = len(numbers)
	fmt.Println(ledger.sums, numbers[1])
}
`

// program writes a module of one command to a temporary directory.
func program(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "go.mod"), "module example.org/sample\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "main.go"), source)
	return dir
}

var put = testsupport.Write

var get = testsupport.Read

// lineOf is the number of the only line that contains the text.
func lineOf(t *testing.T, source, text string) int {
	t.Helper()
	if strings.Count(source, text) != 1 {
		t.Fatalf("%q is not once in the source", text)
	}
	return 1 + strings.Count(source[:strings.Index(source, text)], "\n")
}

// logOf is the markdown log of the only session below dir.
func logOf(t *testing.T, dir string) string {
	t.Helper()
	logs, _ := filepath.Glob(filepath.Join(dir, "debug", "*.md"))
	if len(logs) != 1 {
		t.Fatalf("logs: %q", logs)
	}
	return get(t, logs[0])
}

// has reports what a text lacks.
func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

// offline starts a session of the program in dir on a wide screen.
func offline(t *testing.T, dir string, env ...string) *terminal {
	t.Helper()
	return startTerminal(t, dir, 140, 40, env, "debug", "--offline", ".")
}

// waitMatch waits until the screen shows a match, and returns it with its groups.
func (x *terminal) waitMatch(want *regexp.Regexp) (found []string) {
	x.t.Helper()
	x.until(fmt.Sprintf("the screen never showed %s", want), func() bool {
		found = want.FindStringSubmatch(x.text())
		return found != nil
	})
	return found
}

// shows waits until the screen shows all of the texts: it may be half drawn.
func (x *terminal) shows(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		x.wait(text)
	}
}

// leave quits and wants a good end.
func (x *terminal) leave() {
	x.t.Helper()
	x.keys("q")
	over := func() bool { // nothing was left to lose: it does not ask
		select {
		case <-x.Ended():
			return true
		default:
			return false
		}
	}
	x.until("it neither ends nor asks", func() bool { return over() || strings.Contains(x.text(), "Quit?") })
	if !over() {
		x.keys("y")
	}
	if code := x.exit(); code != 0 {
		x.t.Errorf("exit code %d", code)
	}
}

// confirm answers a question with yes.
func (x *terminal) confirm(question string) {
	x.t.Helper()
	x.wait(question)
	x.keys("y")
}

// approve approves the candidate at hand.
func (x *terminal) approve() {
	x.t.Helper()
	x.keys("a")
	x.wait("Approve fix")
	x.keys("y")
}
