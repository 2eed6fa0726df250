package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/internal/advice"
)

// listed is a package as `go list -json` prints it.
type listed struct {
	Dir, ImportPath, Name, ForTest string
	Standard, DepOnly              bool
	Module                         *struct {
		Path, Version, Dir, GoMod string
		Main                      bool
		Replace                   *struct{ Path, Version string }
	}
	GoFiles, CgoFiles, CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles []string
	SwigFiles, SwigCXXFiles, SysoFiles, EmbedFiles                      []string
	TestGoFiles, XTestGoFiles, TestEmbedFiles, XTestEmbedFiles          []string
	Deps                                                                []string // only where asked for
	Error                                                               *struct{ Pos, Err string }
}

// listFields are the fields of listed: asking for these alone spares the go
// command the question of what is stale.
const listFields = "-json=Dir,ImportPath,Name,ForTest,Standard,DepOnly,Module,GoFiles,CgoFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,EmbedFiles,TestGoFiles,XTestGoFiles,TestEmbedFiles,XTestEmbedFiles,Error"

// files returns every file that goes into the package, absolute.
func (p listed) files() []string {
	var all []string
	for _, names := range [][]string{p.GoFiles, p.CgoFiles, p.CFiles, p.CXXFiles, p.MFiles, p.HFiles, p.FFiles, p.SFiles,
		p.SwigFiles, p.SwigCXXFiles, p.SysoFiles, p.EmbedFiles, p.TestGoFiles, p.XTestGoFiles, p.TestEmbedFiles, p.XTestEmbedFiles} {
		for _, name := range names {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			all = append(all, name)
		}
	}
	return all
}

// testMain reports whether the package is the main program the go command makes
// up for tests.
func (p listed) testMain() bool { return p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") }

// list lists the packages of a build with some more flags, dependencies first. Packages with errors
// are listed too; an error means that nothing could be listed.
func list(ctx context.Context, s Spec, o *overlay, fixed []string) ([]listed, error) {
	args := slices.Concat([]string{"list", "-e", "-deps", listFields}, commonFlags(s), fixed, o.flags())
	if s.Test {
		args = append(args, "-test")
	}
	var out bytes.Buffer
	stderr, ok, err := run(ctx, s, &out, append(args, packages(s)...)...)
	if err != nil {
		return nil, err
	}
	pkgs, err := decodeList(&out)
	if err != nil {
		return nil, fmt.Errorf("list %q: %w", s.Package, err)
	}
	if !ok && len(pkgs) == 0 {
		if err := explain(s.Package, stderr); err != nil {
			return nil, err
		}
		return nil, refused(s, stderr)
	}
	if len(pkgs) == 0 {
		return nil, missing(s, stderr)
	}
	return pkgs, nil
}

func decodeList(r io.Reader) ([]listed, error) {
	var pkgs []listed
	for dec := json.NewDecoder(r); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, p)
	}
}

// refused makes an Error out of the go command's words.
func refused(s Spec, text string) *Error {
	return &Error{Package: s.Package, Diagnostics: ParseOutput(text, s.Dir), Output: strings.TrimSpace(text)}
}

// missing says with the go command's words that there is no such package.
func missing(s Spec, text string) error {
	return noted(s.Package, ErrNoPackage, text, "name a directory (./cmd/app) or an import path; `go list ./...` shows what there is")
}

// roots returns the packages that were asked for, without the variants that
// exist only for tests.
func roots(pkgs []listed) []listed {
	var found []listed
	for _, p := range pkgs {
		if !p.DepOnly && p.ForTest == "" && !p.testMain() {
			found = append(found, p)
		}
	}
	return found
}

// check tells what is wrong with the packages before they are built: that they
// are not there, not one, not a command, or have no tests.
func check(ctx context.Context, s Spec, pkgs []listed) error {
	found := roots(pkgs)
	switch {
	case len(found) == 0:
		return missing(s, "nothing matches")
	case len(found) > 1:
		return advice.Add(fmt.Errorf("build %q: %w: it matches %d", s.Package, ErrManyPackages, len(found)), commandsHint(ctx, s))
	}
	p := found[0]
	if p.Error != nil && len(p.files()) == 0 {
		if err := explain(s.Package, p.Error.Err); err != nil {
			return err
		}
		return missing(s, p.Error.Err)
	}
	if s.Test {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			return advice.Add(fmt.Errorf("build %q: %w", s.Package, ErrNoTests), "name a package that has a _test.go file")
		}
		return nil
	}
	if p.Name != "main" && p.Name != "" {
		err := fmt.Errorf("build %q: %w: it is package %q", s.Package, ErrNotMain, p.Name)
		return advice.Add(err, commandsHint(ctx, s))
	}
	return nil
}

// CommandsOf returns the commands below the directory that use a package; none where they cannot
// be listed.
func CommandsOf(ctx context.Context, s Spec, pkg string) (list []string) {
	for _, c := range commands(ctx, s, "{{.ImportPath}} {{join .Deps \" \"}}") {
		if uses := strings.Fields(c); slices.Contains(uses, pkg) {
			list = append(list, uses[0])
		}
	}
	return list
}

// commands lists the commands of the module, each as a format says.
func commands(ctx context.Context, s Spec, format string) []string {
	var out bytes.Buffer
	args := append([]string{"list", "-e", "-f", "{{if eq .Name \"main\"}}" + format + "{{end}}"}, commonFlags(s)...)
	if _, ok, err := run(ctx, s, &out, append(args, "./...")...); err != nil || !ok {
		return nil
	}
	return strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
}

// commandsHint names the commands there are.
func commandsHint(ctx context.Context, s Spec) string {
	names := commands(ctx, s, "{{.ImportPath}}")
	if len(names) == 0 {
		return "name a package main; `pausetui test` runs a library's tests"
	}
	const most = 4
	text := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return "name one of the commands: " + text
}
