package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// emptyCaches builds both tools from nothing but downloaded modules.
func emptyCaches() error {
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	build := func(name, cache string, args ...string) (processor, wall float64, size int64, err error) {
		binary := filepath.Join(temp, name)
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "GOCACHE="+filepath.Join(temp, cache), "GOBIN="+temp)
		cmd.Stderr = os.Stderr
		if processor, wall, err = spent(cmd); err != nil {
			return 0, 0, 0, err
		}
		info, err := os.Stat(binary)
		if err != nil {
			return 0, 0, 0, err
		}
		return processor, wall, info.Size() >> 20, nil
	}
	ours, oursWall, oursMB, err := build("pausetui", "ours", "install", "./cmd/pausetui")
	if err != nil {
		return err
	}
	theirs, theirsWall, theirsMB, err := build("dlv", "theirs", "install", "github.com/go-delve/delve/cmd/dlv@v1.27.2")
	if err != nil {
		return err
	}
	_, _, release, err := build("pausetui", "ours", "install", "-ldflags=-s -w", "./cmd/pausetui")
	if err != nil {
		return err
	}
	fmt.Printf("first build, empty cache: ratio %.2f  ours %.0f CPU s (%.0f s, %d MB)  dlv %.0f CPU s (%.0f s, %d MB)   want ≤ 2\n",
		ours/theirs, ours, oursWall, oursMB, theirs, theirsWall, theirsMB)
	fmt.Printf("release binary: %d MB   want ≤ 45 MB\n", release)
	return nil
}
