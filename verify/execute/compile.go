package execute

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// Building a candidate is running what a model wrote: compilers read the files
// that the source names, and need as much memory, time and disk as it makes
// them. So its builds run in the sandbox, without a network, with Go's
// directories and the modules read-only; only their results are written.

// buildTimeout is how long one go command may run for a candidate, see
// sandbox.Spent, where the options say nothing.
const buildTimeout = 3 * time.Minute

// maxBuildOutput is how much a go command may print, in bytes.
const maxBuildOutput = 8 << 20

// compile is how a candidate's go commands are run; see build.Confine.
//
// The build cache is read-only at first: the go command does without what it
// cannot write, and an overlay would copy every entry that it marks as used.
// What is rarely needed is tried when its lack shows: a throwaway cache above
// that one, for a module that no go command has read yet, source files that
// the module has as links to others, and packages of the standard library that
// the cache has no index of: the go command does not find them when it cannot write one.
func (v *Runner) compile(ctx context.Context, c build.Command) (build.Ended, error) {
	dirs, err := v.visible.Get(ctx, v.goDirs)
	if err != nil {
		return build.Ended{}, err
	}
	s := v.compiling(c, dirs)
	r, out, err := runCompiler(ctx, s)
	if err != nil {
		return build.Ended{}, err
	}
	if r.ExitCode != 0 && completed(v, &s, dirs, out) {
		if r, out, err = runCompiler(ctx, s); err != nil {
			return build.Ended{}, err
		}
	}
	_, _ = c.Output.Write(out) // keeps what it wants
	ended := build.Ended{OK: r.ExitCode == 0, Limit: limitOf(r, s.Limits, out)}
	if ended.OK && c.Writes != "" {
		err = onlyFiles(c.Writes)
	}
	return ended, err
}

// unseen matches what the go command and the compiler say of a file that they
// cannot read.
var unseen = lazyregexp.New(`open (/[^\n:]+\.go): (?:no such file or directory|permission denied)`)

// completed adds what a failed build may have lacked; false when that is nothing.
func completed(v *Runner, s *sandbox.Spec, dirs goDirs, out []byte) bool {
	added := false
	if bytes.Contains(out, []byte(" is not in std ")) {
		s.Env, added = withoutIndex(s.Env), true
	}
	for line := range bytes.Lines(out) {
		if dirs.Cache != "" && bytes.Contains(line, []byte(dirs.Cache)) && bytes.Contains(line, []byte("read-only file system")) {
			s.Throwaway, added = []string{dirs.Cache}, true
		}
	}
	for _, m := range unseen.FindAllSubmatch(out, -1) {
		file, err := filepath.EvalSymlinks(string(m[1]))
		if err == nil && v.Subject.Workspace.Owns(string(m[1])) && strings.HasSuffix(file, ".go") && !slices.Contains(s.Readable, file) {
			s.Readable, added = append(s.Readable, file), true
		}
	}
	return added
}

// withoutIndex has the go command look into the directories of packages, not into
// the index of them that it keeps in its cache.
func withoutIndex(env []string) []string {
	debug := "GODEBUG=goindex=0"
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "GODEBUG="); ok && value != "" {
			debug = "GODEBUG=" + value + ",goindex=0"
		}
	}
	return append(slices.Clip(env), debug)
}

// runCompiler runs the go command and returns what it printed.
func runCompiler(ctx context.Context, s sandbox.Spec) (sandbox.Result, []byte, error) {
	var out bytes.Buffer
	s.Watch = &out // bounded by the limit of output
	r, err := sandbox.Run(ctx, s)
	return r, out.Bytes(), err
}

// compiling says where and within which limits a go command runs.
func (v *Runner) compiling(c build.Command, dirs goDirs) sandbox.Spec {
	path := c.Path
	// The command in PATH may be a script that looks in the home directory.
	if own := filepath.Join(dirs.Root, "bin", "go"); dirs.Root != "" && executable(own) {
		path = own
	}
	s := sandbox.Spec{
		Path: path, Args: c.Args, Dir: c.Dir, Env: compilerEnv(c.Env, dirs), InPlace: true,
		Readable: slices.Concat(c.Reads, dirs.ofBuilds(), dirs.settings(), v.Subject.Workspace.UserDirs(), pathsIn(pathsOfBuilds)),
		Limits:   v.compilerLimits(), Nice: c.Nice, Max: v.Opts.MaxTier,
		// A compiler without a sandbox is held by the limits alone. What would have it
		// read files is refused before, unless running without one is allowed, too.
		AllowNone: true,
		// Linking with cgo sets the times of files; nothing but Writes can be changed.
		AllowAttributes: true,
	}
	if c.Writes != "" {
		s.Writable = []string{c.Writes}
	}
	if home, err := os.UserHomeDir(); err == nil && v.Allows(verdict.AllowFiles) {
		s.Readable = append(s.Readable, home)
	}
	return s
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// compilerLimits go by the size of the program and of the machine: compilers
// run on all processors at once.
func (v *Runner) compilerLimits() sandbox.Limits {
	var program int64
	if info, err := os.Stat(v.Subject.Binary); err == nil {
		program = info.Size()
	}
	wall := cmp.Or(v.Opts.BuildTimeout, buildTimeout)
	l := sandbox.Limits{
		Wall: wall, CPU: wall * time.Duration(runtime.NumCPU()), Memory: cmp.Or(enforceable(v.Opts.BuildMemory, machineMemory()), max(2<<30, machineMemory()/2)),
		Processes: 256 + 128*runtime.NumCPU(), OpenFiles: 4096, FileSize: 256<<20 + 4*program, Output: maxBuildOutput,
	}
	l.Disk = 4 * l.FileSize
	l.Data = 4 * l.Memory // Go's runtime does not take it well when less is there than it has reserved
	return l
}

// enforceable is a limit of memory that the sandbox reaches before the machine's own ends.
// Both may be unknown: 0.
func enforceable(limit, machine int64) int64 {
	if machine > 0 {
		return min(max(limit, 0), machine)
	}
	return max(limit, 0)
}

// memory is the limit of a run; 0 leaves it to the sandbox.
func (v *Runner) memory() int64 { return enforceable(v.Opts.Memory, machineMemory()) }

// machineMemory is how much memory this machine has, in bytes; 0 where that is
// not known.
func machineMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var kilobytes int64
	_, _ = fmt.Sscanf(string(text), "MemTotal: %d kB", &kilobytes) // 0 when it says nothing
	return kilobytes << 10
}

