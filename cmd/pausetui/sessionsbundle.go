package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/prompts/redact"
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
	c.Flags().StringVar(&o.core, "core", "", "with --format bundle: a core dump to take along, `FILE`")
	c.Flags().StringVar(&o.binary, "binary", "", "with --format bundle: the binary of the core dump, `FILE`")
	c.Flags().BoolVar(&o.sure, "yes", false, "with --format bundle: do not ask")
}

func (o *bundleOptions) run(c *cobra.Command, args []string) error {
	e, err := findSession(*o.logDir, args)
	if err != nil {
		return err
	}
	root, dir, err := logsOf(*o.logDir)
	if err != nil {
		return err
	}
	settings, err := loadConfig(root)
	if err != nil {
		return err
	}
	secrets, _ := redaction(settings)
	hide := redact.New(secrets, os.Environ())
	p, err := bundle.MakePlan(bundle.Options{Logs: dir, Session: e.Name, Sources: filepath.Join(dir, e.ID()+"-sources"), Core: o.core, Binary: o.binary,
		Redact: func(text string) string { hidden, _ := hide.Text(text); return hidden }, Now: time.Now(), By: versionText()})
	if err != nil {
		return err
	}
	path := o.output
	if path == "" {
		path = e.Name + bundle.Extension
	}
	listBundle(c.ErrOrStderr(), p.Manifest, path)
	if !o.sure && !confirm(c, "write "+printable.Line(path)+"?") {
		return advice.Add(errors.New("not written"), "--yes writes without asking")
	}
	return writeNew(path, p.Write)
}

// listBundle says what a bundle holds.
func listBundle(w io.Writer, m bundle.Manifest, path string) {
	fmt.Fprintf(w, "%s of session %s:\n", printable.Line(path), printable.Line(m.Session))
	for _, f := range m.Files {
		note := ""
		if f.Name == "core" || f.Name == "binary" {
			note = "  as it is, with whatever the program held"
		}
		fmt.Fprintf(w, "  %10d  %s%s\n", f.Bytes, f.Name, note)
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

func newSessionsImport(logDir *string) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Take a session in from a bundle",
		Long: "import unpacks a bundle that pausetui sessions export wrote into this module's logs. The session can then be browsed,\n" +
			"its patch copied, and it can be resumed. Its journal was not written on this machine: resume does nothing of what it\n" +
			"says without --trust-journal, and a fix is proved here again before it can be approved. A core dump in the bundle is\n" +
			"opened by the command that import prints.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			_, chosen, err := logsOf(*logDir)
			if err != nil {
				return err
			}
			root, _, err := logsOf("")
			if err != nil {
				return err
			}
			dir, _, err := session.Dir(root, chosen)
			if err != nil {
				return err
			}
			file, err := os.Open(args[0])
			if err != nil {
				return fmt.Errorf("import a session: %w", err)
			}
			defer file.Close()
			return importBundle(c.OutOrStdout(), file, root, dir)
		},
	}
}

// importBundle unpacks next to the logs, and then moves the files there: a bundle
// that is damaged leaves nothing. The paths of the module that it comes from
// become those of the one at root.
func importBundle(w io.Writer, r io.Reader, root, logs string) (err error) {
	temp, err := os.MkdirTemp(logs, ".import-")
	if err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	opened, err := bundle.Open(r, filepath.Join(temp, "session"))
	if err != nil {
		return err
	}
	name := opened.Manifest.Session
	if _, err := session.Find(logs, name); err == nil {
		return advice.Add(fmt.Errorf("import a session: %s is here already", name), "pausetui sessions rm "+name+" deletes it")
	}
	if err := session.MoveTo(filepath.Join(opened.Logs, name+".jsonl"), root); err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	entries, err := os.ReadDir(opened.Logs)
	if err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	for _, e := range entries {
		to := e.Name()
		if to == "core" || to == "binary" {
			to = name + "." + to
		}
		if err := os.Rename(filepath.Join(opened.Logs, e.Name()), filepath.Join(logs, to)); err != nil {
			return fmt.Errorf("import a session: %w", err)
		}
	}
	lines := []string{"taken in: " + name, "pausetui sessions shows it; pausetui sessions resume --trust-journal " + name + " runs it here"}
	if opened.Core != "" && opened.Binary != "" {
		lines = append(lines, strings.Join([]string{"pausetui core", filepath.Join(logs, name+".binary"), filepath.Join(logs, name+".core"), "opens the core dump"}, " "))
	}
	return printLines(w, lines)
}
