package sandbox

import (
	"maps"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/supervise"
)

func TestTimeCountsAsFarAsAProgramCouldGoOn(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name               string
		passed, cpu, delay time.Duration
		want               Spent
	}{
		{"it computes alone", s, s, 0, Spent{Ran: s}},
		{"it sleeps", s, 0, 0, Spent{Ran: s, Idle: s}},
		{"it sleeps, and another has the processors when it wakes", s, s / 100, s / 10, Spent{Ran: s * 9 / 10, Idle: s * 89 / 100}},
		{"nine others compute", s, s / 10, s * 9 / 10, Spent{Ran: s / 10}},
		{"others have all processors", s, 0, s, Spent{}},
		{"its eight threads have both processors", s, 2 * s, 6 * s, Spent{Ran: s}},
		{"its eight threads share them with others", s, s / 4, 7 * s, Spent{Ran: s / 4}},
		{"a compiler has ended, and its time comes late", s, 10 * s, 0, Spent{Ran: s}},
	} {
		var got Spent
		got.add(c.passed, c.cpu, c.delay)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestTheLimitOfTimeEndsAProgramThatDoesNotAnswer(t *testing.T) {
	o := order{Limits: Limits{Wall: time.Second}}
	if l := newTimer(o); l.over(time.Second-1) || !l.over(time.Second) {
		t.Error("without a question it ends at the limit")
	}
	o.Ask = true
	l := newTimer(o)
	if l.over(2 * time.Second) {
		t.Error("it was not asked first")
	}
	select {
	case <-l.late:
	default:
		t.Error("it was not asked")
	}
	if l.over(2*time.Second+answerTime) || !l.over(3*time.Second+answerTime) {
		t.Error("it has a while to answer, and no more")
	}
}

func TestKeysAreTypedWhenTheProgramIsReady(t *testing.T) {
	const ms = time.Millisecond
	next, then := Keys{After: 1000 * ms}, Spent{Ran: 500 * ms, Idle: 400 * ms}
	for _, c := range []struct {
		name   string
		paused bool
		now    Spent
		want   bool
	}{
		{"it had no processor yet", true, then, false},
		{"it is as far as it was, and idle", true, Spent{Ran: 900 * ms, Idle: 700 * ms}, true},
		{"it still computes", true, Spent{Ran: 1200 * ms, Idle: 400 * ms}, false},
		{"it always computes", true, Spent{Ran: 3000 * ms, Idle: 400 * ms}, true},
		{"nobody waited for it", false, Spent{Ran: 900 * ms, Idle: 400 * ms}, true},
	} {
		if got := ready(next, c.paused, then, c.now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// The times of this process and its threads are those that the kernel knows.
func TestAProcessIsSeenToCompute(t *testing.T) {
	var found supervise.Process
	for spin := 0; found.CPU == 0 && spin < 1<<40; spin++ {
		if spin%(1<<20) != 0 {
			continue
		}
		for _, p := range supervise.Processes() {
			if p.ID == os.Getpid() {
				found = p
			}
		}
	}
	if found.CPU == 0 || found.CPU > time.Hour {
		t.Errorf("it has computed for %v", found.CPU)
	}
	threads := supervise.Threads(os.Getpid())
	if _, main := threads[os.Getpid()]; !main || !slices.ContainsFunc(slices.Collect(maps.Values(threads)), func(t supervise.Thread) bool { return t.Ready }) {
		t.Errorf("none of its threads runs: %v", threads)
	}
}

// Who seems to wait is believed as long as it shows, and for a while if it does not.
func TestWhoOnlySeemsToWaitHasATime(t *testing.T) {
	const ms = time.Millisecond
	m := newMeter(300 * ms)
	for i, c := range []struct {
		delay time.Duration
		ready bool
		want  time.Duration
	}{
		{0, true, 100 * ms}, {0, true, 100 * ms}, {250 * ms, true, 250 * ms}, // it shows
		{0, true, 100 * ms}, {40 * ms, true, 100 * ms}, {0, false, 0}, {0, true, 100 * ms}, {0, true, 0}, {0, true, 0},
		{90 * ms, false, 90 * ms}, {0, true, 100 * ms}, {0, true, 0},
	} {
		if got := m.seeming(100*ms, c.delay, c.ready); got != c.want {
			t.Errorf("%d: %v, want %v; lent are %v", i, got, c.want, m.lent)
		}
	}
}

// What a program does to seem to wait all the time holds no proof up.
func TestSeemingToWaitHoldsNoProofUp(t *testing.T) {
	for _, how := range []string{"seem-to-wait", "compute-unseen"} {
		t.Run(how, func(t *testing.T) {
			tiers(t, func(t *testing.T, tier Tier) {
				s := program(t, tier, how)
				s.Limits.Wall = time.Second
				// By the clock a busy machine may take longer, but no more than
				// starved times, and then less would be counted.
				if r := mustRun(t, s); !r.Alive() || r.Took < s.Limits.Wall {
					t.Errorf("result %+v: %s", r, r.Output)
				}
			})
		})
	}
}

// seemToWait has its first thread wait as for a disk: for a child that shares its memory.
func seemToWait() int {
	long := unix.Timespec{Sec: 300}
	pid, _, _ := syscall.RawSyscall6(unix.SYS_CLONE, unix.CLONE_VFORK|uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
	if pid == 0 {
		_, _, _ = syscall.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&long)), 0, 0)
		_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	return 0
}

// computeUnseen computes in children whose time nobody is told.
func computeUnseen() int {
	signal.Ignore(syscall.SIGCHLD)
	for began := time.Now(); time.Since(began) < 5*time.Minute; {
		pid, _, _ := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0, 0, 0, 0)
		if pid == 0 {
			for range 30_000_000 { // it computes
			}
			_, _, _ = syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		_, _ = syscall.Wait4(int(pid), nil, 0, nil) // no such child, once it has ended
	}
	return 0
}
