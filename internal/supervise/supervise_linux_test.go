package supervise

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// hostEnv makes the test binary a program that runs a shell script below a
// supervisor, to be killed in the middle.
const hostEnv = "SUPERVISE_TEST_HOST"

func TestMain(m *testing.M) {
	reexec.Main()
	if script := os.Getenv(hostEnv); script != "" {
		cmd := Command(context.Background(), "sh", "-c", script)
		cmd.Stdout = os.Stdout
		if err := cmd.Run(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// token marks the environment of a test's processes, so that they are found
// wherever they hang in the process tree.
func token(t *testing.T) string {
	return fmt.Sprintf("SUPERVISE_TOKEN=%s-%d-%d", t.Name(), os.Getpid(), time.Now().UnixNano())
}

// marked lists the living processes whose environment holds the token.
func marked(token string) []int {
	var found []int
	for _, p := range Processes() {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(p.ID) + "/environ")
		if err == nil && bytes.Contains(env, []byte(token)) {
			found = append(found, p.ID)
		}
	}
	return found
}

// waitNone waits until no marked process is left.
func waitNone(t *testing.T, token string) {
	t.Helper()
	testsupport.Eventually(t, "all marked processes have ended", func() bool { return len(marked(token)) == 0 })
}

func shell(ctx context.Context, token, script string) *exec.Cmd {
	cmd := Command(ctx, "sh", "-c", script)
	cmd.Env = append(os.Environ(), token)
	return cmd
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("not an exit error: %v", err)
	}
	if err == nil {
		return 0
	}
	return exit.ExitCode()
}

func TestExitCodesAndSignalsPassThrough(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 3": 3, "exit 255": 255} {
		if got := exitCode(t, shell(t.Context(), token(t), script).Run()); got != want {
			t.Errorf("%q: exit code %d, want %d", script, got, want)
		}
	}
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGSEGV, syscall.SIGABRT} {
		err := shell(t.Context(), token(t), fmt.Sprintf("ulimit -c 0; kill -%d $$", sig)).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			t.Fatalf("signal %v: error %v", sig, err)
		}
		status := exit.Sys().(syscall.WaitStatus)
		if !status.Signaled() || status.Signal() != sig {
			t.Errorf("killed by %v: reported as %v", sig, exit)
		}
	}
}

func TestStdioEnvAndDir(t *testing.T) {
	dir := t.TempDir()
	cmd := Command(t.Context(), "sh", "-c", `cat; echo "$WORD" >&2; pwd`)
	cmd.Dir, cmd.Env = dir, []string{"WORD=said", "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = strings.NewReader("typed\n")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if want := "typed\n" + dir + "\n"; stdout.String() != want || stderr.String() != "said\n" {
		t.Errorf("stdout %q, stderr %q", &stdout, &stderr)
	}
}

func TestExtraFilesKeepTheirNumbersAndNothingElseLeaks(t *testing.T) {
	first, second := pipe(t), pipe(t)
	cmd := Command(t.Context(), "sh", "-c", "echo three >&3; echo four >&4; ls /proc/self/fd")
	plain := exec.Command("sh", "-c", "ls /proc/self/fd")
	var lists [2]string
	for i, c := range []*exec.Cmd{cmd, plain} {
		c.ExtraFiles = []*os.File{first.w, second.w}
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		lists[i] = string(out)
	}
	for _, p := range []struct {
		ends
		want string
	}{{first, "three\n"}, {second, "four\n"}} {
		p.w.Close()
		got, err := io.ReadAll(p.r)
		if err != nil || string(got) != p.want {
			t.Errorf("read %q, %v; want %q", got, err, p.want)
		}
	}
	if lists[0] != lists[1] {
		t.Errorf("descriptors: %q, without a supervisor %q", lists[0], lists[1])
	}
}

type ends struct{ r, w *os.File }

func pipe(t *testing.T) ends {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return ends{r, w}
}

