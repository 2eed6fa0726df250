package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/pausetui/pausetui/internal/advice"
	"github.com/pausetui/pausetui/internal/background"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/scratch"
)

// Run runs the program to its end or to the first limit. The error tells that
// the sandbox could not be made or the program not be started; how the program
// ended is in the Result. When ctx ends, everything is killed and ctx's error
// returned.
func Run(ctx context.Context, s Spec) (Result, error) {
	tier, reasons := choose(s)
	if tier == None && !s.AllowNone {
		return Result{Tier: None}, advice.Add(fmt.Errorf("run %q: %w (%s)", s.Path, ErrNoSandbox, strings.Join(reasons, "; ")),
			"allow it to run without one for this session, or pass --allow-unsandboxed")
	}
	if s.Repro != nil && s.SharesNetwork() && len(s.Repro.Ports) == 0 {
		return Result{Tier: tier}, fmt.Errorf("run %q next to %q: %w", s.Repro.Command, s.Path, ErrSharedNetwork)
	}
	s.Limits = s.Limits.withDefaults()
	o, dir, err := newOrder(s, tier)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = scratch.Remove(dir) }()
	return execute(ctx, s, o)
}

// attempt makes a sandbox of that tier and runs nothing in it.
func attempt(ctx context.Context, tier Tier, dir string) error {
	if !reexec.Armed() {
		return errors.New("this binary does not serve as an init (reexec.Main was not called)")
	}
	s := Spec{Path: "/proc/self/exe", Dir: dir, Limits: DefaultLimits()}
	o, temp, err := newOrder(s, tier)
	if err != nil {
		return err
	}
	defer func() { _ = scratch.Remove(temp) }()
	o.Try = true
	_, err = execute(ctx, s, o)
	return err
}

// run is one run under way, seen from outside the sandbox.
type run struct {
	cmd       *exec.Cmd
	cancel    context.CancelFunc
	streams   *streams
	companion *companion
	tried     attempts
	reports   *os.File // read end
	ended     report   // the last report, once reading is over
	asked     bool     // the program was asked what its goroutines do
	unread    int      // then what it had not read of what was typed, in bytes
	spent     spentTime
	pulse     func(Spent) // may be nil
	begun     chan struct{}
	sessions  chan struct{} // receives each new session of the sandbox

	mu    sync.Mutex
	limit string // the limit that ended it, found out here
}

// stop ends the run because of a limit.
func (r *run) stop(limit string) {
	r.mu.Lock()
	if r.limit == "" {
		r.limit = limit
	}
	r.mu.Unlock()
	r.cancel()
}

func execute(ctx context.Context, s Spec, o order) (Result, error) {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{cancel: cancel, pulse: s.Pulse, begun: make(chan struct{}), sessions: make(chan struct{}, 1)}
	var err error
	if r.companion, err = openCompanion(s.Repro); err != nil {
		return Result{}, err
	}
	defer r.companion.close()
	if r.companion.printed != nil {
		s.Watch = also(s.Watch, r.companion.printed)
	}
	if r.streams, err = openStreams(s, func() { r.stop(LimitOutput) }); err != nil {
		return Result{}, err
	}
	defer r.streams.Close()
	lifeline, err := r.start(running, s, o)
	if err != nil {
		return Result{}, err
	}
	defer lifeline.Close()

	var wait sync.WaitGroup
	wait.Go(r.readReports)
	wait.Go(func() {
		yield := func() {
			if s.Nice > 0 {
				background.Yield(running, r.cmd.Process.Pid, s.Nice)
			}
		}
		yield() // the init's start is a good part of a short run
		for range r.sessions {
			yield()
		}
	})
	wait.Go(func() { r.streams.capture() })
	wait.Go(func() { r.streams.typeIn(running, s.Input, r.begun, &r.spent) })
	wait.Go(func() { r.streams.answers(running) })
	wait.Go(func() { r.watchClock(running, starved*(s.Limits.Wall+answerTime)) })
	if s.Repro != nil {
		wait.Go(r.companion.capture)
		wait.Go(func() { r.watchRepro(running, lifeline, s.Repro.Grace) })
	}
	begun := time.Now()
	_ = r.cmd.Wait() // how the program ended is in the report
	took := time.Since(begun)
	cancel()
	_ = lifeline.Close()
	_ = r.reports.SetReadDeadline(time.Now().Add(lastWords)) // no process may hold them open
	r.streams.finish()
	r.companion.finish()
	wait.Wait()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	return r.result(o, took)
}

// start starts the init and hands it its order.
func (r *run) start(ctx context.Context, s Spec, o order) (lifeline *os.File, err error) {
	orderRead, orderWrite, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the sandbox's pipes: %w", err)
	}
	defer orderRead.Close()
	defer orderWrite.Close()
	lifeRead, lifeline, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the sandbox's pipes: %w", err)
	}
	defer lifeRead.Close()
	reportRead, reportWrite, err := os.Pipe()
	if err != nil {
		_ = lifeline.Close()
		return nil, fmt.Errorf("make the sandbox's pipes: %w", err)
	}
	defer reportWrite.Close()
	r.reports = reportRead

	r.cmd = initCommand(ctx, o)
	r.cmd.Stdin, r.cmd.Stdout, r.cmd.Stderr = r.streams.child[0], r.streams.child[1], r.streams.child[2]
	r.cmd.ExtraFiles = append(append([]*os.File{orderRead, lifeRead, reportWrite}, s.ExtraFiles...), r.companion.files()...)
	if err := r.cmd.Start(); err != nil {
		_ = lifeline.Close()
		_ = reportRead.Close()
		return nil, fmt.Errorf("start the sandbox: %w%s", err, refusal(o.Tier, err))
	}
	r.streams.started()
	r.companion.started()
	if s.Started != nil {
		s.Started(r.cmd.Process.Pid)
	}
	if err := json.NewEncoder(orderWrite).Encode(o); err != nil && ctx.Err() == nil {
		r.cancel()
		_ = r.cmd.Wait()
		_ = lifeline.Close()
		_ = reportRead.Close()
		return nil, fmt.Errorf("instruct the sandbox: %w", err)
	}
	return lifeline, nil
}

