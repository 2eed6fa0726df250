package ui

import (
	"strings"
	"testing"
)

// TestADialogLeavesNothingOfTheKeysBelowIt: the lines of the keys hold the dialog and
// nothing beside it.
func TestADialogLeavesNothingOfTheKeysBelowIt(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {100, 30}, {120, 36}, {160, 45}, {200, 60}} {
		for _, keys := range [][]string{{"6", "enter", "a"}, {"6", "a"}, {"6", "w"}, {"T"}} {
			s := play(t, sceneProved(), size[0], size[1])
			if keys[len(keys)-1] == "w" {
				s = play(t, sceneBlocked(), size[0], size[1])
			}
			s.press(keys...)
			s.Say("info", strings.Repeat("words that were said before ", 9))
			r, _ := s.DialogRect()
			lines := strings.Split(s.screenText(), "\n")
			for y := s.Lay.Bottom.Y; y < r.Y+r.H; y++ {
				row := []rune(lines[y])
				beside := string(row[:min(r.X, len(row))]) + string(row[min(r.X+r.W, len(row)):])
				if strings.TrimSpace(beside) != "" {
					t.Errorf("%v, after %v: %q is beside the dialog", size, keys, beside)
				}
			}
		}
	}
}
