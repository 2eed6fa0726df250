package completion

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/debugger/exeinfo"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// What completion looks at, at most: it must answer at once.
const (
	maxDirectories = 3000
	maxProcesses   = 500
)

// packagesBelow lists directories that hold a Go package, as go names them,
// below what was typed so far; only commands where these are wanted.
func packagesBelow(typed string, commands bool) []string {
	root := filepath.Dir(typed + "x") // "./cmd/a" is looked for in ./cmd
	if root == "" {
		root = "."
	}
	var found []string
	seen := 0
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fs.SkipDir // what cannot be read is not offered
		case !d.IsDir():
			return nil
		case path != root && skipped(d.Name()):
			return fs.SkipDir
		}
		if seen++; seen > maxDirectories {
			return fs.SkipAll
		}
		name := path
		if !filepath.IsAbs(path) && path != "." && !strings.HasPrefix(path, "..") {
			name = "./" + path
		}
		if strings.HasPrefix(name, typed) && holdsPackage(path, commands) {
			found = append(found, name)
		}
		return nil
	})
	return found
}

func skipped(name string) bool {
	return name == "vendor" || name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// holdsPackage tells whether a directory holds Go source: a command, or anything.
func holdsPackage(dir string, command bool) bool {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if command && strings.HasSuffix(name, "_test.go") {
			continue
		}
		if !command {
			return true
		}
		f, err := regular.Parse(token.NewFileSet(), name, parser.PackageClauseOnly)
		if err == nil {
			return f.Name.Name == "main"
		}
	}
	return false
}

// testsIn lists the tests of a package whose names begin with one of some words.
func testsIn(dir string, kinds []string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	var found []string
	for _, name := range names {
		f, err := regular.Parse(token.NewFileSet(), name, parser.SkipObjectResolution)
		if f == nil && err != nil {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv == nil && fn.Name.Name != "TestMain" && slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(fn.Name.Name, k) }) {
				found = append(found, fn.Name.Name)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// helperPrefix begins the names of pausetui's own processes.
const helperPrefix = "pausetui-"

// attachable reports whether a process is a Go program that no debugger has already.
func attachable(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil || !strings.Contains(string(status), "\nTracerPid:\t0\n") {
		return false
	}
	_, err = exeinfo.Build(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil
}

// completeProcesses offers the user's own Go programs, the newest first, where the
// system shows them in /proc.
func completeProcesses(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var pids []int
	for _, dir := range dirs {
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil && pid != os.Getpid() && cli.Owned(dir) {
			pids = append(pids, pid)
		}
	}
	slices.SortFunc(pids, func(a, b int) int { return b - a })
	var list []cobra.Completion
	for _, pid := range pids {
		if len(list) == maxProcesses {
			break
		}
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		words := session.Clean(strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")))
		if err != nil || words == "" {
			continue // a thread of the kernel
		}
		if strings.HasPrefix(words, helperPrefix) || !attachable(pid) {
			continue
		}
		if r := []rune(words); len(r) > 80 {
			words = string(r[:80]) + "…"
		}
		list = append(list, cobra.CompletionWithDesc(strconv.Itoa(pid), strings.ReplaceAll(words, "\n", " ")))
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
