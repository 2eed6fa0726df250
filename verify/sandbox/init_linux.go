package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/background"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/supervise"
)

// initMain is the sandbox's init: it lays the sandbox out, has the program
// launched, reaps, watches the limits, and reports. Its exit code is of no
// interest.
func initMain([]string) int {
	// A Go program as process 1 would die of SIGTERM with exit code 2, which
	// looks like a panic; nothing but SIGKILL from outside ends the init. Not
	// ignored: the program would inherit that.
	signals := make(chan os.Signal, 16)
	signal.Notify(signals)
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)

	reports := os.NewFile(reportFile, "reports")
	if reports == nil {
		return 1
	}
	tell := func(r report) { _ = json.NewEncoder(reports).Encode(r) } // there is no one to report an error to
	asked := make(chan struct{})
	o, err := readOrder(asked)
	if err != nil {
		tell(report{Error: err.Error()})
		return 1
	}
	l, err := prepare(&o)
	if err != nil {
		tell(report{Error: err.Error()})
		return 1
	}
	watched := stateOf(o.Watched)
	if !o.Try {
		tell(report{Begun: true}) // before the program can kill us
	}
	if err := l.program.launch(o); err != nil {
		tell(report{Error: err.Error()})
		return 1
	}
	if o.Try {
		tell(report{Ended: true})
		return 0
	}
	tell(report{Leads: true})
	net := &network{own: o.Tier == Full && !o.Network, tell: tell}
	clock, limit := newMeter(o.Limits.Wall), newTimer(o)
	go (&watch{order: o, net: net, clock: clock, timer: limit, tell: tell}).guard()
	last := tend(l.program.pid, children, newCue(o, l.repro, asked, net.report), limit.late, func() { tell(report{Asked: true, Unread: unread(o.TTY)}) }, tell)
	net.report()
	spent := clock.tick(nil)
	last.Spent = &spent
	last.Changed, last.Removed = o.changed(watched)
	tell(last)
	return 0
}

// readOrder reads the order, and keeps our files from the program. asked is
// closed when the repro command is asked for.
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
	// Ours, the program's further ones, which its launcher is given, and what
	// the process that started pausetui left open.
	reexec.CloseOnExec(orderFile)
	go watchLifeline(asked)
	return o, nil
}

// watchLifeline ends the init when the process that started it is gone. With it go all
// others: they live in its namespace, or below a supervisor. A byte asks for the
// command next to the program.
func watchLifeline(asked chan<- struct{}) {
	f := os.NewFile(lifelineFile, "lifeline")
	if n, _ := f.Read(make([]byte, 1)); n > 0 {
		close(asked)
	}
	_, _ = io.Copy(io.Discard, f) // returns when the other end is closed
	os.Exit(1)
}

// prepare makes what the sandbox needs, starts the launchers, and then gives
// up every right: nothing foreign has run so far.
func prepare(o *order) (l launchers, err error) {
	background.Lower(o.Nice)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return l, fmt.Errorf("become the reaper: %w", err)
	}
	switch o.Tier {
	case Full:
		if l, err = prepareNamespaces(o); err != nil {
			return l, err
		}
	case Landlock:
		if mounts, err := os.ReadFile("/proc/self/mountinfo"); err != nil || hidesProcesses(string(mounts)) {
			return l, errors.Join(errHidden, err)
		}
		if o.Writable, err = copyOut(o); err != nil {
			return l, err
		}
		fallthrough
	default:
		if l, err = newLaunchers(*o); err != nil {
			return l, err
		}
	}
	return l, disarm(*o)
}

