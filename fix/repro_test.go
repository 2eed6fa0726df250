package fix

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine"
	"github.com/pausetui/pausetui/engine/intent"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// client asks the server on the port that the repro command gets, as curl
// would, which not every machine has.
const client = `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	port := os.Getenv("PAUSETUI_PORT")
	if len(os.Args) > 2 {
		port = os.Args[2]
	}
	r, err := http.Get("http://127.0.0.1:" + port + os.Args[1])
	if err != nil {
		fmt.Println("\x1b[31mcut off\x1b[0m")
		os.Exit(52)
	}
	text, _ := io.ReadAll(r.Body)
	fmt.Println(r.StatusCode, string(text))
}
`

// full skips a test where a sandbox has no network of its own.
func full(t *testing.T) {
	t.Helper()
	if best, reasons := sandbox.Detect(); best != sandbox.Full {
		t.Skipf("this system has %s only: %v", best, reasons)
	}
}

// shop is a copy of the example of a server, with a client beside it: what lies
// in the module can be seen in the sandbox.
func shop(t *testing.T) options.Session {
	t.Helper()
	dir := module(t, "-- go.mod --\nmodule example.org/shop\n\ngo 1.26\n-- .pausetui/client/main.go --\n"+client)
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "examples", "httpapi"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "client"), "./.pausetui/client")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return options.Session{Target: options.Target{Dir: dir, Args: []string{"-addr", "127.0.0.1:0"}}}
}

// freePort is one that is free at this moment.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// rerun is what the report says of a candidate's rerun.
func rerun(c Candidate) Check {
	for _, k := range c.Checks {
		if k.Name == verdict.Rerun {
			return k
		}
	}
	return Check{}
}

func TestAServersPanicIsProvedByReplayingTheRequest(t *testing.T) {
	testsupport.Slow(t)
	full(t)
	opts := shop(t)
	opts.Target.Repro = repro.Plan{Command: "./client /orders/1003/invoice"}
	report, err := Run(context.Background(), opts, Options{})
	if err != nil || report.Outcome != Verified || report.Stop == nil || !report.Stop.Recovered || report.Stop.Class != debugger.NilDereference ||
		!strings.HasSuffix(report.Stop.Function, ".invoice") {
		t.Fatalf("%v: outcome %s, error %+v, stop %+v", err, report.Outcome, report.Error, report.Stop)
	}
	best := report.Candidates[0]
	if k := rerun(best); k.Status != verdict.Pass || !strings.Contains(k.Detail, "the call that failed now returns without running the failing line, and it lives on; the repro command ended with 0 and printed") ||
		!strings.Contains(k.Detail, `without the change it ended with 52 and printed "cut off"`) {
		t.Errorf("rerun of %s: %s %q", best.ID, k.Status, k.Detail)
	}
}

func TestAnAppliedFixOfAServerIsJudgedByReplayingTheRequest(t *testing.T) {
	testsupport.Slow(t)
	full(t)
	opts := shop(t)
	opts.Target.Repro = repro.Plan{Command: "./client /orders/1003/invoice"}
	report, err := Run(context.Background(), opts, Options{Apply: true, AllowDeclines: true}) // it answers 404 now
	if err != nil || report.Outcome != Fixed || report.Judged != string(session.Fixed) {
		t.Fatalf("%v: outcome %s, judged %s, error %+v", err, report.Outcome, report.Judged, report.Error)
	}
	log, err := os.ReadFile(filepath.Join(opts.Target.Dir, report.Session))
	for _, line := range []string{"repro: `./client /orders/1003/invoice`", "the repro command ended with 0, and the program lives on, as in the proof", "\n404 "} {
		if err != nil || !strings.Contains(string(log), line) {
			t.Errorf("the log lacks %q (%v)", line, err)
		}
	}
	if strings.Contains(string(log), "\x1b") {
		t.Error("the log holds control sequences")
	}
}

