package dap

import (
	"context"
	"path/filepath"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/cli/setup"
	"github.com/pausetui/pausetui/internal/printable"
	"github.com/pausetui/pausetui/pair"
	"github.com/pausetui/pausetui/pair/dap"
)

// editorSession is a session that an editor has begun.
type editorSession struct {
	*settings
	gate chan struct{} // closed once the program may start

	engine *engine.Engine // nil before it has begun
	room   *pair.Room
	marks  *setup.Marks
	ended  chan error
}

// begin begins the session that a configuration describes.
func (s *editorSession) begin(ctx context.Context, c dap.Client, config dap.Config) (*pair.Seat, error) {
	sys := *s.System
	if dir := config.DlvCwd; dir != "" {
		sys.Getwd = func() (string, error) { return filepath.Abs(dir) }
	}
	m, err := setup.OpenMarks("")
	if err != nil {
		return nil, err
	}
	setup, err := setup.Prepare(&sys, m, &s.Fixes, &s.Log)
	if err != nil {
		return nil, err
	}
	target := &setup.Options.Target
	if err := targetOf(target, config); err != nil {
		return nil, err
	}
	target.Gate = s.gate
	if !target.Mode.Starts() {
		target.Gate = nil // it is held when it is found
	}
	setup.Options.Stores.Mutes = sys.State.Mutes()
	e, err := engine.New(ctx, setup.Options)
	if err != nil {
		return nil, err
	}
	name := c.Name
	if name == "" {
		name = "editor"
	}
	s.engine, s.marks, s.room, s.ended = e, m, pair.New(e, pair.Options{Host: name}), make(chan error, 1)
	s.room.Expect() // so that the editor's own deeds carry its name
	go func() { s.ended <- e.Run(ctx) }()
	return s.room.Host(), nil
}

// end ends the session and waits for its processes.
func (s *editorSession) end() error {
	if s.engine == nil {
		return nil
	}
	s.room.Shut(pair.ErrOver)
	s.engine.Do(intent.Quit{})
	err := <-s.ended
	s.marks.Close()
	printable.Fprintln(s.Stderr, "log:", s.engine.LogPath())
	return cli.LeftInOrder(err)
}
