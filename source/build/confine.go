package build

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Confine runs a go command where it can do no harm. The error tells that it
// could not be run.
type Confine func(ctx context.Context, c Command) (Ended, error)

// Command is a go command that compiles: what it compiles may have been made to
// read files and to fill memory and disks.
type Command struct {
	Path   string // of the go command
	Args   []string
	Env    []string // whole environment
	Dir    string
	Nice   int
	Output io.Writer // what it prints, to standard error too
	Reads  []string  // files and directories outside the module that it needs
	Writes string    // the directory that its results go to; empty for none
}

// Ended tells how a confined go command ended.
type Ended struct {
	OK    bool   // with 0
	Limit string // the limit that ended it, as a sentence; empty when none did
}

// compileTo runs a go command that compiles; what it prints goes to out. ok is
// false, with a message where a limit ended it, when it did not end with 0.
func compileTo(ctx context.Context, s Spec, o *overlay, out io.Writer, writes string, args ...string) (ended Ended, err error) {
	if s.Confine == nil {
		cmd, err := command(ctx, s, args...)
		if err != nil {
			return Ended{}, err
		}
		cmd.Stdout, cmd.Stderr = out, out
		ok, err := wellEnded(ctx, cmd.Run())
		return Ended{OK: ok}, err
	}
	path, err := goCommand(s)
	if err != nil {
		return Ended{}, startError(ctx, err)
	}
	c := Command{Path: path, Args: args, Env: environment(s), Dir: s.Dir, Nice: s.Nice, Output: out, Reads: named(s), Writes: writes}
	if o.dir != "" {
		c.Reads = append(c.Reads, o.dir)
	}
	ended, err = s.Confine(ctx, c)
	if ctx.Err() != nil {
		return Ended{}, ctx.Err()
	}
	if err != nil {
		return Ended{}, fmt.Errorf("run the go command: %w", err)
	}
	return ended, nil
}

// named are the files that the build's flags may name: -modfile, -pgo, -overlay.
func named(s Spec) []string {
	var files []string
	for _, flag := range append(strings.Fields(lookup(s.Env, "GOFLAGS")), s.Flags...) {
		if _, value, ok := strings.Cut(flag, "="); ok && strings.ContainsRune(value, filepath.Separator) {
			flag = value
		}
		if strings.HasPrefix(flag, "-") {
			continue
		}
		if !filepath.IsAbs(flag) {
			flag = filepath.Join(s.Dir, flag)
		}
		files = append(files, flag)
	}
	return files
}

// offline matches what the go command says when it may not download.
var offline = lazyregexp.New(`(?m)^go: downloading |disabled by GOPROXY=off|no required module provides package`)

// refusedBy makes an Error out of what a compiling go command printed; a limit
// that ended it comes first.
func refusedBy(s Spec, ended Ended, text string) *Error {
	e := refused(s, text)
	switch {
	case ended.Limit != "":
		e.Diagnostics, e.Limit = []Diagnostic{{Message: ended.Limit}}, ended.Limit
	case s.Confine != nil && offline.MatchString(text):
		e.Diagnostics = append([]Diagnostic{{Message: "it needs a module that is not on this machine, and is built without a network"}}, e.Diagnostics...)
	}
	return e
}
