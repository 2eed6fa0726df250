// Package versions builds several candidates into one program: each function that they change
// gets all its new bodies beside the old one, and a run executes one candidate's. One build then
// serves all candidates.
//
// It writes source text; building and running is for the caller. A candidate that does more
// than give functions other bodies has no place in such a program.
package versions

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	gopath "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

// most is how many candidates a program holds.
const most = 12

// Program is the source of a package with several versions of its functions.
type Program struct {
	// Files are those to build instead of the package's own, by path. Empty where
	// there is no version but the package as it is.
	Files   map[string]string
	numbers []int // by the number of the candidate; 0 where it is not in the program
}

// Directory is the name of the directory in which the program's binary runs a candidate's
// version; false where it does not hold that. In any other one it runs the package as it is.
func (p Program) Directory(candidate int) (string, bool) {
	if candidate < 0 || candidate >= len(p.numbers) || p.numbers[candidate] == 0 {
		return "", false
	}
	return prefix + strconv.Itoa(p.numbers[candidate]), true
}

// Join puts candidates that change files of a directory into one program, where they can be.
// A run takes the one that its binary's directory names, and so do the processes that it
// starts again from that.
func Join(dir string, candidates [][]syntax.Change) Program {
	p := Program{numbers: make([]int, len(candidates))}
	files := map[string]*file{}
	held := 0
	for i, changes := range candidates {
		if held == most || len(changes) == 0 {
			continue
		}
		if add(dir, files, changes, held+1) {
			held++
			p.numbers[i] = held
		}
	}
	if held == 0 {
		return p
	}
	p.Files = map[string]string{}
	name := ""
	for path, f := range files {
		p.Files[path] = f.source.Marked()
		name = f.source.AST.Name.Name
	}
	p.Files[filepath.Join(dir, chooser)] = "package " + name + "\n" + fmt.Sprintf(chooserText, prefix)
	return p
}

// chooser is the file that reads which version a run takes. By its name its variable comes
// before those of other files, which may call the functions.
const chooser = "0-pausetui_version.go"

const chooserText = `
import (
	pausetuiSystem "os"
	pausetuiPath "path/filepath"
	pausetuiNumber "strconv"
	pausetuiStrings "strings"
)

var pausetuiVersion = func() int {
	binary, err := pausetuiSystem.Executable()
	if err != nil {
		panic("which version is to run is not known: " + err.Error())
	}
	name := pausetuiPath.Base(pausetuiPath.Dir(binary))
	version, err := pausetuiNumber.Atoi(pausetuiStrings.TrimPrefix(name, %q))
	if err != nil || !pausetuiStrings.HasPrefix(name, %[1]q) {
		return 0
	}
	return version
}()
`

// prefix begins the names of the directories of versions.
const prefix = "pausetui-version-"

// file is one that candidates change.
type file struct {
	path    string
	source  *instrument.Source // as it is
	rest    []string           // its declarations without the bodies of functions
	imports map[string]string  // the names of its imports by their paths, with those added; empty: the package's own
}

// add adds the bodies of a candidate to the files, all of them or none.
func add(dir string, files map[string]*file, changes []syntax.Change, version int) bool {
	after := make([]*syntax.File, len(changes))
	for i, c := range changes {
		if filepath.Dir(c.File) != dir || strings.HasSuffix(c.File, "_test.go") || strings.ContainsAny(c.File, "*:\n") {
			return false
		}
		f := files[c.File]
		if f == nil {
			if f = newFile(c); f == nil {
				return false
			}
			files[c.File] = f
		}
		if after[i] = syntax.Parse(c.After); f.source.Text != c.Before || after[i] == nil || !f.takes(after[i]) {
			return false
		}
	}
	for i, c := range changes {
		files[c.File].add(after[i], version)
	}
	return true
}

// newFile is nil for one that cannot have versions.
func newFile(c syntax.Change) *file {
	s := instrument.Parse(c.Before)
	if s == nil || s.Cgo() {
		return nil
	}
	return &file{path: c.File, source: s, rest: rest(s.File), imports: imports(s.File)}
}