// compilerVariables are those that compilers and the go command go by, beside
// GO…, CGO_… and LC_…: nothing else of the environment is theirs to read.
var compilerVariables = []string{"PATH", "HOME", "USER", "LANG", "CC", "CXX", "FC", "AR", "PKG_CONFIG", "PKG_CONFIG_PATH",
	"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "COMPILER_PATH", "PWD"}

// compilerEnv is the environment of a compiling go command. Its settings file
// is named, for the home directory is hidden, and no telemetry is collected.
func compilerEnv(env []string, dirs goDirs) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return !slices.Contains(compilerVariables, name) && !strings.HasPrefix(name, "CGO_") && !strings.HasPrefix(name, "LC_") &&
			(!strings.HasPrefix(name, "GO") || name == "GOAUTH" || name == "GOTMPDIR")
	})
	if dirs.Settings != "" {
		kept = append(kept, "GOENV="+dirs.Settings)
	}
	return append(kept, "GOCACHE="+dirs.Cache, "XDG_CONFIG_HOME="+os.DevNull)
}

// exhausted recognizes what compilers say when a limit refuses them something.
var exhausted = []struct {
	words *lazyregexp.Regexp
	limit string
}{
	{lazyregexp.New(`(?m)^(fatal error: )?(runtime: )?(out of memory|cannot allocate memory)|virtual memory exhausted|^(cc1|cc1plus|as|ld|collect2)\S*: .*out of memory`), sandbox.LimitMemory},
	{lazyregexp.New(`(?mi): (no space left on device|disk quota exceeded|file too large)$|signal: file size limit exceeded`), limitDisk},
	{lazyregexp.New(`signal: (cpu time limit exceeded|CPU time limit exceeded)`), sandbox.LimitTime},
}

const limitDisk = "disk"

// limitOf says which limit ended a build; empty when none did.
func limitOf(r sandbox.Result, l sandbox.Limits, out []byte) string {
	limit := r.Limit
	for _, e := range exhausted {
		if limit == "" && r.ExitCode != 0 && e.words.Match(out) {
			limit = e.limit
		}
	}
	switch limit {
	case "":
		return ""
	case sandbox.LimitTime:
		return fmt.Sprintf("the build was ended: it took longer than %s", finding.Short(l.Wall))
	case sandbox.LimitMemory:
		return fmt.Sprintf("the build was ended: it took more than %d MB of memory", l.Memory>>20)
	case limitDisk:
		return fmt.Sprintf("the build was ended: it wrote more than %d MB, or a file of more than %d MB", l.Disk>>20, l.FileSize>>20)
	case sandbox.LimitOutput:
		return fmt.Sprintf("the build was ended: it printed more than %d MB", l.Output>>20)
	}
	return "the build was ended by the limit of " + limit
}

// onlyFiles removes what is neither a regular file nor a directory from what a
// build has left, and fails if there was any.
func onlyFiles(dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Type().IsRegular() {
			return err
		}
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("the build left %q, which is not a file: %w", path, err)
		}
		return fmt.Errorf("the build left %q, which is not a file", path)
	})
}

// goDirs are the directories and files that the go command works with.
type goDirs struct {
	Root     string `json:"GOROOT"`
	Modules  string `json:"GOMODCACHE"`
	Cache    string `json:"GOCACHE"`
	Settings string `json:"GOENV"`
	Work     string `json:"GOWORK"`
	Compiler string `json:"CC"`

	parts []string // of Modules: what runs are shown of it, see required
}

// ofBuilds are those that a build reads, and ofRuns those that a program may: both caches
// hold what other programs were built from.
func (d goDirs) ofBuilds() []string { return []string{d.Root, d.Modules, d.Cache} }
func (d goDirs) ofRuns() []string   { return append([]string{d.Root}, d.parts...) }

// settings are the files that a build needs next to them.
func (d goDirs) settings() []string {
	files := []string{d.Settings}
	if filepath.IsAbs(d.Work) {
		files = append(files, d.Work, d.Work+".sum")
		if dir := filepath.Dir(d.Work); regular.Within(dir, filepath.Join(dir, "vendor")) == nil {
			files = append(files, filepath.Join(dir, "vendor"))
		}
	}
	if words := strings.Fields(d.Compiler); len(words) > 0 {
		if path, err := exec.LookPath(words[0]); err == nil {
			files = append(files, toolchain(path)...)
		}
	}
	return files
}
