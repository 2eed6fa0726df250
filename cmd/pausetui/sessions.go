package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/session/memory"
)

func newSessions(sys *cli.System) *cobra.Command {
	var logDir string
	c := &cobra.Command{
		Use:     "sessions",
		Short:   "Past sessions: browse, search, count, export, resume, undo",
		Long:    "sessions opens a browser of past sessions: type to search. They are stored in the module's debug/ directory, or in .pausetui/log/ where debug/ holds other files.\nName a session by its file, by the start of its name, or as latest.",
		Example: "pausetui sessions\npausetui sessions search nil map since:30d\npausetui sessions resume latest\npausetui sessions undo 20261120-1702",
		Args:    cobra.NoArgs,
	}
	plain := c.Flags().Bool("plain", false, "print the sessions instead of opening the screen")
	c.RunE = func(c *cobra.Command, _ []string) error { return browse(c, sys, logDir, *plain) }
	c.PersistentFlags().StringVar(&logDir, "log-dir", "", "look for session logs in `DIR` (default debug/ in the module root, or .pausetui/log/ where debug/ holds other files)")
	c.AddCommand(newSessionsList(&logDir), newSessionsSearch(&logDir), newSessionsShow(&logDir), newSessionsStats(&logDir),
		newSessionsResume(sys, &logDir, nil), newSessionsApply(sys, &logDir), newSessionsUndo(&logDir), newSessionsRemove(&logDir), newSessionsMemory(), newSessionsImport(&logDir),
		newSessionsExport(&logDir), newSessionsServe(&logDir))
	return c
}

// listed is a session as `sessions list --json` prints it.
type listed struct {
	ID          string   `json:"id"`
	Outcome     string   `json:"outcome"` // docs/reference/exit-codes.md; "quit", "running" or "killed"
	Date        string   `json:"date"`
	Target      string   `json:"target"`
	Class       string   `json:"class"`
	Message     string   `json:"message"`
	Culprit     string   `json:"culprit"`
	Fingerprint string   `json:"fingerprint"`
	Applied     []string `json:"applied"`            // candidates whose change is in the source
	Judged      []string `json:"judged"`             // how each of these was judged, or "unjudged"
	Judgement   string   `json:"judgement"`          // of the change applied last, also where it was undone
	Session     string   `json:"session"`            // the log, as fix --json names it
	NoStart     bool     `json:"no_start,omitempty"` // the target was never started
	Error       string   `json:"error,omitempty"`    // why it cannot be read
}

func newSessionsList(logDir *string) *cobra.Command {
	var printed cli.JSONFlag
	var all bool
	c := &cobra.Command{
		Use: "list", Short: "List the sessions, the newest first", Args: cobra.NoArgs,
		Long: "list prints the sessions, newest first, with their start times. Sessions whose program was never started\n" +
			"are left out of the table; --all and --json include them.",
		RunE: func(c *cobra.Command, _ []string) error {
			root, dir, err := cli.LogsOf(*logDir)
			if err != nil {
				return err
			}
			entries, err := session.List(dir)
			if err != nil {
				return err
			}
			list := []listed{}
			for _, e := range slices.Backward(entries) {
				one := describe(c.Context(), e, root)
				if c.Context().Err() != nil {
					return cli.ErrInterrupted
				}
				list = append(list, one)
			}
			if !all && !printed.AsJSON {
				list = slices.DeleteFunc(list, func(l listed) bool { return l.NoStart })
			}
			return printSessions(c.OutOrStdout(), list, printed.AsJSON)
		},
	}
	printed.RegisterJSON(c.Flags())
	c.Flags().BoolVar(&all, "all", false, "include sessions whose program was never started")
	return c
}

func describe(ctx context.Context, e session.Entry, root string) listed {
	l := listed{ID: e.Name, Session: e.Markdown(), Applied: []string{}, Judged: []string{}}
	if rel, err := filepath.Rel(root, e.Markdown()); err == nil {
		l.Session = filepath.ToSlash(rel)
	}
	f, err := e.Summary(ctx)
	if err != nil {
		l.Outcome, l.Error = "unreadable", err.Error()
		return l
	}
	l.Outcome, l.Date, l.Target, l.Class, l.Message = f.Outcome, f.Date, f.Target, f.Class, f.Message
	l.Culprit, l.Fingerprint, l.NoStart = f.Culprit, f.Fingerprint, f.NoStart
	l.Applied, l.Judged, l.Judgement = append(l.Applied, f.Applied...), append(l.Judged, f.Judged...), f.Judgement
	if life := e.Life(); life != session.Over {
		l.Outcome = string(life)
	}
	return l
}

// listedOf is a session of the index.
func listedOf(s index.Session, root, logs string) listed {
	l := listed{ID: s.Name, Outcome: s.Outcome, Target: s.Target, Class: s.Class, Message: s.Message, Fingerprint: s.Fingerprint,
		Applied: append([]string{}, s.Applied...), Judged: append([]string{}, s.Judged...), Judgement: s.Judgement, Session: filepath.Join(logs, s.Name+".md"), Error: s.Error}
	if !s.At.IsZero() {
		l.Date = s.At.Format(time.RFC3339)
	}
	if s.Function != "" {
		l.Culprit = fmt.Sprintf("%s, %s:%d", s.Function, s.File, s.Line)
	}
	if rel, err := filepath.Rel(root, l.Session); err == nil {
		l.Session = filepath.ToSlash(rel)
	}
	return l
}

// when is a time (RFC 3339) as people read it here.
func when(date string) string {
	at, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04")
}

