// Package frontend shows a session on the full screen or in lines, alone or shared, and
// asks the person to choose. It does not know which command has begun the session.
package frontend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/term"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/background"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/flags"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/cli/share"
	"github.com/pausetui/pausetui/internal/printable"
	terminals "github.com/pausetui/pausetui/internal/terminal"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui"
	"github.com/pausetui/pausetui/ui/lines"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

// Frontend shows a session on the full screen, or in lines.
type Frontend struct {
	*cli.System
	flags.Screen

	// Where standard input is something else: the terminal, which then sends the
	// keys and commands, or the commands themselves.
	Keys     *os.File
	Commands string

	Guide func(session.Notice) bool // of the tour, whose directory is removed: see options.Screen
}

// New makes the frontend that the flags ask for.
func New(sys *cli.System, screen flags.Screen) *Frontend {
	return &Frontend{System: sys, Screen: screen}
}

// CanShow reports, as an error, that a session cannot be shown here; hint says
// what else can be done.
func (f *Frontend) CanShow(hint string) error {
	if err := f.KnownTheme(); err != nil {
		return err
	}
	if err := f.NoScreen(); err != nil && !f.Plain {
		return advice.Add(err, hint)
	}
	return nil
}

// KnownTheme refuses a theme that does not exist.
func (f *Frontend) KnownTheme() error {
	if _, known := theme.Find(f.Theme); !known {
		return cli.UsageError(fmt.Errorf("--theme %q: there are %s", f.Theme, strings.Join(theme.Names(), ", ")))
	}
	return nil
}

// Show runs the engine and its frontend side by side; when one ends, so does the
// other.
func (f *Frontend) Show(ctx context.Context, e *engine.Engine, s setup.Session, m *setup.Marks) error {
	sh := share.New(e, f.Share, s.Settings, s.Profiles())
	show := func(ctx context.Context) error { return f.showScreen(ctx, e, s, sh, m) }
	if f.Plain {
		var stop func()
		ctx, stop = withoutInterrupt(ctx)
		defer stop()
		show = func(ctx context.Context) error { return f.showPlain(ctx, sh.Room.Host()) }
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	err := sh.Open()
	if err == nil {
		err = show(ctx)
	}
	sh.End(pair.ErrOver)
	e.Do(intent.Quit{})
	err = errors.Join(err, <-ended)
	if errors.Is(err, context.Canceled) || errors.Is(err, lines.ErrInterrupted) {
		err = cli.ErrInterrupted
	}
	if f.Guide == nil {
		printable.Fprintln(f.Stdout, "log:", e.LogPath())
	}
	return err
}

func (f *Frontend) showScreen(ctx context.Context, e *engine.Engine, s setup.Session, sh *share.Sharing, m *setup.Marks) error {
	formats, err := s.Settings.Format()
	if err != nil { // the configuration was checked
		return fmt.Errorf("read [formats]: %w", err)
	}
	o := f.look(s.Settings)
	if s.Roster != nil {
		o.Askers = s.Roster.Askers()
	}
	o.Version, o.KeyOverrides, o.Formats, o.Editor = cli.Version(), s.Settings.Keys, formats, cli.Editor()
	if self, err := os.Executable(); err == nil {
		o.Sessions = []string{self, "sessions", "--log-dir", filepath.Dir(e.LogPath())}
	}
	o.Attended, o.Guide = background.Attend, f.Guide
	spareThreads()
	o.Mark, o.Profiles, o.Notify = m.Mark, s.Profiles(), cli.Notify(s.Settings.Notify)
	o.History = func(root string) options.History { return &preferences.History{Path: preferences.HistoryPath(root)} }
	release, err := f.hold(ctx, &o)
	if err != nil {
		return err
	}
	defer release()
	o.Seat = sh.Room.Host()
	return ui.Run(ctx, o.Seat, o)
}

// Input is where keys and commands come from.
func (f *Frontend) Input() *os.File {
	if f.Keys != nil {
		return f.Keys
	}
	return f.Stdin
}

// hold makes the screen of these options share the terminal with a shell. Release
// gives the terminal back; so does the end of pausetui, however it ends.
func (f *Frontend) hold(ctx context.Context, o *options.Screen) (release func(), err error) {
	held, err := terminals.Hold(ctx, f.Input(), f.Stdout)
	if err != nil {
		return nil, err
	}
	o.Input, o.Foreground, o.Continued = held.Input, held.Ours, held.Again
	return held.Release, nil
}

// spareThreads lets two more threads run Go code than there are processors. When
// loading, reading and collecting garbage keep all processors busy, the screen
// would wait up to 10 ms for one of them to be preempted; the system prefers a
// thread that mostly sleeps. The number stays when the allowed processors change.
func spareThreads() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 2)
	}
}

// look is how anything is shown on the terminal.
func (f *Frontend) look(settings config.Config) options.Screen {
	return options.Screen{Look: options.Look{Theme: cmp.Or(f.Theme, settings.Theme.Name), Background: cli.ThemeBackground(settings), Colors: settings.Theme.Colors},
		NoColor: f.NoColor || os.Getenv("NO_COLOR") != "", FPS: frames(), Deaf: cli.Deaf, Preferences: &preferences.File{Path: preferences.Path()}}
}

// frames is how many frames a second are drawn at most: fewer where each of them
// crosses a network.
func frames() int {
	if os.Getenv("SSH_CONNECTION") != "" {
		return 30
	}
	return 0
}

// withoutInterrupt is a context that ends with the signals that end pausetui,
// except ctrl+c, which halts the target in lines.
func withoutInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
}

// showPlain works in lines. Standard input that is no terminal is a script.
func (f *Frontend) showPlain(ctx context.Context, host *pair.Seat) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	defer signal.Stop(signals)
	interrupts := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // ends with this call
		for {
			select {
			case <-signals:
			case <-ctx.Done():
				return
			}
			select {
			case interrupts <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	input, script := io.Reader(f.Input()), f.Keys == nil && !term.IsTerminal(f.Stdin.Fd())
	if f.Keys == nil && f.Commands != "" {
		input, script = strings.NewReader(f.Commands), true
	}
	return lines.Run(ctx, host, lines.Options{Input: input, Output: terminals.Output(f.Stdout), Script: script, Interrupt: interrupts, Seat: host})
}

// Start begins a session, and shows it until it ends.
func (f *Frontend) Start(ctx context.Context, s setup.Session, m *setup.Marks) error {
	s.Options.Target.Emulate = !f.Plain
	e, err := engine.New(ctx, s.Options)
	switch {
	case err != nil && ctx.Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	return f.Show(ctx, e, s, m)
}
