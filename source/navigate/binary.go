package navigate

import (
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/source/workspace"
)

// closure matches what the compiler names itself: closures, wrappers, what it
// makes for types.
var closure = lazyregexp.New(`\.(func|gowrap|deferwrap)\d|-fm$|-range\d|^(type:|go:|_)|\.init\.\d|\.map\.init`)

// binary adds the files and functions of a binary whose source is not known.
func (b *building) binary(name string) {
	if name == "" {
		return
	}
	functions, files, err := exeinfo.Functions(b.ctx, name)
	if err != nil {
		return // what the sources say is there
	}
	places := map[string]string{"": ""} // one text for all functions of a file
	for i, f := range files {
		files[i] = printable.Name(local(b.w, f))
		places[f] = files[i]
	}
	roots := newRoots(files)
	for _, f := range files {
		if filepath.IsAbs(f) && !b.w.Owns(f) && !b.seen[f] {
			b.add(Entry{Name: roots.short(b.w, f), Kind: File, File: f, Line: 1})
		}
	}
	known := map[string]bool{}
	for _, f := range functions {
		if b.ctx.Err() != nil {
			return
		}
		f.Name, f.File = printable.Name(f.Name), places[f.File]
		if closure.MatchString(f.Name) || !filepath.IsAbs(f.File) || b.seen[f.File] {
			continue
		}
		name, kind := symbolName(f.Name)
		if known[name] {
			continue // another instance of a generic function
		}
		known[name] = true
		b.add(Entry{Name: name, Kind: kind, File: f.File, Line: f.Line, User: b.w.Owns(f.File)})
	}
}

// local is where a file is on this machine that a build with -trimpath names
// by its module: "fmt/print.go", "example.org/m@v1.0.0/a.go".
func local(w workspace.Workspace, file string) string {
	if file == "" || filepath.IsAbs(file) || strings.HasPrefix(file, "<") || strings.HasPrefix(file, "_") {
		return file
	}
	if strings.Contains(file, "@") {
		if w.ModCache == "" {
			return file
		}
		return filepath.Join(w.ModCache, filepath.FromSlash(file))
	}
	for _, m := range w.Modules {
		if rest, ok := strings.CutPrefix(file, m.Path+"/"); ok {
			return filepath.Join(m.Dir, filepath.FromSlash(rest))
		}
	}
	if w.GoRoot == "" {
		return file
	}
	return filepath.Join(w.GoRoot, "src", filepath.FromSlash(file))
}

// symbolName shortens the linker's name: "example.org/app/store.(*Stack[...]).Push"
// is "store.(*Stack).Push".
func symbolName(name string) (string, Kind) {
	name = debugger.WithoutTypeArguments(name)
	name = name[strings.LastIndexByte(name, '/')+1:]
	pkg, rest, ok := strings.Cut(name, ".")
	if !ok {
		return name, Func
	}
	kind := Func
	if strings.Contains(rest, ".") {
		kind = Method
	}
	if pkg == "main" { // as the panes name functions
		return rest, kind
	}
	return strings.ReplaceAll(pkg, "%2e", ".") + "." + rest, kind
}

// roots are the directories that are left out of names: they are not typed.
type roots []string

// newRoots finds the standard library's directory among a binary's files; the
// module cache is recognized by its form.
func newRoots(files []string) roots {
	for _, f := range files {
		if dir, ok := strings.CutSuffix(f, "/runtime/proc.go"); ok {
			return roots{dir + "/"}
		}
	}
	return nil
}

func (r roots) short(w workspace.Workspace, file string) string {
	for _, dir := range r {
		if rest, ok := strings.CutPrefix(file, dir); ok {
			return rest
		}
	}
	if _, rest, ok := strings.Cut(file, "/pkg/mod/"); ok {
		return rest
	}
	return w.Rel(file)
}
