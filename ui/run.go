// Package ui is the full-screen frontend of the engine, made with Bubble Tea. It turns
// keys into intents and events into a screen.
//
// One root model routes a key to the dialog, then to what is being typed, then
// to the global keys, then to the focused pane. Update and View do no I/O:
// reads of the target and of files are commands whose answers carry the stop
// they belong to, and stale ones are dropped. Everything that comes from
// outside is cleaned (package text) before it is drawn.
package ui

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/colorprofile"
	"github.com/pausetui/pausetui/debugger/format"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/ui/frames"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/updates"
)

// Options are the settings of the program.
type Options struct {
	Version      string
	NoColor      bool                                  // draw without colors; signs carry the meaning
	Editor       string                                // the person's editor, with its arguments; empty when there is none
	Sessions     []string                              // shows past sessions on the terminal: a program with its arguments; empty for none
	Clock        func() time.Time                      // nil means time.Now
	Mark         func(name string)                     // called with first_frame and stop_painted, once each; may be nil
	Input        io.Reader                             // nil means the terminal
	Output       io.Writer                             // nil means standard output
	Foreground   func() bool                           // whether the terminal is ours to draw on; nil means always
	Continued    func(context.Context) <-chan struct{} // returns a channel that receives whenever it is ours again; may be nil
	Profiles     []string                              // names of the profiles that f asks
	Askers       Askers                                // who F offers; nil for Profiles alone
	KeyOverrides map[string]string                     // action to key, see keymap.New
	Formats      format.Formats                        // the person's own ways to write values
	Dark         *bool                                 // the background; nil asks the terminal
	Look         Look                                  // the colors
	Preferences  Preferences                           // what is remembered between sessions; nil for nothing
	Guide        func(session.Notice) bool             // of a tour: reports whether a notice is one of its steps, which stays until the next; else nil
	Attended     func()                                // called when a person uses the keyboard or sees a new stop; may be nil
	Deaf         time.Duration                         // how long keys are ignored after something appeared by itself; 0 for 300 ms
	FPS          int                                   // frames a second, 0 for 60; the answer to a key may be one more
	Notify       Notify                                // how a person is called back; never without After
	History      func(root string) History             // of the command line of the module in a directory; nil for none
	Seat         *pair.Seat                            // in a session that may be shared; nil where it cannot be
	Remote       *Remote                               // the terminal of a guest; nil for this process's own
}

// Remote is a terminal that is reached over a connection.
type Remote struct {
	Environ []string // what describes it: TERM, COLORTERM, …
	Size    pair.Size
	Resized <-chan pair.Size
}

// Run shows the session until the person quits or ctx ends. It returns nil when
// the person quit. The terminal is restored in any case.
func Run(ctx context.Context, e engine.Client, opts Options) error {
	return show(ctx, e, opts, func() { giveBack(opts.Input) }) // what still comes may take long: ctrl+c ends it
}

// show is Run; it calls left when the screen has been left.
func show(ctx context.Context, e engine.Client, opts Options, left func()) error {
	keys, err := keymap.New(opts.KeyOverrides)
	if err != nil {
		return fmt.Errorf("key table: %w", err)
	}
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := frames.NewWriter(opts.Output, opts.Mark, opts.Foreground)
	m := newModel(ctx, e, opts, keys)
	m.paint = out
	shown := &frames.Regained{Model: m}
	program := tea.NewProgram(shown, programOptions(opts, out)...)
	m.pace = frames.NewPace(program, opts.FPS)
	shown.Pace = m.pace
	out.Painted = m.pace.Painted
	var helpers sync.WaitGroup
	helpers.Go(func() { updates.Pump(ctx, e, program.Send) })
	if opts.Seat != nil {
		helpers.Go(func() { watchRoom(ctx, opts.Seat, program.Send) })
	}
	if opts.Remote != nil {
		helpers.Go(func() { resized(ctx, program, opts.Remote.Resized) })
	}
	helpers.Go(func() { frames.Regain(ctx, program, opts.Continued) })
	// The context is not given to Bubble Tea: that would kill the program, which
	// then leaves its input reader running.
	stop := context.AfterFunc(outer, program.Quit)
	_, err = program.Run()
	left()
	stop()
	cancel()
	helpers.Wait()
	m.reads.close()
	if err == nil && outer.Err() != nil {
		return context.Cause(outer)
	}
	return err
}

// resized passes on the sizes of a terminal that is reached over a connection.
func resized(ctx context.Context, program *tea.Program, sizes <-chan pair.Size) {
	for {
		select {
		case <-ctx.Done():
			return
		case size := <-sizes:
			program.Send(tea.WindowSizeMsg{Width: size.Width, Height: size.Height})
		}
	}
}

func programOptions(opts Options, out io.Writer) []tea.ProgramOption {
	// Signals come as the end of the context. Bubble Tea's own handler would send
	// its message to a program that has just quit because of that, and never end.
	list := []tea.ProgramOption{tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithFilter(sized(opts.Remote))}
	if opts.FPS > 0 {
		list = append(list, tea.WithFPS(opts.FPS))
	}
	if opts.Input != nil {
		list = append(list, tea.WithInput(opts.Input))
	}
	environ := os.Environ()
	if r := opts.Remote; r != nil {
		environ = r.Environ
		list = append(list, tea.WithColorProfile(colorprofile.Env(environ)), tea.WithWindowSize(r.Size.Width, r.Size.Height))
	}
	if opts.NoColor {
		environ = append(environ, "NO_COLOR=1")
	}
	if opts.NoColor || opts.Remote != nil {
		list = append(list, tea.WithEnvironment(environ))
	}
	return list
}

// The sizes of screens that are drawn: a terminal can say what its size is in its input,
// too, and a guest types what they like.
var (
	ownSizes   = [2]pair.Size{{}, {Width: 2000, Height: 1000}}
	guestSizes = [2]pair.Size{pair.SmallestGuest, pair.LargestGuest}
)

// sized takes other sizes for the nearest.
func sized(remote *Remote) func(tea.Model, tea.Msg) tea.Msg {
	bounds := ownSizes
	if remote != nil {
		bounds = guestSizes
	}
	return func(_ tea.Model, msg tea.Msg) tea.Msg {
		size, ok := msg.(tea.WindowSizeMsg)
		if !ok {
			return msg
		}
		within := pair.Size{Width: size.Width, Height: size.Height}.Within(bounds[0], bounds[1])
		return tea.WindowSizeMsg{Width: within.Width, Height: within.Height}
	}
}

// KeyTable is the tables of keys and of the mouse in markdown, as docs/reference/keys.md shows it.
func KeyTable() string {
	t, err := keymap.New(nil)
	if err != nil {
		return "" // the table of keys has no key twice; a test holds it to that
	}
	return t.Markdown() + "\n" + keymap.MouseMarkdown()
}
