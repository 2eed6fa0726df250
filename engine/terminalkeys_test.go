package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// The program's own environment decides, not that of the debugger.
func TestAKeyReachesAProgramAsItsTerminalSendsIt(t *testing.T) {
	dir := module(t, `
-- go.mod --
module example.org/keys

go 1.26
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	fmt.Println("ready")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	fmt.Printf("got %q\n", line)
}
`)
	p := play(t, options.Session{Target: options.Target{Dir: dir, Env: []string{"TERM=tmux-256color"}}})
	p.until("it runs", func(s session.State) bool { return s.Phase == session.PhaseRunning })
	p.engine.Do(intent.Type{Text: "\x1bOF"})
	p.engine.Do(intent.Type{Text: "\n"})
	p.until("its end", func(s session.State) bool { return s.Phase == session.PhaseExited })
	if out := p.engine.Output().Tail(1 << 10); !strings.Contains(out, `got "\x1b[4~\n"`) {
		t.Errorf("it has read %q", out)
	}
}
