package navigate

import (
	"context"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/workspace"
)

// Function is a function of a binary, with where it begins.
type Function struct {
	Name string // "example.org/app/store.(*Stack).Push"
	File string
	Line int
}

// Functions reads the functions and the source files of a binary from its line
// table, which is there in stripped binaries, too. Unlike the debugger it can be
// asked while the target runs; functions that were inlined everywhere are not
// in it.
func Functions(ctx context.Context, binary string) (list []Function, files []string, err error) {
	defer func() { // debug/gosym trusts the table it reads
		if r := recover(); r != nil {
			list, files, err = nil, nil, fmt.Errorf("read the line table of %q: %v", binary, r)
		}
	}()
	data, text, err := lineTable(binary)
	if err != nil {
		return nil, nil, fmt.Errorf("read the line table of %q: %w", binary, err)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text))
	if err != nil {
		return nil, nil, fmt.Errorf("read the line table of %q: %w", binary, err)
	}
	for name := range table.Files {
		files = append(files, name)
	}
	slices.Sort(files)
	for i := range table.Funcs {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		f := &table.Funcs[i]
		file, line, _ := table.PCToLine(f.Entry)
		list = append(list, Function{f.Name, file, line})
	}
	return list, files, nil
}

var errNoTable = errors.New("it has none")

// lineTable returns the line table and the address of the code.
func lineTable(binary string) (data []byte, text uint64, err error) {
	if f, err := elf.Open(binary); err == nil {
		defer f.Close()
		return elfTable(f)
	}
	if f, err := macho.Open(binary); err == nil {
		defer f.Close()
		table, code := f.Section("__gopclntab"), f.Section("__text")
		if table == nil || code == nil {
			return nil, 0, errNoTable
		}
		data, err := table.Data()
		return data, code.Addr, err
	}
	f, err := pe.Open(binary)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	return peTable(f)
}

func elfTable(f *elf.File) ([]byte, uint64, error) {
	code := f.Section(".text")
	table := f.Section(".gopclntab")
	if table == nil {
		table = f.Section(".data.rel.ro.gopclntab") // position independent
	}
	if table == nil || code == nil {
		return nil, 0, errNoTable
	}
	data, err := table.Data()
	return data, code.Addr, err
}

// peTable finds the table by its symbols: it has no section of its own.
func peTable(f *pe.File) ([]byte, uint64, error) {
	var from, to *pe.Symbol
	for _, s := range f.Symbols {
		switch s.Name {
		case "runtime.pclntab":
			from = s
		case "runtime.epclntab":
			to = s
		}
	}
	code := f.Section(".text")
	if from == nil || to == nil || code == nil || from.SectionNumber != to.SectionNumber || int(from.SectionNumber) > len(f.Sections) || from.SectionNumber < 1 {
		return nil, 0, errNoTable
	}
	data, err := f.Sections[from.SectionNumber-1].Data()
	if err != nil || from.Value > to.Value || int(to.Value) > len(data) {
		return nil, 0, errors.Join(errNoTable, err)
	}
	return data[from.Value:to.Value], uint64(code.VirtualAddress), nil
}

// closure matches what the compiler names itself: closures, wrappers, what it
// makes for types.
var closure = regexp.MustCompile(`\.(func|gowrap|deferwrap)\d|-fm$|-range\d|^(type:|go:|_)|\.init\.\d|\.map\.init`)

// binary adds the files and functions of a binary whose source is not known.
func (b *building) binary(name string) {
	if name == "" {
		return
	}
	functions, files, err := Functions(b.ctx, name)
	if err != nil {
		return // what the sources say is there
	}
	for i, f := range files {
		files[i] = local(b.w, f)
	}
	roots := newRoots(files)
	for _, f := range files {
		if filepath.IsAbs(f) && !b.w.Owns(f) && !b.seen[f] {
			b.add(Entry{Name: roots.short(b.w, f), Kind: File, File: f, Line: 1})
		}
	}
	known := map[string]bool{}
	for _, f := range functions {
		f.File = local(b.w, f.File)
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

// local is where a file stands on this machine that a build with -trimpath names
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
	if i := strings.IndexByte(name, '['); i >= 0 {
		if j := strings.LastIndexByte(name, ']'); j > i {
			name = name[:i] + name[j+1:]
		}
	}
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

// roots are the directories that are left out of names: nobody types them.
type roots []string

// newRoots finds the standard library's directory among a binary's files; the
// module cache is told by its look.
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
