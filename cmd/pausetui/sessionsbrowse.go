package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	terminals "github.com/pausetui/pausetui/internal/terminal"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/ui/browser"
)

// browse shows the sessions on the terminal, and then does what was chosen there.
// Without a terminal it lists them.
func browse(c *cobra.Command, sys *cli.System, logDir string, plain bool) error {
	if plain || sys.NoScreen() != nil {
		return searchSessions(c, logDir, "", 0, false)
	}
	choice, err := showBrowser(c.Context(), sys, logDir, "")
	switch {
	case errors.Is(err, context.Canceled) || err == nil && choice.Session == "":
		return nil
	case err != nil:
		return err
	}
	resume := newSessionsResume(sys, &logDir, func(ctx context.Context, o *resumeOptions) error {
		o.propose = choice.Apply
		return runResume(ctx, o)
	})
	resume.SetContext(c.Context())
	resume.SetOut(c.OutOrStdout())
	resume.SetErr(c.ErrOrStderr())
	return resume.RunE(resume, []string{choice.Session})
}

func showBrowser(ctx context.Context, sys *cli.System, logDir, note string) (browser.Choice, error) {
	root, dir, err := cli.LogsOf(logDir)
	if err != nil {
		return browser.Choice{}, err
	}
	x, err := index.Open(ctx, index.Path(), dir)
	if err != nil {
		return browser.Choice{}, err
	}
	defer x.Close()
	settings, err := sys.Config(root)
	if err != nil {
		return browser.Choice{}, err
	}
	o := browser.Options{Index: x, Logs: dir, Note: note, Keys: settings.Keys, Output: terminals.Output(sys.Stdout), Editor: func() []string { return strings.Fields(cli.Editor()) }}
	o.Theme, o.Dark = cli.ScreenTheme(settings)
	defer terminals.Guard(sys.Stdout)()
	return browser.Run(ctx, o)
}

func newSessionsSearch(logDir *string) *cobra.Command {
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
			return searchSessions(c, *logDir, strings.Join(args, " "), limit, printed.AsJSON)
		},
	}
	printed.RegisterJSON(c.Flags())
	c.Flags().IntVar(&limit, "limit", 0, "print at most `N` sessions (0: all)")
	return c
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

func searchSessions(c *cobra.Command, logDir, query string, limit int, asJSON bool) error {
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
		list := []listed{}
		for _, s := range found {
			list = append(list, listedOf(s, root, x.Logs()))
		}
		return printSessions(c.OutOrStdout(), list, asJSON)
	})
}

func newSessionsShow(logDir *string) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show [ID|latest]",
		Short: "Print the log of a session",
		Args:  cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
		RunE: func(c *cobra.Command, args []string) error {
			e, err := cli.FindSession(*logDir, args)
			if err != nil {
				return err
			}
			if asJSON {
				return showEvents(c.OutOrStdout(), e.Journal)
			}
			out := bufio.NewWriter(c.OutOrStdout())
			return errors.Join(session.WriteMarkdown(out, e.Journal), out.Flush())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the events, one JSON line each")
	return c
}

// shownEvent is an event as `sessions show --json` prints it.
type shownEvent struct {
	Seq   uint64       `json:"seq"`
	At    time.Time    `json:"at"`
	Actor string       `json:"actor"`
	Kind  string       `json:"kind"` // docs/reference/journal.md
	Body  session.Body `json:"body"` // of that kind
}

// eventsTo prints events as JSON lines.
func eventsTo(w io.Writer) func(session.Event) error {
	encoder := json.NewEncoder(printable.NewJSONWriter(w))
	encoder.SetEscapeHTML(false)
	return func(e session.Event) error {
		return encoder.Encode(shownEvent{e.Seq, e.At, e.Actor, e.Body.Kind(), e.Body})
	}
}

func printEvents(w io.Writer, events []session.Event) error {
	print := eventsTo(w)
	for _, e := range events {
		if err := print(e); err != nil {
			return err
		}
	}
	return nil
}

// showEvents prints the events of a journal, also those before a damaged line.
func showEvents(w io.Writer, journal string) error {
	print, count := eventsTo(w), 0
	err := session.EachEvent(journal, func(e session.Event) error {
		count++
		return print(e)
	})
	if count > 0 && errors.Is(err, session.ErrTorn) {
		return nil
	}
	return err
}

func newSessionsRemove(logDir *string) *cobra.Command {
	var sure bool
	c := &cobra.Command{
		Use:   "rm ID...",
		Short: "Delete sessions: journal, log, output and source files",
		Args:  cobra.MinimumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
		RunE: func(c *cobra.Command, args []string) error {
			_, dir, err := cli.LogsOf(*logDir)
			if err != nil {
				return err
			}
			for _, name := range args {
				e, err := session.Find(dir, name)
				if err != nil {
					return err
				}
				if !sure && !cli.Confirm(c, "delete "+session.Clean(e.Name)+"?") {
					return errors.New("kept: --yes deletes without asking")
				}
				if err := session.Remove(dir, e.Name); err != nil {
					return err
				}
				printable.Fprintln(c.OutOrStdout(), "deleted", e.Name)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&sure, "yes", false, "do not ask")
	return c
}

func newSessionsStats(logDir *string) *cobra.Command {
	var printed cli.JSONFlag
	c := &cobra.Command{
		Use:   "stats [QUERY]",
		Short: "Count sessions: outcomes, classes, who proposed what, and what became of it",
		Long: "stats summarizes the sessions that a query finds (see pausetui sessions search), or all sessions. Rates count\n" +
			"only fixes whose restart was judged, and come with their 95 % interval.",
		RunE: func(c *cobra.Command, args []string) error {
			q, err := index.ParseQuery(strings.Join(args, " "), time.Now())
			if err != nil {
				return err
			}
			return withIndex(c, *logDir, func(x *index.Index, _ string) error {
				s, err := x.Stats(c.Context(), q)
				if err != nil {
					return err
				}
				if printed.AsJSON {
					return cli.PrintJSON(c.OutOrStdout(), s)
				}
				return cli.PrintLines(c.OutOrStdout(), browser.Figures(s, 100))
			})
		},
	}
	printed.RegisterJSON(c.Flags())
	return c
}
