package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/bench"
	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
)

// Bounds of a module that becomes a case.
const (
	maxCaseFiles = 2000
	maxCaseBytes = 8 << 20
)

func newCasesAdd() *cobra.Command {
	var logDir, to string
	c := &cobra.Command{
		Use:   "add SESSION",
		Short: "Make a case from a past session whose fix was applied and helped",
		Long: "add makes a case from the module as it was before the fix, with the input of the session. The regression test of the\n" +
			"fix becomes the hidden check. Then the case is verified. It contains source of the module: read it before you give it\n" +
			"to others, and write a better check where you can: a regression test asserts only that nothing panics.",
		Example: "pausetui bench cases add latest --to cases",
		Args:    cobra.ExactArgs(1), ValidArgsFunction: cli.CompleteSessions(&logDir),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := cli.FindSession(logDir, args)
			if err != nil {
				return err
			}
			events, err := session.ReadFile(e.Journal)
			if err != nil && len(events) == 0 {
				return err
			}
			r, err := recordedCase(session.Fold(session.NewState(), events))
			if err != nil {
				return fmt.Errorf("make a case of %s: %w", e.Name, err)
			}
			data, err := provedCase(c, r)
			if err != nil {
				return fmt.Errorf("make a case of %s: %w", e.Name, err)
			}
			return writeCase(c, to, r.Name, data)
		},
	}
	c.Flags().StringVar(&logDir, "log-dir", "", "look for session logs in `DIR` (default debug/ in the module root, or .pausetui/log/ where debug/ holds other files)")
	c.Flags().StringVar(&to, "to", "cases", "write the case to `DIR`")
	return c
}

// provedCase is the archive of a case that was verified. Where its test does not
// tell the fix from a recover, the case says so.
func provedCase(c *cobra.Command, r bench.Recorded) ([]byte, error) {
	data, err := r.Archive()
	if err != nil {
		return nil, err
	}
	failed := proveCase(c, r.Name, data)
	if failed == nil {
		return data, nil
	}
	r.QuietIsRight = true
	if data, err = r.Archive(); err != nil {
		return nil, err
	}
	if proveCase(c, r.Name, data) != nil {
		return nil, failed
	}
	printable.Fprintln(c.ErrOrStderr(), "The regression test asserts only that nothing panics: a recover passes it, too. Write a [[hidden.run]] into the case.")
	return data, nil
}

func proveCase(c *cobra.Command, name string, data []byte) error {
	parsed, err := bench.Parse(name+".txtar", data)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "pausetui-case-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the next start sweeps what is left
	return parsed.Prove(c.Context(), dir)
}

func writeCase(c *cobra.Command, to, name string, data []byte) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	path := filepath.Join(to, name+".txtar")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	printable.Fprintf(c.OutOrStdout(), "%s\n", path)
	return nil
}

// recordedCase is what a session says of a case: the last fix that helped.
func recordedCase(s session.State) (bench.Recorded, error) {
	var r bench.Recorded
	at := -1
	for i, a := range s.Applied {
		if a.Judgement == session.Fixed && !a.Undone {
			at = i
		}
	}
	if at < 0 {
		return r, advice.Add(errors.New("no fix was applied and judged fixed"), "only such a session says what is right")
	}
	c, ok := s.Candidate(s.Applied[at].Candidate)
	stop := s.StopOf(s.Applied[at].Candidate)
	if !ok || stop < 0 || s.Stops[stop].Stop.Panic == nil {
		return r, errors.New("the log does not say what was fixed")
	}
	t := c.Test()
	if t == nil || !t.Edit.Create {
		return r, advice.Add(errors.New("the fix has no regression test in a file of its own"), "write the case by hand: docs/benchmarks.md explains the format")
	}
	p := s.Stops[stop].Stop.Panic
	started := s.Started
	r = bench.Recorded{Name: string(p.Class) + "-" + started.ID, Class: string(p.Class), Test: started.Test, Package: started.Package, Args: started.Args, Env: started.Launch.Env,
		About:  fmt.Sprintf("Recorded: %s\n\nWhat is right: the regression test of the fix that was accepted (%s).", session.Clean(p.Message), t.Asserts),
		Hidden: map[string]string{filepath.ToSlash(t.Edit.File): strings.ReplaceAll(t.Edit.After, t.Name, bench.HiddenName(t.Name))}, Fixed: map[string]string{}}
	if f, ok := s.Stops[stop].Stop.SelectedFrame(); ok {
		r.StopsIn = bench.FunctionName(debugger.WrittenFunction(f.Function))
	}
	if started.Stdin != "" {
		var err error
		if r.Stdin, err = regular.ReadUpTo(started.Stdin, maxCaseBytes); err != nil {
			return r, err
		}
	}
	var err error
	if r.Module, err = moduleFiles(started.Workspace.Root); err != nil {
		return r, err
	}
	for _, e := range c.Edits {
		if e.Create {
			return r, fmt.Errorf("the fix creates %s: the fix of a case may only change existing files", e.File)
		}
		r.Module[e.File], r.Fixed[e.File] = e.Before, e.After
	}
	delete(r.Module, filepath.ToSlash(t.Edit.File))
	return r, nil
}

// moduleFiles reads the files of a module that a build or a test may need.
func moduleFiles(root string) (map[string]string, error) {
	files, size := map[string]string{}, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "debug" || name == "vendor" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") && name != "go.mod" && name != "go.sum" || !d.Type().IsRegular() {
			return nil
		}
		text, err := regular.ReadUpTo(path, maxCaseBytes)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(rel)] = string(text)
		if size += len(text); size > maxCaseBytes || len(files) > maxCaseFiles {
			return fmt.Errorf("the module has over %d files or %d MB: cut a case out of it by hand", maxCaseFiles, maxCaseBytes>>20)
		}
		return nil
	})
	return files, err
}
