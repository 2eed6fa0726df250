package inspect

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// pastStop marks the tags of stops that are over: their numbers are those of
// the present, too.
const pastStop = 1 << 63

// Past reports whether a tag is that of a stop that is over.
func (t Tag) Past() bool { return t.Stop&pastStop != 0 }

// NewPast returns a store that is filled from the record of a stop. What the
// record does not hold its Needs ask of the record, which refuses it. text gives
// the source texts that were kept, by their names.
func NewPast(number int, record session.StopRecord, text func(name string) ([]byte, error)) *Store {
	s := NewStore()
	s.Stopped(pastStop|uint64(number), record.Stop)
	s.then = func(path string) *Source { return sourceOfThen(path, record, text) }
	g := newGoroutines()
	if list, _, err := record.Past().Goroutines(context.Background(), debugger.Page{}); err == nil {
		g.Add(list, false)
		g.addRecorded(record)
	}
	g.More, g.Recorded = false, true
	s.goroutine = g
	return s
}

// addRecorded completes the kinds with what was seen of them.
func (g *Goroutines) addRecorded(record session.StopRecord) {
	g.Counted, g.Partial = record.Seen.Known, record.Seen.Partial
	for i, group := range record.Seen.Groups {
		if i >= len(g.Kinds) {
			break
		}
		k := g.Kinds[i]
		k.Beyond = max(group.Count-k.Count, 0)
		k.Frames, _, _ = record.Past().Frames(context.Background(), k.ID, debugger.Page{}) // none: its place alone is known
		k.read = true
	}
}

// sourceOfThen reads a file as it was. Files that are not the user's are taken
// to be what they were.
func sourceOfThen(path string, record session.StopRecord, text func(name string) ([]byte, error)) *Source {
	name, kept := record.Sources[path]
	if !kept {
		s := ReadSource(path)
		s.Now = s.Err == "" && usersFile(record, path)
		return s
	}
	data, err := text(name)
	if err != nil {
		return &Source{Path: path, Err: "its text of then: " + err.Error()}
	}
	return NewSource(path, string(data))
}

// usersFile reports whether a file is the user's own, as its frames say.
func usersFile(record session.StopRecord, path string) bool {
	stacks := [][]debugger.Frame{record.Stop.Frames}
	if record.Seen != nil {
		for _, s := range record.Seen.Stacks {
			stacks = append(stacks, s.Frames)
		}
	}
	for _, frames := range stacks {
		for _, f := range frames {
			if f.File == path {
				return f.User
			}
		}
	}
	return false
}
