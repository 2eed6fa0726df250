package sessions

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
)

func newImport(logDir *string) *cobra.Command {
	var large bool
	c := &cobra.Command{
		Use:   "import FILE",
		Short: "Import a session from a bundle",
		Long: "import unpacks a bundle that pausetui sessions export wrote into this module's logs. You can then browse the session,\n" +
			"copy its patch, and resume it. Its journal was not written on this machine, so resume refuses it\n" +
			"without --trust-journal, and a fix is proved here again before you can approve it. A core dump in the bundle is kept\n" +
			"as a snapshot of the session, which resume opens. A bundle that unpacks to more than 64 MB, or whose core dump has more\n" +
			"than 1 GB, is imported only if you agree.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			_, err := importFile(c.OutOrStdout(), *logDir, args[0], func(size string) bool {
				return large || cli.Confirm(c, printable.Line(args[0])+": "+size+". Import it?")
			})
			return err
		},
	}
	c.Flags().BoolVar(&large, "large", false, "import a large bundle without asking")
	return c
}

// errLarge is wrapped by the error for a large bundle that the person has not agreed to.
var errLarge = errors.New("the bundle is large")

// errHere is wrapped by the error for a session that is here already.
var errHere = errors.New("is here already")

// importFile takes a bundle into the logs of the module that the person stands in,
// and returns the name of its session there. A large one is taken in only if the person
// agrees to its size.
func importFile(w io.Writer, logDir, path string, agrees func(size string) bool) (name string, err error) {
	_, chosen, err := cli.LogsOf(logDir)
	if err != nil {
		return "", err
	}
	root, _, err := cli.LogsOf("")
	if err != nil {
		return "", err
	}
	dir, _, err := session.Dir(root, chosen)
	if err != nil {
		return "", err
	}
	file, err := regular.Open(path)
	if err != nil {
		return "", fmt.Errorf("import a session: %w", err)
	}
	defer file.Close()
	m, err := bundle.List(file)
	if err != nil {
		return "", fmt.Errorf("import a session: %w", err)
	}
	if e, here := sessionOf(dir, bundle.ID(m.Session)); here {
		if m.HasCore() && len(session.Snapshots(dir, e.ID())) == 0 {
			err = keepSnapshot(file, dir, e.ID())
		}
		return e.Name, errors.Join(advice.Add(fmt.Errorf("import a session: %s %w", e.Name, errHere), "pausetui sessions rm "+e.Name+" deletes it"), err)
	}
	if size := m.Large(); size != "" && !agrees(size) {
		return "", advice.Add(fmt.Errorf("import a session: %w: %s", errLarge, size), "pausetui sessions import --large "+path+" imports it, if you trust who made it")
	}
	if err := importBundle(file, m, root, dir); err != nil {
		return "", err
	}
	words := " starts it here"
	if m.HasCore() {
		words = " opens its core dump here"
	}
	return m.Session, cli.PrintLines(w, []string{"taken in: " + m.Session, "pausetui sessions shows it; pausetui sessions resume --trust-journal " + m.Session + words})
}

func sessionOf(dir, id string) (session.Entry, bool) {
	list, _ := session.List(dir) // what cannot be listed cannot be written to, which says so
	i := slices.IndexFunc(list, func(e session.Entry) bool { return e.ID() == id })
	if i < 0 {
		return session.Entry{}, false
	}
	return list[i], true
}

// importBundle unpacks next to the logs, and then moves the files there, the
// journal last: a bundle that is damaged leaves nothing. The paths of the module
// that it comes from become those of the one at root.
func importBundle(file *os.File, m bundle.Manifest, root, logs string) (err error) {
	temp, err := os.MkdirTemp(logs, ".import-")
	if err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	opened, err := bundle.Open(file, filepath.Join(temp, "session"), bundle.Texts)
	if err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	journal := opened.Manifest.Session + ".jsonl"
	if err := session.MoveTo(filepath.Join(opened.Logs, journal), root); err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	var made []string
	defer func() {
		if err != nil {
			for _, path := range made {
				err = errors.Join(err, os.RemoveAll(path))
			}
		}
	}()
	if m.HasCore() {
		snapshot := session.NextSnapshot(logs, bundle.ID(m.Session))
		if err := keepSnapshot(file, logs, bundle.ID(m.Session)); err != nil {
			return err
		}
		made = append(made, snapshot)
	}
	entries, err := os.ReadDir(opened.Logs)
	if err != nil {
		return fmt.Errorf("import a session: %w", err)
	}
	slices.SortStableFunc(entries, func(a, b os.DirEntry) int {
		return map[bool]int{true: 1}[a.Name() == journal] - map[bool]int{true: 1}[b.Name() == journal]
	})
	for _, e := range entries {
		if err := os.Rename(filepath.Join(opened.Logs, e.Name()), filepath.Join(logs, e.Name())); err != nil {
			return fmt.Errorf("import a session: %w", err)
		}
		made = append(made, filepath.Join(logs, e.Name()))
	}
	return nil
}

// keepSnapshot copies a bundle with a core dump next to the log of its session.
func keepSnapshot(file *os.File, logs, id string) error {
	info, err := file.Stat()
	if err == nil {
		err = bundle.Room(logs, info.Size())
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err == nil {
		err = writeNew(session.NextSnapshot(logs, id), func(w io.Writer) error { _, err := io.Copy(w, file); return err })
	}
	if err != nil {
		return fmt.Errorf("keep the snapshot: %w", err)
	}
	return nil
}
