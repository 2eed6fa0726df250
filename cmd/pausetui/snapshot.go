package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/scratch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/bundle"
)

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
func (o *resumeOptions) thaw(e session.Entry, opts *engine.Options) (remove func(), err error) {
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
	opts.Log.From = &engine.CoreDump{Binary: opened.Binary, Core: opened.Core}
	return remove, nil
}
