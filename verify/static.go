package verify

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/scan"
	"github.com/pausetui/pausetui/verify/verdict"
)

// scope checks where the edits reach, and that they were made for the files as
// they are now.
func (a *patched) scope(context.Context) (verdict.Check, error) {
	w := a.v.Subject.Workspace
	if len(a.candidate.Edits) == 0 {
		return finding.Open(finding.Fail("the fix changes nothing")), nil
	}
	var warnings []string
	for _, e := range a.candidate.Edits {
		warning, err := w.Editable(e.File)
		if err != nil {
			return finding.Open(finding.Fail("%v", err)), nil
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
		file := filepath.Clean(w.Abs(e.File))
		if _, twice := a.overlay[file]; twice {
			return finding.Open(finding.Fail("%s is edited twice", e.File)), nil
		}
		if why := stale(a.v, file, e); why != "" {
			return finding.Open(finding.Fail("%s %s", e.File, why)), nil
		}
		a.overlay[file] = e.After
	}
	if len(warnings) > 0 {
		return finding.Warn("%s", strings.Join(warnings, "\n")), nil
	}
	return finding.Pass(""), nil
}

// stale says how the file differs from the one the edit was made for.
func stale(v *Verifier, file string, e patch.Edit) string {
	text, err := v.Source(file, nil)
	switch {
	case errors.Is(err, os.ErrNotExist) && e.Create:
		return ""
	case errors.Is(err, os.ErrNotExist):
		return "no longer exists"
	case err != nil:
		return "cannot be read: " + err.Error()
	case e.Create:
		return "exists already"
	case text != e.Before:
		return "changed since the stop"
	case e.Before == e.After:
		return "is left as it is"
	}
	return ""
}

// parse checks the syntax of every edited Go file, and that it holds nothing
// but Go that can be seen.
func (a *patched) parse(context.Context) (verdict.Check, error) {
	if check, refused := scan.Refuse(a.v.Runner, a.candidate.Edits); refused {
		return check, nil
	}
	if why := scan.TooLarge(a.candidate.Edits); why != "" {
		return finding.Open(finding.Fail("%s", why)), nil
	}
	var problems, unformatted []string
	for _, e := range a.candidate.Edits {
		if !strings.HasSuffix(e.File, ".go") {
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), e.File, e.After, parser.AllErrors|parser.SkipObjectResolution); err != nil {
			problems = append(problems, syntaxErrors(err)...)
			continue
		}
		if !formatted(e.After) && (e.Create || formatted(e.Before)) {
			unformatted = append(unformatted, e.File)
		}
	}
	switch {
	case len(problems) > 0:
		return finding.Open(finding.Fail("%s", strings.Join(problems[:min(len(problems), 10)], "\n"))), nil
	case len(unformatted) > 0:
		return finding.Warn("not as gofmt would write it: %s", strings.Join(unformatted, ", ")), nil
	}
	return finding.Pass(""), nil
}

func syntaxErrors(err error) []string {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []string{err.Error()}
	}
	var lines []string
	for _, e := range list {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Pos.Filename, e.Pos.Line, e.Pos.Column, e.Msg))
	}
	return lines
}

// formatted reports whether a file is as gofmt would write it, however its lines end.
func formatted(source string) bool {
	source = strings.ReplaceAll(strings.TrimPrefix(source, "\ufeff"), "\r\n", "\n")
	text, err := patch.Gofmt(source)
	return err != nil || text == source
}

// build builds the candidate over the source.
func (a *attempt) build(ctx context.Context) (verdict.Check, error) {
	name := "program"
	if a.v.Subject.Binary != "" {
		name = filepath.Base(a.v.Subject.Binary)
	}
	spec := a.v.Spec(filepath.Join(a.dir, name), a.overlay)
	spec.Scratch, spec.Bare = false, false // it is what would be applied
	built, err := build.Build(ctx, spec, nil)
	var refusal *build.Error
	switch {
	case errors.As(err, &refusal):
		return a.unbuildable(refusal), nil
	case err != nil:
		return verdict.Check{}, err
	}
	a.built = built
	a.verdict.Binary, a.verdict.Inputs = built.Binary, built.Inputs
	// Vet needs the sources only, but next to the build it would hold that up: it
	// runs next to the rerun, and vet asks again.
	a.early(func() { _, _ = a.vet(ctx) })
	if left := a.unbuilt(ctx); len(left) > 0 {
		return finding.Warn("not built here, so nothing is known of it: %s", strings.Join(left, ", ")), nil
	}
	return finding.Pass(""), nil
}

// unbuildable is what comes of a go command that has not succeeded: one that a
// limit ended says nothing of the candidate.
func (a *patched) unbuildable(e *build.Error) verdict.Check {
	if e.Limit != "" {
		return finding.Inconclusive("%s", e.Limit)
	}
	return scan.Refusal(a.v.Target, a.candidate.Edits, e.Diagnostics, e.Output)
}

