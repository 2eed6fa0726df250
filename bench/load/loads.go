package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/pausetui/pausetui/bench/perf/manysessions"
)

const wasteful = `-- go.mod --
module example.org/wasteful

go 1.26
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	for i := range 10_000_000 {
		fmt.Fprintf(out, "%09d the quick brown fox jumps over the lazy dog, and over the next one, and over one more still....\n", i)
	}
	out.Flush()
	panic("enough was said")
}
`

// output has the program print a gigabyte, as fast as it can.
func output(ctx context.Context, p *place, f *figures) error {
	if err := p.write(wasteful); err != nil {
		return err
	}
	s, err := p.open(ctx, "debug", "--offline", ".")
	if err != nil {
		return err
	}
	defer s.End()
	if _, err := s.Wait(ctx, "the quick brown fox"); err != nil {
		return err
	}
	began, stopped := time.Now(), make(chan struct{})
	var took time.Duration
	go func() {
		defer close(stopped)
		_, err = s.Wait(ctx, "enough was said")
		took = time.Since(began)
	}()
	keys, failed := s.typed(ctx, ":", "\n :", stopped, 10_000)
	<-stopped
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	f.keys, f.said = keys, fmt.Sprintf("1 GB of output in %.0f s", took.Seconds())
	if f.memory, err = s.Memory(); err != nil {
		return err
	}
	return s.leave(escape, "q", "y")
}

// sessions adds a hundred sessions a second while the browser is open.
func sessions(ctx context.Context, p *place, f *figures) error {
	const most, second = 3000, 100
	logs := p.path("project/debug")
	if _, err := manysessions.Make(logs, "debug", 0, second, 100<<10); err != nil {
		return err
	}
	s, err := p.open(ctx, "sessions", "--log-dir", logs)
	if err != nil {
		return err
	}
	defer s.End()
	if _, err := s.Wait(ctx, "100 sessions"); err != nil {
		return err
	}
	began, made := time.Now(), make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	defer func() { cancel(); <-made }()
	var bytes int64
	var failed error
	go func() {
		defer close(made)
		for n := second; n < most && failed == nil && ctx.Err() == nil; n += second {
			var size int64
			size, failed = manysessions.Make(logs, "debug", n, n+second, 100<<10)
			bytes += size
			select {
			case <-time.After(time.Until(began.Add(time.Duration(n/second) * time.Second))):
			case <-ctx.Done():
			}
		}
	}()
	if f.keys, err = s.typed(ctx, "", "›", made, 10_000); err != nil {
		return err
	}
	<-made
	if failed != nil {
		return failed
	}
	writing := time.Since(began)
	if _, err := s.Wait(ctx, "3,000 sessions"); err != nil {
		return err
	}
	f.said = fmt.Sprintf("%d sessions with %d MB in %.0f s, all listed %.1f s later", most-second, bytes>>20, writing.Seconds(), (time.Since(began) - writing).Seconds())
	if f.memory, err = s.Memory(); err != nil {
		return err
	}
	return s.leave(escape, "q")
}

// journal has one of a gigabyte among others: it is listed, shown, undone and searched.
func journal(ctx context.Context, p *place, f *figures) error {
	logs := p.path("project/debug")
	if _, err := manysessions.Make(logs, "debug", 0, 20, 100<<10); err != nil {
		return err
	}
	huge := filepath.Join(logs, "20991231-235959-custom.jsonl")
	if err := grow(huge, logs, 1<<30); err != nil {
		return err
	}
	for _, args := range [][]string{{"list"}, {"show", "20991231-235959-custom"}, {"stats"}, {"search", "nil"}, {"undo", "20991231-235959-custom"}, {"resume", "20991231-235959-custom"}} {
		cmd := p.command(ctx, append([]string{"sessions"}, args...)...)
		began := time.Now()
		out, err := cmd.CombinedOutput()
		if refused := (*exec.ExitError)(nil); err != nil && !errors.As(err, &refused) {
			return err
		}
		memory := peak(cmd)
		f.memory = max(f.memory, memory)
		fmt.Printf("  sessions %-30s %4d MB, %.1f s, %.90q\n", args[0], memory, time.Since(began).Seconds(), last(out))
	}
	s, err := p.open(ctx, "sessions")
	if err != nil {
		return err
	}
	defer s.End()
	if _, err := s.Wait(ctx, "21 sessions"); err != nil {
		return err
	}
	if f.keys, err = s.typed(ctx, "", "›", nil, 80); err != nil {
		return err
	}
	memory, err := s.Memory()
	if err != nil {
		return err
	}
	f.memory, f.said = max(f.memory, memory), "a journal of 1 GB"
	return s.leave(escape, "q")
}

// grow makes a journal of one of the sessions in logs, by repeating it.
func grow(path, logs string, size int64) error {
	found, err := filepath.Glob(filepath.Join(logs, "*.jsonl"))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for written := int64(0); written < size; written += int64(len(text)) {
		if _, err := file.Write(text); err != nil {
			return err
		}
	}
	return nil
}
