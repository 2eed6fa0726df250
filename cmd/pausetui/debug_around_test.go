package main

import (
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// startedProgram panics in a goroutine that another one has started, with calls
// deferred, the last of which panics again.
const startedProgram = `package main

import "fmt"

type shop struct{ sold map[string]int }

func (s *shop) sell(name string) {
	defer fmt.Println("sold", name)
	s.sold[name]++
}

func wrap() {
	if r := recover(); r != nil {
		panic(fmt.Errorf("cannot sell: %v", r))
	}
}

func main() {
	s := &shop{}
	done := make(chan bool)
	go func() {
		defer close(done)
		defer wrap()
		s.sell("tea")
	}()
	<-done
}
`

// The stack folds what is deferred and who started the goroutine, and the card
// tells what was panicked again.
func TestDebugShowsWhatIsBesideTheStack(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := startTerminal(t, program(t, startedProgram), 160, 44, nil, "debug", "--offline", "--panics", "all", "--env", "GODEBUG=tracebackancestors=5", ".")
	x.wait("nil-map-write")
	x.wait("⋯ 1 deferred call")
	x.wait("⋯ started by main")
	x.keys("2", "g", "j", "j", " ")
	x.wait("defer fmt.Println")
	x.keys("G", " ")
	x.wait("goroutine 1 is still running")
	x.wait("goroutine 1: ")
	x.keys("G", " ")
	x.wait("goroutine 1: 1 frame ▾")
	x.keys("j", "\r")
	x.wait("esc back to where you were")
	x.keys(escape)
	x.gone("esc back to where you were")
	x.keys("c")
	x.wait("first: nil-map-write: assignment to entry in nil map, recovered · then: this one, in a deferred call")
	x.leave()
}
