package sessions

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
)

// Listed is a session as `sessions list --json` prints it.
type Listed struct {
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

func newList(logDir *string) *cobra.Command {
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
			list := []Listed{}
			for _, e := range slices.Backward(entries) {
				one := describe(c.Context(), e, root)
				if c.Context().Err() != nil {
					return cli.ErrInterrupted
				}
				list = append(list, one)
			}
			if !all && !printed.AsJSON {
				list = slices.DeleteFunc(list, func(l Listed) bool { return l.NoStart })
			}
			return printList(c.OutOrStdout(), list, printed.AsJSON)
		},
	}
	printed.RegisterJSON(c.Flags())
	c.Flags().BoolVar(&all, "all", false, "include sessions whose program was never started")
	return c
}

func describe(ctx context.Context, e session.Entry, root string) Listed {
	l := Listed{ID: e.Name, Session: e.Markdown(), Applied: []string{}, Judged: []string{}}
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
func listedOf(s index.Session, root, logs string) Listed {
	l := Listed{ID: s.Name, Outcome: s.Outcome, Target: s.Target, Class: s.Class, Message: s.Message, Fingerprint: s.Fingerprint,
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

func printList(w io.Writer, list []Listed, asJSON bool) error {
	if asJSON {
		return cli.PrintJSON(w, list)
	}
	table := cli.NewTable(w, "SESSION", "WHEN", "OUTCOME", "TARGET", "APPLIED", "AT")
	for _, l := range list {
		table.Row(l.ID, cli.Dash(when(l.Date)), l.Outcome, l.Target, cli.Dash(session.AppliedWords(l.Applied, l.Judged)), cli.Dash(l.Culprit))
	}
	return table.Flush()
}
