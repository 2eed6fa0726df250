package verify

import (
	"context"
	"go/parser"
	"go/token"
	"iter"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/effect"
	"github.com/pausetui/pausetui/verify/quits"
	"github.com/pausetui/pausetui/verify/review"
)

// among are the packages of the candidate's code files as they were before, and
// those of the user's that these import now.
func (a *patched) among() []quits.Package {
	own := map[string]bool{}
	for _, c := range a.changes() {
		own[path.Dir(c.File)] = true
	}
	var packages []quits.Package
	add := func(dir, from string, own bool) {
		before, _ := a.packageFiles(dir)
		packages = append(packages, quits.Package{Path: from, Own: own, Texts: slices.Collect(maps.Values(before))})
	}
	for dir := range own {
		add(dir, "", true)
	}
	for from := range a.imported() {
		if dir := directoryOf(a.v, from); dir != "" {
			add(dir, from, false)
		}
	}
	return packages
}

// imported are the packages that the candidate's code files import now.
func (a *patched) imported() map[string]bool {
	return importedBy(func(yield func(string) bool) {
		for _, c := range a.changes() {
			if !yield(c.After) {
				return
			}
		}
	})
}

// importedBy are the packages that Go files import.
func importedBy(texts iter.Seq[string]) map[string]bool {
	imported := map[string]bool{}
	for text := range texts {
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, i := range f.Imports {
			if from, err := strconv.Unquote(i.Path.Value); err == nil {
				imported[from] = true
			}
		}
	}
	return imported
}

// directoryOf is where the user's package of that import path lies, relative to
// the workspace; empty for the packages of others.
func directoryOf(v *Verifier, from string) string {
	for _, m := range v.Subject.Workspace.Modules {
		if rest, ok := strings.CutPrefix(from+"/", m.Path+"/"); ok {
			return path.Join(v.Subject.Workspace.Rel(m.Dir), rest)
		}
	}
	return ""
}

// shared says where else the program uses a function in which a point makes up an answer.
func shared(ctx context.Context, a *patched, p effect.Point) string {
	own, _ := a.packageFiles(path.Dir(p.File))
	others, from := importing(ctx, a, path.Dir(p.File))
	return review.Shared(own, others, from, p, callsOf(a.v, p))
}

// importing are the files of each of the user's packages that import the one in a directory,
// as they were, and the path by which they do.
func importing(ctx context.Context, a *patched, dir string) (found []map[string]string, from string) {
	packages, err := a.v.testPackages(ctx)
	if err != nil {
		return nil, ""
	}
	for _, p := range packages {
		if filepath.Clean(p.Dir) == filepath.Clean(a.v.Subject.Workspace.Abs(dir)) {
			from = p.ImportPath
		}
	}
	for _, p := range packages {
		before, _ := a.packageFiles(a.v.Subject.Workspace.Rel(p.Dir))
		if importedBy(maps.Values(before))[from] {
			found = append(found, before)
		}
	}
	return found, from
}
