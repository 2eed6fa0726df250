package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// snapshot is a screen at a time since the program began.
type snapshot struct {
	at    time.Duration
	cells [][]uv.Cell
}

func snap(at time.Duration, screen terminal.Cells) snapshot {
	s := snapshot{at: at, cells: make([][]uv.Cell, rows)}
	for y := range s.cells {
		s.cells[y] = make([]uv.Cell, columns)
		for x := range s.cells[y] {
			s.cells[y][x] = uv.EmptyCell
			if c := screen.CellAt(x, y); c != nil {
				s.cells[y][x] = *c
			}
		}
	}
	return s
}

// text is the screen without colors, a line a row.
func (s snapshot) text() string {
	var b strings.Builder
	for _, row := range s.cells {
		line := ""
		for _, c := range row {
			line += c.Content
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// frame is a screen that is shown for some time of the recording.
type frame struct {
	snapshot
	lasts time.Duration
}

// scene is a step as it was played. Its last frame is what the step led to.
type scene struct {
	name, caption string
	frames        []frame
}

// shortest is how long a frame is shown at least: what was there for a shorter time
// is half of a change.
const shortest = 60 * time.Millisecond

// cut shares the snapshots among the steps. The way to a step's end keeps its pace, or
// is sped up to what the step allows.
func cut(steps []step, taken []snapshot, ends []time.Duration) []scene {
	scenes := make([]scene, len(steps))
	var began time.Duration
	if len(taken) > 0 {
		began = taken[0].at
	}
	for i, s := range steps {
		n := 0
		for n < len(taken) && taken[n].at <= ends[i] {
			n++
		}
		scenes[i] = scene{name: s.name, caption: s.caption, frames: paced(taken[:n], began, s)}
		if n > 0 {
			taken = taken[n-1:] // what the next step begins with
			taken[0].at = ends[i]
		}
		began = ends[i]
	}
	return scenes
}

// paced gives each screen of a step its time.
func paced(taken []snapshot, began time.Duration, s step) []frame {
	if len(taken) == 0 {
		return nil
	}
	last := len(taken) - 1
	speed := 1.0
	if way := taken[last].at - began; way > s.work {
		speed = float64(s.work) / float64(way)
	}
	var frames []frame
	var waits time.Duration // of screens that were too short
	for i, shot := range taken[:last] {
		waits += time.Duration(float64(taken[i+1].at-shot.at) * speed)
		if waits >= shortest && (len(frames) == 0 || frames[len(frames)-1].text() != shot.text()) {
			frames = append(frames, frame{shot, waits})
			waits = 0
		}
	}
	return append(frames, frame{taken[last], waits + s.hold})
}

// transcript is the text of the scenes, one a file of a txtar archive.
func (r recording) transcript(scenes []scene) []byte {
	archive := &txtar.Archive{Comment: fmt.Appendf(nil, "The scenes of %s.svg: make recording writes both.\n\n", r.name)}
	for _, s := range scenes {
		text := strings.TrimRight(s.end().text(), "\n") + "\n"
		archive.Files = append(archive.Files, txtar.File{Name: s.name + ": " + s.caption, Data: []byte(text)})
	}
	return bytes.TrimSpace(txtar.Format(archive))
}

// end is what a scene led to.
func (s scene) end() snapshot { return s.frames[len(s.frames)-1].snapshot }
