package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/session"
)

// Where there are few rows, a notice takes two of them at most, ends between words, and
// says where the rest is.
func TestANoticeCoversLittle(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("the process is optimized and some variables have no place ", 9))
	for height, most := range map[int]int{24: 2, 36: 4} {
		s := play(t, sceneStopped(), 80, height)
		s.fake.add(&session.Notice{Level: "warn", Text: words})
		s.catchUp()
		lines := s.bar.lines(80)
		if len(lines) != most {
			t.Errorf("at 80x%d it takes %d lines", height, len(lines))
		}
		text := s.screenText()
		before, found := strings.CutSuffix(strings.TrimRight(text, " \n"), " … 7 has it all")
		last := before[strings.LastIndexByte(before, ' ')+1:]
		if !found || !strings.Contains(" "+words+" ", " "+last+" ") {
			t.Errorf("at 80x%d it ends with %q:\n%s", height, last, text)
		}
	}
}

// What was said of the running program is not left at its stop.
func TestANoticeOfTheRunningProgramGoes(t *testing.T) {
	s := play(t, sceneRunning(), 120, 36)
	s.press("c")
	if !strings.Contains(s.Said.Text, "running") {
		t.Fatalf("it says %q", s.Said.Text)
	}
	for _, e := range sceneStopped().events {
		if b, ok := e.Body.(*session.Stopped); ok {
			s.fake.add(b)
		}
	}
	s.catchUp()
	if s.Said.Text != "" {
		t.Errorf("at the stop it says %q", s.Said.Text)
	}
}
