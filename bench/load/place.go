package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// place is a directory with a person's project, home and state.
type place struct {
	here, bin string
	more      []string // of the environment
}

// newPlace makes one, and builds pausetui unless it is there.
func newPlace(ctx context.Context, bin string) (*place, error) {
	here, err := os.MkdirTemp("", "pausetui-load-")
	if err != nil {
		return nil, err
	}
	p := &place{here: here, bin: bin}
	if p.bin == "" {
		p.bin = p.path("pausetui")
		build := exec.CommandContext(ctx, "go", "build", "-o", p.bin, "./cmd/pausetui")
		if out, err := build.CombinedOutput(); err != nil {
			return p, fmt.Errorf("build pausetui: %w\n%s", err, out)
		}
	}
	p.bin, err = filepath.Abs(p.bin)
	return p, errors.Join(err, os.MkdirAll(p.path("project/debug"), 0o700), os.MkdirAll(p.path("temp"), 0o700))
}

func (p *place) path(name string) string { return filepath.Join(p.here, filepath.FromSlash(name)) }

// write makes the files of an archive in the project.
func (p *place) write(archive string) error {
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if err := os.WriteFile(p.path("project/"+f.Name), f.Data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// command is pausetui in the project.
func (p *place) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.bin, args...)
	cmd.Dir = p.path("project")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor", "XDG_STATE_HOME="+p.path("state"), "XDG_CONFIG_HOME="+p.path("config"),
		"TMPDIR="+p.path("temp"), "OLLAMA_HOST=127.0.0.1:1")
	cmd.Env = append(cmd.Env, p.more...)
	return cmd
}

// screen is pausetui on a terminal.
type screen struct{ *terminal.Terminal }

func (p *place) open(ctx context.Context, args ...string) (screen, error) {
	t, err := terminal.Open(p.command(ctx, args...), columns, rows, nil)
	return screen{t}, err
}

const (
	escape = "\x1b[27u" // as terminals with Kitty's protocol send it
	enter  = "\r"
)

// typed measures keys until done is closed, or as many as given: letters of a line
// that is opened with a key and shown after a prompt. A key is answered when
// the screen shows what was typed.
func (s screen) typed(ctx context.Context, open, prompt string, done <-chan struct{}, most int) ([]time.Duration, error) {
	var took []time.Duration
	for line := 0; len(took) < most; line++ {
		if _, err := s.Type(ctx, open, prompt); err != nil {
			return took, err
		}
		text := ""
		for i := range min(8, most-len(took)) {
			select {
			case <-done:
				return took, s.Press(escape)
			case <-ctx.Done():
				return took, ctx.Err()
			case <-time.After(60 * time.Millisecond):
			}
			letter := string(rune('a' + (line+i*5)%26))
			text += letter
			one, err := s.Type(ctx, letter, prompt+" "+text)
			if err != nil {
				return took, err
			}
			took = append(took, one)
		}
		if err := s.Press(escape); err != nil {
			return took, err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return took, nil
}

// leave ends the program with keys.
func (s screen) leave(keys ...string) error {
	for range 20 {
		for _, key := range keys {
			_ = s.Press(key) // it may end now
			select {
			case <-s.Ended():
				return s.Err()
			case <-time.After(400 * time.Millisecond):
			}
		}
	}
	return fmt.Errorf("it does not end:\n%s", s.Screen())
}

func nineInTen(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(all))[len(all)*9/10]
}

// spread tells how times are distributed.
func spread(all []time.Duration) string {
	if len(all) == 0 {
		return "none typed"
	}
	sorted := slices.Sorted(slices.Values(all))
	ms := func(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d)/1e6) }
	return strings.Join([]string{fmt.Sprint(len(all)), "median " + ms(sorted[len(all)/2]), "90 % within " + ms(nineInTen(all)), "at most " + ms(sorted[len(all)-1])}, ", ")
}
