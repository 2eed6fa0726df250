package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine/earlier"
	"github.com/pausetui/pausetui/fix"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/cli"
	fixcommand "github.com/pausetui/pausetui/internal/cli/fix"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/memory"
)

// applyOptions are the options of sessions apply.
type applyOptions struct {
	*cli.System
	out io.Writer

	flags.Proofs
	flags.Log
	trust     *bool
	asJSON    bool
	candidate string
	report    fix.Options
}

func newApply(sys *cli.System, logDir *string) *cobra.Command {
	o := &applyOptions{System: sys}
	c := &cobra.Command{
		Use:   "apply [ID|latest]",
		Short: "Apply a fix of a past session again, if it is proved on the current source",
		Long: "apply starts the program of a past session again, with the same command. At the same fault, it proposes the same fix,\n" +
			"adapted to code that has moved. If the fix is verified, it is applied, the program restarts, and the result\n" +
			"is judged. Otherwise nothing changes. The exit codes are those of pausetui fix --apply.",
		Example: "pausetui sessions apply 20261120-1702\npausetui sessions apply latest --candidate 2",
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: cli.CompleteSessions(logDir),
	}
	s := c.Flags()
	o.Proofs.Register(s)
	o.RegisterTimings(s)
	o.trust = trustFlag(c)
	s.StringVar(&o.candidate, "candidate", "", "apply `FIX` of the session (default the one applied last, or else the first verified one)")
	s.BoolVar(&o.asJSON, "json", false, "print the report as JSON")
	s.BoolVar(&o.report.AllowDeclines, "allow-declines", false, "use a fix that reports an error where the program panicked")
	s.BoolVar(&o.report.AllowMasking, "allow-masking", false, "use a fix that only skips the work that failed, or hides the failure")
	s.DurationVar(&o.report.Timeout, "timeout", 30*time.Second, "let the program run for at most `TIME` without a stop")
	c.RunE = func(c *cobra.Command, args []string) error {
		o.LogDir, o.out = *logDir, c.OutOrStdout()
		return o.run(c.Context(), args)
	}
	return c
}

func (o *applyOptions) run(ctx context.Context, args []string) error {
	e, err := cli.FindSession(o.LogDir, args)
	if err != nil {
		return err
	}
	f, err := pastFix(e, o.candidate)
	if err != nil {
		return err
	}
	m, err := setup.OpenMarks(o.Timings)
	if err != nil {
		return err
	}
	defer m.Close()
	// no model is asked: the fix is there
	fixes := flags.WithoutModels(0, o.Proofs)
	s, err := setup.Prepare(o.System, m, &fixes, &o.Log)
	if err != nil {
		return err
	}
	s.Options.Log.TrustJournal = *o.trust
	if s.Options, err = earlier.Like(ctx, s.Options, e.Journal); err != nil {
		return err
	}
	root, _, err := cli.LogsOf(o.LogDir)
	if err != nil {
		return err
	}
	if len(memory.Offer([]memory.Fix{f}, time.Now(), memory.ReadIn(root))) == 0 {
		return advice.Add(fmt.Errorf("the fix %q does not fit the source as it is now", session.Clean(f.Title)), "it is already applied, or the lines that it changes have changed; pausetui fix proposes new ones")
	}
	given := memory.Give(s.Options.Stores.Memory, f)
	s.Options.Stores.Memory = given
	o.report.Apply, o.report.Only = true, &fix.Wanted{Model: memory.Provider + "/" + given.Fix.ID, Fingerprint: f.Fingerprint}
	o.report.Progress = fixcommand.ProgressTo(o.Stderr)
	found, err := fix.Run(ctx, s.Options, o.report)
	shown := fixcommand.Printer{Out: o.out, AsJSON: o.asJSON}
	return shown.Print(found, o.report.Progress, err)
}

// pastFix is a candidate of a session with the stop that it is for. Without a
// name it is the one that was applied last, or else the first that was verified.
func pastFix(e session.Entry, name string) (memory.Fix, error) {
	events, err := session.ReadFile(e.Journal)
	if err != nil && !errors.Is(err, session.ErrTorn) {
		return memory.Fix{}, err
	}
	state := session.Fold(session.NewState(), events)
	switch {
	case name == "":
		name = state.BestCandidate()
	case session.Number(name) == name: // as it is written: fix 2
		name = "c" + name
	}
	for _, stop := range state.Stops {
		p := stop.Stop.Panic
		for _, c := range stop.Candidates {
			if c.ID != name || p == nil || p.Fingerprint == "" {
				continue
			}
			f := memory.Fix{Fingerprint: p.Fingerprint, Class: string(p.Class), Session: e.Name, At: e.At(), Source: c.Source,
				Title: c.Title, Explanation: c.Explanation, Effect: string(c.Effect()), Edits: c.Edits}
			if at, ok := stop.Stop.SelectedFrame(); ok {
				f.Function, f.Dir = at.Function, path.Dir(state.Started.Workspace.Rel(at.File))
			}
			return f, nil
		}
	}
	if name == "" {
		return memory.Fix{}, advice.Add(fmt.Errorf("session %s has no fix that was verified", e.Name), "pausetui sessions show "+e.Name)
	}
	return memory.Fix{}, advice.Add(fmt.Errorf("session %s has no fix %q", e.Name, name), "pausetui sessions show "+e.Name+" lists them")
}
