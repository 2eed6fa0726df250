//go:build linux

package delve

import (
	"errors"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/delvetest"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// connect talks to a server and leaves it at the end of the test.
func connect(t *testing.T, addr string) *Target {
	t.Helper()
	target, err := Connect(t.Context(), ConnectConfig{Addr: addr, UserDirs: []string{testdata(t)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = target.Close() })
	return target
}

func TestConnectToAHeadlessServer(t *testing.T) {
	t.Parallel()
	for name, listen := range map[string]string{"tcp": "", "unix": "unix:" + filepath.Join(t.TempDir(), "dlv")} {
		t.Run(name, func(t *testing.T) {
			server := delvetest.Server{Args: []string{fixture(t, "panics"), "nil map"}, Listen: listen}.Start(t)
			target := connect(t, server.Addr)
			if can := target.Abilities(); !can.Run || !can.Write || !can.Restart || can.Input {
				t.Errorf("abilities: %+v", can)
			}
			stop := resume(t, target, debugger.Continue)
			if stop.Panic == nil || stop.Panic.Class != debugger.NilMapWrite {
				t.Fatalf("stop: %+v", stop)
			}
			if f, ok := stop.SelectedFrame(); !ok || !f.User || !f.Loaded {
				t.Errorf("selected: %+v", f)
			}
		})
	}
}

func TestAServerIsLeftAsItWasFound(t *testing.T) {
	t.Parallel()
	server := delvetest.Server{Args: []string{fixture(t, "ends"), "spin"}}.Start(t)
	first, second := connect(t, server.Addr), connect(t, server.Addr)
	if _, err := first.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.main"}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	// Held as it was, without breakpoints.
	if _, _, err := second.Frames(t.Context(), -1, debugger.Page{}); err != nil {
		t.Fatal(err)
	}
	if _, err := second.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.unlock"}); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = second.Resume(t.Context(), debugger.Continue) }()
	testsupport.Eventually(t, "the server runs the program", func() bool {
		state, err := second.srv.StateNow(t.Context())
		return err == nil && state.Running
	})
	// The third comes while the program runs, holds it, and lets it run on.
	third := connect(t, server.Addr)
	if !third.Other.FoundRunning {
		t.Error("the program was not found running")
	}
	if err := third.Close(); err != nil {
		t.Fatal(err)
	}
	fourth := connect(t, server.Addr)
	if !fourth.Other.FoundRunning {
		t.Error("the program was not left running")
	}
	// The second leaves a program that others have held and let go on meanwhile.
	if err := fourth.Close(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took >= control.AnswerTime {
		t.Errorf("it gave up after %v", took)
	}
	fifth := connect(t, server.Addr)
	left, err := rpc.Call[rpc2.ListBreakpointsOut](t.Context(), fifth.srv.Client, "ListBreakpoints", rpc2.ListBreakpointsIn{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range left.Breakpoints {
		if b.ID > 0 && b.FunctionName == "main.unlock" {
			t.Errorf("left behind: %+v", b)
		}
	}
}

// What another client of the server's has set is not touched, and what is set beside it is
// taken away again.
func TestABreakpointWhereAnotherClientHasOneInPart(t *testing.T) {
	t.Parallel()
	server := delvetest.Server{Args: []string{fixture(t, "moves"), "calls"}}.Start(t)
	other, target := connect(t, server.Addr), connect(t, server.Addr)
	theirs := set(t, other, debugger.Breakpoint{Location: "main.calls.func1"})
	line := debugger.Breakpoint{File: theirs.File, Line: theirs.Line}
	if b := set(t, target, line); b.Function != "main.calls" || b.Places != 1 {
		t.Errorf("set is %+v", b)
	}
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.calls.func1"})
	if !errors.Is(err, debugger.ErrOccupied) || !strings.Contains(advice.Of(err), "another client") {
		t.Errorf("%v (%s)", err, advice.Of(err))
	}
	others, err := target.OtherBreakpoints(t.Context())
	said := map[string]bool{}
	for _, b := range others {
		said[b.Function+": "+b.Why] = true
	}
	if err != nil || !said["main.calls.func1: another client's"] || !said["runtime.fatalpanic: the debugger's own"] || said["main.calls: another client's"] {
		t.Errorf("others are %v, %v", said, err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := rpc.Call[rpc2.ListBreakpointsOut](t.Context(), other.srv.Client, "ListBreakpoints", rpc2.ListBreakpointsIn{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range left.Breakpoints {
		if b.Line == theirs.Line && b.ID != theirs.ID {
			t.Errorf("left behind: %+v", b)
		}
	}
}

// What another client of the server's does with breakpoints is taken over once, and what is
// done with those then is done for both.
func TestBreakpointsOfAnotherClientAreTakenOver(t *testing.T) {
	t.Parallel()
	server := delvetest.Server{Args: []string{fixture(t, "moves"), "calls"}}.Start(t)
	other, target := connect(t, server.Addr), connect(t, server.Addr)
	theirs := set(t, other, debugger.Breakpoint{Location: "main.calls.func1", Name: "lit", Cond: "1==1"})
	mine := set(t, target, debugger.Breakpoint{Location: "main.calls", Cond: "2 == 2", HitCond: "> 3"})
	took := func(who *Target, wantSet, wantGone int) []debugger.Breakpoint {
		t.Helper()
		set, gone, err := who.TakeBreakpoints(t.Context())
		if err != nil || len(set) != wantSet || len(gone) != wantGone {
			t.Fatalf("taken over: %+v, gone %v, %v", set, gone, err)
		}
		return set
	}
	b := took(target, 1, 0)[0]
	if b.ID != theirs.ID || b.Name != "lit" || b.Function != "main.calls.func1" || b.Line != theirs.Line || asDelve(b.Cond) != "1 == 1" {
		t.Errorf("taken over: %+v", b)
	}
	took(target, 0, 0)
	_, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{Location: "main.calls.func1"})
	if !errors.Is(err, debugger.ErrOccupied) || strings.Contains(advice.Of(err), "another client") {
		t.Errorf("%v (%s)", err, advice.Of(err))
	}
	b.Disabled = true
	if err := target.AmendBreakpoint(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	took(target, 0, 0)
	took(other, 2, 0) // mine, and theirs, which is off now
	mine.HitCond = "> 4"
	if err := other.AmendBreakpoint(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	if now := took(target, 1, 0)[0]; now.HitCond != "> 4" || now.Cond != "2 == 2" {
		t.Errorf("changed: %+v", now)
	}
	if err := target.ClearBreakpoint(t.Context(), b.ID); err != nil {
		t.Fatal(err)
	}
	took(target, 0, 0)
	took(other, 0, 1)
}

func TestConnectRefusals(t *testing.T) {
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	go func() {
		for {
			conn, err := deaf.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n"))
			_ = conn.Close()
		}
	}()
	for addr, want := range map[string]string{
		"nonsense":             "not an address",
		"unix:":                "no path",
		"unix:/no/such/socket": "no such file",
		"127.0.0.1:1":          "refused",
		deaf.Addr().String():   "did not answer as a Delve server does",
	} {
		target, err := Connect(t.Context(), ConnectConfig{Addr: addr})
		if err == nil {
			_ = target.Close()
			t.Errorf("%q: connected", addr)
		} else if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", addr, err)
		}
	}
}

func TestTheConnectionsEndIsSaid(t *testing.T) {
	t.Parallel()
	server := delvetest.Server{Args: []string{fixture(t, "ends"), "spin"}}.Start(t)
	target := connect(t, server.Addr)
	t.Cleanup(func() { _ = syscall.Kill(target.PID(), syscall.SIGKILL) }) // what its killed server leaves running
	done := make(chan error, 1)
	go func() {
		_, err := target.Resume(t.Context(), debugger.Continue)
		done <- err
	}()
	isRunning(t, target)
	server.Kill()
	err := <-done
	if err == nil || !strings.Contains(err.Error(), "connection") {
		t.Errorf("resume: %v", err)
	}
}
