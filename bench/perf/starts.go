package main

import (
	"os"
	"path/filepath"
	"time"
)

// firstBuild compares the two ways to build for debugging with a build cache
// that holds the ordinary build of everything and nothing else.
func (b bench) firstBuild() ([]two, error) {
	measure := func(gcflags string) (time.Duration, error) {
		cache, err := os.MkdirTemp("", "pausetui-perf-cache-")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(cache)
		env := append(os.Environ(), "GOCACHE="+cache)
		if err := commandEnv(b.dir, env, "go", "build", "-o", os.DevNull, "."); err != nil {
			return 0, err
		}
		began := time.Now()
		err = commandEnv(b.dir, env, "go", "build", "-buildvcs=false", gcflags, "-ldflags=-compressdwarf=false", "-o", filepath.Join(cache, "out"), ".")
		return time.Since(began), err
	}
	ours, err := measure("-gcflags=example.org/perf/...=-N -l")
	if err != nil {
		return nil, err
	}
	theirs, err := measure("-gcflags=all=-N -l")
	return seconds(ours, theirs), err
}

// startToStop: from the start of the process to the painted stop of a binary,
// against dlv exec with the same questions asked.
func (b bench) startToStop() ([]two, error) {
	binary, err := b.forDebugging()
	if err != nil {
		return nil, err
	}
	marks, err := b.command("stop_painted", nil, "exec", binary)
	if err != nil {
		return nil, err
	}
	theirs, err := b.dlv("continue\nstack\nlocals\nexit\n", "exec", binary)
	return seconds(marks["stop_painted"], theirs), err
}

// restart: from the files being written to the target running again, against
// the time that dlv's rebuild adds to a session.
func (b bench) restart() ([]two, error) {
	source := snapshot(b.dir)
	marks, err := b.session([]string{"a", "y"})
	if err != nil {
		return nil, err
	}
	if err := source.restore(); err != nil {
		return nil, err
	}
	without, err := b.fastest("continue\nexit\n", "debug", ".")
	if err != nil {
		return nil, err
	}
	with, err := b.fastest("continue\nrebuild\nexit\n", "debug", ".")
	return seconds(marks["restarted"]-marks["applied"], max(with-without, time.Millisecond)), err
}
