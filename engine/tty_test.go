package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

func TestPausesOfTypedInputAreCutDown(t *testing.T) {
	typed := []session.Input{{After: time.Minute, Text: "a"}, {After: time.Minute + 100*time.Millisecond, Text: "b"}, {After: time.Hour, Text: "\x04"}}
	quick, saved := hurried(typed)
	want := []session.Input{{After: maxPause, Text: "a"}, {After: maxPause + 100*time.Millisecond, Text: "b"}, {After: 2*maxPause + 100*time.Millisecond, Text: "\x04"}}
	if !slices.Equal(quick, want) || saved != time.Hour-want[2].After {
		t.Errorf("%v, saved %v", quick, saved)
	}
}

func noticed(s session.State, words string) bool {
	return slices.ContainsFunc(s.Notices, func(n session.NoticeRecord) bool { return n.Text == words })
}

// What is typed again after a restart is announced.
func TestInputThatIsTypedAgainIsAnnounced(t *testing.T) {
	t.Parallel()
	dir := module(t, `
-- go.mod --
module example.org/greeting

go 1.26
-- main.go --
package main

import "fmt"

func main() {
	var name string
	fmt.Scanln(&name)
	fmt.Println("hello", name)
}
`)
	p := play(t, Options{Target: TargetOptions{Dir: dir, Typed: []session.Input{{Text: "Ada\r"}}}})
	s := p.until("the end", func(s session.State) bool { return s.Phase == session.PhaseExited })
	if !noticed(s, "what was typed before is typed again") {
		t.Errorf("the notices are %+v", s.Notices)
	}
	round := s.Round
	p.engine.Do(Restart{NoInput: true})
	s = p.until("the next round", func(s session.State) bool { return s.Round > round && s.Phase == session.PhaseRunning })
	if len(s.Typed) > 0 {
		t.Errorf("%q is typed again", s.Typed)
	}
}
