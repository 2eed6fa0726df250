package engine

import (
	"net"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/verdict"
)

// client crashes on what a server tells it; without one it has nothing to do.
const client = `
-- go.mod --
module example.org/client

go 1.26
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
)

// tally counts words.
func tally(words []string) map[string]int {
	var counts map[string]int
	for _, w := range words {
		counts[w]++
	}
	return counts
}

func main() {
	conn, err := net.Dial("tcp", os.Args[1])
	if err != nil {
		fmt.Println("nobody there")
		return
	}
	line, _ := bufio.NewReader(conn).ReadString('\n')
	fmt.Println(tally(strings.Fields(line)))
}
`

// serve answers each connection with a line until stop is called.
func serve(t *testing.T) (addr string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("bolt nut bolt\n"))
			_ = c.Close()
		}
	}()
	stop = func() { _ = l.Close(); <-done }
	t.Cleanup(stop)
	return l.Addr().String(), stop
}

// What only a regression test could prove is judged by that test, where the
// restart does not come to the place again.
func TestJudgedByTheRegressionTest(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for name, withoutTest := range map[string]bool{"written": false, "left out": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addr, stop := serve(t)
			p := play(t, options.Session{Target: options.Target{Dir: module(t, client), Args: []string{addr}, Headless: true}})
			id := ""
			s := p.until("a fix is verified", func(s session.State) bool {
				if i := s.CaseIndex(); i >= 0 {
					for _, c := range s.Stops[i].Candidates {
						if c.Verified() {
							id = c.ID
						}
					}
				}
				return id != ""
			})
			c, _ := s.Candidate(id)
			rerun, _ := verdict.Find(c.Checks, verdict.Rerun)
			if !c.Verdict.ByTest || rerun.Status != verdict.Warn {
				t.Fatalf("proved otherwise than by its regression test: %+v", c.Checks)
			}
			stop()
			p.engine.Do(intent.Approve{Candidate: id, WithoutTest: withoutTest})
			s = p.until("it is judged", func(s session.State) bool { return s.Judged != nil })
			if j := s.Judged; j.Judgement != session.Fixed || !strings.Contains(j.Evidence, "regression test passes; the run did not reach the place") {
				t.Errorf("judged %s: %s", j.Judgement, j.Evidence)
			}
		})
	}
}

const twoBugs = `
-- go.mod --
module example.org/twobugs

go 1.26
-- main.go --
package main

import "fmt"

// Index counts words.
type Index struct{ words map[string]int }

// NewIndex makes an empty index.
func NewIndex() *Index { return &Index{} }

// Add counts a word.
func (x *Index) Add(word string) {
	x.words[word]++
}

// last is the last element.
func last(xs []int) int {
	return xs[len(xs)]
}

func main() {
	x := NewIndex()
	x.Add("a")
	fmt.Println("indexed", len(x.words))
	fmt.Println(last([]int{1, 2}))
}
`

// The fix of the first bug is judged by its own place, and the second bug is a
// stop like any other.
func TestTwoBugsAreFixedInOneSession(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	p := play(t, options.Session{Target: options.Target{Dir: module(t, twoBugs), Headless: true}})
	for _, want := range []struct{ class, evidence string }{
		{"nil-map-write", "ran past main.go:13, as in the proof; next stop: index-out-of-range at main.go:18"},
		{"index-out-of-range", "no panic at main.go:18, exit 0"},
	} {
		id := ""
		s := p.until("a fix for "+want.class+" is verified", func(s session.State) bool {
			if i := s.CaseIndex(); i >= 0 && string(s.Stops[i].Stop.Panic.Class) == want.class {
				for _, c := range s.Stops[i].Candidates {
					if c.Verified() {
						id = c.ID
					}
				}
			}
			return id != ""
		})
		judged := len(s.Applied)
		p.engine.Do(intent.Approve{Candidate: id})
		s = p.until("it is judged", func(s session.State) bool {
			return len(s.Applied) > judged && s.Applied[judged].Judgement != "" && s.Judged != nil && s.Judged.Candidate == id
		})
		if s.Judged.Judgement != session.Fixed || s.Judged.Evidence != want.evidence {
			t.Errorf("%s is judged %s: %s", want.class, s.Judged.Judgement, s.Judged.Evidence)
		}
	}
}
