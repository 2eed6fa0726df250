package sandbox

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// port is one that is free in any case: the sandbox has its own.
const port = "127.0.0.1:8080"

// served is a server with a command next to it that calls it.
func served(t *testing.T, address string, a Repro) Spec {
	t.Helper()
	if best, reasons := Detect(); best != Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
	s := program(t, Full, "serve", address)
	a.Command = strings.ReplaceAll(a.Command, "CALL", fmt.Sprintf("%s=call '%s' %s", behavior, s.Path, port))
	a.Command = strings.ReplaceAll(a.Command, "ANY", fmt.Sprintf("%s=call '%s' 127.0.0.1:$PAUSETUI_PORT", behavior, s.Path))
	s.Repro = &a
	return s
}

func TestACommandRunsBesideTheProgram(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		repro   Repro
	}{
		"when it listens":           {port, Repro{Command: "CALL gopher; exit 3", Grace: 20 * time.Millisecond}},
		"at the port it listens on": {"127.0.0.1:0", Repro{Command: "ANY gopher; exit 3", Grace: 20 * time.Millisecond}},
		"when a child of it does":   {"child " + port, Repro{Command: "CALL gopher; exit 3", Grace: 20 * time.Millisecond}},
		"when it printed the text":  {port, Repro{Command: "CALL gopher; exit 3", After: "serving", Grace: 20 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustRun(t, served(t, c.address, c.repro))
			a := r.Repro
			if a == nil || !a.Started || !a.Ended || a.Exit != 3 || a.Signal != "" || string(a.Output) != "hello gopher\n" {
				t.Errorf("repro %+v %q", a, a.Output)
			}
			if !r.Alive() || r.Limit != LimitRepro || !strings.Contains(string(r.Output), "asked gopher") || r.Took > 10*time.Second {
				t.Errorf("result %+v, output %q", r, r.Output)
			}
			nothingLeft(t)
		})
	}
}

func TestTheEndOfTheProgramEndsTheCommandBesideIt(t *testing.T) {
	r := mustRun(t, served(t, port, Repro{Command: "CALL die; sleep 1000", Grace: time.Hour}))
	if a := r.Repro; !a.Started || a.Ended {
		t.Errorf("repro %+v %q", a, a.Output)
	}
	if r.Alive() || r.ExitCode != 5 {
		t.Errorf("result %+v", r)
	}
	nothingLeft(t)
}

func TestACommandBesideTheProgramIsContained(t *testing.T) {
	// It would write outside, reach the network, kill everybody, and stay.
	r := mustRun(t, served(t, port, Repro{Command: "echo x > /etc/pausetui-sandbox-test; kill -9 1; kill -9 -1; sleep 1000", Grace: 20 * time.Millisecond}))
	if a := r.Repro; !a.Started {
		t.Errorf("repro %+v", a)
	}
	nothingLeft(t)
	s := served(t, port, Repro{Command: "sleep 1000 & sleep 1000", Grace: time.Hour})
	s.Limits.Wall = 500 * time.Millisecond
	if r = mustRun(t, s); r.Limit != LimitTime || r.Repro.Ended {
		t.Errorf("result %+v, repro %+v", r, r.Repro)
	}
	nothingLeft(t)
}

func TestACommandThatNeverGetsItsTurn(t *testing.T) {
	s := served(t, port, Repro{Command: "CALL gopher", After: "never printed"})
	s.Limits.Wall = 500 * time.Millisecond
	if r := mustRun(t, s); r.Limit != LimitTime || r.Repro.Started {
		t.Errorf("result %+v, repro %+v", r, r.Repro)
	}
}

// Where the network is shared, the program is told to listen on a free port.
func TestACommandRunsBesideTheProgramInASharedNetwork(t *testing.T) {
	tiers(t, func(t *testing.T, tier Tier) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		free := l.Addr().(*net.TCPAddr)
		_ = l.Close()
		s := program(t, tier, "serve", free.String())
		s.Repro = &Repro{Command: fmt.Sprintf("%s=call '%s' %s gopher", behavior, s.Path, free), Grace: 20 * time.Millisecond, Ports: []int{free.Port}}
		s.AllowNetwork = tier == Full
		if r := mustRun(t, s); r.Limit != LimitRepro || string(r.Repro.Output) != "hello gopher\n" {
			t.Errorf("result %+v, repro %+v %q", r, r.Repro, r.Repro.Output)
		}
		nothingLeft(t)
	})
}

func TestNoCommandRunsWhereTheNetworkIsShared(t *testing.T) {
	s := served(t, port, Repro{Command: "CALL gopher"})
	s.AllowNetwork = true
	if _, err := Run(t.Context(), s); !errors.Is(err, ErrSharedNetwork) {
		t.Errorf("with the network allowed: %v", err)
	}
	s.AllowNetwork, s.Max = false, Landlock
	if _, err := Run(t.Context(), s); !errors.Is(err, ErrSharedNetwork) {
		t.Errorf("in the landlock tier: %v", err)
	}
}
