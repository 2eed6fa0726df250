package main

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/text"
)

// mostTests and mostSessions bound the tests and the past sessions that are offered.
const mostTests, mostSessions = 3, 2

// offered is something that pausetui alone offers.
type offered struct {
	args []string
	note string // what it is about
}

func (o offered) String() string {
	words := strings.Join(append([]string{"pausetui"}, o.args...), " ")
	if o.note != "" {
		words += " · " + o.note
	}
	return printable.Line(words)
}

// offer is what pausetui alone does: in a module, at a terminal, it offers what
// there is to debug; elsewhere it shows the help.
func offer(c *cobra.Command, sys *system) error {
	dir, err := sys.dir()
	if err != nil || !term.IsTerminal(sys.stdin.Fd()) || !term.IsTerminal(sys.stdout.Fd()) {
		return c.Help()
	}
	if !inModule(dir) {
		return c.Help()
	}
	list := offers(c.Context(), dir, time.Now())
	words := make([]string, len(list))
	for i, o := range list {
		words[i] = o.String()
	}
	i, err := chooseLine(sys.stdin, sys.stderr, "What should be debugged?", words)
	if err != nil {
		return err
	}
	if list[i].args[0] == "help" {
		return c.Help()
	}
	sub, rest, err := c.Root().Find(list[i].args)
	if err != nil {
		return err
	}
	sub.SetContext(c.Context())
	if err := sub.ParseFlags(rest); err != nil {
		return err
	}
	return sub.RunE(sub, rest)
}

// offers is what there is to debug in a directory: commands, tests, the last
// sessions.
func offers(ctx context.Context, dir string, now time.Time) []offered {
	var list []offered
	commands := commandsBelow(dir, dir)
	for _, command := range commands[:min(len(commands), mostOffered)] {
		list = append(list, offered{args: []string{"debug", command}})
	}
	for _, tests := range testsBelow(dir) {
		list = append(list, offered{args: []string{"test", tests}})
	}
	list = append(list, lastSessions(ctx, now)...)
	return append(list, offered{args: []string{"sessions"}}, offered{args: []string{"help"}})
}

// testsBelow lists the first directories with tests, as arguments of the go command
// in dir.
func testsBelow(dir string) []string {
	var list []string
	searched := 0
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error { // what cannot be read holds no test
		switch searched++; {
		case err != nil:
			return nil //nolint:nilerr // see above
		case searched > maxSearched || len(list) == mostTests:
			return fs.SkipAll
		case e.IsDir() && path != dir && notSource(e.Name()):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(e.Name(), "_test.go"):
			return nil
		}
		if rel, err := filepath.Rel(dir, filepath.Dir(path)); err == nil {
			if rel = filepath.ToSlash(rel); rel != "." {
				rel = "./" + rel
			}
			if !slices.Contains(list, rel) {
				list = append(list, rel)
			}
		}
		return nil
	})
	return list
}

// lastSessions are the last sessions of the module that can be resumed, with what they
// stopped at, where their names do not say it, and how long ago they were.
func lastSessions(ctx context.Context, now time.Time) []offered {
	_, dir, err := logsOf("")
	if err != nil {
		return nil
	}
	entries, err := session.List(dir)
	if err != nil {
		return nil
	}
	var list []offered
	for _, e := range slices.Backward(entries) {
		if len(list) == mostSessions {
			break
		}
		f, err := e.Summary(ctx)
		if err != nil || f.NoStart || e.Life() == session.Running {
			continue
		}
		note := text.Ago(now.Sub(e.At()))
		if f.Class != "" && !strings.HasSuffix(e.Name, f.Class) {
			note = f.Class + ", " + note
		}
		list = append(list, offered{args: []string{"sessions", "resume", e.Name}, note: note})
	}
	return list
}
