package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/supervise"
)

// process is one of the tree below a run, which adopts all whose parents have died.
type process struct {
	pid, parent int
	role, line  string
	zombie      bool
}

func (p process) String() string { return fmt.Sprintf("%s %d (%s)", p.role, p.pid, p.line) }

// tree lists the processes that pausetui has started, and itself.
func (r *run) tree() []process {
	parents := map[int]int{}
	for _, p := range supervise.Processes() {
		parents[p.ID] = p.Parent
	}
	roles := map[int]string{os.Getpid(): "run"}
	var list []process
	for _, pid := range supervise.Descendants(os.Getpid()) {
		if r.isOthers(pid) || r.isOthers(parents[pid]) {
			continue
		}
		p := process{pid: pid, parent: parents[pid]}
		p.role, p.line, p.zombie = r.role(pid, roles[p.parent])
		roles[pid] = p.role
		list = append(list, p)
	}
	return list
}

// role tells what a process is for, by its command line and its parent's role.
func (r *run) role(pid int, parent string) (role, line string, zombie bool) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	text, _ := os.ReadFile(dir + "cmdline")
	args := strings.Split(string(bytes.TrimRight(text, "\x00")), "\x00")
	stat, _ := os.ReadFile(dir + "stat")
	after := stat[bytes.LastIndexByte(stat, ')')+1:]
	zombie = bytes.HasPrefix(after, []byte(" Z")) || bytes.HasPrefix(after, []byte(" X"))
	name := filepath.Base(args[0])
	line = strings.Join(args[min(len(args), 2):], " ")
	if helper, ok := strings.CutPrefix(name, "pausetui-"); ok {
		return helper, line, zombie
	}
	line = strings.Join(args, " ")
	switch {
	case r.term != nil && pid == r.term.PID():
		return "screen", line, zombie
	case name == "pausetui":
		return "pausetui", line, zombie
	case parent == "sandbox-launcher" || parent == "sandbox-init" || parent == "candidate":
		return "candidate", line, zombie
	case parent == "delve":
		return "target", line, zombie
	}
	if name == "" {
		comm, _ := os.ReadFile(dir + "comm")
		name = strings.TrimSpace(string(comm))
	}
	return name, line, zombie
}

// roles are those that a fault prefers. Others are hit when none of these is there.
var roles = []string{"screen", "supervisor", "delve", "target", "terminal", "sandbox-init", "sandbox-launcher", "candidate", "go", "compile", "link", "ssh"}

// attachedRoles are those of a session that is attached to a process.
var attachedRoles = []string{"screen", "supervisor", "delve", "terminal"}

// prefers is the role that a fault prefers in a scenario; drawn is one of all roles.
func (s *scenario) prefers(drawn string, number int) string {
	switch {
	case s.attaches:
		return attachedRoles[number%len(attachedRoles)]
	case s.brief:
		return "screen" // there is no other process
	}
	return drawn
}

// victim waits a moment for a process of the role, and takes any other otherwise.
func (r *run) victim(role string, draw int) (process, bool) {
	r.mu.Lock()
	guests := r.guests
	r.mu.Unlock()
	if role == "ssh" && len(guests) > 0 {
		return process{pid: guests[draw%len(guests)].PID(), role: "guest"}, true
	}
	for late := time.Now().Add(700 * time.Millisecond); ; time.Sleep(3 * time.Millisecond) {
		living := slices.DeleteFunc(r.tree(), func(p process) bool { return p.zombie || p.parent == 0 })
		of := slices.DeleteFunc(slices.Clone(living), func(p process) bool { return p.role != role })
		switch {
		case len(of) > 0:
			return of[draw%len(of)], true
		case len(living) == 0:
			return process{}, false
		case time.Now().After(late):
			return living[draw%len(living)], true
		}
	}
}

// left waits until no process is left, and returns those that are. Adopted ones that
// have ended are waited for, as init would.
func (r *run) left(patience time.Duration) []process {
	for late := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		list := slices.DeleteFunc(r.tree(), func(p process) bool { return p.zombie && r.bury(p) })
		if len(list) == 0 || time.Now().After(late) {
			return list
		}
	}
}

func (r *run) bury(p process) bool {
	if p.parent != os.Getpid() {
		return false
	}
	if r.term == nil || p.pid != r.term.PID() {
		_, _ = unix.Wait4(p.pid, nil, unix.WNOHANG, nil)
	}
	return true
}

// zombies waits until all that have ended are waited for by pausetui, and returns the others.
// Not the target: Delve waits for it when it is to run.
func (r *run) zombies() []process {
	for late := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		list := slices.DeleteFunc(r.tree(), func(p process) bool { return !p.zombie || p.role == "target" || r.bury(p) })
		if len(list) == 0 || time.Now().After(late) {
			return list
		}
	}
}
