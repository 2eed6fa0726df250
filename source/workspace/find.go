package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/internal/supervise"
)

var (
	// ErrNoToolchain is returned when there is no go command.
	ErrNoToolchain = errors.New("no Go toolchain: the go command is not in PATH")
	// ErrNoModule is returned for a directory outside any module.
	ErrNoModule = errors.New("not inside a Go module")
)

// Find looks up the modules of the user whose working directory is dir. env is the go
// command's environment; nil means this process's.
func Find(ctx context.Context, dir string, env []string) (Workspace, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Workspace{}, fmt.Errorf("find the module of %q: %w", dir, err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return Workspace{}, advice.Add(ErrNoToolchain, "install Go from https://go.dev/dl and put its bin directory into PATH")
	}
	// Both questions at once: the first screen waits for them.
	var list []byte
	var listErr error
	var asked sync.WaitGroup
	asked.Go(func() {
		list, listErr = goCommand(ctx, dir, env, "list", "-m", "-e", "-json=Path,Dir,Main,Replace")
	})
	vars, err := goEnv(ctx, dir, env)
	asked.Wait()
	if err != nil {
		return Workspace{}, err
	}
	w := Workspace{Dir: dir, GoMod: vars.GOMOD, Go: vars.GOVERSION, GoRoot: vars.GOROOT, ModCache: vars.GOMODCACHE}
	switch {
	case named(vars.GOMOD):
		w.Root = filepath.Dir(vars.GOMOD)
	case named(vars.GOWORK): // the root of a workspace need not be in a module
		w.Root = filepath.Dir(vars.GOWORK)
	default:
		return w, advice.Add(fmt.Errorf("%q: %w", dir, ErrNoModule), "run it in the directory of a module, name .go files, or make a module: go mod init NAME")
	}
	if listErr != nil {
		return w, listErr
	}
	w.Modules, err = modules(list, w.Root, vars.GOWORK)
	return w, err
}

// named reports whether a setting of the go command names a file.
func named(file string) bool { return file != "" && file != os.DevNull && file != "off" }

// Loose is the workspace of .go files in dir (absolute) that are in no module: the
// go command calls their package command-line-arguments.
func (w Workspace) Loose(dir string) Workspace {
	w.Root, w.Modules = dir, []Module{{Path: loosePath, Dir: dir, Main: true}}
	return w
}

// loosePath is the import path of a package that is named by its files.
const loosePath = "command-line-arguments"

type goVars struct{ GOMOD, GOWORK, GOVERSION, GOROOT, GOMODCACHE string }

func goEnv(ctx context.Context, dir string, env []string) (goVars, error) {
	var vars goVars
	out, err := goCommand(ctx, dir, env, "env", "-json", "GOMOD", "GOWORK", "GOVERSION", "GOROOT", "GOMODCACHE")
	if err != nil {
		return vars, err
	}
	if err := json.Unmarshal(out, &vars); err != nil {
		return vars, fmt.Errorf("read go env: %w", err)
	}
	return vars, nil
}

// listed is the part of `go list -m -json` that is used.
type listed struct {
	Path, Dir string
	Main      bool
	Replace   *struct{ Path, Version, Dir string }
}

// modules reads what go list says of the main modules (more than one in a
// workspace) and adds the directories that replace others. Those outside of the
// repository, once links are followed, are only read.
func modules(list []byte, root, work string) ([]Module, error) {
	var mods []Module
	add := func(m Module) {
		for _, have := range mods {
			if have.Dir == m.Dir {
				return
			}
		}
		mods = append(mods, m)
	}
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		var m listed
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read go list -m: %w", err)
		}
		if m.Dir != "" {
			add(Module{Path: m.Path, Dir: m.Dir, Main: m.Dir == root})
		}
	}
	files := []string{work}
	for _, m := range mods {
		files = append(files, filepath.Join(m.Dir, "go.mod"))
	}
	for _, file := range files {
		for _, r := range localReplacements(file) {
			add(r)
		}
	}
	tops := ownTops(root, work)
	for i, m := range mods {
		mods[i].ReadOnly = m.Dir != root && !slices.ContainsFunc(tops, func(top string) bool { return leadsInto(top, m.Dir) })
	}
	return mainFirst(mods), nil
}

// ownTops are the directories below which modules are changed: the repository, and the
// directory of go.work, where somebody has put that above several repositories.
func ownTops(root, work string) []string {
	tops := []string{repositoryOf(root)}
	if named(work) {
		tops = append(tops, filepath.Dir(work))
	}
	return tops
}

// leadsInto reports whether a directory is below another one, once links are followed.
func leadsInto(top, dir string) bool {
	realTop, errTop := filepath.EvalSymlinks(top)
	real, err := filepath.EvalSymlinks(dir)
	if errTop != nil || err != nil {
		return false
	}
	_, ok := inside(realTop, real)
	return ok
}

func mainFirst(mods []Module) []Module {
	for i, m := range mods {
		if m.Main {
			mods[0], mods[i] = mods[i], mods[0]
		}
	}
	return mods
}

// repositoryOf returns the directory with .git above dir, or dir itself.
func repositoryOf(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return dir
		}
	}
}

// goCommand runs the go command and returns what it printed; its complaint
// becomes the error.
func goCommand(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	return output(supervise.Command(ctx, "go", args...), dir, env, args[0])
}

// goUntilAwaited is goCommand for work that must not hold up what a person waits
// for: it takes the processor when it is idle. Once awaited is closed it begins
// again with normal priority, which only root could give it back; what it has
// compiled by then is in the build cache.
func goUntilAwaited(ctx context.Context, awaited <-chan struct{}, dir string, env []string, args ...string) ([]byte, error) {
	select {
	case <-awaited:
		return goCommand(ctx, dir, env, args...)
	default:
	}
	yielding, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	var out []byte
	var err error
	go func() {
		defer close(ended)
		out, err = output(supervise.Yielding(yielding, 15, "go", args...), dir, env, args[0])
	}()
	select {
	case <-ended:
		return out, err
	case <-awaited:
	}
	cancel()
	<-ended
	if err == nil || ctx.Err() != nil {
		return out, err
	}
	return goCommand(ctx, dir, env, args...)
}

func output(cmd *exec.Cmd, dir string, env []string, verb string) ([]byte, error) {
	cmd.Dir, cmd.Env = dir, scratch.GoEnv(env)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		text := strings.TrimSpace(stderr.String())
		if text == "" {
			text = err.Error()
		}
		return nil, fmt.Errorf("go %s in %q: %s", verb, dir, text)
	}
	return out, nil
}
