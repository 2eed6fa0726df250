package main

import (
	"errors"
	"os/exec"
	"regexp"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// invitation is what a host's screen says about how to come in.
var invitation = regexp.MustCompile(`ssh -p (\d+) (\S+)[\s\S]*?code:\s+(\w{5}-\w{5})`)

// invited has a guest come in with the OpenSSH client.
func invited(name string) step {
	return step{do: func(r *run) error {
		var found []string
		if !r.until(patience, func() bool {
			found = invitation.FindStringSubmatch(r.term.Screen())
			return found != nil && !r.codes[found[3]] || r.ended()
		}) || r.ended() {
			return errors.New("no invitation on the screen that was not used")
		}
		r.codes[found[3]] = true
		cmd := exec.Command("ssh", "-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile="+r.path("home/.ssh/"+name),
			"-o", "IdentityAgent=none", "-o", "PubkeyAuthentication=no", "-l", name, "-p", found[1], found[2])
		cmd.Dir, cmd.Env = r.path("home"), r.env()
		guest, err := terminal.Open(cmd, 100, 30, nil)
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.guests, r.others = append(r.guests, guest), append(r.others, guest.PID())
		r.mu.Unlock()
		if err := r.shows(guest, "Invitation code"); err != nil {
			return err
		}
		return guest.Press(found[3] + enter)
	}}
}

// checkGuests wants the guests' clients to end when the host has.
func (r *run) checkGuests() {
	for _, g := range r.guests {
		if !r.until(afterPatience, func() bool {
			select {
			case <-g.Ended():
				return true
			default:
				_ = g.Press(enter) // who is asked for a code does not look at the connection
				return false
			}
		}) {
			r.fail("a guest is still there:\n%s", trimmed(g.Screen()))
		}
		g.End()
	}
}

// notice is the time that a dialog ignores keys for.
var notice = step{do: func(*run) error { time.Sleep(400 * time.Millisecond); return nil }}

var shared = []step{press("", "This session is shared"), invited("lea"), press(enter, "Let lea in?"), notice, press("y", "lea: joined"),
	press(escape), press(":"), press("invite"+enter, "This session is shared"), invited("max"), press(enter, "Let max in?"), notice, press("y", "max: joined"),
	press("n"), press("r", "round 2", "nil-map-write"), press("4")}
