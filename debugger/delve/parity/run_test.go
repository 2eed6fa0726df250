//go:build linux

package parity

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-delve/delve/pkg/config"
	"github.com/go-delve/delve/pkg/terminal"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve"
	"github.com/pausetui/pausetui/debugger/delve/delvetest"
	"github.com/pausetui/pausetui/engine/console"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/evidence"
)

func TestMain(m *testing.M) {
	reexec.Main()
	_ = os.Setenv("TERM", "dumb") // no colors
	os.Exit(m.Run())
}

// stopLine is the line of the fixture where both look around.
const stopLine = 37

var market = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "parity")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "market")
	text, err := exec.Command("go", "build", "-o", out, "-buildvcs=false", "-gcflags=all=-N -l", "./testdata/market").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return out, err
})

// dlv is dlv's own terminal on a server.
type dlv struct {
	t        *testing.T
	client   *rpc2.RPCClient
	commands *terminal.Commands
	term     *terminal.Term
	out      bytes.Buffer
}

func newDlv(t *testing.T, addr string) *dlv {
	d := &dlv{t: t, client: rpc2.NewClient(addr)}
	d.term = terminal.New(d.client, &config.Config{}, false)
	d.term.RedirectTo(&d.out)
	d.commands = terminal.DebugCommands(d.client)
	return d
}

// say runs a line and returns what dlv prints.
func (d *dlv) say(line string) string {
	d.t.Helper()
	text, err := d.try(line)
	if err != nil {
		d.t.Fatalf("dlv: %s: %v", line, err)
	}
	return text
}

// try is say for a line that may be refused.
func (d *dlv) try(line string) (text string, err error) {
	d.out.Reset()
	err = d.commands.Call(line, d.term)
	return d.out.String(), err
}

// ours is our command line on a server.
type ours struct {
	t     *testing.T
	host  *host
	shell *console.Shell
	at    debugger.FrameRef
}

func newOurs(t *testing.T, addr string) *ours {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	// Without breakpoints of its own: dlv would list them.
	target, err := delve.Connect(t.Context(), delve.ConnectConfig{Addr: addr, UserDirs: []string{dir}, Panics: debugger.PanicsOff})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.Close() })
	h := &host{target: target, state: session.NewState()}
	h.state.Started.Workspace.Dir = t.TempDir()
	return &ours{t: t, host: h, shell: console.NewShell(h, console.Settings{})}
}

// say runs a line and returns the answer as text.
func (o *ours) say(line string) string {
	o.t.Helper()
	text, refused := o.try(line)
	if refused != "" {
		o.t.Fatalf("ours: %s: %s", line, refused)
	}
	return text
}

// try is say for a line that may be refused.
func (o *ours) try(line string) (text, refused string) {
	answer, _ := o.shell.Exec(o.t.Context(), o.at, line)
	if answer.Select != nil {
		o.at = *answer.Select
		o.at.Frame = max(o.at.Frame, 0)
	}
	return answer.Answer(), answer.Err
}

// host is as much of the engine as commands need.
type host struct {
	target *delve.Target
	state  session.State
	stop   debugger.Stop
}

var _ console.Host = (*host)(nil)

func (h *host) State() session.State { return h.state }

func (h *host) Target() (console.Target, error) { return h.target, nil }

func (h *host) Rel(file string) string { return file }

func (h *host) Location(text string) string { return text }

func (h *host) Hits(ctx context.Context) map[int]uint64 {
	hits, _ := h.target.BreakpointHits(ctx)
	return hits
}

func (h *host) Move(ctx context.Context, m debugger.Move, _ bool) (debugger.Stop, error) {
	stop, err := h.target.Move(ctx, m)
	if err == nil {
		h.stop = stop
		h.state.Stops, h.state.Current = []session.StopRecord{{Stop: stop}}, 0
	}
	return stop, err
}

func (h *host) Restart(context.Context, console.Restart) error { return errors.New("not here") }

func (h *host) Jump(ctx context.Context, at debugger.FrameRef, location string) error {
	stop, err := h.target.SetNext(ctx, at, location)
	h.stop = stop
	return err
}

func (h *host) SetBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	set, err := h.target.SetBreakpoint(ctx, b)
	if err == nil {
		h.state.Breakpoints = append(h.state.Breakpoints, set)
	}
	return set, err
}