func TestAServerThatAnswersIsClean(t *testing.T) {
	testsupport.Slow(t)
	opts := shop(t)
	port := freePort(t)
	opts.Target.Args = []string{"-addr", "127.0.0.1:" + port}
	opts.Target.Repro = repro.Plan{Command: "./client /orders/1001/invoice " + port, After: "listening on http"}
	began := time.Now()
	report, err := Run(context.Background(), opts, Options{Timeout: 2 * time.Minute})
	if err != nil || report.Outcome != Clean || time.Since(began) > time.Minute {
		t.Errorf("%v: outcome %s after %v, error %+v", err, report.Outcome, time.Since(began), report.Error)
	}
	opts = shop(t)
	opts.Target.Panics = debugger.PanicsUnrecovered
	opts.Target.Repro = repro.Plan{Command: "./client /orders/1003/invoice"}
	if report, err = Run(context.Background(), opts, Options{}); err != nil || report.Outcome != Clean {
		t.Errorf("recovered panics do not count: %v: outcome %s, error %+v", err, report.Outcome, report.Error)
	}
}

func TestACommandThatIsNeverRunIsAFailure(t *testing.T) {
	opts := shop(t)
	opts.Target.Repro = repro.Plan{Command: "./client /", After: "never printed"}
	report, err := Run(context.Background(), opts, Options{Timeout: time.Second})
	if err != nil || report.Outcome != Failed || report.Error == nil || !strings.Contains(report.Error.Message, `never printed "never printed"`) || report.Error.Hint == "" {
		t.Errorf("%v: outcome %s, error %+v", err, report.Outcome, report.Error)
	}
}

// A client asks while nothing was said about a replay.
func TestACapturedRequestIsMadeAgain(t *testing.T) {
	testsupport.Slow(t)
	full(t)
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("requests are made again by curl, which is not here")
	}
	opts := shop(t)
	port := freePort(t)
	opts.Target.Args = []string{"-addr", "127.0.0.1:" + port}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for ctx.Err() == nil {
			request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+port+"/orders/1003/invoice?full=1", nil)
			if answer, err := http.DefaultClient.Do(request); err == nil {
				answer.Body.Close()
			}
			time.Sleep(20 * time.Millisecond) // until the server listens
		}
	}()
	report, err := Run(context.Background(), opts, Options{})
	cancel()
	<-asked
	if err != nil || report.Outcome != Verified {
		t.Fatalf("%v: outcome %s, error %+v", err, report.Outcome, report.Error)
	}
	if k := rerun(report.Candidates[0]); k.Status != verdict.Pass || !strings.Contains(k.Detail, "the repeated request ended with 0") {
		t.Errorf("rerun %s %q", k.Status, k.Detail)
	}
	log, err := os.ReadFile(filepath.Join(opts.Target.Dir, report.Session))
	if want := "while it answered GET /orders/1003/invoice?full=1; the proofs make that request again: --repro"; err != nil || !strings.Contains(string(log), want) {
		t.Errorf("the log lacks %q (%v)", want, err)
	}
}

// remote needs a service of another machine.
const remote = `
-- go.mod --
module example.org/remote

go 1.26
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
)

type book struct{ entries map[string]int }

func newBook() *book { return &book{} }

func main() {
	c, err := net.Dial("tcp", os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	line, _ := bufio.NewReader(c).ReadString('\n')
	b := newBook()
	for _, name := range strings.Fields(line) {
		b.entries[name]++
	}
	fmt.Println(len(b.entries), "names")
}
`

// service stands for the real network: it is outside the sandbox.
func service(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintln(c, "ann bob")
			c.Close()
		}
	}()
	return l.Addr().String()
}

func TestTheNetworkIsAllowedFromTheStart(t *testing.T) {
	testsupport.Slow(t)
	full(t)
	opts := options.Session{Target: options.Target{Dir: module(t, remote), Args: []string{service(t)}}, Proofs: options.Proofs{Allow: []string{verdict.AllowNetwork}}}
	report, err := Run(context.Background(), opts, Options{})
	if err != nil || report.Outcome != Verified {
		t.Fatalf("%v: outcome %s, error %+v", err, report.Outcome, report.Error)
	}
	if k := rerun(report.Candidates[0]); k.Status != verdict.Pass || k.Detail != "ran to the end, exit 0" {
		t.Errorf("rerun %s %q", k.Status, k.Detail)
	}
}

