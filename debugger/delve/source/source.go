package source

import (
	"context"
	"os"
	"path"
	"runtime/debug"
	"strings"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/exeinfo"
)

// Finder knows what the program says of its build, and where its source is on
// this machine.
type Finder struct {
	srv    *control.Server
	config Config
	users  userDirs
	build  *debug.BuildInfo // nil when the program says nothing
	bare   bool             // without debug information
	parsed parsedFiles
}

// Config is what is known of the program and of its source before it is asked.
type Config struct {
	Binary     string                         // the executable; empty where it is not known
	UserDirs   []string                       // the directories of the user's modules
	Local      *paths.Local                   // the source where it is not where the program was built; may be nil
	PackageDir func(importPath string) string // the directory of a package of the user's; may be nil
}

// New returns what is known of the source of a server's target.
func New(srv *control.Server, config Config) *Finder {
	return &Finder{srv: srv, config: config, users: newUserDirs(config.UserDirs)}
}

// Configure has it be the source of another program, which the same server is going to start.
func Configure(src *Finder, config Config) {
	src.config, src.users = config, newUserDirs(config.UserDirs)
}

// IsUsers reports whether a source file is the user's own.
func IsUsers(src *Finder, file string) bool { return src.users.has(file) }

// Parse returns the syntax of a source file; nil where it cannot be read.
func Parse(src *Finder, file string) *parsedFile { return src.parsed.parse(file) }

// Find finds the target's source on this machine.
func Find(ctx context.Context, src *Finder) error {
	if src.config.Local == nil {
		return nil
	}
	local := *src.config.Local
	if local.Build == nil {
		local.Build = src.buildInfo(ctx)
	}
	src.build = local.Build
	if local.Exists == nil {
		local.Exists = func(path string) bool {
			_, err := os.Stat(path)
			return err == nil
		}
	}
	out, err := rpc.Call[rpc2.ListPackagesBuildInfoOut](ctx, src.srv.Client, "ListPackagesBuildInfo", rpc2.ListPackagesBuildInfoIn{})
	if err != nil {
		return err
	}
	packages := make([]paths.Package, 0, len(out.List))
	for _, p := range out.List {
		packages = append(packages, paths.Package{ImportPath: p.ImportPath, Dir: p.DirectoryPath})
	}
	// Delve leaves packages out whose line table begins with generated code.
	found, err := ask.Find(ctx, src.srv, debugger.FrameRef{}, "main.main")
	if err == nil && len(found) > 0 {
		file := paths.Slashed(found[0].File)
		packages = append(packages, paths.Package{ImportPath: "main", Dir: path.Dir(file)})
	}
	src.bare = len(out.List) == 0
	guessed := local.Guess(packages)
	src.srv.Client.Paths.Store(&guessed)
	return nil
}

// Bare reports whether the target has no debug information: there are no
// variables and no types then, and stacks as far as they can be guessed.
func (src *Finder) Bare() bool { return src.bare }

// buildInfo is what the target says of how it was built; nil when it says
// nothing.
func (src *Finder) buildInfo(ctx context.Context) *debug.BuildInfo {
	if src.config.Binary != "" {
		if info, err := exeinfo.Build(src.config.Binary); err == nil {
			return info
		}
	}
	v, err := ask.Eval(ctx, src.srv, debugger.FrameRef{Goroutine: -1}, "runtime.modinfo", api.LoadConfig{MaxStringLen: 1 << 20})
	if err != nil {
		return nil
	}
	// The linker puts bytes around it by which it is found (cmd/go's
	// modload.ModInfoData); they are no text, and come changed.
	begin, end := strings.Index(v.Value, "path\t"), strings.LastIndex(v.Value, "\n")
	if begin < 0 || end < begin {
		return nil
	}
	info, err := debug.ParseBuildInfo(v.Value[begin : end+1])
	if err != nil {
		return nil
	}
	return info
}

// Build is what the program says of how it was built; nil when it says nothing.
func (src *Finder) Build() *debug.BuildInfo { return src.build }

// SubstitutePaths says where directories of the target's source are on this
// machine: pairs of theirs and ours, which replace those of before.
func (src *Finder) SubstitutePaths(rules [][2]string) {
	next := src.srv.Client.Paths.Load().With(rules)
	src.srv.Client.Paths.Store(&next)
}