// refusal says what may have refused the namespaces of the full tier; empty if that
// does not look refused.
func refusal(tier Tier, err error) string {
	switch {
	case tier != Full:
	case errors.Is(err, syscall.ENOSPC):
		return " (user namespaces are switched off or used up: see user.max_user_namespaces)"
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		return " (user namespaces are refused: by kernel.unprivileged_userns_clone, AppArmor or a container)"
	}
	return ""
}

// readReports keeps the last report; the init closes the pipe by ending.
func (r *run) readReports() {
	defer r.reports.Close()
	defer close(r.sessions)
	once := sync.OnceFunc(func() { close(r.begun) })
	defer once()
	scanner := bufio.NewScanner(io.LimitReader(r.reports, maxReports))
	for scanner.Scan() {
		var rep report
		if json.Unmarshal(scanner.Bytes(), &rep) != nil {
			continue
		}
		if rep.Begun {
			once()
		}
		if rep.Spent != nil {
			r.spent.set(*rep.Spent)
			if r.pulse != nil {
				r.pulse(*rep.Spent)
			}
			if !rep.Ended && rep.Error == "" {
				continue
			}
		}
		if rep.Asked {
			r.asked, r.unread = true, rep.Unread
			continue
		}
		if rep.Leads {
			select {
			case r.sessions <- struct{}{}:
			default: // it is going to look anyway
			}
			continue
		}
		if r.companion.take(rep) || r.tried.take(rep, r.companion.result.Started) {
			continue
		}
		if !r.ended.Ended && r.ended.Error == "" {
			r.ended = rep
		}
	}
}

// lastWords is how long a report that was written may take to get here once the
// init is gone, layOutTime how long a sandbox may take to stand on a machine that
// does much else, and maxReports bounds all that the init reports, in bytes: it
// tells how long the program has run ten times a second.
const (
	lastWords  = 500 * time.Millisecond
	layOutTime = 10 * time.Minute
	maxReports = 64 << 20
)

// answerTime is what a program has to say what its goroutines do.
const answerTime = time.Second

// watchClock ends the run when its time is up by the clock: the init, which looks
// at more than that, does so long before.
func (r *run) watchClock(ctx context.Context, wall time.Duration) {
	late := time.NewTimer(layOutTime)
	defer late.Stop()
	select {
	case <-r.begun:
	case <-late.C: // a file system that does not answer
		r.cancel()
		return
	case <-ctx.Done():
		return
	}
	timer := time.NewTimer(wall)
	defer timer.Stop()
	select {
	case <-timer.C:
		r.stop(LimitTime)
	case <-ctx.Done():
	}
}

// watchRepro asks for the repro command when its text was
// printed, and ends the program when the command has ended and its grace too.
func (r *run) watchRepro(ctx context.Context, lifeline *os.File, grace time.Duration) {
	if r.companion.printed != nil {
		select {
		case <-r.companion.printed.Seen():
			_, _ = lifeline.Write([]byte{1}) // fails when the init is gone
		case <-ctx.Done():
			return
		}
	}
	select {
	case <-r.companion.ended:
	case <-ctx.Done():
		return
	}
	ended, _ := r.spent.get() // of a moment ago
	if r.spent.wait(ctx, starved*grace, func(s Spent) bool { return s.Ran >= ended.Ran+grace+tickEvery }) {
		r.stop(LimitRepro)
	}
}

// also writes to both; the first may be nil.
func also(first, second io.Writer) io.Writer {
	if first == nil {
		return second
	}
	return io.MultiWriter(second, first)
}

func (r *run) result(o order, took time.Duration) (Result, error) {
	if r.ended.Error != "" {
		return Result{}, fmt.Errorf("run in the %s sandbox: %s", o.Tier, r.ended.Error)
	}
	if spent, known := r.spent.get(); known {
		took = spent.Ran
	}
	res := Result{Tier: o.Tier, ExitCode: -1, Took: took, Repro: r.companion.outcome(), Changed: r.ended.Changed, Removed: r.ended.Removed}
	res.Output, res.Dropped = r.streams.out.text()
	if r.asked {
		res.Output, res.Stacks = cutStacks(res.Output)
	}
	res.Blocked = o.refused(append(r.tried.words(), Blocked(res.Output)...))
	res.Needs = Needs(res.Blocked)
	// A process that a limit ends dies of SIGKILL, and the init may live to say so.
	killed := !r.ended.Ended || r.ended.Signal == "SIGKILL"
	switch {
	case r.asked:
		res.Limit = LimitTime
		res.ReadAll = r.streams.typed.Load() && r.unread == 0
	case r.limit != "" && killed:
		res.Limit = r.limit
	case r.ended.Ended:
		res.ExitCode, res.Signal, res.Limit = r.ended.Code, r.ended.Signal, r.ended.Limit
	case !r.ended.Begun:
		return Result{}, fmt.Errorf("run in the %s sandbox: its init ended early (%v)", o.Tier, r.cmd.ProcessState)
	default: // the init was killed from inside: only the program can have done it
		res.Signal = "SIGKILL"
	}
	return res, nil
}
