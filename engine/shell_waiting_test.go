package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
)

// live waits until what is under way is so.
func (p *player) live(what string, is func(live.State) bool) live.State {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	var version uint64
	for {
		u, err := p.engine.loop.Wait(ctx, ^uint64(0), version)
		if err != nil {
			p.t.Fatalf("waiting until %s: %v", what, err)
		}
		if version = u.Live.Version; is(u.Live) {
			return u.Live
		}
	}
}

// What waits behind a line that takes long is known, and ctrl+c answers each line of it.
func TestLinesThatWaitAreShownAndAnswered(t *testing.T) {
	p, dir := shopping(t)
	long := filepath.Join(dir, "long.star")
	if err := os.WriteFile(long, []byte("def main():\n    for i in range(10000000000): pass\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := len(p.state.Transcript)
	for _, line := range []string{"p 1+1", "source " + long, "p sum", "frame 1"} {
		p.engine.Do(intent.Evaluate{Input: line})
	}
	p.live("two lines wait", func(l live.State) bool {
		return l.Command != nil && strings.HasPrefix(l.Command.Line, "source") && fmt.Sprint(l.Command.Waiting) == "[p sum frame 1]"
	})
	p.engine.Do(intent.CancelCommand{})
	p.until("four answers", func(s session.State) bool { return len(s.Transcript) == before+4 })
	for _, a := range p.state.Transcript[before+2:] {
		if a.Err != byInterrupt || a.Select != nil {
			t.Errorf("%s: %q", a.Input, a.Err)
		}
	}
	p.say("p sum", "sum = ")
}
