package sessions

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/hide"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
)

// bundleOptions is `sessions export --format bundle`.
type bundleOptions struct {
	logDir *string

	output, core, binary string
	sure                 bool
}

func (o *bundleOptions) register(c *cobra.Command) {
	c.Flags().StringVar(&o.core, "core", "", "with --format bundle: include the core dump `FILE`")
	c.Flags().StringVar(&o.binary, "binary", "", "with --format bundle: include `FILE`, the binary of the core dump")
	c.Flags().BoolVar(&o.sure, "yes", false, "with --format bundle: do not ask")
}

func (o *bundleOptions) run(c *cobra.Command, args []string) error {
	e, err := cli.FindSession(*o.logDir, args)
	if err != nil {
		return err
	}
	_, dir, err := cli.LogsOf(*o.logDir)
	if err != nil {
		return err
	}
	screen, err := hiding(*o.logDir)
	if err != nil {
		return err
	}
	options := textsOf(e, dir, screen)
	options.Core, options.Binary, options.Now, options.By = o.core, o.binary, time.Now(), cli.Version()
	p, err := bundle.MakePlan(options)
	if err != nil {
		return err
	}
	path := o.output
	if path == "" {
		path = e.Name + bundle.Extension
	}
	listBundle(c.ErrOrStderr(), p.Manifest, path)
	if !o.sure && !cli.Confirm(c, "write "+printable.Line(path)+"?") {
		return advice.Add(errors.New("not written"), "--yes writes without asking")
	}
	return writeNew(path, p.Write)
}

// textsOf are the texts of a session in a directory of logs, in which a screen hides secrets.
func textsOf(e session.Entry, dir string, screen *prompts.Screen) bundle.Options {
	return bundle.Options{Logs: dir, Session: e.Name, Sources: filepath.Join(dir, e.ID()+"-sources"),
		Redact: screen.Secretless, Learn: screen.Learn, Journal: func(text string) string { return hide.Journal(text, screen) }}
}

// listBundle says what a bundle holds.
func listBundle(w io.Writer, m bundle.Manifest, path string) {
	printable.Fprintf(w, "%s of session %s:\n", printable.Line(path), printable.Line(m.Session))
	for _, f := range m.Files {
		note := ""
		if f.Name == "core" || f.Name == "binary" {
			note = "  as it is, with whatever the program held"
		}
		printable.Fprintf(w, "  %10d  %s%s\n", f.Bytes, f.Name, note)
	}
}

// writeNew writes a file that must not exist, and leaves nothing where that fails.
func writeNew(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
