package workspace

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
)

// generated is the mark of https://go.dev/s/generatedcode.
var generated = lazyregexp.New(`^// Code generated .* DO NOT EDIT\.$`)

// Editable reports whether a fix may change (or create) the file, given relative
// to the root. The warning is set for files that may be changed but should
// rather not be.
func (w Workspace) Editable(rel string) (warning string, err error) {
	file := filepath.Clean(w.Abs(rel))
	m, ok := w.ModuleOf(file)
	switch {
	case !ok:
		return "", fmt.Errorf("%q belongs to none of your modules (vendored, or outside)", rel)
	case m.ReadOnly:
		return "", fmt.Errorf("%q belongs to module %s, which lies outside of this repository", rel, m.Path)
	}
	real, err := resolve(file)
	if err != nil {
		return "", fmt.Errorf("%q: %w", rel, err)
	}
	within, ok := w.ownedResolved(real)
	if !ok {
		return "", fmt.Errorf("%q leads out of the module to %q", rel, real)
	}
	top := common(w.Root, m.Dir)
	if dir, err := filepath.EvalSymlinks(top); err != nil || filepath.Join(dir, file[len(top):]) != real {
		return "", fmt.Errorf("%q leads through a symbolic link to %q: change it there", rel, within) // by this name, another file would be built than is written
	}
	if name := hidden(file[len(common(repositoryOf(w.Root), m.Dir)):]); name != "" { // also above the module
		return "", fmt.Errorf("%q is not part of a Go program: names that begin with a dot, such as %q, belong to other tools", rel, name)
	}
	if isGenerated(file) {
		return fmt.Sprintf("%s is generated: the change will be lost when it is generated again", rel), nil
	}
	return "", nil
}

// common is the innermost directory that has both in it. Links on the way to it are the
// person's own; those below it may be the repository's.
func common(a, b string) string {
	for {
		if _, ok := inside(a, b); ok || a == filepath.Dir(a) {
			return a
		}
		a = filepath.Dir(a)
	}
}

// resolve follows symbolic links of the file, or of its directory when the
// file does not exist yet.
func resolve(file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if os.IsNotExist(err) {
		dir, err := filepath.EvalSymlinks(filepath.Dir(file))
		return filepath.Join(dir, filepath.Base(file)), err
	}
	return real, err
}

// ownedResolved returns the path within the module that holds the file; false
// when none does.
func (w Workspace) ownedResolved(real string) (string, bool) {
	within, found := "", false
	for _, m := range w.Modules {
		dir, err := filepath.EvalSymlinks(m.Dir)
		if err != nil || m.ReadOnly {
			continue
		}
		if rel, ok := inside(dir, real); ok && !vendored(rel) && (!found || len(rel) < len(within)) {
			within, found = rel, true
		}
	}
	return within, found
}

// hidden returns the first name of a path that the go command passes over: git
// and editors run what is in such files.
func hidden(rel string) string {
	for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.HasPrefix(name, ".") {
			return name
		}
	}
	return ""
}

// Generated reports whether Go source carries the mark of generated code.
func Generated(source []byte) bool { return marksGenerated(bytes.NewReader(source)) }

func isGenerated(file string) bool {
	f, err := regular.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	return marksGenerated(f)
}

// marksGenerated reports whether source has the mark, or //line directives, which
// only generators write.
func marksGenerated(r io.Reader) bool {
	begun := false
	for s := bufio.NewScanner(r); s.Scan(); {
		line := s.Text()
		if !begun && generated.MatchString(line) || strings.HasPrefix(line, "//line ") {
			return true
		}
		begun = begun || strings.HasPrefix(line, "package ")
	}
	return false
}
