package main

import (
	"net"
	"os/exec"
	"syscall"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// A session in lines is shared, too.
func TestShareInLines(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("ssh is not installed: apt-get install openssh-client")
	}
	host := startTerminal(t, program(t, emptyMapProgram), 120, 60, nil, "debug", "--plain", "--offline", "--share", ".")
	host.wait("you are asked before anybody joins")
	host.wait("Host key:")
	lea := guest(t, host, "lea", 100, 30)
	host.wait("lea wants to come in by ssh")
	host.keys("admit lea\r")
	host.wait("lea: joined as viewer")
	lea.wait("nil-map-write")
	lea.keys("@")
	host.wait("lea asks for the wheel")
	host.keys("wheel lea\r")
	lea.wait("▸you")
	lea.keys(":", "say look here\r", escape)
	host.wait("lea: look here")
	host.keys("chat I do\r")
	lea.wait("I do")
	lea.keys("b") // the others see what a driver does
	host.wait("breakpoint 1 at main.go")
	host.keys("wheel\r")
	host.wait("you drive now")
	host.keys("people\r")
	host.wait("lea  viewer")
	host.keys("unshare\r")
	host.wait("the session is no longer shared")
	lea.wait("The host no longer shares the session")
	lea.exit()
	host.keys("quit\r")
	if code := host.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// lets has the host let a guest in, after how to come in was closed.
func (x *terminal) lets(guest *terminal, name string) {
	x.t.Helper()
	guest.wait("Waiting for the host")
	x.keys("\r")
	x.confirm("Let " + name + " in?")
	guest.wait("nil-map-write")
	x.wait(name + ": joined")
}

// reads opens the first fix.
func (x *terminal) reads() {
	x.t.Helper()
	x.wait("make terms in main")
	x.keys("6")
	x.wait("Fix 1 ·") // a preview
	x.keys("\r")
	x.wait("t split") // what a fix that is open offers
}

// One follows another, asks to be followed, is banned; the end of sharing ends
// the others' part and leaves the session as it is.
func TestFollowLeadBanUnshare(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	host := hosted(t)
	key := sshKey(t)
	lea := guest(t, host, "lea", 120, 36, key)
	host.lets(lea, "lea")
	lea.keys(":", "lead\r", escape)
	host.wait("lea asks you to follow")
	host.keys(":", "follow lea\r", escape)
	host.wait("you follow lea")
	lea.reads()
	host.wait("Fix 1 ·")
	lea.keys("1") // back to the source
	lea.gone("Fix 1 ·")
	host.gone("Fix 1 ·")
	host.keys(":", "follow off\r", escape)
	host.wait("you follow nobody")

	host.keys(":", "ban lea\r", escape)
	lea.wait("does not want you")
	lea.exit()
	host.keys(":", "invite\r")
	host.wait("This session is shared")
	again := guest(t, host, "lea", 120, 36, key)
	again.wait("does not want you")
	again.exit()
	host.keys("\r")
	host.gone("This session is shared")
	host.keys(":", "invite\r") // the code was used
	host.wait("This session is shared")
	max := guest(t, host, "max", 80, 24)
	addr := host.waitMatch(invitation)
	host.lets(max, "max")
	host.keys(":", "unshare\r", escape)
	max.wait("no longer shares the session")
	max.exit()
	testsupport.Eventually(t, "the port is closed", func() bool {
		c, err := net.Dial("tcp", net.JoinHostPort(addr[2], addr[1]))
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	host.wait("nil-map-write")
	host.leave()
}

// A guest whose client is suspended delays nobody; when it goes on, it shows what
// has happened meanwhile.
func TestASuspendedGuest(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	host := hosted(t)
	lea := guest(t, host, "lea", 100, 30)
	host.lets(lea, "lea")
	host.keys(":", "invite\r")
	host.wait("This session is shared")
	max := guest(t, host, "max", 80, 24)
	host.lets(max, "max")
	if err := max.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"one", "two", "three"} {
		host.keys(":", "say number "+words+"\r", escape)
		lea.wait("number " + words)
	}
	if err := max.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	max.wait("number three")
	host.leave()
	for _, guest := range []*terminal{lea, max} {
		guest.wait("The session has ended")
		guest.exit()
	}
}

// A guest whose line was lost comes back to the same place with the same key,
// without being asked.
func TestAGuestComesBack(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	host := hosted(t)
	key := sshKey(t)
	lea := guest(t, host, "lea", 120, 36, key)
	host.lets(lea, "lea")
	lea.reads()
	if err := lea.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	host.wait("lea: left")
	back := startProgram(t, t.TempDir(), 100, 30, nil, "ssh", lea.cmd.Args[1:]...)
	back.wait("Fix 1 ·")
	host.leave()
	back.wait("The session has ended")
	back.exit()
}

// A host that is terminated, as by a closed terminal or a shutdown, ends the
// session of the guests with a word, and gives their terminals back.
func TestATerminatedHostSaysGoodbye(t *testing.T) {
	t.Parallel()
	host := hosted(t)
	lea := guest(t, host, "lea", 100, 30, sshKey(t))
	host.lets(lea, "lea")
	if err := host.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	lea.wait("The session has ended")
	lea.exit()
}
