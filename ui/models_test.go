package ui

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/session"
)

// TestAskingWithoutAModelSaysSo presses f where no model can be asked, and the list of
// fixes has no room for another row.
func TestAskingWithoutAModelSaysSo(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		f := sceneProved()
		s := play(t, f, size[0], size[1])
		fail := func(id string) {
			f.add(&session.Asked{Request: id, Round: 1}, &session.Answered{Request: id, Err: "there is no model to ask", Hint: "pausetui models pull NAME"})
			s.catchUp()
		}
		fail("a8")
		if strings.Contains(s.screenText(), "there is no model to ask — ") {
			t.Errorf("%v: a question that the person did not ask interrupts", size)
		}
		s.press("f")
		if text := s.screenText(); !strings.Contains(text, "asking for more fixes") {
			t.Errorf("%v: f shows nothing:\n%s", size, text)
		}
		fail("a9")
		if text := s.screenText(); !strings.Contains(text, "there is no model to ask — pausetui models pull NAME") {
			t.Errorf("%v: nothing says that there is no model:\n%s", size, text)
		}
	}
}
