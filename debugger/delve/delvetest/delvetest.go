// Package delvetest runs headless Delve servers for tests, as dlv does with
// --headless, without dlv: the test binary becomes the server.
package delvetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-delve/delve/pkg/logflags"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/service"
	"github.com/go-delve/delve/service/debugger"
	"github.com/go-delve/delve/service/rpccommon"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/supervise"
)

// helperName is the helper (see reexec) that a server is.
const helperName = "test-headless"

func init() { reexec.Register(helperName, serverMain) }

// Server is what a headless server is started with.
type Server struct {
	Args   []string // the program and its arguments
	Attach int      // the process to attach to instead
	Core   string   // the core dump of Args[0] to open instead
	Dir    string   // working directory of the program
	Listen string   // "unix:PATH", or a TCP address; empty: a free port of this machine
	Single bool     // serves one client and ends with it
	Output string   // file for what the program prints; empty: nothing
}

// Running is a server that answers.
type Running struct {
	Addr string // as ConnectConfig takes it

	supervisor *os.Process
	end        context.CancelFunc // of the server and its program
	ended      chan struct{}
}

// serverMain runs this process as the Server that standard input describes.
func serverMain([]string) int {
	var s Server
	if err := json.NewDecoder(os.Stdin).Decode(&s); err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	if err := s.serve(); err != nil {
		fmt.Println("failed:", err)
		return 1
	}
	return 0
}

// serve does what dlv's own main does.
func (s Server) serve() error {
	if err := logflags.Setup(false, "", ""); err != nil {
		return err
	}
	network, addr := "tcp", s.Listen
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
	} else if addr == "" {
		addr = "127.0.0.1:0"
	}
	listener, err := net.Listen(network, addr)
	if err != nil {
		return err
	}
	if network == "tcp" {
		s.Listen = listener.Addr().String()
	}
	gone := make(chan struct{})
	server := rpccommon.NewServer(&service.Config{
		Listener: listener, ProcessArgs: s.Args, AcceptMulti: !s.Single, APIVersion: 2, DisconnectChan: gone,
		Debugger: debugger.Config{
			WorkingDir: s.Dir, Backend: "default", AttachPid: s.Attach, CoreFile: s.Core,
			ExecuteKind: debugger.ExecutingExistingFile,
			Stdout:      proc.OutputRedirect{Path: s.output()}, Stderr: proc.OutputRedirect{Path: s.output()},
		},
	})
	if err := server.Run(); err != nil {
		return err
	}
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, syscall.SIGINT, syscall.SIGTERM)
	fmt.Println("listening", s.Listen)
	select {
	case <-gone:
	case <-interrupted:
	}
	return server.Stop()
}

func (s Server) output() string {
	if s.Output == "" {
		return os.DevNull
	}
	return s.Output
}

// Start starts a server, which ends with the test.
func (s Server) Start(t testing.TB) *Running {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := supervise.Helper(ctx, helperName) // nothing is left of it, even when the test is killed
	cmd.Stdin = bytes.NewReader(text)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		end()
		t.Fatal(err)
	}
	r := &Running{supervisor: cmd.Process, end: end, ended: make(chan struct{})}
	var verb string
	if _, err := fmt.Fscan(out, &verb, &r.Addr); err != nil || verb != "listening" {
		end()
		_ = cmd.Wait()
		t.Fatalf("the server did not start: %v, %q %q", err, verb, r.Addr)
	}
	go func() {
		defer close(r.ended)
		_ = cmd.Wait()
	}()
	t.Cleanup(r.Stop)
	return r
}

// Stop ends the server as ctrl+c does: with the program it has started.
func (r *Running) Stop() {
	_ = r.supervisor.Signal(syscall.SIGTERM)
	select {
	case <-r.ended:
	case <-time.After(10 * time.Second):
	}
	r.end()
	<-r.ended
}

// Kill ends the server without a chance to put anything in order.
func (r *Running) Kill() {
	if below := supervise.Descendants(r.supervisor.Pid); len(below) > 0 {
		_ = syscall.Kill(below[0], syscall.SIGKILL)
	}
	<-r.ended
}