func printSessions(w io.Writer, list []listed, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(w, list)
	}
	table := cli.NewTable(w, "SESSION", "WHEN", "OUTCOME", "TARGET", "APPLIED", "AT")
	for _, l := range list {
		table.Row(l.ID, cli.Dash(when(l.Date)), l.Outcome, l.Target, cli.Dash(session.AppliedWords(l.Applied, l.Judged)), cli.Dash(l.Culprit))
	}
	return table.Flush()
}

// resumeOptions are the options of sessions resume.
type resumeOptions struct {
	*cli.System

	flags.Screen
	flags.Fixes
	flags.Log
	flags.Snapshot
	trust   *bool
	fresh   bool
	propose string // a candidate of the session, to be proposed again

	name []string // of the session or the bundle, if any
}

func newSessionsResume(sys *cli.System, logDir *string, runF func(context.Context, *resumeOptions) error) *cobra.Command {
	o := &resumeOptions{System: sys}
	c := &cobra.Command{
		Use:   "resume [ID|BUNDLE|latest]",
		Short: "Continue a session: open its snapshot, or start its program again, and continue its log",
		Long: "resume opens a session that has ended or was killed. The program is built and started as before, with the\n" +
			"last recorded input. Breakpoints and fixes are kept, and u undoes the last applied fix. The session's models,\n" +
			"profiles and other flags about fixes apply again unless you give new ones. --allow and --allow-remote always\n" +
			"have to be given again.\n\n" +
			"If the session has a snapshot, it is opened instead: the program as it was paused, with its stacks and\n" +
			"values. --fresh starts the program again instead. A BUNDLE from a colleague is imported first. The paths of\n" +
			"its module are mapped to yours, and fixes are made for and proved on your source. A journal that\n" +
			"you did not write on this machine is refused without --trust-journal.",
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
	}
	o.Screen.Register(c.Flags())
	o.Fixes.Register(c.Flags())
	o.RegisterTimings(c.Flags())
	o.Snapshot.Register(c.Flags())
	c.Flags().StringVar(&o.propose, "propose", "", "at the same fault, propose `CANDIDATE` of the session again, proved on the current source")
	c.Flags().BoolVar(&o.fresh, "fresh", false, "build and start the program even if there is a snapshot")
	o.trust = trustFlag(c)
	if runF == nil {
		runF = runResume
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		o.name, o.LogDir = args, *logDir
		return runF(c.Context(), o)
	}
	return c
}

func runResume(ctx context.Context, o *resumeOptions) error {
	f := frontend.New(o.System, o.Screen)
	if err := f.CanShow("pausetui sessions undo takes a change back without one; --plain works in lines"); err != nil {
		return err
	}
	e, err := o.find()
	if err != nil {
		return err
	}
	sealed := session.Sealed(e.Journal) == nil || *o.trust
	if before, err := session.ReadStarted(e.Journal); err == nil && sealed { // else Resume says why
		o.Take(before.Choice)
	}
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := setup.Prepare(o.System, m, &o.Fixes, &o.Snapshot)
	if err != nil {
		return err
	}
	s.Options.Target.Package = "."
	if o.propose != "" {
		f, err := pastFix(e, o.propose)
		if err != nil {
			return err
		}
		s.Options.Stores.Memory = memory.Give(s.Options.Stores.Memory, f)
	}
	remove, err := o.thaw(e, &s.Options)
	if err != nil {
		return err
	}
	defer remove()
	s.Options.Stores.Breakpoints, s.Options.Stores.Mutes, s.Options.Log.TrustJournal = o.State.Breakpoints(), o.State.Mutes(), *o.trust
	s.Options.Target.Emulate = !f.Plain
	resumed, err := engine.Resume(ctx, s.Options, e.Journal)
	if err != nil {
		return err
	}
	return f.Show(ctx, resumed, s, m)
}

// trustFlag lets a person have a journal obeyed that may have come with a
// repository.
func trustFlag(c *cobra.Command) *bool {
	return c.Flags().Bool("trust-journal", false, "trust a journal that you did not write on this machine, or that is older than its seal")
}

func newSessionsUndo(logDir *string) *cobra.Command {
	c := &cobra.Command{
		Use:   "undo [ID|latest]",
		Short: "Undo the last change that a session applied; nothing is started",
		Long: "undo restores the files of the last change of a session that is still in the source, and prints their names.\n" +
			"It refuses if one of them has changed since, or is outside your modules in this repository. A committed change is\n" +
			"reverted by a second commit.",
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
	}
	trusted := trustFlag(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		e, err := cli.FindSession(*logDir, args)
		if err != nil {
			return err
		}
		root, _, err := cli.LogsOf(*logDir)
		if err != nil {
			return err
		}
		taken, err := engine.UndoLast(c.Context(), e.Journal, root, *trusted)
		for _, n := range taken.Words {
			printable.Fprintf(c.ErrOrStderr(), "pausetui: %s\n", n.Text)
			if n.Hint != "" {
				printable.Fprintf(c.ErrOrStderr(), "  hint: %s\n", n.Hint)
			}
		}
		if err != nil {
			return err
		}
		for _, edit := range taken.Edits {
			printable.Fprintln(c.OutOrStdout(), edit.File)
		}
		words := fmt.Sprintf("undone: %s (%s)", session.Called(taken.Candidate.ID), session.Clean(taken.Candidate.Title))
		if taken.Reverted != "" {
			words += ", commit " + taken.Reverted
		}
		printable.Fprintln(c.ErrOrStderr(), words)
		return nil
	}
	return c
}
