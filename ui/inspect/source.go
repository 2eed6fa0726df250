package inspect

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/ui/syntax"
)

// maxSource bounds the size of a source file that is shown, in bytes.
const maxSource = 8 << 20

// Source is a source file ready to be drawn.
type Source struct {
	Path     string
	Modified time.Time
	Text     string
	Lines    [][]syntax.Span // safe to draw
	part     part            // of the last line that was asked for
	imports  map[int]importPath
	starts   []int  // where the lines begin in Text
	Now      bool   // an earlier stop is looked at, and this is the file as it is now
	Err      string // why there is no text
}

// ReadSource reads and scans a file. It does not fail: Err says what went wrong.
func ReadSource(path string) *Source {
	s := &Source{Path: path}
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxSource {
		err = fmt.Errorf("%s has %d MB", path, info.Size()>>20)
	}
	if err != nil {
		s.Err = err.Error()
		return s
	}
	data, err := regular.Read(path)
	if err != nil {
		s.Err = err.Error()
		return s
	}
	s.Modified, s.Text = info.ModTime(), string(data)
	s.scan()
	return s
}

// NewSource prepares source text that is at hand.
func NewSource(path, content string) *Source {
	s := &Source{Path: path, Text: content}
	s.scan()
	return s
}

func (s *Source) scan() {
	s.Lines = syntax.Lines(s.Text)
	s.Raw(1) // finds the lines in the background
	if strings.HasSuffix(s.Path, ".go") {
		s.imports = imports(s.Text)
	}
}