func TestTheCommandsClosedFilesAreSeenClosed(t *testing.T) {
	p := pipe(t)
	tok := token(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := shell(ctx, tok, "exec 3>&-; exec sleep 1000")
	cmd.ExtraFiles = []*os.File{p.w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.w.Close()
	if _, err := io.ReadAll(p.r); err != nil { // ends only when the supervisor let go too
		t.Fatal(err)
	}
	cancel()
	_ = cmd.Wait()
	waitNone(t, tok)
}

func TestMissingCommands(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"no-such-command-anywhere", filepath.Join(dir, "absent"), plain, dir} {
		if err := Command(t.Context(), name).Run(); err == nil || exitCodeOf(err) != -1 {
			t.Errorf("%q: %v, want an error of starting", name, err)
		}
	}
	cmd := Command(t.Context(), "./absent")
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	if code := exitCode(t, cmd.Run()); code != notStarted || !strings.Contains(stderr.String(), "no such file") {
		t.Errorf("relative: exit code %d, %q", code, &stderr)
	}
}

func exitCodeOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

func TestLeftoversDieWithTheCommand(t *testing.T) {
	for name, script := range map[string]string{
		"background":  `sleep 1000 & exit 3`,
		"double fork": `(setsid sh -c 'setsid sleep 1000 & exit 0' &) ; sleep 0.1; exit 3`,
		"deaf":        `sh -c 'trap "" TERM HUP INT; while :; do sleep 0.01; done' & exit 3`,
		"many":        `i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; exit 3`,
	} {
		t.Run(name, func(t *testing.T) {
			tok := token(t)
			if code := exitCode(t, shell(t.Context(), tok, script).Run()); code != 3 {
				t.Errorf("exit code %d", code)
			}
			if left := marked(tok); len(left) > 0 { // at once: Run returns after them
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// living are scripts that say "ready" and then stay.
var living = map[string]string{
	"plain":       `sleep 1000 & echo ready; wait`,
	"double fork": `(setsid sh -c 'setsid sleep 1000 & exit 0' &) ; echo ready; sleep 1000`,
	"deaf":        `trap "" TERM HUP INT; echo ready; while :; do sleep 0.01; done`,
	"many":        `i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i+1)); done; echo ready; wait`,
	"forking":     `f() { while :; do (setsid sleep 1000 &); sleep 0.02; done; }; f & echo ready; wait`,
}

func TestTheContextsEndKillsAll(t *testing.T) {
	for name, script := range living {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			tok := token(t)
			cmd := shell(ctx, tok, script)
			waitReady(t, cmd)
			cancel()
			_ = cmd.Wait()
			if left := marked(tok); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestKillingTheParentKillsAll(t *testing.T) {
	for name, script := range living {
		t.Run(name, func(t *testing.T) {
			tok := token(t)
			host := exec.Command(os.Args[0])
			host.Env = append(os.Environ(), tok, hostEnv+"="+script)
			waitReady(t, host)
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = host.Wait()
			waitNone(t, tok)
		})
	}
}

func TestTerminationIsForwarded(t *testing.T) {
	tok := token(t)
	cmd := shell(t.Context(), tok, `trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done`)
	waitReady(t, cmd)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd.Wait()); code != 9 {
		t.Errorf("exit code %d", code)
	}
	waitNone(t, tok)
}

// waitReady starts the command and returns when its script has said "ready".
func waitReady(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("script said %q, %v", line, err)
	}
}

func TestWithoutMainTheGroupDies(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tok := token(t)
	cmd := grouped(ctx, manner{}, exec.Command("sh", "-c", living["plain"]))
	cmd.Env = append(os.Environ(), tok)
	waitReady(t, cmd)
	cancel()
	_ = cmd.Wait()
	waitNone(t, tok)
}

func TestALenientCommandPutsThingsInOrder(t *testing.T) {
	script := `trap 'echo order; exit 4' TERM; echo ready; while :; do sleep 0.01; done`
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := Lenient(ctx, time.Minute, "sh", "-c", script)
	var stdout bytes.Buffer
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	_, _ = stdout.ReadFrom(lines)
	_ = cmd.Wait()
	if stdout.String() != "order\n" || cmd.ProcessState.ExitCode() != 4 {
		t.Errorf("%q, %v", &stdout, cmd.ProcessState)
	}
}

func TestALenientCommandThatIsDeafIsKilled(t *testing.T) {
	tok := token(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := Lenient(ctx, 50*time.Millisecond, "sh", "-c", living["deaf"])
	cmd.Env = append(os.Environ(), tok)
	waitReady(t, cmd)
	cancel()
	_ = cmd.Wait()
	if left := marked(tok); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestACommandGivesWay(t *testing.T) {
	if _, err := exec.LookPath("nice"); err != nil {
		t.Skip(err)
	}
	for _, level := range []int{0, 7} {
		out, err := Yielding(t.Context(), level, "sh", "-c", "exec nice").Output()
		own, _ := unix.Getpriority(unix.PRIO_PROCESS, 0)
		if got, want := strings.TrimSpace(string(out)), strconv.Itoa(max(level, 20-own)); err != nil || got != want {
			t.Errorf("level %d: %q, %v", level, got, err)
		}
	}
}

// A screen ignores the signals of job control; what it runs does not.
func TestIgnoredSignalsOfJobControlAreNotInherited(t *testing.T) {
	signal.Ignore(syscall.SIGTTIN, syscall.SIGTTOU)
	out, err := Command(t.Context(), "cat", "/proc/self/status").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(out), "SigIgn:")
	var ignored uint64
	if _, err := fmt.Sscanf(rest, "%x", &ignored); err != nil {
		t.Fatal(err)
	}
	if jobs := uint64(1)<<(syscall.SIGTTIN-1) | 1<<(syscall.SIGTTOU-1); ignored&jobs != 0 {
		t.Errorf("ignored: %#x", ignored)
	}
}

func TestMemoryThatIsSwappedOutIsHeld(t *testing.T) {
	file := filepath.Join(t.TempDir(), "status")
	for text, want := range map[string]int64{"Name:\tVmSwap:\nVmPeak:\t 9 kB\nVmRSS:\t    3 kB\nVmSwap:\t    4 kB\n": 7 << 10, "Name:\tx\nState:\tZ (zombie)\n": 0} {
		testsupport.Write(t, file, text)
		if got, ok := memoryIn(file); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
	for _, p := range Processes() {
		if p.ID != os.Getpid() {
			continue
		}
		if held, more := p.Held(false), p.Held(true); held < 1<<20 || more < held/2 {
			t.Errorf("this process holds %d bytes, with swap %d", held, more)
		}
	}
}
