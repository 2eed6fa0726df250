package agent

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/patch"
)

// file is a parsed Go file.
type file struct {
	name string // absolute
	text string
	fset *token.FileSet
	ast  *ast.File
}

func (f *file) line(p token.Pos) int { return f.fset.PositionFor(p, false).Line }

// span is the text between two positions, of which a file with mistakes may lack one.
func (f *file) span(from, to token.Pos) string {
	a, b := f.fset.PositionFor(from, false).Offset, f.fset.PositionFor(to, false).Offset
	if a > b || b > len(f.text) {
		return ""
	}
	return f.text[a:b]
}

// parse returns the files of a directory, each parsed once.
func (f *files) parse(dir string) []*file {
	if have, ok := f.parsed[dir]; ok {
		return have
	}
	var out []*file
	for _, name := range f.goFiles(dir) {
		text, err := f.read(name)
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		if syntax, _ := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution); syntax != nil {
			out = append(out, &file{name, text, fset, syntax})
		}
	}
	f.parsed[dir] = out
	return out
}

// decl is a declaration at the top level.
type decl struct {
	file     *file
	name     string // "Index", "Index.Add"
	from, to token.Pos
	isType   bool
}

// decls lists what a file declares.
func (f *file) decls() []decl {
	var out []decl
	for _, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, decl{f, patch.FuncKey(d), start(d.Doc, d.Pos()), d.End(), false})
		case *ast.GenDecl:
			for _, s := range d.Specs {
				out = append(out, f.specs(d, s)...)
			}
		}
	}
	return out
}

func start(doc *ast.CommentGroup, at token.Pos) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return at
}

func (f *file) specs(d *ast.GenDecl, s ast.Spec) []decl {
	from, to := s.Pos(), s.End()
	if !d.Lparen.IsValid() { // "type T struct…" alone, with its comment
		from, to = start(d.Doc, d.Pos()), d.End()
	}
	switch s := s.(type) {
	case *ast.TypeSpec:
		if d.Lparen.IsValid() {
			from = start(s.Doc, from)
		}
		return []decl{{f, s.Name.Name, from, to, true}}
	case *ast.ValueSpec:
		var out []decl
		for _, n := range s.Names {
			out = append(out, decl{f, n.Name, from, to, false})
		}
		return out
	}
	return nil
}

var (
	linesOf = lazyregexp.New(`^(.+\.go)(?::(\d+)(?:-(\d+))?)?$`)
	closure = lazyregexp.New(`(\.func\d+|\.\d+|\.gowrap\d+|-fm|-range\d+)+$`)
)

// around is how many lines are shown about a single one.
const around = 12

// Place is the file and line of a place in the program's own code, as models write it:
// "index.go:12", "(*Index).Add".
func (t *Tools) Place(of string) (file string, line int, err error) {
	if m := linesOf.FindStringSubmatch(of); m != nil {
		full, err := t.files.find(m[1])
		if err != nil {
			return "", 0, err
		}
		line, err := strconv.Atoi(m[2])
		if err != nil || m[3] != "" {
			return "", 0, fmt.Errorf("%q is not one line: want index.go:12", shorten(of))
		}
		return full, line, nil
	}
	for _, d := range t.lookUp(of, false) {
		for _, f := range d.file.ast.Decls {
			if fn, ok := f.(*ast.FuncDecl); ok && fn.End() == d.to {
				return d.file.name, d.file.line(fn.Name.Pos()), nil
			}
		}
	}
	return "", 0, fmt.Errorf("no function named %q is declared in the program", shorten(of))
}

func (t *Tools) source(_ context.Context, a args) (string, error) {
	of := a.text("of")
	if m := linesOf.FindStringSubmatch(of); m != nil {
		return t.lines(m[1], m[2], m[3])
	}
	if strings.ContainsAny(of[:1], "/.~\\") {
		return "", errOutside
	}
	found := t.lookUp(of, false)
	if len(found) == 0 {
		return "", fmt.Errorf("nothing named %q is declared in the program; find lists where an identifier is used", shorten(of))
	}
	return t.show(found), nil
}

// maxShown bounds the declarations of one name that are shown.
const maxShown = 3

func (t *Tools) show(found []decl) string {
	var b strings.Builder
	for i, d := range found {
		if i == maxShown {
			fmt.Fprintf(&b, "[… %d more of that name: give the package or the type]\n", len(found)-i)
			break
		}
		b.WriteString(t.files.place(d.file.name, d.file.line(d.from)) + "\n")
		b.WriteString(numbered(t.files.lines(d.file.text), d.file.line(d.from), d.file.line(d.to)))
	}
	return b.String()
}

// lines shows some lines of a file; about one line, or from the beginning,
// where no range is given.
func (t *Tools) lines(name, first, last string) (string, error) {
	full, err := t.files.find(name)
	if err != nil {
		return "", err
	}
	text, err := t.files.read(full)
	if err != nil {
		return "", err
	}
	count := strings.Count(text, "\n") + 1
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	switch {
	case first == "":
		from, to = 1, count
	case errFrom != nil || last != "" && errTo != nil:
		return "", errors.New("the lines are no numbers: index.go:10-40")
	case last == "":
		from, to = max(from-around, 1), from+around
	}
	if from > count || from > to {
		return "", fmt.Errorf("%s has %d lines", t.files.short(full), count)
	}
	return t.files.short(full) + "\n" + numbered(t.files.lines(text), max(from, 1), min(to, count)), nil
}

