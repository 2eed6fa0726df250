package ui

import (
	"testing"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/sessiontest"
)

// harmless checks what the terminal would be sent.
func harmless(t *testing.T, s *stage, when string) {
	t.Helper()
	v := s.View()
	if bad := sessiontest.Escaped(v.Content); bad != "" {
		t.Errorf("%s: drawn: %s", when, bad)
	}
	if bad := sessiontest.Escaped(v.WindowTitle); bad != "" {
		t.Errorf("%s: the window's title: %s", when, bad)
	}
}

var sizes = [][2]int{{40, 12}, {120, 36}}

// TestNothingHostileIsDrawn sends attacks through every scene, and every pane.
func TestNothingHostileIsDrawn(t *testing.T) {
	keys := []string{"1", "2", "3", "enter", "4", "5", "6", "enter", "j", "7", "?", "esc", "w", "esc", "0"}
	for name, scene := range scenes() {
		for _, all := range []bool{false, true} {
			for _, size := range sizes {
				f := scene()
				playEngine(f)
				for _, e := range f.events {
					sessiontest.Taint(e.Body, all)
				}
				f.live.Status = sessiontest.Attack
				f.live.Streams = map[string]live.Stream{"a1": {Model: sessiontest.Attack, Tail: sessiontest.Attack}}
				if _, err := f.out.Write([]byte(sessiontest.Attack)); err != nil {
					t.Fatal(err)
				}
				s := play(t, f, size[0], size[1])
				harmless(t, s, name)
				for _, k := range keys {
					s.press(k)
					harmless(t, s, name+" "+k)
				}
			}
		}
	}
}

// TestNoHostileEventIsDrawn sends every kind of event, all strings of which are
// attacks, at a stop with candidates.
func TestNoHostileEventIsDrawn(t *testing.T) {
	for _, size := range sizes {
		for _, b := range sessiontest.Hostile() {
			if _, over := b.(*session.Ended); over {
				continue
			}
			f := sceneProved()
			s := play(t, f, size[0], size[1])
			f.add(b)
			s.send(f.update())
			harmless(t, s, b.Kind())
			for _, k := range []string{"5", "6", "7"} {
				s.press(k)
				harmless(t, s, b.Kind()+" "+k)
			}
		}
	}
}
