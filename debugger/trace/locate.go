package trace

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
)

// Home is where the sources of this machine are.
type Home struct {
	Modules  []Module // the user's
	GoRoot   string
	ModCache string
}

// Module is one of the user's modules.
type Module struct{ Path, Dir string }

// Locate finds the files of a trace on this machine: a trace names those of the
// one that the program was built on. A frame whose file is not here keeps its
// name, and says so in Err, as does one whose line is certainly another one by
// now. Which frame is to blame is found again. It ends with ctx, and its error.
func (t Trace) Locate(ctx context.Context, h Home) (Trace, error) {
	l := newLocator(h)
	t.Goroutines = slices.Clone(t.Goroutines)
	for i := range t.Goroutines {
		if err := l.goroutine(ctx, &t.Goroutines[i]); err != nil {
			return t, err
		}
	}
	first := Goroutine{Frames: t.Panic.Raised}
	if err := l.goroutine(ctx, &first); err != nil {
		return t, err
	}
	t.Panic.Raised = first.Frames
	if !t.died && l.crashed(t) {
		t.died = true
		if class, ok := raised(t.Goroutines[0]); ok {
			t.Panic.Class = class
		}
	}
	t.Panic.Culprit = -1
	if len(t.Goroutines) > 0 {
		panics := append(slices.Clone(t.Panic.Chain), t.Panic)
		t.Panic.Culprit = debugger.Culprit(t.Goroutines[0].Frames, panics, func(f debugger.Frame) bool { return f.User })
	}
	return t, nil
}

// Missing names the user's files that are not here, and the frames whose lines
// have changed, each in a sentence.
func (t Trace) Missing() []string {
	var list []string
	known := map[string]bool{"": true}
	for f := range t.frames {
		if !known[f.Err] {
			known[f.Err] = true
			list = append(list, f.Err)
		}
	}
	return list
}

// locator finds files, and reads each once. The stacks of a trace repeat, so what
// is found out of a line of a function is kept.
type locator struct {
	home   Home
	files  map[string]*sourceFile
	own    map[string]bool // by file: isOwn
	places map[place]found
	calls  map[call]string // by call: notCalling
}

func newLocator(h Home) *locator {
	return &locator{home: h, files: map[string]*sourceFile{}, own: map[string]bool{}, places: map[place]found{}, calls: map[call]string{}}
}

// place is a line of a function in a trace, and found what is here of it.
type (
	place struct {
		function, file string
		line           int
	}
	found struct {
		file, err string
		user      bool
		decl      *declaration // the function's, if its arguments can be named by it
	}
	call struct {
		from place
		to   string
	}
)

// goroutine locates the frames of a goroutine, and names their arguments.
func (l *locator) goroutine(ctx context.Context, g *Goroutine) error {
	g.Frames = slices.Clone(g.Frames)
	decls := make([]*declaration, len(g.Frames))
	for j := range g.Frames {
		if err := ctx.Err(); err != nil {
			return err
		}
		decls[j] = l.locate(&g.Frames[j])
	}
	for j := range g.Frames {
		f := &g.Frames[j]
		if !f.User || f.Err != "" {
			continue
		}
		if j > 0 {
			f.Err = l.notCalling(*f, g.Frames[j-1])
		}
		if f.Err == "" && decls[j] != nil {
			decls[j].name(f)
		}
	}
	for _, f := range []*debugger.Frame{&g.CreatedBy, &g.GoAt, &g.User, &g.Start} {
		if f.Function != "" {
			l.locate(f)
		}
	}
	g.Ancestors = slices.Clone(g.Ancestors)
	for j := range g.Ancestors {
		g.Ancestors[j].Frames = slices.Clone(g.Ancestors[j].Frames)
		for k := range g.Ancestors[j].Frames {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.locate(&g.Ancestors[j].Frames[k])
		}
	}
	return nil
}

// locate finds the file of a frame, and returns the declaration that its arguments
// are named by.
func (l *locator) locate(f *debugger.Frame) *declaration {
	at := place{f.Function, f.File, f.Line}
	is, known := l.places[at]
	if !known {
		is = l.look(*f)
		l.places[at] = is
	}
	f.File, f.User, f.Err = is.file, is.user, is.err
	return is.decl
}

