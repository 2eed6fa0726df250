package debug

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/arguments"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/choose"
	"github.com/pausetui/pausetui/ui/text"
)

// mostSessions bounds the past sessions that are offered.
const mostSessions = 5

// offered is something that pausetui alone offers.
type offered struct {
	args    []string
	note    string                        // what it is about
	preview func() (path, content string) // see choose.Row
}

func (o offered) row() choose.Row {
	return choose.Row{Words: printable.Line(strings.Join(o.args, " ")), Note: printable.Line(o.note), Preview: o.preview}
}

// Offer is what pausetui alone does: in a module, at a terminal, it offers what
// there is to debug; elsewhere it shows the help.
func Offer(c *cobra.Command, sys *cli.System) error {
	dir, err := sys.Dir()
	if err != nil || sys.NoScreen() != nil {
		return c.Help()
	}
	if !arguments.InModule(dir) {
		return c.Help()
	}
	list := offers(c.Context(), dir, time.Now())
	rows := make([]choose.Row, len(list))
	for i, o := range list {
		rows[i] = o.row()
	}
	i, err := frontend.New(sys, flags.Screen{}).Choose(c.Context(), "What should be debugged?", rows)
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

// offers is what there is to debug in a directory: commands, the last sessions, tests.
func offers(ctx context.Context, dir string, now time.Time) []offered {
	var list []offered
	for _, command := range commandsBelow(dir, dir) {
		list = append(list, offered{args: []string{"debug", command}, preview: packageFile(dir, command, "main.go", false)})
	}
	list = append(list, lastSessions(ctx, now)...)
	for _, tests := range testsBelow(dir) {
		list = append(list, offered{args: []string{"test", tests}, preview: packageFile(dir, tests, "", true)})
	}
	return append(list, offered{args: []string{"sessions"}, note: "all of them"}, offered{args: []string{"help"}})
}

// packageFile reads a file of a package: the first one, or the one of that name.
func packageFile(dir, pkg, name string, tests bool) func() (string, string) {
	return func() (string, string) {
		files, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pkg), "*.go")) // the pattern is well-formed, or there is nothing to show
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") != tests })
		if len(files) == 0 {
			return "", ""
		}
		file := files[0]
		if i := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == name }); i >= 0 {
			file = files[i]
		}
		data, err := regular.ReadUpTo(file, maxPreview)
		if err != nil {
			return "", "It cannot be shown: " + err.Error() + "."
		}
		if rel, err := filepath.Rel(dir, file); err == nil {
			file = filepath.ToSlash(rel)
		}
		return file, string(data)
	}
}

// maxPreview bounds a file that is shown beside the list, in bytes.
const maxPreview = 1 << 20

// testsBelow lists the first directories with tests, as arguments of the go command
// in dir.
func testsBelow(dir string) []string {
	var list []string
	searched := 0
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error { // what cannot be read holds no test
		switch searched++; {
		case err != nil:
			return nil //nolint:nilerr // see above
		case searched > maxSearched:
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
	_, dir, err := cli.LogsOf("")
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
		ago := text.Ago(now.Sub(e.At()))
		list = append(list, offered{args: []string{"sessions", "resume", e.Name}, note: ago,
			preview: func() (string, string) { return "", about(f, ago) }})
	}
	return list
}

// about says in a few lines what a session was.
func about(f session.FrontMatter, ago string) string {
	var b strings.Builder
	line := func(words ...string) {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
		if len(words) > 0 {
			printable.Fprintln(&b, strings.Join(words, " · "))
		}
	}
	line(debugger.Class(f.Class).Words())
	line(f.Message)
	line(f.Culprit)
	printable.Fprintln(&b)
	line(strings.TrimSpace(f.Target+" "+strings.Join(f.Args, " ")), ago)
	line(f.Outcome, f.Judgement)
	if f.Candidates > 0 {
		line(text.Plural(int64(f.Candidates), "fix"), fmt.Sprintf("%d verified", f.Verified), fmt.Sprintf("%d applied", len(f.Applied)))
	}
	return b.String()
}
