package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
)

// The disk is full while a run is under way: that is said, what was stored is
// whole, and the same command goes on when there is room.
func TestARunOnAFullDisk(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=128k"); err != nil {
		t.Skipf("mount a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	filler := filepath.Join(disk, "filler")
	asked := 0
	server := ollamatest.New(t, ollamatest.Model{Name: "good:7b", Digest: "good", Capabilities: []string{"completion"}, Script: func(ollamatest.Request) []ollamatest.Step {
		if asked++; asked == 2 {
			_ = os.WriteFile(filler, make([]byte, 1<<20), 0o600) // as much as there is room for
		}
		return []ollamatest.Step{{Text: smallFix}}
	}})
	b := newBenchmark(t, 3, server)
	run := filepath.Join(disk, "run")
	cmd, out := b.command(append(b.flags[:len(b.flags):len(b.flags)], "--dir", run)...)
	if err := cmd.Run(); err == nil || !strings.Contains(out.String(), "no space left") {
		t.Errorf("%v\n%s", err, out)
	}
	testsupport.Eventually(t, "room", func() bool { return os.Remove(filler) == nil })
	before := strings.Count(get(t, filepath.Join(run, "results.jsonl")), "\n")
	if text := b.part(run); !strings.Contains(text, "6 cells, complete") {
		t.Errorf("%s", text)
	}
	if before < 1 || before > 5 {
		t.Errorf("%d results before the disk was full", before)
	}
	if asked != 4 { // the answer that could not be stored is asked for again
		t.Errorf("3 cells: asked %d times", asked)
	}
}
