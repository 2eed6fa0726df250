package engine

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// Keys are those of the terminal that the program was told it has.
func TestKeysAreThoseOfTheProgramsTerminal(t *testing.T) {
	for term, keys := range map[string]map[string]string{
		"xterm-256color":        {"\x1bOF": "\x1bOF", "\x1b[F": "\x1b[F"},
		"tmux-256color":         {"\x1bOF": "\x1b[4~", "\x1b[F": "\x1b[4~", "\x1b[H": "\x1b[1~", "\x1bOA": "\x1bOA", "\x1bOP": "\x1bOP", "\x1b[1;5H": "\x1b[1;5H"},
		"screen":                {"\x1bOH": "\x1b[1~"},
		"linux":                 {"\x1bOF": "\x1b[4~", "\x1bOQ": "\x1b[[B", "\x1b[15~": "\x1b[[E", "\x1b[17~": "\x1b[17~"},
		"rxvt-unicode-256color": {"\x1b[F": "\x1b[8~", "\x1bOP": "\x1b[11~", "\x1b[1;5D": "\x1bOd", "\x1b[3;2~": "\x1b[3$", "\x1b[1;5H": "\x1b[7^"},
		"":                      {"\x1bOF": "\x1bOF"},
	} {
		for key, want := range keys {
			if got := keyFor([]string{"TERM=dumb", "TERM=" + term}, key); got != want {
				t.Errorf("%s: %q becomes %q, not %q", term, key, got, want)
			}
		}
	}
}

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
