package navigate

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/workspace"
)

// Kind says what an entry of the index is.
type Kind uint8

// The kinds.
const (
	File Kind = iota
	Func
	Method
	Type
	Var
	Const
)

// String names the kind as Go does.
func (k Kind) String() string {
	return [...]string{"file", "func", "method", "type", "var", "const"}[min(k, Const)]
}

// Entry is a file or a symbol that can be found by its name.
type Entry struct {
	Name string // "store/store.go", "store.(*Stack).Push"
	Kind Kind
	File string // absolute
	Line int    // 1 for files
	User bool   // it is the user's own

	folded string // Name in lower case
}

// Index holds the files and symbols of a program. It never changes.
type Index struct {
	Version  int // counts up while more is found
	Complete bool
	Entries  []Entry
}

// Bounds of the index.
const (
	maxFiles   = 40_000
	maxEntries = 400_000
)

// Indexer builds the index of one build after the other; what has not changed
// is not read again. Its methods may be called from several goroutines.
type Indexer struct {
	mu      sync.Mutex
	index   *Index
	changed chan struct{} // closed when index is replaced
	parsed  map[string]parsedFile
}

type parsedFile struct {
	modified time.Time
	size     int64
	symbols  []Entry
}

// NewIndexer returns an indexer with an empty index.
func NewIndexer() *Indexer {
	return &Indexer{index: &Index{}, changed: make(chan struct{}), parsed: map[string]parsedFile{}}
}

