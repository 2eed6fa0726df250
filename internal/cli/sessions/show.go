package sessions

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/session"
)

func newShow(logDir *string) *cobra.Command {
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

// ShownEvent is an event as `sessions show --json` prints it.
type ShownEvent struct {
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
		return encoder.Encode(ShownEvent{e.Seq, e.At, e.Actor, e.Body.Kind(), e.Body})
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
