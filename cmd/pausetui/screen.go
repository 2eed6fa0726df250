package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"

	"github.com/pausetui/pausetui/config"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/background"
	terminals "github.com/pausetui/pausetui/internal/pty"
	"github.com/pausetui/pausetui/ui"
	"github.com/pausetui/pausetui/ui/lines"
	"github.com/pausetui/pausetui/ui/preferences"
	"github.com/pausetui/pausetui/ui/theme"
)

var errNoTerminal = errors.New("standard input and output are no terminal")

// registerScreen adds the flags of the commands that show a session.
func (f *targetFlags) registerScreen(s *pflag.FlagSet) {
	s.StringVar(&f.theme, "theme", "", "show this theme: "+strings.Join(theme.Names(), ", "))
	s.BoolVar(&f.plain, "plain", false, "talk in lines instead of a full screen: for screen readers, scripts and pipes")
}

// registerBreaks adds the breakpoints that a session begins with.
func (f *targetFlags) registerBreaks(s *pflag.FlagSet) {
	s.StringArrayVar(&f.breaks, "break", nil, "stop at this `LOCATION`: main.main, file.go:12, (*T).Method, /regexp/ (repeatable; also with if CONDITION)")
}

// canShow tells whether a session can be shown here; hint says what else can be
// done.
func (f *targetFlags) canShow(hint string) error {
	if err := f.knownTheme(); err != nil {
		return err
	}
	if f.plain || term.IsTerminal(os.Stdin.Fd()) && term.IsTerminal(os.Stdout.Fd()) {
		return nil
	}
	return advice.Add(errNoTerminal, hint)
}

// knownTheme refuses a theme that there is not.
func (f *targetFlags) knownTheme() error {
	if _, known := theme.Find(f.theme); !known {
		return usageError(fmt.Errorf("--theme %q: there are %s", f.theme, strings.Join(theme.Names(), ", ")))
	}
	return nil
}

// showSession runs the engine and its face side by side; whichever ends takes
// the other with it.
func showSession(ctx context.Context, e *engine.Engine, flags *targetFlags, opts engine.Options, m *marks) error {
	show := func(ctx context.Context) error { return showScreen(ctx, e, flags, opts, m) }
	if flags.plain {
		var stop func()
		ctx, stop = withoutInterrupt(ctx)
		defer stop()
		show = func(ctx context.Context) error { return showPlain(ctx, e, flags) }
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	err := show(ctx)
	e.Do(engine.Quit{})
	err = errors.Join(err, <-ended)
	if errors.Is(err, context.Canceled) || errors.Is(err, lines.ErrInterrupted) {
		err = &codeError{code: exitInterrupted}
	}
	fmt.Fprintln(os.Stdout, "log:", e.LogPath())
	return err
}

func showScreen(ctx context.Context, e *engine.Engine, flags *targetFlags, opts engine.Options, m *marks) error {
	var profiles []string
	for _, p := range opts.Profiles {
		profiles = append(profiles, p.Name)
	}
	var askers ui.Askers
	if flags.roster != nil {
		askers = pickable{flags.roster}
	}
	formats, err := format.Parse(flags.settings.Formats)
	if err != nil { // the configuration was checked
		return fmt.Errorf("read [formats]: %w", err)
	}
	o := look(flags)
	o.Askers, o.Version, o.KeyOverrides, o.Formats, o.Editor = askers, versionText(), flags.settings.Keys, formats, editor()
	o.Attended = background.Attend
	spareThreads()
	o.Mark, o.Profiles, o.Notify = m.mark, profiles, notify(flags.settings.Notify)
	o.History = func(root string) ui.History { return &preferences.History{Path: preferences.HistoryPath(root)} }
	release, err := hold(ctx, flags, &o)
	if err != nil {
		return err
	}
	defer release()
	return ui.Run(ctx, e, o)
}

// hold has the screen of these options share the terminal with a shell. It is given
// back by release, and however pausetui ends.
func hold(ctx context.Context, flags *targetFlags, o *ui.Options) (release func(), err error) {
	tty := os.Stdin
	if flags.keys != nil {
		tty = flags.keys
	}
	held, err := terminals.Hold(ctx, tty, os.Stdout)
	if err != nil {
		return nil, err
	}
	o.Input, o.Foreground, o.Continued = held.Input, held.Ours, held.Again
	return held.Release, nil
}

// spareThreads has two more threads run Go code than there are processors. Where
// loading, reading and collecting garbage keep all processors busy, the screen
// would wait for one of those to give way, 10 ms at a time; the system prefers a
// thread that mostly sleeps. It stays so when the processors allowed change.
func spareThreads() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 2)
	}
}

// look is how anything is shown on the terminal.
func look(flags *targetFlags) ui.Options {
	o := ui.Options{Look: ui.Look{Theme: cmp.Or(flags.theme, flags.settings.Theme.Name), Background: themeBackground(flags.settings), Colors: flags.settings.Theme.Colors},
		NoColor: flags.noColor || os.Getenv("NO_COLOR") != "", FPS: frames(), Preferences: &preferences.File{Path: preferences.Path()}}
	return o
}

// frames is how many frames a second are drawn at most: fewer where each of them
// crosses a network.
func frames() int {
	if os.Getenv("SSH_CONNECTION") != "" {
		return 30
	}
	return 0
}

func notify(n config.Notify) ui.Notify {
	return ui.Notify{After: time.Duration(n.After), Bell: n.Bell, Desktop: n.Desktop, Getenv: os.Getenv}
}

// themeBackground is the one that the configuration names; empty where it leaves it
// to the terminal.
func themeBackground(c config.Config) string {
	if c.Theme.Background == config.Auto {
		return ""
	}
	return c.Theme.Background
}

// withoutInterrupt is a context that ends with the signals that end pausetui,
// but for ctrl+c: in lines it halts the target.
func withoutInterrupt(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
}

// showPlain talks in lines. Standard input that is no terminal is a script.
func showPlain(ctx context.Context, e *engine.Engine, flags *targetFlags) error {
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
	input, script := io.Reader(os.Stdin), !term.IsTerminal(os.Stdin.Fd())
	switch {
	case flags.keys != nil:
		input, script = flags.keys, false
	case flags.commands != "":
		input, script = strings.NewReader(flags.commands), true
	}
	return lines.Run(ctx, e, lines.Options{Input: input, Output: os.Stdout, Script: script, Interrupt: interrupts})
}

// editor is what the person has named for editing files.
func editor() string {
	if v := os.Getenv("VISUAL"); v != "" {
		return v
	}
	return os.Getenv("EDITOR")
}