// unbuilt names the candidate's Go files that this build leaves out, by their
// names or constraints, or because their packages are no part of it and no test
// depends on them: what is in them is neither compiled nor run.
func (a *attempt) unbuilt(ctx context.Context) []string {
	var left []string
	for _, e := range a.candidate.Edits {
		if strings.HasSuffix(e.File, ".go") && (!a.v.IsBuiltAs(e.File, e.After) || apart(ctx, a, e.File)) {
			left = append(left, e.File)
		}
	}
	return left
}

// baseline is what vet says of the unpatched packages.
type baseline struct {
	findings []build.Diagnostic
	refused  bool // they do not type-check for vet as they are
}

// vet counts only findings that the unpatched packages did not have.
func (a *attempt) vet(ctx context.Context) (verdict.Check, error) {
	return a.vetted.Get(ctx, a.runVet)
}

func (a *patched) runVet(ctx context.Context) (verdict.Check, error) {
	packages := toVet(a.v, a.overlay)
	if len(packages) == 0 {
		return finding.Pass(""), nil // no Go file changes
	}
	// First, because it leaves what it found out about imported packages in the person's
	// build cache. What is confined can read that, but keeps nothing.
	before, err := a.v.vetBefore(ctx, packages)
	switch {
	case err != nil:
		return a.v.Unmade(ctx, err)
	case before.refused:
		return finding.Skip("go vet cannot read these packages as they are"), nil
	}
	after, err := a.v.vetAll(ctx, a.v.Spec("", a.overlay), packages)
	var refusal *build.Error
	switch {
	case errors.As(err, &refusal):
		return a.unbuildable(refusal), nil
	case err != nil:
		return a.v.Unmade(ctx, err)
	}
	if added := newFindings(before.findings, after); len(added) > 0 {
		return scan.Refusal(a.v.Target, a.candidate.Edits, added, ""), nil
	}
	return finding.Pass(""), nil
}

// vetBefore vets the packages without any candidate, once a stop.
func (v *Verifier) vetBefore(ctx context.Context, packages []string) (baseline, error) {
	return v.baseline.At(strings.Join(packages, "\x00")).Get(ctx, func(ctx context.Context) (baseline, error) {
		there := existing(packages)
		if len(there) == 0 {
			return baseline{}, nil
		}
		findings, err := v.vetAll(ctx, v.Patiently(), there)
		var refusal *build.Error
		if errors.As(err, &refusal) {
			return baseline{refused: true}, nil
		}
		return baseline{findings: findings}, err
	})
}

// toVet returns what is vetted for the edited Go files: their directories, and the
// files by which the program is named if one of these is edited.
func toVet(v *Verifier, overlay map[string]string) []string {
	var packages []string
	for file := range overlay {
		switch {
		case v.IsNamed(file):
			packages = append(packages, build.NamedFiles(v.Subject.Build)...)
		case strings.HasSuffix(file, ".go"):
			packages = append(packages, filepath.Dir(file))
		}
	}
	slices.Sort(packages)
	return slices.Compact(packages)
}

// vetAll vets directories and named files, which the go command takes only apart.
func (v *Verifier) vetAll(ctx context.Context, s build.Spec, packages []string) ([]build.Diagnostic, error) {
	var files, dirs []string
	for _, p := range packages {
		if v.IsNamed(p) {
			files = append(files, p)
		} else {
			dirs = append(dirs, p)
		}
	}
	var findings []build.Diagnostic
	for _, names := range [][]string{files, patterns(v, dirs)} {
		if len(names) == 0 {
			continue
		}
		more, err := build.Vet(ctx, s, names)
		if err != nil {
			return nil, err
		}
		findings = append(findings, more...)
	}
	return findings, nil
}

// patterns names the packages of directories so that the go command finds them:
// of another module than the main one it wants the import path.
func patterns(v *Verifier, dirs []string) []string {
	names := slices.Clone(dirs)
	for i, dir := range dirs {
		m, ok := v.Subject.Workspace.ModuleOf(filepath.Join(dir, "any.go"))
		rel, err := filepath.Rel(m.Dir, dir)
		if ok && !m.Main && err == nil {
			names[i] = path.Join(m.Path, filepath.ToSlash(rel))
		}
	}
	return names
}

// existing drops directories and files that only the candidate makes.
func existing(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		_, err := os.Stat(p)
		return err != nil
	})
}

// newFindings returns those of after that before lacks; lines may move.
func newFindings(before, after []build.Diagnostic) []build.Diagnostic {
	type key struct{ file, message string }
	had := map[key]int{}
	for _, d := range before {
		had[key{d.File, d.Message}]++
	}
	var added []build.Diagnostic
	for _, d := range after {
		k := key{d.File, d.Message}
		if had[k] > 0 {
			had[k]--
			continue
		}
		added = append(added, d)
	}
	return added
}