// Wait returns the index once it is newer than a version; at once when there is
// one. A complete index is newer when a build has made another.
func (x *Indexer) Wait(ctx context.Context, after int) (*Index, error) {
	for {
		x.mu.Lock()
		index, changed := x.index, x.changed
		x.mu.Unlock()
		if index.Version > after {
			return index, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// publish makes entries the index.
func (x *Indexer) publish(entries []Entry, complete bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range entries {
		if e := &entries[i]; e.folded == "" {
			e.folded = strings.ToLower(e.Name)
		}
	}
	x.index = &Index{Version: x.index.Version + 1, Complete: complete, Entries: entries[:len(entries):len(entries)]}
	close(x.changed)
	x.changed = make(chan struct{})
}

// Subject is what is indexed. Without a binary, or without code, what they
// would add is missing.
type Subject struct {
	Workspace workspace.Workspace
	Binary    string          // of the program; its line table names files and functions
	Code      *workspace.Code // names the source files of all packages
}

// Build indexes a build: the files of the user's modules and their symbols, those
// of the packages that the program is built from, and what else the binary
// names. The index grows meanwhile, in this order.
func (x *Indexer) Build(ctx context.Context, s Subject) {
	b := &building{indexer: x, ctx: ctx, w: s.Workspace, seen: map[string]bool{}}
	files := userFiles(ctx, s.Workspace)
	for _, f := range files {
		b.add(Entry{Name: s.Workspace.Rel(f), Kind: File, File: f, Line: 1, User: true})
	}
	x.publish(b.entries, false)
	b.read(files, true)
	if s.Code != nil {
		b.dependencies(s.Code.Sources())
	}
	b.binary(s.Binary)
	if ctx.Err() == nil {
		x.publish(b.entries, true)
	}
}

// building is an index in the making.
type building struct {
	indexer *Indexer
	ctx     context.Context
	w       workspace.Workspace
	entries []Entry
	seen    map[string]bool // files whose symbols are known
}

func (b *building) add(e Entry) {
	if len(b.entries) < maxEntries {
		b.entries = append(b.entries, e)
	}
}

// read adds the symbols of Go files.
func (b *building) read(files []string, user bool) {
	for i, f := range files {
		if b.ctx.Err() != nil {
			return
		}
		if strings.HasSuffix(f, ".go") {
			b.seen[f] = true
			for _, e := range b.indexer.symbols(f) {
				e.User = user
				if user || e.Kind != Var && e.Kind != Const || exported(e.Name) {
					b.add(e)
				}
			}
		}
		if i%400 == 399 {
			b.indexer.publish(b.entries, false)
		}
	}
	b.indexer.publish(b.entries, false)
}

// exported reports whether the last part of a symbol's name is.
func exported(name string) bool { return ast.IsExported(name[strings.LastIndexByte(name, '.')+1:]) }

// dependencies adds the files of the packages that are not the user's.
func (b *building) dependencies(sources []string) {
	var others []string
	for _, f := range sources {
		if !b.w.Owns(f) {
			others = append(others, f)
		}
	}
	roots := newRoots(others)
	for _, f := range others {
		b.add(Entry{Name: roots.short(b.w, f), Kind: File, File: f, Line: 1})
	}
	b.read(others, false)
}

// shown are the endings of the files that a person may want to look at.
var shown = map[string]bool{".go": true, ".mod": true, ".work": true, ".s": true, ".c": true, ".h": true, ".cc": true, ".cpp": true,
	".md": true, ".txt": true, ".json": true, ".yaml": true, ".yml": true, ".toml": true, ".sql": true, ".proto": true,
	".tmpl": true, ".gotmpl": true, ".html": true, ".css": true, ".js": true, ".sh": true, ".xml": true, ".csv": true}

// userFiles lists the files of the user's modules.
func userFiles(ctx context.Context, w workspace.Workspace) []string {
	var files []string
	seen := map[string]bool{}
	for _, m := range w.Modules {
		_ = filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil || len(files) >= maxFiles:
				return filepath.SkipAll
			case err != nil:
				return nil //nolint:nilerr // what cannot be read is left out
			case d.IsDir():
				if path != m.Dir && skipped(path, d.Name(), m.Dir, w) {
					return filepath.SkipDir
				}
			case d.Type().IsRegular() && shown[filepath.Ext(path)] && !seen[path]:
				seen[path] = true
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

// skipped tells a directory that holds nothing of the module's.
func skipped(path, name, root string, w workspace.Workspace) bool {
	if strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor" && filepath.Dir(path) == root || ignored(path) {
		return true
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		for _, m := range w.Modules { // another module of the user's comes by itself
			if m.Dir == path {
				return true
			}
		}
		return false
	}
	return false
}

// ignored reports whether git ignores all of a directory by its own .gitignore, as it
// does that of the session logs. Code there is compiled all the same.
func ignored(dir string) bool {
	text, err := regular.Read(filepath.Join(dir, ".gitignore"))
	if err != nil || !strings.HasPrefix(string(text), "*\n") {
		return false
	}
	code, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(code) == 0
}

// symbols lists what a file declares at the top level.
func (x *Indexer) symbols(file string) []Entry {
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxFile {
		return nil
	}
	x.mu.Lock()
	known, ok := x.parsed[file]
	x.mu.Unlock()
	if ok && known.modified.Equal(info.ModTime()) && known.size == info.Size() {
		return known.symbols
	}
	set := token.NewFileSet()
	syntax, _ := regular.Parse(set, file, parser.SkipObjectResolution)
	var list []Entry
	if syntax != nil {
		list = declared(set, syntax, file)
	}
	x.mu.Lock()
	x.parsed[file] = parsedFile{info.ModTime(), info.Size(), list}
	x.mu.Unlock()
	return list
}

func declared(set *token.FileSet, syntax *ast.File, file string) []Entry {
	prefix := syntax.Name.Name + "."
	if prefix == "main." {
		prefix = ""
	}
	var list []Entry
	add := func(id *ast.Ident, name string, kind Kind) {
		if id.Name != "_" {
			list = append(list, Entry{Name: prefix + name, Kind: kind, File: file, Line: set.PositionFor(id.Pos(), false).Line, User: true})
		}
	}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			kind := Func
			if d.Recv != nil {
				kind = Method
			}
			add(d.Name, patch.FuncSymbol(d), kind)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name, s.Name.Name, Type)
				case *ast.ValueSpec:
					kind := Var
					if d.Tok == token.CONST {
						kind = Const
					}
					for _, id := range s.Names {
						add(id, id.Name, kind)
					}
				}
			}
		}
	}
	return list
}
