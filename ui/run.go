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
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/pausetui/pausetui/engine/live"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/ui/company"
	"github.com/pausetui/pausetui/ui/editor"
	"github.com/pausetui/pausetui/ui/frames"
	"github.com/pausetui/pausetui/ui/keymap"
	"github.com/pausetui/pausetui/ui/options"
	"github.com/pausetui/pausetui/ui/updates"
)

// Run shows the session until the person quits or ctx ends. It returns nil when
// the person quit. The terminal is restored in any case.
func Run(ctx context.Context, e live.Client, opts options.Screen) error {
	return show(ctx, e, opts, func() { editor.GiveBack(opts.Input) }) // what still comes may take long: ctrl+c ends it
}

// show is Run; it calls left when the screen has been left.
func show(ctx context.Context, e live.Client, opts options.Screen, left func()) error {
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
	m.Paint = out
	shown := &frames.Regained{Model: m}
	program := tea.NewProgram(shown, options.Program(opts, out)...)
	m.Pace = frames.NewPace(program, opts.FPS)
	shown.Pace = m.Pace
	out.Painted = m.Pace.Painted
	var helpers sync.WaitGroup
	helpers.Go(func() { updates.Pump(ctx, e, program.Send) })
	if opts.Seat != nil {
		helpers.Go(func() { company.WatchRoom(ctx, opts.Seat, program.Send) })
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
	m.Reads.Close()
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

// KeyTable is the tables of keys and of the mouse in markdown, as docs/reference/keys.md shows it.
func KeyTable() string {
	t, err := keymap.New(nil)
	if err != nil {
		return "" // the table of keys has no key twice; a test holds it to that
	}
	return t.Markdown() + "\n" + keymap.MouseMarkdown()
}
