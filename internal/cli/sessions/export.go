package sessions

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/hide"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/prompts"
	"github.com/pausetui/pausetui/prompts/redact"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
	"github.com/pausetui/pausetui/session/web"
)

// exporters write a session in a format.
var exporters = map[string]func(w io.Writer, e session.Entry, events []session.Event) error{
	"html": func(w io.Writer, e session.Entry, events []session.Event) error {
		return web.Page(w, e.Name, session.Fold(session.NewState(), events), events)
	},
	"markdown": func(w io.Writer, _ session.Entry, events []session.Event) error {
		_, err := w.Write(session.Markdown(events))
		return err
	},
	"json": func(w io.Writer, _ session.Entry, events []session.Event) error { return printEvents(w, events) },
}

func newExport(logDir *string) *cobra.Command {
	var format string
	o := &bundleOptions{logDir: logDir}
	c := &cobra.Command{
		Use:   "export [ID|latest]",
		Short: "Write a session as one HTML page, as markdown, as JSON, or as a bundle for a colleague",
		Long: "export writes a session to a file or to standard output. The HTML page works from disk, without a network. It\n" +
			"has the stack, the values, the fixes with their checks and diffs, and a search. It shows values and source of your\n" +
			"program. Detected secrets are hidden, in every format. Read it anyway before you give\n" +
			"it to others.\n\n" +
			"A bundle is one compressed file with the journal, the log, the output and the source files. pausetui sessions\n" +
			"import opens it elsewhere. --core and --binary add a core dump\n" +
			"and its binary, with everything the program held in memory: nothing is hidden in them. The contents are listed\n" +
			"before the bundle is written.",
		Example: "pausetui sessions export latest -o crash.html\npausetui sessions export 20261120-1702 --format json\npausetui sessions export --format bundle -o crash" + bundle.Extension,
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
		RunE: func(c *cobra.Command, args []string) error {
			if format == "bundle" {
				return o.run(c, args)
			}
			write := exporters[format]
			if write == nil {
				return advice.Add(fmt.Errorf("unknown format %q", format), "formats: html, markdown, json, bundle")
			}
			e, err := cli.FindSession(*logDir, args)
			if err != nil {
				return err
			}
			events, err := hiddenEvents(e, *logDir)
			if err != nil && len(events) == 0 {
				return err
			}
			if err != nil {
				printable.Fprintf(c.ErrOrStderr(), "pausetui: %s; what is before it is exported\n", err.Error())
			}
			if o.output == "" || o.output == "-" {
				return write(c.OutOrStdout(), e, events)
			}
			return writeNew(o.output, func(w io.Writer) error { return write(w, e, events) })
		},
	}
	c.Flags().StringVar(&format, "format", "html", "write as `FORMAT`: html, markdown, json or bundle")
	c.Flags().StringVarP(&o.output, "output", "o", "", "write to `FILE`, which must not exist (default standard output; for a bundle the session's name)")
	o.register(c)
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"html", "markdown", "json", "bundle"}, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
	return c
}

// hiddenEvents are the events of a session with the secrets in them hidden, as
// they are before they go to a model on another machine.
func hiddenEvents(e session.Entry, logDir string) ([]session.Event, error) {
	screen, err := hiding(logDir)
	if err != nil {
		return nil, err
	}
	_, dir, err := cli.LogsOf(logDir)
	if err != nil {
		return nil, err
	}
	if err := textsOf(e, dir, screen).LearnTexts(); err != nil {
		return nil, err
	}
	text, err := regular.ReadUpTo(e.Journal, session.MaxJournal)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", e.Name, err)
	}
	return session.Read(strings.NewReader(hide.Journal(string(text), screen)))
}

// hiding returns what hides secrets, by the configuration of the module that the
// person stands in.
func hiding(logDir string) (*prompts.Screen, error) {
	root, _, err := cli.LogsOf(logDir)
	if err != nil {
		return nil, err
	}
	settings, err := cli.LoadConfig(root)
	if err != nil {
		return nil, err
	}
	secrets, _ := cli.Redaction(settings)
	return prompts.NewScreen(redact.New(secrets, os.Environ())), nil
}
