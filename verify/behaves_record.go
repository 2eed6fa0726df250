package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/verify/behavior"
)

// names tell functions of a candidate from those of others.
func names(functions []behavior.Function) string {
	var key strings.Builder
	for _, f := range functions {
		fmt.Fprintf(&key, "%d %s %s\n", f.Num, f.File, f.Expression())
	}
	return key.String()
}

// recorded runs the unpatched program and records the calls of its functions, once.
func (b *behaving) recorded(ctx context.Context) (recording, error) {
	functions := b.old.functions
	return b.old.recording.Get(ctx, func(ctx context.Context) (recording, error) {
		if why := b.Subject.Unrunnable; why != "" {
			return recording{why: why}, nil
		}
		overlay := map[string]string{}
		for _, file := range distinct(functions, fileName) {
			path, err := b.addReplay(file, overlay)
			if err != nil {
				return recording{why: err.Error()}, nil // the check is skipped then, and says why
			}
			text, err := b.Source(file, nil)
			if err != nil {
				return recording{}, err
			}
			if overlay[file], err = behavior.Record(text, path, those(functions, fileName, file)); err != nil {
				return recording{}, err
			}
		}
		built, err := build.Build(ctx, b.Spec(filepath.Join(b.dir, "program"), nil, overlay), nil)
		if err != nil {
			return recording{}, err
		}
		calls, err := os.Create(filepath.Join(b.dir, "calls"))
		if err != nil {
			return recording{}, fmt.Errorf("record calls: %w", err)
		}
		defer calls.Close()
		if err := b.runToPanic(ctx, built.Binary, calls); err != nil {
			return recording{}, err
		}
		text, err := io.ReadAll(io.NewSectionReader(calls, 0, maxCalls))
		if err != nil {
			return recording{}, fmt.Errorf("read the recorded calls: %w", err)
		}
		var r recording
		r.calls, r.unable = behavior.Recorded(text)
		return r, nil
	})
}

// runToPanic runs a program that records calls, until it ends, or a panic is recorded: one
// that lives on has nothing else to tell.
func (b *behaving) runToPanic(ctx context.Context, binary string, calls *os.File) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for at := int64(0); ; {
			select {
			case <-running.Done():
				return
			case <-ticker.C:
			}
			text, err := io.ReadAll(io.NewSectionReader(calls, at, maxCalls))
			if err != nil || bytes.Contains(text, []byte(behavior.PanicMark)) {
				cancel()
				return
			}
			at += int64(bytes.LastIndexByte(text, '\n') + 1)
		}
	}()
	_, err := b.Execute(running, binary, b.Wall(), calls)
	cancel()
	<-done
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// addReplay adds package replay to the module of a file, and returns its import path there.
func (b *behaving) addReplay(file string, overlay map[string]string) (string, error) {
	m, err := b.OwnModule(file)
	if err != nil {
		return "", err
	}
	for name, text := range behavior.Sources() {
		overlay[behavior.Place(m.Dir, name)] = text
	}
	return behavior.ImportPath(m.Path), nil
}
