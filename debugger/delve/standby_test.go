//go:build linux

package delve

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/debugger"
)

func TestAStandbyIsTakenOnce(t *testing.T) {
	t.Parallel()
	standby, err := Stand(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := standby.target
	config := Config{Binary: fixture(t, "panics"), Args: []string{"nil map"}, Standby: standby}
	for _, taken := range []bool{true, false} {
		target, err := Launch(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		if (target == server) != taken {
			t.Errorf("taken: %v, want %v", target == server, taken)
		}
		if stop, err := target.Resume(t.Context(), debugger.Continue); err != nil || stop.Panic == nil {
			t.Errorf("%+v, %v", stop, err)
		}
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := standby.Close(); err != nil {
		t.Error(err)
	}
}

func TestAStandbyThatHasDiedIsReplaced(t *testing.T) {
	t.Parallel()
	standby, err := Stand(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := standby.target
	server.srv.Kill()
	<-server.srv.Lost
	target, err := Launch(t.Context(), Config{Binary: fixture(t, "panics"), Standby: standby})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	if target == server {
		t.Error("the dead one was taken")
	}
}

func TestAStandbyThatNobodyWantsEnds(t *testing.T) {
	t.Parallel()
	standby, err := Stand(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := standby.target
	if err := standby.Close(); err != nil {
		t.Error(err)
	}
	<-server.srv.Lost
}

// The target runs as any program does, whatever helped to launch it.
func TestTheTargetIsScheduledAsWeAre(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "panics"), Args: []string{"nil map"}})
	theirs, err := unix.SchedGetAttr(target.PID(), 0)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if theirs.Policy != ours.Policy {
		t.Errorf("policy %d, want %d", theirs.Policy, ours.Policy)
	}
}
