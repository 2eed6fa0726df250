// Package navigate finds places in the source of a program: where a name is defined, who
// calls a function, files and symbols by a part of their names, and which lines were
// changed.
//
// The index of names is built after the types are loaded, and can be searched while it
// grows. Dependencies are type-checked from source when a person first goes there.
//
// It reads source files, export data and the tables in a binary, never the
// running target: its answers are the same whether the target runs, is held or
// has ended. It knows no screen.
package navigate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/workspace"
)

// Place is a place in a source file.
type Place struct {
	File   string // absolute
	Line   int    // from 1
	Column int    // byte within the line, from 1; 0 for none
}

// At is a name in the source that is asked about.
type At struct {
	Place
	Name string // the identifier there; empty where there is none
}

// Hit is a place that was found.
type Hit struct {
	Place
	Name string // what is there, or who calls: "(*Index).Add"
	Note string // how: "may call", "go", "defer", "as a value"; empty for a plain one
	Text string // the line, without the space around it
}

// Answer is what a question has found.
type Answer struct {
	Title string // "Callers of (*Index).Add"
	Note  string // where was looked, or what else is to be known
	Hits  []Hit
}

var (
	// ErrNoName is returned for a place without an identifier.
	ErrNoName = errors.New("there is no name here")
	// ErrUnknown is returned for a name that the type checker could not make out.
	ErrUnknown = errors.New("its types could not be made out")
	// ErrChanged is returned where the source is not what was loaded any more.
	ErrChanged = errors.New("the source has changed since")
)

// maxFile bounds the size of the files that are read, in bytes.
const maxFile = 8 << 20

// Program answers questions about the source of one build. Its methods may be
// called from several goroutines.
type Program struct {
	workspace workspace.Workspace
	code      *workspace.Code
	spec      workspace.LoadSpec

	mu    sync.Mutex
	fresh map[string]*loading // packages that were loaded by themselves, by directory
}

// loading is a package being loaded.
type loading struct {
	done chan struct{}
	code *workspace.Code
	err  error
}

// NewProgram returns the program whose packages were loaded with the spec.
func NewProgram(w workspace.Workspace, code *workspace.Code, spec workspace.LoadSpec) *Program {
	return &Program{workspace: w, code: code, spec: spec, fresh: map[string]*loading{}}
}

// spot is a place in loaded syntax.
type spot struct {
	code *workspace.Code
	pkg  *packages.Package
	file *ast.File
	path []ast.Node // what is there, the innermost first
}

// ident is the identifier at the spot; nil when there is none.
func (s spot) ident() *ast.Ident {
	if len(s.path) == 0 {
		return nil
	}
	id, _ := s.path[0].(*ast.Ident)
	return id
}

// find returns what is at a place: in the program as it was loaded, or else
// in its package, loaded by itself as it is now.
func (p *Program) find(ctx context.Context, at At) (spot, error) {
	s, err := p.findIn(ctx, p.code, at)
	if err == nil || !(errors.Is(err, workspace.ErrNotInProgram) || errors.Is(err, ErrChanged)) {
		return s, err
	}
	if !p.workspace.Owns(at.File) {
		return spot{}, err
	}
	code, loadErr := p.load(ctx, filepath.Dir(at.File))
	if loadErr != nil {
		return spot{}, loadErr
	}
	return p.findIn(ctx, code, at)
}

func (p *Program) findIn(ctx context.Context, code *workspace.Code, at At) (spot, error) {
	pkg, file, err := code.Open(ctx, at.File)
	if err != nil {
		return spot{}, err
	}
	s := spot{code: code, pkg: pkg, file: file}
	handle := code.Fset.File(file.FileStart)
	if at.Line < 1 || at.Line > handle.LineCount() {
		return spot{}, fmt.Errorf("line %d: %w", at.Line, ErrChanged)
	}
	pos := handle.LineStart(at.Line) + token.Pos(max(at.Column-1, 0))
	if int(pos) > handle.Base()+handle.Size() {
		return spot{}, fmt.Errorf("line %d: %w", at.Line, ErrChanged)
	}
	s.path, _ = astutil.PathEnclosingInterval(file, pos, pos)
	if id := s.ident(); at.Name != "" && id != nil && id.Name != at.Name || at.Name != "" && id == nil && !s.importing() {
		return spot{}, fmt.Errorf("%s: %w", at.Name, ErrChanged)
	}
	return s, nil
}

// importing reports whether the spot is in an import.
func (s spot) importing() bool {
	for _, n := range s.path {
		if _, ok := n.(*ast.ImportSpec); ok {
			return true
		}
	}
	return false
}

// load loads the package of a directory with its tests, once.
func (p *Program) load(ctx context.Context, dir string) (*workspace.Code, error) {
	p.mu.Lock()
	l := p.fresh[dir]
	first := l == nil
	if first {
		l = &loading{done: make(chan struct{})}
		p.fresh[dir] = l
	}
	p.mu.Unlock()
	if first {
		spec := p.spec
		spec.Dir, spec.Patterns, spec.Tests = dir, []string{"."}, true
		l.code, l.err = p.workspace.Load(ctx, spec)
		if l.err != nil {
			p.mu.Lock()
			delete(p.fresh, dir)
			p.mu.Unlock()
		}
		close(l.done)
	}
	select {
	case <-l.done:
		return l.code, l.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// texts are the lines of files that were read for one answer.
type texts map[string][][]byte

func (t texts) of(file string) [][]byte {
	lines, ok := t[file]
	if !ok {
		data, err := readFile(file)
		if err == nil {
			lines = bytes.Split(data, []byte("\n"))
		}
		t[file] = lines
	}
	return lines
}

// hit completes a place: the line's text, and the line and column where the
// name really is now. Export data know lines only, and the file may have
// been edited.
func (t texts) hit(at Place, name, label, note string) Hit {
	h := Hit{Place: at, Name: label, Note: note}
	lines := t.of(at.File)
	if len(lines) == 0 {
		return h
	}
	h.Line = nearest(lines, at.Line, name)
	if h.Line < 1 || h.Line > len(lines) {
		return h
	}
	line := lines[h.Line-1]
	if h.Line != at.Line || !wordAt(line, at.Column-1, name) {
		h.Column = word(line, name) + 1
	}
	h.Text = string(bytes.TrimSpace(line))
	return h
}

// nearest is the line closest to the given one that holds the name as a word;
// the line itself when none does.
func nearest(lines [][]byte, line int, name string) int {
	if name == "" {
		return line
	}
	const far = 400
	for d := range far {
		for _, n := range []int{line - d, line + d} {
			if n >= 1 && n <= len(lines) && word(lines[n-1], name) >= 0 {
				return n
			}
		}
	}
	return line
}

// word finds a name in a line where it is no part of a longer one; -1 without.
func word(line []byte, name string) int {
	for from := 0; name != ""; {
		i := bytes.Index(line[from:], []byte(name))
		if i < 0 {
			break
		}
		if wordAt(line, from+i, name) {
			return from + i
		}
		from += i + 1
	}
	return -1
}

func wordAt(line []byte, at int, name string) bool {
	if at < 0 || at > len(line) || !bytes.HasPrefix(line[at:], []byte(name)) {
		return false
	}
	before, _ := utf8.DecodeLastRune(line[:at])
	after, _ := utf8.DecodeRune(line[at+len(name):])
	return !letter(before) && !letter(after)
}

func letter(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// readFile reads a file of bounded size.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("%s has %d MB", filepath.Base(name), info.Size()>>20)
	}
	return regular.Read(name)
}
