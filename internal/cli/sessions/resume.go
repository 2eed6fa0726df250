package sessions

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/frontend"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
	"github.com/pausetui/pausetui/session/memory"
)

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

func newResume(sys *cli.System, logDir *string, runF func(context.Context, *resumeOptions) error) *cobra.Command {
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

// find finds the session that is to be resumed. A bundle is taken in first, unless
// its session is here already.
func (o *resumeOptions) find() (session.Entry, error) {
	if len(o.name) == 0 || !strings.HasSuffix(o.name[0], bundle.Extension) {
		return cli.FindSession(o.LogDir, o.name)
	}
	name, err := importFile(io.Discard, o.LogDir, o.name[0], func(string) bool { return false })
	if err != nil && !errors.Is(err, errHere) {
		return session.Entry{}, err
	}
	return cli.FindSession(o.LogDir, []string{name})
}

// thaw opens the newest snapshot of a session, if there is one that is wanted.
// remove deletes what was unpacked.
func (o *resumeOptions) thaw(e session.Entry, opts *options.Session) (remove func(), err error) {
	list := session.Snapshots(filepath.Dir(e.Journal), e.ID())
	if len(list) == 0 || o.fresh {
		return func() {}, nil
	}
	file, err := os.Open(list[len(list)-1])
	if err != nil {
		return nil, fmt.Errorf("open the snapshot: %w", err)
	}
	defer file.Close()
	scratch.Sweep()
	temp, err := os.MkdirTemp("", scratch.Pattern("snapshot"))
	if err != nil {
		return nil, fmt.Errorf("open the snapshot: %w", err)
	}
	remove = func() { _ = os.RemoveAll(temp) } // what cannot be removed is for the next start
	opened, err := bundle.Open(file, filepath.Join(temp, "snapshot"), bundle.Memory)
	if err == nil && (opened.Core == "" || opened.Binary == "") {
		err = errors.New("it holds no core dump with its binary")
	}
	if err != nil {
		remove()
		return nil, fmt.Errorf("open the snapshot %q: %w", file.Name(), err)
	}
	opts.Log.From = &options.CoreDump{Binary: opened.Binary, Core: opened.Core}
	return remove, nil
}
