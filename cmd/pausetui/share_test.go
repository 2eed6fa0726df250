package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// emptyMapProgram writes to a map that was not made.
const emptyMapProgram = `package main

type index struct{ terms map[string]int }

func (x *index) add(term string) {
	x.terms[term]++
}

func main() {
	x := &index{}
	x.add("go")
}
`

// invitation is what a host's screen says about how to come in.
var invitation = regexp.MustCompile(`ssh -p (\d+) (\S+)[\s\S]*?code:\s+(\w{5}-\w{5})`)

// hosted starts a session that stops and is shared, and returns its screen.
func hosted(t *testing.T, args ...string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("ssh"); err != nil {
		t.Skip("ssh is not installed: apt-get install openssh-client")
	}
	host := startTerminal(t, program(t, emptyMapProgram), 140, 40, []string{"USER=anna"}, append([]string{"debug", "--offline", "--share"}, args...)...)
	host.wait("This session is shared")
	return host
}

// guest starts the real OpenSSH client.
func guest(t *testing.T, host *terminal, name string, cols, rows int, key ...string) *terminal {
	t.Helper()
	found := host.waitMatch(invitation)
	args := []string{"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=" + filepath.Join(t.TempDir(), "known"),
		"-o", "SendEnv=COLORTERM", "-o", "IdentityAgent=none", "-l", name, "-p", found[1]}
	if len(key) == 0 {
		args = append(args, "-o", "PubkeyAuthentication=no")
	}
	for _, k := range key {
		args = append(args, "-i", k, "-o", "IdentitiesOnly=yes")
	}
	g := startProgram(t, t.TempDir(), cols, rows, nil, "ssh", append(args, found[2])...)
	g.wait("Invitation code")
	g.keys(found[3] + "\r")
	return g
}

func sshKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "id")
	if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path).CombinedOutput(); err != nil {
		t.Fatalf("ssh-keygen: %v: %s", err, out)
	}
	return path
}

// Two colleagues come in with nothing but ssh, each with a screen of their own.
func TestShareWithTheOpenSSHClient(t *testing.T) {
	t.Parallel()
	host := hosted(t)
	lea := guest(t, host, "lea", 100, 30, sshKey(t))
	lea.wait("Waiting for the host")
	host.keys("\r") // closes how to come in
	host.wait("Let lea in?")
	host.wait("SHA256:")
	host.keys("y")
	lea.wait("nil-map-write")
	host.wait("lea: joined")

	lea.keys("c") // a viewer lets nothing run
	lea.wait("you are looking on: @ asks for the wheel")
	lea.keys("@")
	host.wait("Give lea the wheel?")
	host.keys("y")
	lea.wait("▸you")
	lea.keys(":", "whatis x\r")
	lea.wait("*main.index")
	lea.keys(escape, ":", "say look here\r", escape)
	host.wait("lea: look here")

	host.keys(":", "invite\r")
	host.wait("This session is shared")
	max := guest(t, host, "max", 80, 24)
	host.keys("\r")
	host.wait("Let max in?")
	host.wait("There is no key")
	host.keys("n")
	max.wait("did not admit you")
	max.exit()

	lea.resize(120, 35)
	lea.wait("nil-map-write")
	host.keys("@") // takes the wheel back
	lea.wait("▸")
	host.keys("q", "y")
	host.exit()
	lea.wait("The session has ended")
	lea.exit()
	host.wait("log:") // what it printed last may still be on its way
}
