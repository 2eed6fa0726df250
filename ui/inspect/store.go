// Package inspect stores what was read of a stopped target, so that panes can draw it
// without waiting: frames, values, goroutines and source files.
//
// Panes say what they need; the program reads it outside of Update and hands
// the answers in. An answer to an older stop is dropped.
//
// At a stop that is not a crash, only the variables of the selected frame are read: in a
// large program, a step must not wait for those of all callers.
package inspect

import (
	"context"
	"fmt"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/internal/advice"
)

// Tag names what an answer belongs to: the journal's number of the stop, and
// a generation that counts the changes made to the target since.
type Tag struct {
	Stop       uint64
	Generation int
}

// Need is something a pane wants to be read.
type Need struct {
	Key  string // names it within a tag
	Read func(ctx context.Context, in debugger.Inspector) any
}

// Answer is what reading a need gave.
type Answer struct {
	Tag    Tag
	Key    string
	Result any
}

// Store holds the answers. It is used from one goroutine only.
type Store struct {
	// then reads a source file as it was at a stop that is over; nil in the present.
	then func(path string) *Source
	// Formats are the person's own ways to write values.
	Formats   format.Formats
	tag       Tag
	pending   map[string]bool
	stop      debugger.Stop
	stacks    map[debugger.GoroutineID]*Stack
	around    map[debugger.GoroutineID]*Around
	ancestors map[debugger.GoroutineID]*Ancestors
	loaded    map[debugger.FrameRef]loadedFrame
	children  map[string]*Children
	sources   map[string]*Source
	checked   map[string]Tag // when a source file was last looked at
	goroutine Goroutines
	pages     map[pageKey]*elements
	bytes     map[bytesKey]*bytesRead
	clock     uint64 // counts looks at pages
	search    *Search
	searches  int
	exprs     map[exprKey]expression
	described map[exprKey]Described
	history   history
	abouts    map[string]about
	epoch     int // counts what may have changed what is known of files
	code      map[debugger.FrameRef]*Code
	used      []string // paths of sources, the one that was read last at the end
}

// maxSources is how many source files are kept.
const maxSources = 64

type loadedFrame struct {
	frame      debugger.Frame
	generation int
}

// Stack is what is known of a goroutine's stack.
type Stack struct {
	Frames []debugger.Frame
	More   bool
	Err    string
}

// Children are children of a value beyond those that came with it.
type Children struct {
	List []debugger.Variable
	Err  string
}

// NewStore returns an empty store.
func NewStore() *Store {
	s := &Store{sources: map[string]*Source{}, checked: map[string]Tag{}, history: history{}}
	s.Stopped(0, debugger.Stop{})
	return s
}

// Tag is what answers must carry now.
func (s *Store) Tag() Tag { return s.tag }

// Stopped forgets the former stop and begins with what the new one brought.
func (s *Store) Stopped(seq uint64, stop debugger.Stop) {
	s.remember()
	s.tag = Tag{Stop: seq}
	s.stop = stop
	s.pending = map[string]bool{}
	s.stacks = map[debugger.GoroutineID]*Stack{}
	s.around = map[debugger.GoroutineID]*Around{}
	s.ancestors = map[debugger.GoroutineID]*Ancestors{}
	s.loaded = map[debugger.FrameRef]loadedFrame{}
	s.forgetValues()
	s.goroutine = newGoroutines()
	s.code = nil
	if len(stop.Frames) > 0 {
		s.stacks[stop.Goroutine] = &Stack{Frames: stop.Frames, More: stop.MoreFrames}
	}
	for _, f := range stop.Frames {
		if f.Loaded {
			s.loaded[debugger.FrameRef{Goroutine: stop.Goroutine, Frame: f.Index}] = loadedFrame{frame: f}
		}
	}
}

// Changed tells the store that values of the target were changed: what is
// known stays to be seen until it has been read again.
func (s *Store) Changed() {
	s.tag.Generation++
	s.pending = map[string]bool{}
	s.forgetValues()
}

// HasChanged reports whether values of the target were changed since it stopped.
func (s *Store) HasChanged() bool { return s.tag.Generation > 0 }

// forgetValues drops what was read of values beyond their frames.
func (s *Store) forgetValues() {
	s.children = map[string]*Children{}
	s.pages = map[pageKey]*elements{}
	s.bytes = map[bytesKey]*bytesRead{}
	s.exprs = map[exprKey]expression{}
	s.described = map[exprKey]Described{}
	s.search = nil
}

// Begin marks a need as being read; false when it is under way already.
func (s *Store) Begin(n Need) bool {
	if s.pending[n.Key] {
		return false
	}
	s.pending[n.Key] = true
	return true
}

// Take keeps an answer; false when it is stale and was dropped. Source files
// belong to no stop and are always kept.
func (s *Store) Take(a Answer) bool {
	if src, ok := a.Result.(*Source); ok {
		delete(s.pending, a.Key)
		s.keepSource(src, a.Tag)
		return true
	}
	if r, ok := a.Result.(aboutResult); ok {
		delete(s.pending, a.Key)
		s.keepAbout(r)
		return true
	}
	if a.Tag != s.tag {
		return false
	}
	delete(s.pending, a.Key)
	switch r := a.Result.(type) {
	case framesResult:
		s.keepFrames(r)
	case aroundResult:
		s.around[r.goroutine] = r.around
	case ancestorsResult:
		s.ancestors[r.goroutine] = r.ancestors
	case frameResult:
		s.keepFrame(r)
	case childrenResult:
		s.keepChildren(r)
	case elementsResult:
		s.keepElements(r)
	case bytesResult:
		s.keepBytes(r)
	case searchResult:
		s.keepSearch(r)
	case expressionResult:
		s.keepExpression(r)
	case describedResult:
		s.described[r.key] = r.Described
	case goroutinesResult:
		s.goroutine.keep(r)
	case codeResult:
		s.keepCode(r)
	case stacksResult:
		s.goroutine.keepStacks(r)
	case *Waits:
		s.goroutine.Waits = r
		s.goroutine.Version++
	}
	return true
}

// Source returns a file if it was read.
func (s *Store) Source(path string) *Source { return s.sources[path] }

// NeedSource asks for a file, once a stop: it may have been edited since.
func (s *Store) NeedSource(path string) []Need {
	if tag, ok := s.checked[path]; path == "" || (ok && tag == s.tag) {
		return nil
	}
	read := ReadSource
	if s.then != nil {
		read = s.then
	}
	return []Need{{Key: "source " + path, Read: func(context.Context, debugger.Inspector) any { return read(path) }}}
}

// Reread forgets that files were looked at, so that they are read again.
func (s *Store) Reread() {
	clear(s.checked)
	s.Reconsider()
}

// Reconsider forgets what is known of files besides their text.
func (s *Store) Reconsider() { s.epoch++ }

func (s *Store) keepSource(src *Source, tag Tag) {
	s.checked[src.Path] = tag
	old := s.sources[src.Path]
	if old != nil && src.Err == "" && old.Err == "" && old.Modified.Equal(src.Modified) {
		return // keep the pointer: what was derived from it stays valid
	}
	s.used = append(slices.DeleteFunc(s.used, func(path string) bool { return path == src.Path }), src.Path)
	if len(s.used) > maxSources {
		delete(s.sources, s.used[0])
		delete(s.checked, s.used[0])
		s.used = s.used[1:]
	}
	s.sources[src.Path] = src
}

func readError(err error) string {
	if err == nil {
		return ""
	}
	if hint := advice.Of(err); hint != "" {
		return fmt.Sprintf("%v: %s", err, hint)
	}
	return err.Error()
}
