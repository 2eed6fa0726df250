package regress

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/verify/regress/literal"
	"github.com/pausetui/pausetui/verify/regress/value"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// A test that names a path of this machine says nothing elsewhere: the file is
// missing there, and most programs end without a crash then.

// ofThisMachine tells a path that is absolute and there. Short ones may be
// anything: "/", "/home" of a URL.
func ofThisMachine(text string) bool {
	if !filepath.IsAbs(text) || strings.Count(filepath.Clean(text), string(filepath.Separator)) < 2 || strings.ContainsRune(text, 0) {
		return false
	}
	info, err := os.Lstat(text)
	return err == nil && info.Mode()&fs.ModeDevice == 0
}

// namesAPath returns the first path of this machine among the literals of a
// test; empty without any.
func namesAPath(source string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(source)), []byte(source), nil, 0)
	for {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return ""
		}
		if tok != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(text); err == nil && ofThisMachine(text) {
			return text
		}
	}
}

// given is an argument or a value of the environment as a test gives it.
type given struct {
	text string     // up to the file's name, if there is one
	file *inputFile // the rest is its name
}

// inputFile is a file that an argument names.
type inputFile struct {
	name    string // in the module: relative to the working directory; else of its own
	within  bool   // the module holds it
	content string // of one outside
}

// given looks for a file in an argument: "orders.csv", "-in=/home/a/orders.csv".
// dir is where the test will run.
func (m *maker) given(text, dir string) (given, error) {
	head, name := "", text
	if i := strings.IndexByte(text, '='); i >= 0 {
		head, name = text[:i+1], text[i+1:]
	}
	at := name
	if !filepath.IsAbs(at) {
		at = filepath.Join(m.run.Dir, at)
	}
	if name == "" || m.run.Dir == "" && !filepath.IsAbs(name) {
		return given{text: text}, nil
	}
	info, err := os.Stat(at)
	switch {
	case err != nil && filepath.IsAbs(name) && strings.Count(name, "/") > 1:
		return given{}, fmt.Errorf("its argument %s may be a path of this machine", text)
	case err != nil:
		return given{text: text}, nil //nolint:nilerr // what names no file is plain text
	case m.c.Workspace.Owns(at):
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return given{}, fmt.Errorf("its argument %s is a path of this machine", text)
		}
		if !info.Mode().IsRegular() {
			if !filepath.IsAbs(name) {
				return given{text: text}, nil // a word that a directory is called by
			}
			return given{text: head + filepath.ToSlash(rel)}, nil
		}
		return given{head, &inputFile{name: filepath.ToSlash(rel), within: true}}, nil
	case !info.Mode().IsRegular() || info.Size() > literal.MaxText:
		if name == os.DevNull {
			return given{text: text}, nil
		}
		return given{}, fmt.Errorf("it reads %s, which is outside the module and not a small file", name)
	}
	if _, ok := sandbox.Named(name, m.run.Dir); !ok || m.run.ForeignArgs {
		return given{}, fmt.Errorf("it reads %s, which is outside the module and not given by a person, a link or a secret", name)
	}
	data, err := regular.Read(at)
	if err != nil {
		return given{}, fmt.Errorf("it reads a file outside of the module: %w", errors.Unwrap(err))
	}
	return given{head, &inputFile{name: filepath.Base(at), content: string(data)}}, nil
}

// fileDir is the variable that holds the directory of the files that a test
// brings.
const fileDir = "files"

// brings reports whether the test brings files.
func (s stage) brings() bool {
	return slices.ContainsFunc(s.named(), func(f *inputFile) bool { return !f.within })
}

// named are the files that the arguments and the environment name.
func (s stage) named() []*inputFile {
	var list []*inputFile
	for _, g := range slices.Concat(s.env, s.args) {
		if g.file != nil {
			list = append(list, g.file)
		}
	}
	return list
}

// tellApart gives the files that the test brings names of their own.
func (s stage) tellApart() {
	list := s.named()
	for i, f := range list {
		if !f.within && slices.ContainsFunc(list[:i], func(g *inputFile) bool { return !g.within && g.name == f.name }) {
			f.name = fmt.Sprintf("%d-%s", i+1, f.name)
		}
	}
}

// files makes sure of the files. Without those of the module the test is skipped,
// since a program that misses its file may end without a fault, and another clone
// may not have it; others the test writes.
// dir is where the module's are seen from.
func (s stage) files(dir string) []string {
	list := s.named()
	if len(list) == 0 {
		return nil
	}
	os := s.file.imports.Use("os", "os")
	var lines []string
	if s.brings() {
		lines = append(lines, fileDir+" := t.TempDir()")
	}
	for _, f := range list {
		if f.within {
			lines = append(lines, fmt.Sprintf("if _, err := %s.Stat(%q); err != nil {\nt.Skip(err)\n}", os, path.Join(dir, f.name)))
			continue
		}
		lines = append(lines, fmt.Sprintf("if err := %s.WriteFile(%s, []byte(%s), %s); err != nil {\nt.Fatal(err)\n}", os, s.expr(given{"", f}, fileDir), value.Quote(f.content), s.file.imports.FileMode()))
	}
	return lines
}

// expr writes an argument; dir is an expression of where the test's files are.
func (s stage) expr(g given, dir string) string {
	switch {
	case g.file == nil:
		return strconv.Quote(g.text)
	case g.file.within:
		return strconv.Quote(g.text + g.file.name)
	}
	at := fmt.Sprintf("%s.Join(%s, %q)", s.file.imports.Use("path/filepath", "filepath"), dir, g.file.name)
	if g.text == "" {
		return at
	}
	return strconv.Quote(g.text) + " + " + at
}

func (s stage) exprs(list []given, dir string) string {
	var out []string
	for _, g := range list {
		out = append(out, s.expr(g, dir))
	}
	return strings.Join(out, ", ")
}