// A person allows it once the proof has said what was blocked.
func TestWhatIsAllowedIsProvedAgain(t *testing.T) {
	testsupport.Slow(t)
	full(t)
	opts := options.Session{Target: options.Target{Dir: module(t, remote), Args: []string{service(t)}, Headless: true}}
	e, err := engine.New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	var blocked, passed bool
	for version, state := uint64(0), session.NewState(); !passed; {
		u, err := e.Wait(ctx, state.Seq, version)
		if err != nil {
			t.Error(err)
			break
		}
		version = u.Live.Version
		for _, event := range u.Events {
			state = state.Apply(event)
			b, ok := event.Body.(*session.Proved)
			if !ok {
				continue
			}
			check, _ := verdict.Find(b.Verdict.Checks, verdict.Rerun)
			switch {
			case !blocked && len(check.Blocked) == 1 && check.Blocked[0] == verdict.AllowNetwork:
				blocked = true
				e.Do(intent.Allow{What: verdict.AllowNetwork})
			case blocked && check.Status == verdict.Pass:
				passed = true
			}
		}
		if state.Phase == session.PhaseEnded || state.Phase == session.PhaseBroken {
			t.Errorf("phase %s", state.Phase)
			break
		}
		if passed && (len(state.Allowed) != 1 || state.Allowed[0] != verdict.AllowNetwork) {
			t.Errorf("allowed %q", state.Allowed)
		}
	}
	e.Do(intent.Quit{})
	if err := <-ended; err != nil || !blocked || !passed {
		t.Errorf("blocked %v, passed %v, %v", blocked, passed, err)
	}
}

// share divides what is typed by what is typed after it, until the end of input.
const share = `
-- go.mod --
module example.org/share

go 1.26
-- main.go --
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

// share returns what each of n gets.
func share(total, n int) (int, error) {
	return total / n, nil
}

func main() {
	fmt.Println("ready")
	var numbers []int
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		n, _ := strconv.Atoi(in.Text())
		numbers = append(numbers, n)
	}
	each, err := share(numbers[0], numbers[1])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("each gets", each)
}
`

// What was typed, with the pauses of a person who thinks, is typed again in the
// proof, the end of input too.
func TestTypedInputIsReplayedInTheProof(t *testing.T) {
	testsupport.Slow(t)
	full(t)
	var away atomic.Int64 // how long the person was away
	opts := options.Session{Target: options.Target{Dir: module(t, share)}, Now: func() time.Time { return time.Now().Add(time.Duration(away.Load())) }}
	e, err := engine.New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- e.Run(ctx) }()
	var check verdict.Check
	keys := []string{"12\n", "0\n", "\x04"}
	for version, state := uint64(0), session.NewState(); check.Name == ""; {
		u, err := e.Wait(ctx, state.Seq, version)
		if err != nil {
			t.Error(err)
			break
		}
		version = u.Live.Version
		for _, event := range u.Events {
			state = state.Apply(event)
			if b, ok := event.Body.(*session.Proved); ok && check.Name == "" {
				check, _ = verdict.Find(b.Verdict.Checks, verdict.Rerun)
			}
		}
		if len(keys) > 0 && state.Phase == session.PhaseRunning && len(state.Typed) == 3-len(keys) && strings.Contains(e.Output().Tail(1000), "ready") {
			away.Add(int64(10 * time.Minute))
			e.Do(intent.Type{Text: keys[0]})
			keys = keys[1:]
		}
	}
	e.Do(intent.Quit{})
	if err := <-ended; err != nil || check.Status != verdict.Pass {
		t.Errorf("rerun %s %q, %v", check.Status, check.Detail, err)
	}
}