// rest is what has to be the same in all versions of a file: everything but the bodies of
// functions, the imports and comments that direct nothing.
func rest(f *syntax.File) []string {
	list := []string{f.AST.Name.Name}
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				list = append(list, f.Code(d))
			} else {
				list = append(list, f.Between(d.Pos(), d.Body.Lbrace))
			}
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				list = append(list, f.Code(d))
			}
		}
	}
	for line := range strings.Lines(f.Text) {
		if strings.Contains(line, "//go:") || strings.Contains(line, "+build") || strings.Contains(line, "/line ") || strings.Contains(line, "*line ") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// imports are the names of a file's imports, by their paths; empty where it gives none.
func imports(f *syntax.File) map[string]string {
	names := map[string]string{}
	for _, i := range f.AST.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err == nil {
			names[path] = ""
			if i.Name != nil {
				names[path] = i.Name.Name
			}
		}
	}
	return names
}

// takes reports whether the bodies of another version of the file can stand in it.
func (f *file) takes(after *syntax.File) bool {
	if after.Cgo() || !slices.Equal(f.rest, rest(after)) {
		return false
	}
	taken := map[string]bool{} // an import must not take the name of anything in the file
	for id := range syntax.All[*ast.Ident](f.source.AST) {
		taken[id.Name] = true
	}
	for path, name := range imports(after) {
		was, there := f.imports[path]
		if there && was != name || !there && (name == "." || taken[cmp.Or(name, gopath.Base(path))]) {
			return false
		}
	}
	return true
}

// add puts the bodies that differ before those that are there.
func (f *file) add(after *syntax.File, version int) {
	added := imports(after)
	for _, path := range slices.Sorted(maps.Keys(added)) { // the same text each time: builds are cached by it
		if _, there := f.imports[path]; !there {
			name := added[path]
			f.imports[path] = name
			f.source.Put(f.source.Offset(f.source.AST.Name.End()), "; import "+name+" "+strconv.Quote(path))
		}
	}
	before, now := f.source.Declared(), after.Declared()
	for i, d := range before { // as many, in the same order: takes has seen to it
		if f.source.Plain(d.Body) == after.Plain(now[i].Body) {
			continue
		}
		at := f.source.Offset(d.Body.Lbrace) + 1
		var text strings.Builder
		fmt.Fprintf(&text, "if pausetuiVersion == %d {%s", version, f.line(after, now[i].Body.Lbrace+1))
		text.WriteString(relabeled(after, now[i].Body, version))
		text.WriteString("\n")
		if d.Type.Results == nil {
			text.WriteString("return\n")
		}
		f.source.Put(at, text.String()+"}; "+f.line(f.source.File, d.Body.Lbrace+1))
	}
}

// line is a directive: what follows stands at a position of a text.
func (f *file) line(of *syntax.File, at token.Pos) string {
	p := of.Set.PositionFor(at, false)
	return fmt.Sprintf("/*line %s:%d:%d*/", f.path, p.Line, p.Column)
}

// relabeled is what stands between the braces of a body, with labels of its own: those of a
// function must differ.
func relabeled(f *syntax.File, body *ast.BlockStmt, version int) string {
	from, to := f.Offset(body.Lbrace)+1, f.Offset(body.Rbrace)
	var ends []int // of labels
	for l := range syntax.All[*ast.LabeledStmt](body) {
		ends = append(ends, f.Offset(l.Label.End()))
	}
	for b := range syntax.All[*ast.BranchStmt](body) {
		if b.Label != nil {
			ends = append(ends, f.Offset(b.Label.End()))
		}
	}
	slices.Sort(ends)
	var text strings.Builder
	for _, end := range ends {
		text.WriteString(f.Text[from:end])
		fmt.Fprintf(&text, "_pausetui%d", version)
		from = end
	}
	text.WriteString(f.Text[from:to])
	return text.String()
}
