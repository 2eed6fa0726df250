package inspect

import (
	"context"
	"fmt"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/live"
)

// about is what is known of a source file besides its text, and of which state
// of the file.
type about struct {
	live.About
	source *Source
	epoch  int
}

type aboutResult struct {
	path  string
	about about
}

// About returns what is known of a file; the zero value when nothing is.
func (s *Store) About(path string) live.About { return s.abouts[path].About }

// NeedAbout asks what there is to know of a file that was read, again when the
// file or the last commit is another.
func (s *Store) NeedAbout(path string, sources live.Sources) []Need {
	if s.tag.Past() {
		return nil // what is known of files is of the present
	}
	src := s.sources[path]
	if src == nil || src.Err != "" || sources == nil {
		return nil
	}
	if known, ok := s.abouts[path]; ok && known.source == src && known.epoch == s.epoch {
		return nil
	}
	epoch := s.epoch
	return []Need{{Key: "about " + path, Read: func(ctx context.Context, _ debugger.Inspector) any {
		return aboutResult{path, about{sources.About(ctx, path), src, epoch}}
	}}}
}

// keepAbout keeps an answer, whichever stop it was asked at.
func (s *Store) keepAbout(r aboutResult) {
	if s.abouts == nil || len(s.abouts) > maxSources {
		s.abouts = map[string]about{}
	}
	s.abouts[r.path] = r.about
}

// Code is the machine code of a function.
type Code struct {
	List []debugger.Instruction
	Err  string
}

type codeResult struct {
	at   debugger.FrameRef
	code *Code
}

// Code returns the instructions of the function of a frame; nil when they are
// not read.
func (s *Store) Code(at debugger.FrameRef) *Code { return s.code[at] }

// NeedCode asks for the instructions of the function of a frame.
func (s *Store) NeedCode(at debugger.FrameRef) []Need {
	frame, ok := s.Frame(at)
	if !ok || s.code[at] != nil || s.tag.Stop == 0 {
		return nil
	}
	return []Need{{Key: fmt.Sprintf("code %d %d", at.Goroutine, at.Frame), Read: func(ctx context.Context, in debugger.Inspector) any {
		d, ok := in.(debugger.Disassembler)
		if !ok {
			return codeResult{at, &Code{Err: "the instructions cannot be read here"}}
		}
		list, err := d.Disassemble(ctx, at, debugger.Code{PC: frame.PC}, "")
		return codeResult{at, &Code{List: list, Err: readError(err)}}
	}}}
}

func (s *Store) keepCode(r codeResult) {
	if s.code == nil {
		s.code = map[debugger.FrameRef]*Code{}
	}
	s.code[r.at] = r.code
}
