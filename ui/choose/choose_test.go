package choose

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/pausetui/pausetui/ui/options"
)

// chooserOf is a list of traces at a size, after some keys.
func chooserOf(w, h, n int, keys ...tea.KeyPressMsg) (c *chooser, left bool) {
	var rows []Row
	for i := range n {
		rows = append(rows, Row{Words: fmt.Sprintf("panic: number %d\x1b[2J", i+1), Note: fmt.Sprintf("line %d", 10*i)})
	}
	c = newChooser("Which?", rows, options.Screen{})
	c.Update(tea.WindowSizeMsg{Width: w, Height: h})
	for _, k := range keys {
		if _, cmd := c.Update(k); cmd != nil {
			left = true
		}
	}
	return c, left
}

func TestChoose(t *testing.T) {
	enter, down, esc := tea.KeyPressMsg{Code: tea.KeyEnter}, tea.KeyPressMsg{Code: tea.KeyDown}, tea.KeyPressMsg{Code: tea.KeyEscape}
	three := tea.KeyPressMsg{Code: '3', Text: "3"}
	for name, tt := range map[string]struct {
		keys   []tea.KeyPressMsg
		chosen int
		left   bool
	}{
		"the first": {[]tea.KeyPressMsg{enter}, 0, true},
		"the next":  {[]tea.KeyPressMsg{down, enter}, 1, true},
		"by words":  {[]tea.KeyPressMsg{three, enter}, 2, true},
		"none":      {[]tea.KeyPressMsg{down, esc}, -1, true},
		"not yet":   {[]tea.KeyPressMsg{down}, -1, false},
	} {
		t.Run(name, func(t *testing.T) {
			c, left := chooserOf(80, 24, 4, tt.keys...)
			if c.chosen != tt.chosen || left != tt.left {
				t.Errorf("chosen %d, left %v", c.chosen, left)
			}
		})
	}
}

// The list fits any terminal, however long it is, and says what keys do.
func TestChooseFits(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {160, 48}, {40, 12}, {20, 6}} {
		c, _ := chooserOf(size[0], size[1], 60)
		lines := strings.Split(c.View().Content, "\n")
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for i, l := range lines {
			if w := ansi.StringWidth(l); w > size[0] {
				t.Errorf("%v: line %d has %d cells: %q", size, i, w, ansi.Strip(l))
			}
		}
		text := ansi.Strip(strings.Join(lines, "\n"))
		if !strings.Contains(text, "panic:") || !strings.Contains(text, "enter takes it") {
			t.Errorf("%v:\n%s", size, text)
		}
	}
}

// What a row is about is read once, in the background, and shown beside the list or,
// on a narrow screen, below it. There the first click selects.
func TestChooseWithPreviews(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {80, 24}, {40, 12}} {
		reads := 0
		rows := []Row{
			{Words: "debug ./a", Preview: func() (string, string) { reads++; return "a/main.go", "package main\n\nfunc first() {}\n" }},
			{Words: "sessions resume x", Note: "1 hour ago", Preview: func() (string, string) { return "", "nil-map-write\x1b[2J\nassignment" }},
			{Words: "help"},
		}
		c := newChooser("What?", rows, options.Screen{})
		send := func(msg tea.Msg) (left bool) {
			_, cmd := c.Update(msg)
			for cmd != nil {
				p, ok := cmd().(previewMsg)
				if !ok {
					return true
				}
				_, cmd = c.Update(p)
			}
			return false
		}
		send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		shows := func(want ...string) {
			t.Helper()
			text := ansi.Strip(c.View().Content)
			for _, w := range want {
				if !strings.Contains(text, w) && size[1] > 12 {
					t.Errorf("%v: no %q in\n%s", size, w, text)
				}
			}
		}
		shows("a/main.go", "func first() {}", "1 hour ago")
		x, y := 0, 0
		for i, l := range strings.Split(ansi.Strip(c.View().Content), "\n") {
			if at := strings.Index(l, "sessions resume"); at >= 0 {
				x, y = ansi.StringWidth(l[:at]), i
			}
		}
		if send(tea.MouseClickMsg{X: x, Y: y}) || c.chosen >= 0 {
			t.Errorf("%v: the first click chooses", size)
		}
		shows("nil-map-write", "assignment")
		send(tea.KeyPressMsg{Code: tea.KeyUp})
		if reads != 1 {
			t.Errorf("read %d times", reads)
		}
		send(tea.KeyPressMsg{Code: tea.KeyDown})
		if !send(tea.MouseClickMsg{X: x, Y: y}) || c.chosen != 1 {
			t.Errorf("%v: the second click does not choose: %d", size, c.chosen)
		}
	}
}
