package delve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/paths"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/internal/advice"
)

// Config says what to launch.
type Config struct {
	Binary string   // path of the executable
	Args   []string // without the program's name
	Env    []string // "K=V"; nil: this process's own
	Dir    string   // working directory; empty: this process's own
	Stdin  string   // file to read standard input from; output then goes to TTY
	// TTY is the path of the terminal that becomes the target's own. Without
	// it, output goes to the file Output.
	TTY    string
	Output string // file for standard output and error when there is no TTY; empty: discarded
	// UserDirs are the directories of the user's modules: frames of files
	// below them, not in a vendor directory, are the user's own.
	UserDirs []string
	// PackageDir is the directory of a package of the user's, empty for others: what
	// //line directives name may be relative to it. May be nil.
	PackageDir func(importPath string) string
	// Local finds the source where it is not where the binary was built; nil
	// for a binary that was built here just now.
	Local *paths.Local
	// CheckGoVersion refuses binaries of Go versions that Delve does not know.
	CheckGoVersion bool
	// Panics says which panics stop the target; empty: debugger.PanicsUnrecovered.
	Panics debugger.PanicMode
	// Traced is called for each hit of a tracepoint; it must not wait. nil drops it.
	Traced func(debugger.TraceHit)
	// Record records the run with rr, and then debugs the recording, which also
	// runs backwards. The target has ended by then: nothing can be typed into it.
	Record bool
	// Filter leaves out panics that the target lives on after, by package.
	Filter debugger.PanicFilter
	// Muted is asked before such a stop, or that of a failing test, is shown; nil
	// mutes nothing. It is called from the goroutine of Move and reads nothing of
	// the target.
	Muted func(debugger.Stop) bool
	// Failures: the target is a test binary, and stops where a test fails.
	Failures bool
	// Listing: goroutines are going to be listed at stops. What the first listing
	// needs to know of the runtime is read at the launch, in some 10 ms.
	Listing bool
	// Standby is a server that is taken for the launch if it still lives; nil
	// starts one.
	Standby *Standby
}

// source is the part of it that finds the source.
func (c Config) source() source.Config {
	return source.Config{Binary: c.Binary, UserDirs: c.UserDirs, Local: c.Local, PackageDir: c.PackageDir}
}

// check finds what would otherwise come back as one of Delve's less telling
// messages.
func (c Config) check() error {
	info, err := os.Stat(c.Binary)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return advice.Add(fmt.Errorf("launch %q: %w", c.Binary, fs.ErrNotExist), "build the program first, or check the path")
	case err != nil:
		return fmt.Errorf("launch %q: %w", c.Binary, err)
	case info.IsDir():
		return advice.Add(fmt.Errorf("launch %q: it is a directory", c.Binary), "name the executable itself")
	case info.Mode()&0o111 == 0:
		return advice.Add(fmt.Errorf("launch %q: it is not executable: %w", c.Binary, fs.ErrPermission), "make it executable: chmod +x")
	}
	if c.Record {
		if _, err := exec.LookPath("rr"); err != nil {
			return advice.Add(fmt.Errorf("record %q: rr is not installed", c.Binary),
				"install rr (rr-project.org); it needs the processor's performance counters, which few virtual machines have")
		}
	}
	if c.Panics != "" && !slices.Contains(debugger.PanicModes, c.Panics) {
		return fmt.Errorf("launch %q: no such mode of stopping at panics: %q", c.Binary, c.Panics)
	}
	if c.Dir != "" {
		if info, err := os.Stat(c.Dir); err != nil {
			return fmt.Errorf("launch in %q: %w", c.Dir, err)
		} else if !info.IsDir() {
			return fmt.Errorf("launch in %q: it is not a directory", c.Dir)
		}
	}
	return nil
}

func (c Config) order() (rpc.Order, error) {
	binary, err := filepath.Abs(c.Binary)
	if err != nil {
		return rpc.Order{}, err
	}
	o := rpc.Order{
		Argv: append([]string{binary}, c.Args...), Env: c.Env, Dir: c.Dir,
		Stdin: c.Stdin, TTY: c.TTY, CheckGoVersion: c.CheckGoVersion, Record: c.Record,
	}
	switch {
	case c.Stdin != "" && c.TTY != "": // Delve's TTY would override the file
		o.TTY, o.Stdout = "", c.TTY
	case c.TTY == "":
		o.Stdout = c.Output
	}
	if o.TTY == "" && o.Stdout == "" {
		o.Stdout = os.DevNull
	}
	return o, nil
}

// launchError tells the known refusals apart.
func launchError(binary string, err error) error {
	switch {
	case errors.Is(err, rpc.ErrPermission):
		return advice.Add(fmt.Errorf("launch %q: %w", binary, debugger.ErrPtrace),
			"allow ptrace: docker run --cap-add=SYS_PTRACE, or sysctl kernel.yama.ptrace_scope=1")
	case errors.Is(err, rpc.ErrRecorder):
		return advice.Add(fmt.Errorf("record %q: %w", binary, err), "rr needs the processor's performance counters: see rr-project.org, or start without --record")
	case errors.Is(err, rpc.ErrGoTooOld):
		return goVersionError(binary)
	case errors.Is(err, rpc.ErrNoDebug):
		return advice.Add(fmt.Errorf("launch %q: it has no debug information", binary),
			"build it without -ldflags=-s or -w")
	case errors.Is(err, rpc.ErrFormat):
		return advice.Add(fmt.Errorf("launch %q: it is not a program for this system", binary),
			"build it for this machine")
	}
	return fmt.Errorf("launch %q: %s", binary, rpc.WithoutPrefix(err, "could not launch process: "))
}
