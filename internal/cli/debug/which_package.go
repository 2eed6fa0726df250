package debug

import (
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/editdistance"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/ui/choose"
)

// maxSearched bounds the directories that are looked through for commands, mostOffered
// the commands that an error names.
const maxSearched, mostOffered = 5000, 9

var (
	errNoDirectory = errors.New("no such directory")
	errWhich       = errors.New("it is not a command")
)

// whichPackage is the package that is meant by an argument of debug. It says at once
// what a build would find only later, and asks where a module has several commands.
func (o *settings) whichPackage(ctx context.Context) (string, error) {
	pkg := o.pkg
	if strings.HasSuffix(pkg, ".go") || strings.Contains(pkg, "...") {
		return pkg, nil
	}
	dir, err := o.Dir()
	if err != nil {
		return "", err
	}
	path := pkg
	if !filepath.IsAbs(pkg) {
		path = filepath.Join(dir, pkg)
	}
	local := build.IsLocalImport(pkg) || filepath.IsAbs(pkg)
	info, err := os.Stat(path)
	here := err == nil && info.IsDir()
	switch {
	case here && !local && !strings.Contains(strings.Split(pkg, "/")[0], "."):
		return "", advice.Add(fmt.Errorf("%q: no such package", pkg), "did you mean ./"+filepath.ToSlash(pkg)+"?")
	case here && local && !o.test:
		return o.whichCommand(ctx, dir, path)
	case !local && err != nil && !importable(dir, pkg):
		return "", advice.Add(fmt.Errorf("%q: no such package", pkg), near(dir, pkg))
	case local && err != nil:
		return "", advice.Add(fmt.Errorf("%q: %w", pkg, errNoDirectory), near(dir, pkg))
	case local && !here:
		return "", advice.Add(fmt.Errorf("%q: not a directory", pkg), "pausetui exec debugs a binary, pausetui trace reads a log")
	}
	return pkg, nil
}

// importable reports whether an import path can be one: of the standard library, of a
// module with a domain, of the module in dir or of one that it requires. Of a workspace
// the go command knows more.
func importable(dir, pkg string) bool {
	first, _, _ := strings.Cut(pkg, "/")
	if strings.Contains(first, ".") {
		return true
	}
	if p, err := build.Import(pkg, "", build.FindOnly); err == nil && p.Goroot {
		return true
	}
	root := config.Root(dir)
	for d := root; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.work")); err == nil {
			return true
		}
		if filepath.Dir(d) == d {
			break
		}
	}
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return true
	}
	f, err := modfile.ParseLax("go.mod", data, nil)
	if err != nil || f.Module == nil {
		return true
	}
	within := func(module string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }
	return within(f.Module.Mod.Path) || slices.ContainsFunc(f.Require, func(r *modfile.Require) bool { return within(r.Mod.Path) })
}

// whichCommand is the command in a directory or, where there is none, the one below
// it; of several the person chooses.
func (o *settings) whichCommand(ctx context.Context, dir, path string) (string, error) {
	p, err := build.ImportDir(path, 0)
	var none *build.NoGoError
	if err == nil && p.Name == "main" || err != nil && !errors.As(err, &none) {
		return o.pkg, nil
	}
	list := commandsBelow(dir, path)
	switch {
	case len(list) == 0:
		return o.pkg, nil // the go command knows why
	case len(list) == 1:
		printable.Fprintf(o.Stderr, "debugging %s, the only command here\n", list[0])
		return list[0], nil
	case !o.Plain && o.NoScreen() == nil:
		rows := make([]choose.Row, len(list))
		for i, command := range list {
			rows[i] = choose.Row{Words: printable.Line(command), Preview: packageFile(dir, command, "main.go", false)}
		}
		i, err := frontend.New(o.System, o.Screen).Choose(ctx, "Which command?", rows)
		if err != nil {
			return "", err
		}
		return list[i], nil
	}
	return "", advice.Add(fmt.Errorf("%q: %w", o.pkg, errWhich), "name one: "+strings.Join(list[:min(len(list), mostOffered)], ", "))
}

// near says which command has nearly the name.
func near(dir, pkg string) string {
	best, far := "", 3
	for _, c := range commandsBelow(dir, dir) {
		d := editdistance.Distance(filepath.Base(c), filepath.Base(pkg))
		if filepath.Base(c) == filepath.Base(pkg) {
			d = 0
		}
		if d < far {
			best, far = c, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "name a directory (./cmd/app) or an import path; `go list ./...` shows what there is"
}

// commandsBelow lists the directories of commands, as arguments of the go command in
// dir.
func commandsBelow(dir, root string) []string {
	var list []string
	searched := 0
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error { // what cannot be read holds no command
		if err != nil || !e.IsDir() {
			return nil //nolint:nilerr // see above
		}
		name := e.Name()
		if searched++; searched > maxSearched {
			return fs.SkipAll
		}
		if path != root && notSource(name) {
			return fs.SkipDir
		}
		if rel, err := filepath.Rel(dir, path); err == nil && holdsMain(path) {
			if rel = filepath.ToSlash(rel); rel != "." {
				rel = "./" + rel
			}
			list = append(list, rel)
		}
		return nil
	})
	return list
}

// notSource reports whether the go command leaves out a directory of a name.
func notSource(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || slices.Contains([]string{"vendor", "testdata", "node_modules"}, name)
}

// holdsMain reports whether a directory is a command for this system.
func holdsMain(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is well-formed
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err != nil || f.Name.Name != "main" {
			continue // one of another package may be left out by its constraints
		}
		p, err := build.ImportDir(dir, 0)
		return err == nil && p.Name == "main"
	}
	return false
}
