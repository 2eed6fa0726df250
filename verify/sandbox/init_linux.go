package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/courtesy"
)

// initMain is the sandbox's init: it lays the sandbox out, starts the program,
// reaps, watches the limits, and reports. Its exit code is of no interest.
func initMain() int {
	// Rights and limits belong to threads: whatever is given up here has to be
	// given up by the thread that starts the program.
	runtime.LockOSThread()
	// A Go program as process 1 would die of SIGTERM with exit code 2, which
	// looks like a panic; nothing but SIGKILL from outside ends the init.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGTTOU, syscall.SIGTTIN, syscall.SIGTSTP, syscall.SIGPIPE)

	reports := os.NewFile(reportFile, "reports")
	if reports == nil {
		return 1
	}
	tell := func(r report) { _ = json.NewEncoder(reports).Encode(r) } // nobody is left to hear of an error
	asked := make(chan struct{})
	o, err := readOrder(asked)
	if err != nil {
		tell(report{Error: err.Error()})
		return 1
	}
	if err := prepare(&o); err != nil {
		tell(report{Error: err.Error()})
		return 1
	}
	if o.Try {
		tell(report{Ended: true})
		return 0
	}
	tell(report{Begun: true}) // before the program can kill us
	pid, err := startProgram(o)
	if err != nil {
		tell(report{Error: err.Error()})
		return 1
	}
	tell(report{Leads: true})
	net := &network{own: o.Tier == Full && !o.Network, tell: tell}
	go guard(o, net, tell)
	var late <-chan time.Time
	if o.Ask {
		late = time.After(o.Limits.Wall)
	}
	last := tend(pid, children, newCue(o, asked), late, tell)
	net.report()
	tell(last)
	return 0
}

// readOrder reads the order, and keeps our files from the program. asked is
// closed when the command beside the program is asked for.
func readOrder(asked chan<- struct{}) (order, error) {
	var o order
	f := os.NewFile(orderFile, "order")
	if f == nil {
		return o, errors.New("no order was given")
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(&o); err != nil {
		return o, fmt.Errorf("read the order: %w", err)
	}
	last := firstExtra + o.Extra
	if o.Aside != "" {
		last++
	}
	for fd := orderFile; fd < last; fd++ {
		syscall.CloseOnExec(fd)
	}
	go watchLifeline(asked)
	return o, nil
}

// watchLifeline ends the init when whoever started it is gone. With it go all
// others: they live in its namespace, or below a supervisor. A byte asks for the
// command beside the program.
func watchLifeline(asked chan<- struct{}) {
	f := os.NewFile(lifelineFile, "lifeline")
	if n, _ := f.Read(make([]byte, 1)); n > 0 {
		close(asked)
	}
	_, _ = io.Copy(io.Discard, f) // returns when the other end is closed
	os.Exit(1)
}

// prepare shuts the sandbox around this process. The order of the steps
// matters: each gives up what the next needs no more.
func prepare(o *order) error {
	var writable []string
	var err error
	switch o.Tier {
	case Full:
		if !o.Network {
			if err := loopbackUp(); err != nil {
				return fmt.Errorf("bring up the loopback: %w", err)
			}
		}
		if writable, err = layOut(*o); err != nil {
			return err
		}
	case Landlock:
		if writable, err = copyOut(o); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become the reaper: %w", err)
	}
	if o.Tier == Full {
		if err := dropRights(o.Privileged); err != nil {
			return err
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	if o.Tier != None {
		if err := restrict(*o, writable); err != nil {
			return fmt.Errorf("restrict with Landlock: %w", err)
		}
	}
	courtesy.Lower(o.Nice)
	return setLimits(*o)
}

// startProgram starts the program in a session of its own, with the terminal as
// its controlling one.
func startProgram(o order) (pid int, err error) {
	files := []uintptr{0, 1, 2}
	for i := range o.Extra {
		files = append(files, uintptr(firstExtra+i))
	}
	if err := os.Chdir(o.Dir); err != nil {
		return 0, fmt.Errorf("enter the working directory: %w", err)
	}
	attr := &syscall.ProcAttr{Dir: o.Dir, Env: lastWins(o.Env), Files: files, Sys: &syscall.SysProcAttr{Setsid: true}}
	if o.Terminal {
		attr.Sys.Setctty, attr.Sys.Ctty = true, o.TTY
	}
	pid, err = syscall.ForkExec(o.Path, append([]string{o.Path}, o.Args...), attr)
	if err != nil {
		return 0, fmt.Errorf("start %q: %w", o.Path, err)
	}
	return pid, nil
}

// lastWins drops settings that a later one overrides: a program would see the
// first.
func lastWins(env []string) []string {
	seen := map[string]bool{}
	var kept []string
	for _, kv := range slices.Backward(env) {
		if name, _, _ := strings.Cut(kv, "="); !seen[name] {
			seen[name] = true
			kept = append(kept, kv)
		}
	}
	slices.Reverse(kept)
	return kept
}

// tend waits for the program, starts the command beside it when its time has
// come, and reaps whatever they leave behind meanwhile. When it is late, the
// program is asked what its goroutines do, and ends of that.
func tend(pid int, children <-chan os.Signal, c *cue, late <-chan time.Time, tell func(report)) report {
	const missed = 250 * time.Millisecond // should a signal ever get lost
	aside := -1
	for {
		if rep, ended := reap(pid, aside, tell); ended {
			return rep
		}
		var err error
		select {
		case <-children:
		case <-time.After(missed):
		case <-late:
			tell(report{Asked: true})
			_ = syscall.Kill(pid, syscall.SIGQUIT) // it was not reaped yet
		case <-c.look:
			aside, err = c.listening(tell)
		case <-c.asked:
			aside, err = c.start(tell)
		}
		if err != nil {
			return report{Error: err.Error()}
		}
	}
}

// reap takes in all who have ended; true when the program is among them.
func reap(pid, aside int, tell func(report)) (report, bool) {
	for {
		var status syscall.WaitStatus
		got, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return report{Error: "lost the program: " + err.Error()}, true
		case got == 0:
			return report{}, false
		case got == pid:
			rep := ended(status)
			rep.Ended = true
			return rep, true
		case got == aside:
			rep := ended(status)
			rep.AsideEnded = true
			tell(rep)
		}
	}
}

// ended is how a process ended.
func ended(status syscall.WaitStatus) report {
	if status.Signaled() { //nolint:misspell // the library spells it so
		return report{Code: -1, Signal: unix.SignalName(status.Signal())}
	}
	return report{Code: status.ExitStatus()}
}

// guard watches what resource limits cannot: how many processes there are, and
// how much memory they hold together. It ends the init, which ends them all.
func guard(o order, net *network, tell func(report)) {
	const interval = 25 * time.Millisecond
	for range time.Tick(interval) {
		net.report()
		count, resident := census(o.Tier)
		var limit string
		switch {
		case count > o.Limits.Processes:
			limit = LimitProcesses
		case resident > o.Limits.Memory:
			limit = LimitMemory
		default:
			continue
		}
		tell(report{Ended: true, Code: -1, Limit: limit})
		os.Exit(0)
	}
}