func (h *host) AmendBreakpoint(ctx context.Context, b debugger.Breakpoint) (debugger.Breakpoint, error) {
	if err := h.target.AmendBreakpoint(ctx, b); err != nil {
		return b, err
	}
	for i := range h.state.Breakpoints {
		if h.state.Breakpoints[i].ID == b.ID {
			h.state.Breakpoints[i] = b
		}
	}
	return b, nil
}

func (h *host) TakeBreakpoints(ctx context.Context) (map[int]int, error) {
	set, gone, err := h.target.TakeBreakpoints(ctx)
	h.state.Breakpoints = slices.DeleteFunc(append(h.state.Breakpoints, set...), func(b debugger.Breakpoint) bool { return slices.Contains(gone, b.ID) })
	numbers := map[int]int{}
	for _, b := range h.state.Breakpoints {
		numbers[b.ID] = b.ID
	}
	return numbers, err
}

func (h *host) ClearBreakpoint(ctx context.Context, id int) error {
	for i, b := range h.state.Breakpoints {
		if b.ID == id {
			h.state.Breakpoints = append(h.state.Breakpoints[:i:i], h.state.Breakpoints[i+1:]...)
		}
	}
	return h.target.ClearBreakpoint(ctx, id)
}

// SubstitutePaths implements console.Host.
func (h *host) SubstitutePaths(rules [][2]string) { h.target.SubstitutePaths(rules) }

func (h *host) Display(list []session.Display) { h.state.Displays = list }

func (h *host) Script(ctx context.Context, path string, run debugger.ScriptHost) error {
	return delve.NewScripts(func() (*delve.Target, error) { return h.target, nil }).Execute(ctx, path, run)
}

func (h *host) Look(context.Context, string) (string, error) { return "", errors.New("no models here") }

func (h *host) Ask(debugger.FrameRef, string) {}

func (h *host) LeadsBack(debugger.Motion) bool { return false }

func (h *host) Back(context.Context, debugger.Motion, string) error { return errors.ErrUnsupported }

func (h *host) Why(context.Context, debugger.FrameRef, string) (evidence.History, error) {
	return evidence.History{}, nil
}

func (h *host) Note(string) {}

func (h *host) Snapshot(context.Context) error { return errors.ErrUnsupported }

func (h *host) Quit(bool) {}

func (h *host) Progress(string) {}

// serve starts a server with the fixture.
func serve(t *testing.T) string {
	t.Helper()
	binary, err := market()
	if err != nil {
		t.Fatal(err)
	}
	return delvetest.Server{Args: []string{binary}}.Start(t).Addr
}

// meet starts a server, stops the fixture in Crate.Weigh, and opens both on it.
func meet(t *testing.T) (*dlv, *ours) {
	t.Helper()
	addr := serve(t)
	d := newDlv(t, addr)
	d.say(fmt.Sprintf("break main.go:%d", stopLine))
	d.say("continue")
	d.say("clear 1")
	state, err := d.client.GetState()
	if err != nil || state.SelectedGoroutine == nil {
		t.Fatalf("no stop: %+v, %v", state, err)
	}
	o := newOurs(t, addr)
	o.at = debugger.FrameRef{Goroutine: debugger.GoroutineID(state.SelectedGoroutine.ID)}
	return d, o
}

// position is where dlv stands.
func (d *dlv) position() string {
	state, err := d.client.GetState()
	if err != nil {
		d.t.Fatal(err)
	}
	th := state.CurrentThread // what dlv knows of the goroutine is that of before a jump
	return place(api.Location{File: th.File, Line: th.Line, Function: th.Function, PC: th.PC})
}

func place(l api.Location) string {
	return fmt.Sprintf("%s %s:%d %#x", l.Function.Name(), filepath.Base(l.File), l.Line, l.PC)
}

// position is where our target stands.
func (o *ours) position() string {
	frames, _, err := o.host.target.Frames(o.t.Context(), o.at.Goroutine, debugger.Page{Count: 1})
	if err != nil || len(frames) == 0 {
		o.t.Fatalf("no frame: %v", err)
	}
	f := frames[0]
	return fmt.Sprintf("%s %s:%d %#x", f.Function, filepath.Base(f.File), f.Line, f.PC)
}

func joined(lines []string) string { return strings.Join(lines, "\n") }
