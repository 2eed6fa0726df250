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
func served(t *testing.T, address string, a Aside) Spec {
	t.Helper()
	if best, reasons := Detect(); best != Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
	s := program(t, Full, "serve", address)
	a.Command = strings.ReplaceAll(a.Command, "CALL", fmt.Sprintf("%s=call '%s' %s", behavior, s.Path, port))
	a.Command = strings.ReplaceAll(a.Command, "ANY", fmt.Sprintf("%s=call '%s' 127.0.0.1:$PAUSETUI_PORT", behavior, s.Path))
	s.Aside = &a
	return s
}

func TestACommandRunsBesideTheProgram(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		aside   Aside
	}{
		"when it listens":           {port, Aside{Command: "CALL gopher; exit 3", Grace: 20 * time.Millisecond}},
		"at the port it listens on": {"127.0.0.1:0", Aside{Command: "ANY gopher; exit 3", Grace: 20 * time.Millisecond}},
		"when a child of it does":   {"child " + port, Aside{Command: "CALL gopher; exit 3", Grace: 20 * time.Millisecond}},
		"when it printed the text":  {port, Aside{Command: "CALL gopher; exit 3", After: "serving", Grace: 20 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			r := mustRun(t, served(t, c.address, c.aside))
			a := r.Aside
			if a == nil || !a.Started || !a.Ended || a.Exit != 3 || a.Signal != "" || string(a.Output) != "hello gopher\n" {
				t.Errorf("aside %+v %q", a, a.Output)
			}
			if !r.Alive() || r.Limit != LimitAside || !strings.Contains(string(r.Output), "asked gopher") || r.Took > 10*time.Second {
				t.Errorf("result %+v, output %q", r, r.Output)
			}
			nothingLeft(t)
		})
	}
}

func TestTheEndOfTheProgramEndsTheCommandBesideIt(t *testing.T) {
	r := mustRun(t, served(t, port, Aside{Command: "CALL die; sleep 1000", Grace: time.Hour}))
	if a := r.Aside; !a.Started || a.Ended {
		t.Errorf("aside %+v %q", a, a.Output)
	}
	if r.Alive() || r.ExitCode != 5 {
		t.Errorf("result %+v", r)
	}
	nothingLeft(t)
}

func TestACommandBesideTheProgramIsContained(t *testing.T) {
	// It would write outside, reach the network, kill everybody, and stay.
	r := mustRun(t, served(t, port, Aside{Command: "echo x > /etc/pausetui-sandbox-test; kill -9 1; kill -9 -1; sleep 1000", Grace: 20 * time.Millisecond}))
	if a := r.Aside; !a.Started {
		t.Errorf("aside %+v", a)
	}
	nothingLeft(t)
	s := served(t, port, Aside{Command: "sleep 1000 & sleep 1000", Grace: time.Hour})
	s.Limits.Wall = 500 * time.Millisecond
	if r = mustRun(t, s); r.Limit != LimitTime || r.Aside.Ended {
		t.Errorf("result %+v, aside %+v", r, r.Aside)
	}
	nothingLeft(t)
}

func TestACommandThatNeverGetsItsTurn(t *testing.T) {
	s := served(t, port, Aside{Command: "CALL gopher", After: "never printed"})
	s.Limits.Wall = 500 * time.Millisecond
	if r := mustRun(t, s); r.Limit != LimitTime || r.Aside.Started {
		t.Errorf("result %+v, aside %+v", r, r.Aside)
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
		s.Aside = &Aside{Command: fmt.Sprintf("%s=call '%s' %s gopher", behavior, s.Path, free), Grace: 20 * time.Millisecond, Ports: []int{free.Port}}
		s.AllowNetwork = tier == Full
		if r := mustRun(t, s); r.Limit != LimitAside || string(r.Aside.Output) != "hello gopher\n" {
			t.Errorf("result %+v, aside %+v %q", r, r.Aside, r.Aside.Output)
		}
		nothingLeft(t)
	})
}

func TestNoCommandRunsWhereTheNetworkIsShared(t *testing.T) {
	s := served(t, port, Aside{Command: "CALL gopher"})
	s.AllowNetwork = true
	if _, err := Run(t.Context(), s); !errors.Is(err, ErrSharedNetwork) {
		t.Errorf("with the network allowed: %v", err)
	}
	s.AllowNetwork, s.Max = false, Landlock
	if _, err := Run(t.Context(), s); !errors.Is(err, ErrSharedNetwork) {
		t.Errorf("in the landlock tier: %v", err)
	}
}
