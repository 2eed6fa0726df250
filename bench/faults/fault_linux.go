package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fault is something bad. Its parameters are drawn before the run begins.
type fault struct {
	name   string
	place  string // of a disk
	role   string // of the process that it is done to
	number int
	hold   time.Duration // until it is over
	do     func(*run, fault) (string, error)
}

// is reports whether its name, with that of the process that it is done to, contains a text.
func (f fault) is(text string) bool { return strings.Contains(f.name+" to "+f.role, text) }

// drawOf draws until the name of the fault contains a text. Where a scenario has none, nothing
// happens.
func drawOf(rng *rand.Rand, s *scenario, private bool, text string) fault {
	for range 2000 {
		if f := draw(rng, s, private); f.is(text) {
			return f
		}
	}
	return fault{name: "none", do: nothing}
}

func nothing(*run, fault) (string, error) { return "", nil }

// possible reports whether there is a fault whose name contains a text.
func possible(text string) bool {
	rng := rand.New(rand.NewPCG(1, 1))
	return slices.ContainsFunc(scenarios, func(s *scenario) bool { return drawOf(rng, s, true, text).is(text) })
}

// draw returns a fault that can happen in a scenario.
func draw(rng *rand.Rand, s *scenario, private bool) fault {
	f := fault{number: rng.IntN(1 << 30), hold: time.Duration(rng.IntN(1500)) * time.Millisecond, role: roles[rng.IntN(len(roles))]}
	names := []string{"project", "log", "state", "temp"}
	f.place = names[rng.IntN(len(names))]
	kind := rng.IntN(100)
	if s.attaches {
		kind /= 2 // signals: the server is at stake
	}
	f.role = s.prefers(f.role, f.number)
	if !private && kind >= 70 && kind < 90 {
		kind -= 70
	}
	switch {
	case s.model && f.number%2 == 0:
		kinds := slices.Sorted(maps.Keys(modelFaults))
		f.name, f.do = modelPrefix+kinds[f.number/2%len(kinds)], gone
		kind = 0
	case kind < 28:
		f.name, f.do = "SIGKILL", signaled(syscall.SIGKILL)
	case kind < 36:
		f.name, f.do = "SIGTERM", signaled(syscall.SIGTERM)
	case kind < 42:
		f.name, f.do = "SIGHUP", signaled(syscall.SIGHUP)
	case kind < 46:
		f.name, f.do = "SIGINT", signaled(syscall.SIGINT)
	case kind < 56:
		f.name, f.do = "SIGSTOP and SIGCONT", held
	case kind < 62:
		f.name, f.do = "SIGWINCH storm", storm
	case kind < 70:
		f.name, f.do = "hangup", hangup
	case kind < 86:
		f.name, f.do = "full "+f.place, full
	case kind < 90:
		f.name, f.do = "read-only "+f.place, readOnly
	case kind < 95:
		f.name, f.do = "no file descriptors", descriptors
	case kind < 98:
		f.name, f.do = clockFault, clock
	default:
		f.name, f.do = "none", nothing
	}
	if kind < 70 || kind >= 90 {
		f.place = ""
	}
	return f
}

// disturbance is a fault that a session survives: afterward everything goes on.
type disturbance struct {
	fault
	at    int // the step during which it comes
	delay time.Duration
}

// disturbances returns some that come before, during and after the fault of a run.
func disturbances(rng *rand.Rand, s *scenario) []disturbance {
	list := make([]disturbance, rng.IntN(20))
	for i := range list {
		d := &list[i]
		d.fault = fault{name: "SIGSTOP and SIGCONT", do: held, number: rng.IntN(1 << 30),
			hold: time.Duration(rng.IntN(300)) * time.Millisecond, role: roles[rng.IntN(len(roles))]}
		d.role = s.prefers(d.role, d.number)
		switch d.number % 12 {
		case 0, 3, 6, 9:
			d.name, d.do = "SIGWINCH storm", storm
		case 1:
			d.name, d.do = clockFault, clock
		}
		d.at = rng.IntN(1 + rng.IntN(len(s.steps)+1)) // rather early: it may end
		d.delay = time.Duration(rng.ExpFloat64() * float64(120*time.Millisecond))
		switch {
		case s.brief:
			d.delay /= 4
		case len(s.steps) == 0:
			d.delay *= 6
		}
	}
	return list
}

func signaled(sig syscall.Signal) func(*run, fault) (string, error) {
	return func(r *run, f fault) (string, error) {
		return r.toOne(f, func(p process) error { return syscall.Kill(p.pid, sig) })
	}
}

// toOne does something to one process.
func (r *run) toOne(f fault, do func(process) error) (string, error) {
	p, ok := r.victim(f.role, f.number)
	if !ok {
		return "", errTooLate
	}
	return "to " + p.role, do(p)
}

func held(r *run, f fault) (string, error) {
	return r.toOne(f, func(p process) error {
		if err := syscall.Kill(p.pid, syscall.SIGSTOP); err != nil {
			return err
		}
		time.Sleep(f.hold)
		return syscall.Kill(p.pid, syscall.SIGCONT)
	})
}

// storm changes the size of the terminal often, or tells a process so.
func storm(r *run, f fault) (string, error) {
	rng := rand.New(rand.NewPCG(uint64(f.number), 0))
	return r.toOne(f, func(p process) error {
		for range 60 {
			if p.role == "screen" {
				_ = r.term.Resize(1+rng.IntN(200), 1+rng.IntN(60)) // it may be gone
			} else {
				_ = syscall.Kill(p.pid, syscall.SIGWINCH)
			}
			time.Sleep(time.Duration(rng.IntN(5)) * time.Millisecond)
		}
		return r.term.Resize(columns, rows)
	})
}

func hangup(r *run, _ fault) (string, error) {
	r.hungUp.Store(true)
	r.term.Hangup()
	return "", nil
}

func full(r *run, f fault) (string, error) {
	free := 0
	if f.number%3 > 0 {
		free = f.number % (64 << 10)
	}
	return fmt.Sprintf("to %d bytes", free), r.fill(f.place, free)
}

func readOnly(r *run, f fault) (string, error) {
	if err := r.readOnly(f.place, true); err != nil {
		return "", errSkipped{fmt.Sprintf("make %s read-only: %v", f.place, err)}
	}
	return "", nil
}

// descriptors lets a process open a few files more than it has.
func descriptors(r *run, f fault) (string, error) {
	return r.toOne(f, func(p process) error {
		open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.pid))
		if err != nil {
			return err
		}
		most := uint64(len(open) + f.number%6)
		return unix.Prlimit(p.pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: most}, nil)
	})
}

const clockFault = "clock jump"

// clock makes all files a day or a year older or newer, as they are after the clock was set.
func clock(r *run, f fault) (string, error) {
	days := []int{-365, -1, 1, 365}[f.number/12%4]
	return fmt.Sprintf("by %d days", days), filepath.WalkDir(r.here, func(path string, _ os.DirEntry, _ error) error {
		info, err := os.Lstat(path) // it may have been removed meanwhile
		if err == nil && info.Mode()&os.ModeSymlink == 0 {
			at := info.ModTime().AddDate(0, 0, days)
			_ = os.Chtimes(path, at, at) // it may be gone, or in an immutable directory
		}
		return nil
	})
}

// repair ends what is wrong with a disk.
func (r *run) repair() error {
	if r.fault.place == "" {
		return nil
	}
	_ = r.readOnly(r.fault.place, false) // it need not be
	if err := os.Remove(r.filler(r.fault.place)); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}