func (l *locator) look(f debugger.Frame) found {
	remote := filepath.ToSlash(f.File)
	local, own := l.find(f.Function, remote)
	switch {
	case local != "" && own:
		f.File = local
		is := found{file: local, user: true, err: l.changed(f)}
		if s := l.source(local); s != nil && is.err == "" {
			is.decl = s.declarationOf(f)
		}
		return is
	case local != "":
		return found{file: local}
	case own:
		return found{file: f.File, err: fmt.Sprintf("%s is not in this module", remote)}
	}
	return found{file: f.File}
}

// find returns the local file of a remote one; own tells that it is, or should
// be, the user's.
func (l *locator) find(function, remote string) (local string, own bool) {
	if path.IsAbs(remote) && path.Clean(remote) == remote && l.ownDir(remote) && l.isOwn(remote) {
		return remote, true
	}
	pkg := debugger.PackageOf(function)
	base := path.Base(remote)
	for _, m := range l.home.Modules {
		for _, p := range []string{packageIn(m.Path, function), path.Dir(remote)} { // by -trimpath, files are named by their packages
			rest, ok := strings.CutPrefix(p+"/", m.Path+"/")
			if !ok {
				continue
			}
			if file := filepath.Join(m.Dir, filepath.FromSlash(rest), base); path.Clean(p) == p && l.isOwn(file) {
				return file, true
			}
			return "", true
		}
	}
	if pkg == "main" || pkg == "" || pkg == "command-line-arguments" {
		if file := l.bySuffix(function, remote); file != "" {
			return file, true
		}
		return "", pkg == "main"
	}
	return l.elsewhere(pkg, remote, base), false
}

func (l *locator) ownDir(file string) bool {
	return slices.ContainsFunc(l.home.Modules, func(m Module) bool {
		return strings.HasPrefix(file, filepath.ToSlash(m.Dir)+"/") && !strings.Contains(file, "/vendor/")
	})
}

// bySuffix finds a file of package main, whose import path a trace does not say:
// the one that shares the longest end of its path and declares the function.
func (l *locator) bySuffix(function, remote string) string {
	remote = path.Clean("/" + remote)
	parts := strings.Split(strings.Trim(remote, "/"), "/")
	for i := range parts {
		for _, m := range l.home.Modules {
			file := filepath.Join(append([]string{m.Dir}, parts[i:]...)...)
			if l.isOwn(file) && l.declares(file, function) {
				return file
			}
		}
	}
	return ""
}

// elsewhere finds a file of the standard library or of a dependency.
func (l *locator) elsewhere(pkg, remote, base string) string {
	first, _, _ := strings.Cut(pkg, "/")
	if !strings.Contains(first, ".") && l.home.GoRoot != "" && path.Clean(pkg) == pkg {
		if file := filepath.Join(l.home.GoRoot, "src", filepath.FromSlash(pkg), base); isFile(file) {
			return file
		}
	}
	rest := path.Clean("/" + remote)
	if _, after, ok := strings.Cut(rest, "/pkg/mod/"); ok {
		rest = after
	}
	if file := filepath.Join(l.home.ModCache, filepath.FromSlash(rest)); l.home.ModCache != "" && strings.Contains(rest, "@") && isFile(file) {
		return file
	}
	if _, after, ok := strings.Cut(path.Clean("/"+remote), "/vendor/"); ok {
		for _, m := range l.home.Modules {
			if file := filepath.Join(m.Dir, "vendor", filepath.FromSlash(after)); l.isOwn(file) {
				return file
			}
		}
	}
	return ""
}

// isOwn is isFile for a file of a module of the user's. Where a link in a
// repository leads out of the modules, what is there is not the program's.
func (l *locator) isOwn(file string) bool {
	own, known := l.own[file]
	if !known {
		own = isFile(file) && slices.ContainsFunc(l.home.Modules, func(m Module) bool { return regular.Within(m.Dir, file) == nil })
		l.own[file] = own
	}
	return own
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// packageIn is the import path of a function's package in a module, whose own
// path may hold dots anywhere; empty when it is in another module.
func packageIn(module, function string) string {
	rest, ok := strings.CutPrefix(function, module)
	switch {
	case !ok:
		return ""
	case strings.HasPrefix(rest, "."), strings.HasPrefix(rest, "_test."):
		return module
	case strings.HasPrefix(rest, "/"):
		return debugger.PackageOf(function)
	}
	return ""
}