// numbered is lines with their numbers.
func numbered(lines map[int]string, from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		if l, ok := lines[n]; ok {
			fmt.Fprintf(&b, "%d\t%s\n", n, l)
		}
	}
	return b.String()
}

// lookUp finds the declarations of a name as people and stacks write it:
// "NewIndex", "(*Index).Add", "store.Open", "example.com/a/store.(*DB).Get".
// The package of the function that stopped goes first, then the user's others.
func (t *Tools) lookUp(name string, types bool) []decl {
	name = debugger.WithoutTypeArguments(closure.ReplaceAllString(name, ""))
	dir, rest := path.Split(strings.TrimLeft(strings.NewReplacer("(", "", ")", "", "*", "").Replace(name), "&"))
	parts := strings.Split(rest, ".")
	local := strings.Join(parts, ".")
	for _, d := range t.files.own() {
		if dir != "" {
			break
		}
		if found := t.declared(d, local, types); len(found) > 0 {
			return found
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return t.inPackage(dir+parts[0], strings.Join(parts[1:], "."), types)
}

// inPackage finds a name in the packages of an import path, or of its last
// element.
func (t *Tools) inPackage(pkg, local string, types bool) []decl {
	if dir, ok := t.files.dirs[pkg]; ok {
		if found := t.declared(dir, local, types); len(found) > 0 {
			return found
		}
	}
	var found []decl
	for _, d := range t.files.own() { // by the name in the package clause
		for _, f := range t.files.parse(d) {
			if f.ast.Name.Name == pkg {
				found = append(found, t.declared(d, local, types)...)
				break
			}
		}
	}
	for other, dir := range t.files.dirs {
		if len(found) == 0 && path.Base(other) == pkg && !t.files.ws.Owns(filepath.Join(dir, "x.go")) && !strings.Contains(other, "internal/") {
			found = t.declared(dir, local, types)
		}
	}
	return found
}

func (t *Tools) declared(dir, local string, types bool) []decl {
	var found []decl
	for _, f := range t.files.parse(dir) {
		for _, d := range f.decls() {
			_, method, _ := strings.Cut(d.name, ".")
			if (d.name == local || method == local) && (!types || d.isType) {
				found = append(found, d)
			}
		}
	}
	return found
}

func (t *Tools) typ(_ context.Context, a args) (string, error) {
	name := strings.TrimLeft(a.text("name"), "[]*&")
	found := t.lookUp(name, true)
	if len(found) == 0 {
		return "", fmt.Errorf("no type %q is declared in the program", shorten(name))
	}
	d := found[0]
	var b strings.Builder
	b.WriteString(t.show(found[:1]))
	for _, f := range t.files.parse(filepath.Dir(d.file.name)) {
		for _, m := range f.ast.Decls {
			fn, ok := m.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if recv, _ := patch.Receiver(fn); recv == d.name {
				fmt.Fprintf(&b, "%s  %s\n", f.span(fn.Pos(), fn.Type.End()), t.files.place(f.name, f.line(fn.Pos())))
			}
		}
	}
	return b.String(), nil
}

// maxUses bounds the lines that find lists.
const maxUses = 60

func (t *Tools) find(ctx context.Context, a args) (string, error) {
	all, err := t.usesOf(ctx, a.text("identifier"))
	if err != nil {
		return "", err
	}
	return listed(all), nil
}

// use is a line that uses an identifier.
type use struct{ place, code string }

// listed are the first lines, and how many there are besides.
func listed(all []use) string {
	var b strings.Builder
	for _, u := range all[:min(len(all), maxUses)] {
		fmt.Fprintf(&b, "%s: %s\n", u.place, u.code)
	}
	if more := len(all) - maxUses; more > 0 {
		fmt.Fprintf(&b, "[… %d more lines]\n", more)
	}
	return b.String()
}

// usesOf are all lines of the user's code that use an identifier, which may be
// qualified; an error where there are none.
func (t *Tools) usesOf(ctx context.Context, name string) ([]use, error) {
	name = name[strings.LastIndex(name, ".")+1:]
	if !token.IsIdentifier(name) {
		return nil, fmt.Errorf("%q is no identifier", shorten(name))
	}
	var all []use
	for _, dir := range t.files.own() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, f := range t.files.parse(dir) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			uses := f.uses(name)
			var code map[int]string
			if len(uses) > 0 && len(all) < maxUses { // the others are counted
				code = t.files.lines(f.text)
			}
			for _, line := range uses {
				all = append(all, use{t.files.place(f.name, line), strings.TrimSpace(code[line])})
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("the program's own code does not use %q", name)
	}
	return all, nil
}

// uses lists the lines with an identifier.
func (f *file) uses(name string) []int {
	if !strings.Contains(f.text, name) {
		return nil
	}
	fset := token.NewFileSet()
	tf := fset.AddFile(f.name, -1, len(f.text))
	var s scanner.Scanner
	s.Init(tf, []byte(f.text), nil, 0)
	var lines []int
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if line := tf.PositionFor(pos, false).Line; tok == token.IDENT && lit == name && (len(lines) == 0 || lines[len(lines)-1] != line) {
			lines = append(lines, line)
		}
	}
}
