package session

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/pausetui/pausetui/debugger"
)

// Seen is what was looked at of a stop beyond what Stopped holds, so that it can
// be looked at again when the target has long gone on. It comes when the target
// leaves the stop.
type Seen struct {
	Stop     int              `json:"stop"` // number of the stop in its session, from 1
	Frames   []SeenFrame      `json:"frames,omitempty"`
	Children []SeenChildren   `json:"children,omitempty"`
	Groups   []GoroutineGroup `json:"groups,omitempty"`
	// Known is how many goroutines the groups were made of; Partial tells that
	// there were more.
	Known   int         `json:"known,omitempty"`
	Partial bool        `json:"partial,omitempty"`
	Stacks  []SeenStack `json:"stacks,omitempty"`
	// Left tells that there was more than is kept of a stop.
	Left bool `json:"left,omitempty"`
}

// SeenFrame is a frame with its variables.
type SeenFrame struct {
	Goroutine debugger.GoroutineID `json:"goroutine"`
	Frame     debugger.Frame       `json:"frame"`
}

// SeenStack is the beginning of a goroutine's stack.
type SeenStack struct {
	Goroutine debugger.GoroutineID `json:"goroutine"`
	Frames    []debugger.Frame     `json:"frames"`
	More      bool                 `json:"more,omitempty"`
}

// SeenChildren are children of a value, from the start-th on.
type SeenChildren struct {
	At    debugger.FrameRef   `json:"at"`
	Expr  string              `json:"expr"`
	Start int                 `json:"start,omitempty"`
	List  []debugger.Variable `json:"list"`
}

// GoroutineGroup is goroutines with the same stack.
type GoroutineGroup struct {
	First  debugger.Goroutine     `json:"first"`         // one of them
	Others []debugger.GoroutineID `json:"ids,omitempty"` // some of them
	Count  int                    `json:"count"`         // in all
	Waited time.Duration          `json:"waited,omitempty"`
}

// Bounds of what is kept of a stop.
const (
	maxSeen       = 512 << 10 // bytes, as JSON
	maxSeenStack  = 24        // frames of a stack
	maxSeenStacks = 64
	maxSeenGroups = 300
	// MaxSeenMembers is how many goroutines of a group are named.
	MaxSeenMembers = 100
)

// Bound leaves out what is too much, the least important last.
func (s *Seen) Bound() {
	left := maxSeen
	fits := func(v any) bool {
		data, err := json.Marshal(v)
		if err != nil || len(data) > left {
			s.Left = true
			return false
		}
		left -= len(data)
		return true
	}
	s.Frames = keep(s.Frames, len(s.Frames), fits)
	s.Children = keep(s.Children, len(s.Children), fits)
	slices.SortStableFunc(s.Groups, func(a, b GoroutineGroup) int { return cmp.Compare(b.Count, a.Count) })
	s.Left = s.Left || len(s.Groups) > maxSeenGroups || len(s.Stacks) > maxSeenStacks
	s.Groups = keep(s.Groups, maxSeenGroups, fits)
	for i := range s.Stacks {
		if st := &s.Stacks[i]; len(st.Frames) > maxSeenStack {
			st.Frames, st.More = st.Frames[:maxSeenStack:maxSeenStack], true
		}
	}
	s.Stacks = keep(s.Stacks, maxSeenStacks, fits)
}

func keep[T any](list []T, most int, fits func(any) bool) []T {
	var out []T
	for _, v := range list[:min(len(list), most)] {
		if fits(v) {
			out = append(out, v)
		}
	}
	return out
}

// Empty reports whether there is nothing beyond what Stopped says.
func (s *Seen) Empty() bool {
	return len(s.Frames)+len(s.Children)+len(s.Groups)+len(s.Stacks) == 0
}

// SourcesKept: the text of source files as it was at a stop is next to the log,
// see Texts.
type SourcesKept struct {
	Stop  int          `json:"stop"` // number of the stop in its session, from 1
	Files []SourceKept `json:"files"`
}

// SourceKept is a file whose text is kept under a name made of it.
type SourceKept struct {
	File string `json:"file"` // absolute, as frames name it
	Name string `json:"name"` // empty where it is not kept
	Err  string `json:"err,omitempty"`
}

func (s State) applySeen(body Body) State {
	switch b := body.(type) {
	case *Seen:
		return s.updateStop(b.Stop-1, func(r *StopRecord) { r.Seen = b })
	case *SourcesKept:
		return s.updateStop(b.Stop-1, func(r *StopRecord) {
			kept := make(map[string]string, len(r.Sources)+len(b.Files))
			for file, name := range r.Sources {
				kept[file] = name
			}
			for _, f := range b.Files {
				if f.Name != "" {
					kept[f.File] = f.Name
				}
			}
			r.Sources = kept
		})
	}
	return s
}
