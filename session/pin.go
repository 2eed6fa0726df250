package session

import (
	"fmt"

	"github.com/pausetui/pausetui/debugger"
)

// Pin is what a note is about: a candidate, a value, a frame, or a line.
type Pin struct {
	Candidate string             `json:"candidate,omitempty"`
	Value     string             `json:"value,omitempty"` // an expression of the frame
	At        *debugger.FrameRef `json:"at,omitempty"`
	Place     *Place             `json:"place,omitempty"`
}

// Words says it for people; rel writes a file's path as people want to read it.
func (p Pin) Words(rel func(string) string) string {
	switch {
	case p.Candidate != "":
		return Called(p.Candidate)
	case p.Value != "" && p.Place != nil:
		return fmt.Sprintf("%s at %s:%d", p.Value, rel(p.Place.File), p.Place.Line)
	case p.Value != "":
		return p.Value
	case p.Place != nil:
		return fmt.Sprintf("%s:%d", rel(p.Place.File), p.Place.Line)
	case p.At != nil:
		return fmt.Sprintf("frame %d of goroutine %d", p.At.Frame, p.At.Goroutine)
	}
	return ""
}

// noticeHead says what kind of notice it is, and of a note in a shared session
// whose it is and what it is about.
func (w *story) noticeHead(e Event, b *Notice) string {
	head := b.Level
	if b.Level == "note" && e.Actor != "person" && e.Actor != "" {
		head += " by " + e.Actor
	}
	if b.Pin != nil {
		if words := b.Pin.Words(w.state.Started.Workspace.Rel); words != "" {
			head += ", on " + words
		}
	}
	return head
}
