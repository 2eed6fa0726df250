package sessions

import (
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session/index"
)

func newSearch(logDir *string) *cobra.Command {
	var printed cli.JSONFlag
	var limit int
	c := &cobra.Command{
		Use:   "search [QUERY]",
		Short: "Find sessions by words and filters, the newest first",
		Long: "search prints the sessions that contain all words of the query in the message, the code, the functions, the files or\n" +
			"the reasons of decisions, and that match the filters: " + strings.Join(index.Fields(), ": ") + ":.\n" +
			"Values of filters may contain * and ?; quotes join words. since: and until: take 30d, 12h, 2w or 2026-11-01.",
		Example: "pausetui sessions search index range since:30d\npausetui sessions search 'class:nil* judged:fixed model:qwen*' --json",
		RunE: func(c *cobra.Command, args []string) error {
			return search(c, *logDir, strings.Join(args, " "), limit, printed.AsJSON)
		},
	}
	printed.RegisterJSON(c.Flags())
	c.Flags().IntVar(&limit, "limit", 0, "print at most `N` sessions (0: all)")
	return c
}

func search(c *cobra.Command, logDir, query string, limit int, asJSON bool) error {
	q, err := index.ParseQuery(query, time.Now())
	if err != nil {
		return err
	}
	if limit <= 0 {
		limit = -1
	}
	return withIndex(c, logDir, func(x *index.Index, root string) error {
		found, _, err := x.Search(c.Context(), q, limit, 0)
		if err != nil {
			return err
		}
		list := []Listed{}
		for _, s := range found {
			list = append(list, listedOf(s, root, x.Logs()))
		}
		return printList(c.OutOrStdout(), list, asJSON)
	})
}

// withIndex opens the index of a directory of logs, up to date.
func withIndex(c *cobra.Command, logDir string, do func(x *index.Index, root string) error) error {
	root, dir, err := cli.LogsOf(logDir)
	if err != nil {
		return err
	}
	x, err := index.Open(c.Context(), index.Path(), dir)
	if err != nil {
		return err
	}
	defer x.Close()
	progress := progressOn(c.ErrOrStderr())
	switch _, err = x.Refresh(c.Context(), progress); {
	case c.Context().Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	return do(x, root)
}

// progressOn writes the progress of a first reading to a terminal; nil where
// there is none.
func progressOn(w io.Writer) func(index.Progress) {
	f, ok := w.(term.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return nil
	}
	return func(p index.Progress) {
		if p.Total < 200 {
			return
		}
		printable.Fprintf(w, "\rreading the logs: %d of %d", p.Done, p.Total)
		if p.Done == p.Total {
			printable.Fprintf(w, "\r\x1b[K")
		}
	}
}
