// Package program is what is known of the program that is debugged: its source and
// types, how it is built, its newest binary, and its blocks of work.
package program

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/engine/look"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
)

// Program is what is known of the program that is debugged: its source, how it
// is built, and its newest binary.
type Program struct {
	*loop.Loop
	Own           Own
	Spec          build.Spec
	Binary        build.Result
	Binaries      int // that were made, for their names
	Code          *Code
	Sources       *sources
	saidAge       bool            // it was reported that source is newer than the program
	saidOpt       map[string]bool // it was reported that the program, or a package, is optimized
	saidPanicking string          // where the panic began whose deferred functions run, as it was reported

	unoptimized []string // package patterns beside the user's that are compiled without optimization
}

// NewProgram returns the program of a session; own is empty where it is built here.
func NewProgram(c *loop.Loop, own Own) *Program {
	pg := &Program{Loop: c, Own: own, Sources: newSources(c), saidOpt: map[string]bool{}}
	pg.Spec = pg.buildSpec()
	return pg
}

func (pg *Program) buildSpec() build.Spec {
	if !pg.Opts.Target.Mode.Builds() {
		return build.Spec{Dir: pg.Workspace.Dir, Package: pg.Own.Pkg, Test: pg.Own.Test, Tags: pg.Own.tags, Race: pg.Own.race, Flags: pg.Own.flags, DebugPatterns: pg.Workspace.DebugPatterns()}
	}
	return build.Spec{Dir: pg.Workspace.Dir, Package: pg.Opts.Target.Package, Test: pg.Opts.Target.Test, Tags: pg.Opts.Target.Tags, Race: pg.Opts.Target.Race,
		Flags: pg.Opts.Target.BuildFlags, DebugPatterns: append(pg.Workspace.DebugPatterns(), pg.unoptimized...)}
}

// Unoptimize has packages of libraries compiled without optimization from the next
// build on.
func (pg *Program) Unoptimize(patterns []string) {
	pg.unoptimized = append(pg.unoptimized, patterns...)
	pg.Spec = pg.buildSpec()
}

// Executable is the file of the target's program; empty where it is not on this
// machine.
func (pg *Program) Executable() string {
	if pg.Binary.Binary != "" {
		return pg.Binary.Binary
	}
	return pg.Own.Info.File
}

// Code is the user's code, being loaded.
type Code struct {
	Done    chan struct{}
	awaited chan struct{} // closed when something waits for it
	once    sync.Once     // closes awaited
	Code    *workspace.Code
	Err     error
}

func newCodeFuture() *Code {
	return &Code{Done: make(chan struct{}), awaited: make(chan struct{})}
}

// Wait waits until the code is loaded, or could not be; the error tells that ctx
// ended before. From now on the load has normal priority.
func (f *Code) Wait(ctx context.Context) error {
	f.once.Do(func() { close(f.awaited) })
	select {
	case <-f.Done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// LoadCode begins to load syntax and types while the target runs, so that
// nothing waits for them at the stop.
func (pg *Program) LoadCode() {
	f := newCodeFuture()
	pg.Code = f
	if pg.Spec.Package == "" {
		f.Err = errors.New(pg.Own.why)
		close(f.Done)
		pg.Sources.begin(f, workspace.LoadSpec{Dir: pg.Spec.Dir}, pg.Executable())
		return
	}
	spec := workspace.LoadSpec{Dir: pg.Spec.Dir, Patterns: append(strings.Fields(pg.Spec.Package), pg.Own.passes...), Tags: pg.Spec.Tags, Flags: build.LoadFlags(pg.Spec), Tests: pg.Spec.Test, Awaited: f.awaited}
	if usesLibrary(pg.Loop) { // the program itself waits
		f.once.Do(func() { close(f.awaited) })
	}
	pg.Job(func() {
		defer close(f.Done)
		f.Code, f.Err = pg.Workspace.Load(pg.Ctx, spec)
	})
	pg.Sources.begin(f, spec, pg.Executable())
}

// Learn takes what the target of another server says of its program.
func (pg *Program) Learn(found look.Target) {
	t, ok := found.(*delve.Target)
	if !ok || pg.Opts.Target.Mode.Kind != session.ModeConnect {
		return
	}
	pg.Own.Info.Build = t.Build()
	pg.Own = ownOf(pg.Own.Info, pg.Workspace)
	pg.Own.Info.Bare = t.Bare()
	pg.Spec = pg.buildSpec()
	pg.LoadCode()
}

// Local is where the debugger finds the source of a target that was built
// elsewhere.
func (pg *Program) Local() *paths.Local {
	l := &paths.Local{Lines: pg.Own.Info.Line, Modules: map[string]string{}, GoRoot: pg.Workspace.GoRoot, ModCache: pg.Workspace.ModCache, Build: pg.Own.Info.Build}
	for _, m := range pg.Workspace.Modules {
		l.Modules[m.Path] = m.Dir
	}
	if b := l.Build; b != nil && b.GoVersion != pg.Workspace.Go && l.ModCache != "" {
		toolchains, _ := filepath.Glob(filepath.Join(l.ModCache, "golang.org", "toolchain@v0.0.1-"+b.GoVersion+".*"))
		if len(toolchains) == 1 {
			l.GoRoot = toolchains[0]
		}
	}
	return l
}

// ControlBinary builds the program that candidates are compared with; nil where
// the binary that stopped serves, as it names its source like a build here.
func (pg *Program) ControlBinary() func(context.Context) (string, error) {
	if pg.Opts.Target.Mode.Kind != session.ModeExec || pg.Own.Info.SourceDir() != "" && pg.Own.Info.Setting("-trimpath") != "true" {
		return nil
	}
	spec := pg.Spec
	pg.Binaries++
	spec.Output = filepath.Join(pg.Temp, fmt.Sprintf("control-%d", pg.Binaries))
	return func(ctx context.Context) (string, error) {
		result, err := build.Build(ctx, spec, func(build.Progress) {})
		return result.Binary, err
	}
}

// PanicFilter is the person's filter with import paths for patterns that begin
// at a directory. In a program, the functions of its own package are those of
// package main.
func (pg *Program) PanicFilter() debugger.PanicFilter {
	own := pg.Workspace.ImportPath(loop.PackageDir(pg.Workspace, pg.Opts.Target.Package))
	resolve := func(patterns []string) []string {
		list := importPatterns(pg.Workspace, patterns)
		if own != "" && (debugger.PanicFilter{In: list}).Names(own+".main") {
			list = append(list, "main")
		}
		return list
	}
	return debugger.PanicFilter{In: resolve(pg.Opts.Target.Filter.In), Not: resolve(pg.Opts.Target.Filter.Not)}
}

// importPatterns are patterns of packages with import paths for those that begin at a
// directory.
func importPatterns(ws workspace.Workspace, patterns []string) []string {
	var list []string
	for _, p := range patterns {
		dir, rest, wild := strings.Cut(p, "...")
		path := ""
		if p == "." || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") {
			path = ws.ImportPath(filepath.Join(ws.Dir, dir))
		}
		switch {
		case path == "":
			list = append(list, p)
		case wild && strings.HasSuffix(dir, "/"):
			list = append(list, path+"/..."+rest)
		case wild:
			list = append(list, path+"..."+rest)
		default:
			list = append(list, path)
		}
	}
	return list
}