// prepareNamespaces lays the full tier's namespaces out. The launchers start
// while it goes on; they wait for their orders.
func prepareNamespaces(o *order) (l launchers, err error) {
	if !o.Network {
		if err := loopbackUp(); err != nil {
			return l, fmt.Errorf("bring up the loopback: %w%s", err, refusal(Full, err))
		}
	}
	if err := ownProcesses(); err != nil {
		return l, fmt.Errorf("%w%s", err, refusal(Full, err))
	}
	if o.Privileged && !o.Network {
		freePorts()
	}
	if err := sealInput(o.Stdin); err != nil {
		return l, err
	}
	o.Inotify = limitInotify() == nil && !isFile(o.Stdin) // it would see who else uses that
	if l, err = newLaunchers(*o); err != nil {
		return l, err
	}
	return l, layOut(o)
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

// tend waits for the program, starts the repro command when its time has
// come, and reaps whatever they leave meanwhile. When it is late, the
// program is asked what its goroutines do, and ends of that.
func tend(pid int, children <-chan os.Signal, c *cue, late <-chan struct{}, asking func(), tell func(report)) report {
	const missed = 250 * time.Millisecond // should a signal ever get lost
	repro := -1
	for {
		if rep, ended := reap(pid, repro, tell); ended {
			return rep
		}
		var err error
		select {
		case <-children:
		case <-time.After(missed):
		case <-late:
			late = nil
			asking()
			_ = syscall.Kill(pid, syscall.SIGQUIT) // it was not reaped yet
		case <-c.look:
			repro, err = c.listening(tell)
		case <-c.asked:
			repro, err = c.start(tell)
		}
		if err != nil {
			return report{Error: err.Error()}
		}
	}
}

// unread is how much of what was typed into a terminal was not read yet, in bytes.
func unread(file int) int {
	n, err := unix.IoctlGetInt(file, unix.TIOCINQ)
	if err != nil {
		return 0 // no terminal
	}
	return n
}

// reap takes in all who have ended; true when the program is among them.
func reap(pid, repro int, tell func(report)) (report, bool) {
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
		case got == repro:
			rep := ended(status)
			rep.ReproEnded = true
			tell(rep)
		}
	}
}

// ended is how a process ended.
func ended(status syscall.WaitStatus) report {
	if status.Signaled() { // the library spells it so
		return report{Code: -1, Signal: unix.SignalName(status.Signal())}
	}
	return report{Code: status.ExitStatus()}
}

// watch is what the init looks at while the program runs.
type watch struct {
	order order
	net   *network
	clock *meter
	timer *timer
	tell  func(report)
}

const (
	lookEvery = 25 * time.Millisecond
	tickEvery = 4 * lookEvery // of the meter
)

// guard watches what resource limits cannot: how many processes there are, how
// much memory they hold together, and how long they have run. It ends the init,
// which ends them all.
func (w *watch) guard() {
	const blind = 40 // times in a row that it may see nothing
	unseen, ticked := 0, time.Now()
	for now := range time.Tick(lookEvery) {
		processes, seen := census(w.order.Tier)
		if unseen++; seen {
			unseen = 0
		}
		if unseen > blind {
			w.tell(report{Error: "the processes of the sandbox cannot be watched"})
			os.Exit(0)
		}
		var spent *Spent
		if now.Sub(ticked) >= tickEvery-lookEvery/2 {
			s := w.clock.tick(processes)
			spent, ticked = &s, now
			w.net.report()
			w.tell(report{Spent: spent})
		}
		if limit := w.exceeded(processes, spent); limit != "" {
			w.net.report()
			w.tell(report{Ended: true, Code: -1, Limit: limit, Spent: spent})
			os.Exit(0)
		}
	}
}

// exceeded names the limit that the program exceeds; empty when there is none.
func (w *watch) exceeded(processes []supervise.Process, spent *Spent) string {
	var held int64
	threads := 0 // RLIMIT_NPROC does not bind root
	swaps := supervise.Swaps()
	for _, p := range processes {
		held, threads = held+p.Held(swaps), threads+p.Threads
	}
	switch {
	case len(processes) > w.order.Limits.Processes, threads > threadsOfOne*w.order.Limits.Processes:
		return LimitProcesses
	case held > w.order.Limits.Memory:
		return LimitMemory
	case spent != nil && w.timer.over(spent.Ran):
		return LimitTime
	}
	return ""
}
