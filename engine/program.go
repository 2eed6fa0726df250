package engine

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

// program is what is known of the program that is debugged: its source, how it
// is built, and its newest binary.
type program struct {
	*loop.Loop
	own           ownSource
	spec          build.Spec
	binary        build.Result
	binaries      int // that were made, for their names
	code          *codeFuture
	sources       *sources
	saidAge       bool            // it was reported that source is newer than the program
	saidOpt       map[string]bool // it was reported that the program, or a package, is optimized
	saidPanicking string          // where the panic began whose deferred functions run, as it was reported

	unoptimized []string // package patterns beside the user's that are compiled without optimization
}

func newProgram(c *loop.Loop, own ownSource) *program {
	pg := &program{Loop: c, own: own, sources: newSources(c), saidOpt: map[string]bool{}}
	pg.spec = pg.buildSpec()
	return pg
}

func (pg *program) buildSpec() build.Spec {
	if !pg.Opts.Target.Mode.Builds() {
		return build.Spec{Dir: pg.Workspace.Dir, Package: pg.own.pkg, Test: pg.own.test, Tags: pg.own.tags, Race: pg.own.race, Flags: pg.own.flags, DebugPatterns: pg.Workspace.DebugPatterns()}
	}
	return build.Spec{Dir: pg.Workspace.Dir, Package: pg.Opts.Target.Package, Test: pg.Opts.Target.Test, Tags: pg.Opts.Target.Tags, Race: pg.Opts.Target.Race,
		Flags: pg.Opts.Target.BuildFlags, DebugPatterns: append(pg.Workspace.DebugPatterns(), pg.unoptimized...)}
}

// unoptimize has packages of libraries compiled without optimization from the next
// build on.
func (pg *program) unoptimize(patterns []string) {
	pg.unoptimized = append(pg.unoptimized, patterns...)
	pg.spec = pg.buildSpec()
}

// executable is the file of the target's program; empty where it is not on this
// machine.
func (pg *program) executable() string {
	if pg.binary.Binary != "" {
		return pg.binary.Binary
	}
	return pg.own.info.File
}

// codeFuture is the user's code, being loaded.
type codeFuture struct {
	done    chan struct{}
	awaited chan struct{} // closed when something waits for it
	once    sync.Once     // closes awaited
	code    *workspace.Code
	err     error
}

func newCodeFuture() *codeFuture {
	return &codeFuture{done: make(chan struct{}), awaited: make(chan struct{})}
}

// wait waits until the code is loaded, or could not be; the error tells that ctx
// ended before. From now on the load has normal priority.
func (f *codeFuture) wait(ctx context.Context) error {
	f.once.Do(func() { close(f.awaited) })
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loadCode begins to load syntax and types while the target runs, so that
// nothing waits for them at the stop.
func (pg *program) loadCode() {
	f := newCodeFuture()
	pg.code = f
	if pg.spec.Package == "" {
		f.err = errors.New(pg.own.why)
		close(f.done)
		pg.sources.begin(f, workspace.LoadSpec{Dir: pg.spec.Dir}, pg.executable())
		return
	}
	spec := workspace.LoadSpec{Dir: pg.spec.Dir, Patterns: append(strings.Fields(pg.spec.Package), pg.own.passes...), Tags: pg.spec.Tags, Flags: build.LoadFlags(pg.spec), Tests: pg.spec.Test, Awaited: f.awaited}
	if usesLibrary(pg.Loop) { // the program itself waits
		f.once.Do(func() { close(f.awaited) })
	}
	pg.Job(func() {
		defer close(f.done)
		f.code, f.err = pg.Workspace.Load(pg.Ctx, spec)
	})
	pg.sources.begin(f, spec, pg.executable())
}

// learn takes what the target of another server says of its program.
func (pg *program) learn(found look.Target) {
	t, ok := found.(*delve.Target)
	if !ok || pg.Opts.Target.Mode.Kind != session.ModeConnect {
		return
	}
	pg.own.info.Build = t.Build()
	pg.own = ownOf(pg.own.info, pg.Workspace)
	pg.own.info.Bare = t.Bare()
	pg.spec = pg.buildSpec()
	pg.loadCode()
}

// local is where the debugger finds the source of a target that was built
// elsewhere.
func (pg *program) local() *paths.Local {
	l := &paths.Local{Lines: pg.own.info.Line, Modules: map[string]string{}, GoRoot: pg.Workspace.GoRoot, ModCache: pg.Workspace.ModCache, Build: pg.own.info.Build}
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

// controlBinary builds the program that candidates are compared with; nil where
// the binary that stopped serves, as it names its source like a build here.
func (pg *program) controlBinary() func(context.Context) (string, error) {
	if pg.Opts.Target.Mode.Kind != session.ModeExec || pg.own.info.SourceDir() != "" && pg.own.info.Setting("-trimpath") != "true" {
		return nil
	}
	spec := pg.spec
	pg.binaries++
	spec.Output = filepath.Join(pg.Temp, fmt.Sprintf("control-%d", pg.binaries))
	return func(ctx context.Context) (string, error) {
		result, err := build.Build(ctx, spec, func(build.Progress) {})
		return result.Binary, err
	}
}

// panicFilter is the person's filter with import paths for patterns that begin
// at a directory. In a program, the functions of its own package are those of
// package main.
func (pg *program) panicFilter() debugger.PanicFilter {
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
