package trace

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
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
// now. Which frame is to blame is found again.
func (t Trace) Locate(h Home) Trace {
	l := &locator{home: h, files: map[string]*sourceFile{}}
	t.Goroutines = slices.Clone(t.Goroutines)
	for i := range t.Goroutines {
		g := &t.Goroutines[i]
		g.Frames = slices.Clone(g.Frames)
		for j := range g.Frames {
			l.locate(&g.Frames[j])
		}
		for j := range g.Frames {
			if j > 0 && g.Frames[j].User && g.Frames[j].Err == "" {
				g.Frames[j].Err = l.notCalling(g.Frames[j], g.Frames[j-1])
			}
			if g.Frames[j].User {
				l.name(&g.Frames[j])
			}
		}
		for _, f := range []*debugger.Frame{&g.CreatedBy, &g.GoAt, &g.User, &g.Start} {
			if f.Function != "" {
				l.locate(f)
			}
		}
		for j := range g.Ancestors {
			g.Ancestors[j].Frames = slices.Clone(g.Ancestors[j].Frames)
			for k := range g.Ancestors[j].Frames {
				l.locate(&g.Ancestors[j].Frames[k])
			}
		}
	}
	t.Panic.Culprit = -1
	if len(t.Goroutines) > 0 {
		panics := append(slices.Clone(t.Panic.Chain), t.Panic)
		t.Panic.Culprit = debugger.Culprit(t.Goroutines[0].Frames, panics, func(f debugger.Frame) bool { return f.User })
	}
	return t
}

// Missing names the user's files that are not here, and the frames whose lines
// have changed, each in a sentence.
func (t Trace) Missing() []string {
	var list []string
	for _, g := range t.Goroutines {
		for _, f := range g.Frames {
			if f.Err != "" && !slices.Contains(list, f.Err) {
				list = append(list, f.Err)
			}
		}
	}
	return list
}

// locator finds files, and reads each once.
type locator struct {
	home  Home
	files map[string]*sourceFile
}

// sourceFile is a parsed file; nil where it cannot be.
type sourceFile struct {
	fset *token.FileSet
	ast  *ast.File
	text []string
}

func (l *locator) locate(f *debugger.Frame) {
	remote := filepath.ToSlash(f.File)
	local, own := l.find(f.Function, remote)
	switch {
	case local != "" && own:
		f.File, f.User = local, true
		f.Err = l.changed(*f)
	case local != "":
		f.File = local
	case own:
		f.Err = fmt.Sprintf("%s is not in this module", remote)
	}
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
	return isFile(file) && slices.ContainsFunc(l.home.Modules, func(m Module) bool { return regular.Within(m.Dir, file) == nil })
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

// maxSource bounds a file that is looked into, in bytes.
const maxSource = 8 << 20

func (l *locator) source(file string) *sourceFile {
	if s, ok := l.files[file]; ok {
		return s
	}
	l.files[file] = nil
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxSource {
		return nil
	}
	text, err := regular.Read(file)
	if err != nil {
		return nil
	}
	s := &sourceFile{fset: token.NewFileSet(), text: strings.Split(string(text), "\n")}
	if s.ast, err = parser.ParseFile(s.fset, file, text, parser.SkipObjectResolution); err != nil {
		s.ast = nil
	}
	l.files[file] = s
	return s
}

var (
	typeArguments = regexp.MustCompile(`\[[^\]]*\]`)
	// closures, wrappers and loop bodies belong to the function they are in
	inner = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|-range\d+|\.\d+|-fm)+$`)
)

// written is a function as a declaration has it: "(*Index).Add", "main".
func written(function string) string {
	_, name := debugger.CutFunction(function)
	return inner.ReplaceAllString(typeArguments.ReplaceAllString(name, ""), "")
}

func (l *locator) declares(file, function string) bool {
	s := l.source(file)
	if s == nil || s.ast == nil {
		return false
	}
	want := written(function)
	for _, d := range s.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && patch.FuncSymbol(fn) == want {
			return true
		}
	}
	return strings.HasPrefix(want, "init") || strings.HasPrefix(want, "glob.")
}

// hasChanged is part of what is said of a line that is certainly another one.
const hasChanged = " has changed since: "

// Stale says why the line that is to blame is another one by now; empty when it
// may be the same.
func (t Trace) Stale() string {
	at := t.Panic.Culprit
	if at < 0 || len(t.Goroutines) == 0 || at >= len(t.Goroutines[0].Frames) {
		return ""
	}
	if why := t.Goroutines[0].Frames[at].Err; strings.Contains(why, hasChanged) {
		return why
	}
	return ""
}

// changed reports whether a frame's line is another one by now: it is not in the
// function of the frame.
func (l *locator) changed(f debugger.Frame) string {
	s := l.source(f.File)
	want := written(f.Function)
	if s == nil || s.ast == nil || strings.HasPrefix(want, "init") || strings.HasPrefix(want, "glob.") {
		return ""
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	if f.Line > len(s.text) {
		return fmt.Sprintf("%s%sit has %d lines now", at, hasChanged, len(s.text))
	}
	is := ""
	for _, d := range s.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && s.fset.Position(fn.Pos()).Line <= f.Line && f.Line <= s.fset.Position(fn.End()).Line {
			is = patch.FuncSymbol(fn)
		}
	}
	switch {
	case is == want || is == "" && strings.Contains(f.Function, "."+"func"):
		return ""
	case is == "":
		return fmt.Sprintf("%s%sthe line is not in %s any more", at, hasChanged, want)
	}
	return fmt.Sprintf("%s%sthe line is in %s, and was in %s", at, hasChanged, is, want)
}

// notCalling tells that a frame's line does not name the function it called: it
// has most likely changed. Calls through values name nothing.
func (l *locator) notCalling(f, callee debugger.Frame) string {
	s := l.source(f.File)
	name := written(callee.Function)
	if i := strings.LastIndex(name, "."); i >= 0 {
		name = name[i+1:]
	}
	if s == nil || s.ast == nil || callee.Runtime || !callee.User || name == "" || inner.MatchString(callee.Function) || f.Line > len(s.text) {
		return ""
	}
	// The call may go over several lines.
	from, to := max(f.Line-1, 0), min(f.Line+4, len(s.text))
	if strings.Contains(strings.Join(s.text[max(from-3, 0):to], "\n"), name) {
		return ""
	}
	if s.callsThroughValue(f.Line) {
		return ""
	}
	return fmt.Sprintf("%s:%d may have changed since: it does not call %s", filepath.Base(f.File), f.Line, name)
}

// callsThroughValue reports whether a call on the line may be of a value: of a
// parameter, a field, an interface whose method has another name.
func (s *sourceFile) callsThroughValue(line int) bool {
	found := false
	ast.Inspect(s.ast, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.fset.Position(call.Pos()).Line <= line && line <= s.fset.Position(call.End()).Line {
			found = true
		}
		return !found
	})
	return found
}
