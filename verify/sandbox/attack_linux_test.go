package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pausetui/pausetui/internal/scratch"
)

// users runs the test as the user that the tests run as, and, where that is
// root, as one without any rights.
func users(t *testing.T, f func(t *testing.T, uid int)) {
	t.Helper()
	t.Run("as this user", func(t *testing.T) { f(t, os.Geteuid()) })
	t.Run("as an ordinary user", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("this user is one")
		}
		f(t, nobody)
	})
}

const nobody = 65534

// hosted is what another user's process is to run, and what became of it.
type hosted struct {
	Spec   Spec
	Result Result
	Error  string
	Best   Tier
	Why    []string
}

// runAs runs the spec as that user: the directories it names become theirs.
func runAs(t *testing.T, uid int, s Spec) Result {
	t.Helper()
	if uid == os.Geteuid() {
		return mustRun(t, s)
	}
	temp, err := os.MkdirTemp("", "sandbox-user-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	self := filepath.Join(temp, "self.test") // the directory of the tests is root's
	binary, err := os.ReadFile(s.Path)
	if err == nil {
		err = os.WriteFile(self, binary, 0o755)
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(temp, "tmp"), 0o755)
	}
	for _, dir := range []string{temp, filepath.Join(temp, "tmp"), s.Dir} {
		if err == nil {
			err = os.Chown(dir, uid, uid)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	open(t, s.Dir)
	open(t, temp)
	s.Path = self
	order, err := json.Marshal(hosted{Spec: s})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), behavior+"=host", "TMPDIR="+filepath.Join(temp, "tmp"))
	cmd.Dir, cmd.Stdin, cmd.Stderr = temp, strings.NewReader(string(order)), os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}, Pdeathsig: syscall.SIGKILL}
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("as user %d: %v: %s", uid, err, answer)
	}
	var h hosted
	if err := json.Unmarshal(answer, &h); err != nil {
		t.Fatal(err)
	}
	if h.Best.rank() < s.Max.rank() {
		t.Skipf("that user has %s only: %v", h.Best, h.Why)
	}
	if h.Error != "" {
		t.Fatalf("as user %d: %s", uid, h.Error)
	}
	return h.Result
}

// open lets everybody pass to the directory.
func open(t *testing.T, dir string) {
	t.Helper()
	for ; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// host runs what its standard input says, and prints what became of it.
func host() int {
	var h hosted
	if err := json.NewDecoder(os.Stdin).Decode(&h); err != nil {
		fmt.Println(err)
		return 1
	}
	h.Best, h.Why = Detect()
	if h.Best.rank() >= h.Spec.Max.rank() {
		var err error
		if h.Result, err = Run(context.Background(), h.Spec); err != nil {
			h.Error = err.Error()
		}
	}
	dead := strings.Replace(scratch.Pattern("sandbox"), fmt.Sprint(os.Getpid()), "99999999", 1) + "1"
	if err := errors.Join(os.Mkdir(filepath.Join(os.TempDir(), dead), 0o700), os.Mkdir(filepath.Join(os.TempDir(), dead, "locked"), 0o300),
		os.WriteFile(filepath.Join(os.TempDir(), dead, "locked", "file"), nil, 0)); err != nil {
		h.Error += err.Error()
	}
	scratch.Sweep()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		h.Error += fmt.Sprint(left, " is left ", err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(h); err != nil {
		return 1
	}
	return 0
}

// targets are what the attacks are after, in their order: a file of the
// user's, a socket, one for datagrams, two addresses, a hidden directory, a terminal,
// and memory, messages and semaphores that everybody may use.
func targets(t *testing.T, uid int) (args []string, file string) {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	file = filepath.Join(dir, "file")
	secret := filepath.Join(home, "secret")
	for _, path := range []string{file, secret} {
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_ = unix.Setxattr(file, "user.there", []byte("x"), 0) // not every file system has them
	for _, path := range []string{dir, home, file, secret} {
		if err := os.Chown(path, uid, uid); err != nil {
			t.Fatal(err)
		}
	}
	open(t, dir)
	open(t, home)
	stream, err := net.Listen("unix", filepath.Join(dir, "stream"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close() })
	datagrams, err := net.ListenPacket("unixgram", filepath.Join(dir, "datagrams"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = datagrams.Close() })
	for _, name := range []string{"stream", "datagrams"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	args = []string{file, stream.Addr().String(), datagrams.LocalAddr().String(), server.Addr().String(), server.Addr().String(), home, terminal(t, uid)}
	return append(args, systemV(t)...), file
}

// terminal is the path of a terminal of a user's, as that of a shell next to
// pausetui.
func terminal(t *testing.T, uid int) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetUint32(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/dev/pts/%d", n)
	if err := os.Chown(path, uid, -1); err != nil {
		t.Fatal(err)
	}
	return path
}

// lineAfter is the rest of the line that begins with prefix.
func lineAfter(text, prefix string) string {
	_, rest, _ := strings.Cut("\n"+text, "\n"+prefix)
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

func TestAttacksFail(t *testing.T) {
	leak, err := os.Open("/etc/hostname")
	if err != nil {
		t.Skip(err)
	}
	defer leak.Close()
	if err := unix.Dup2(int(leak.Fd()), leaked); err != nil { // not closed on exec
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(leaked) }()
	users(t, func(t *testing.T, uid int) {
		tiers(t, func(t *testing.T, tier Tier) {
			args, file := targets(t, uid)
			before, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			s := program(t, tier, "attack", append([]string{string(tier)}, args...)...)
			s.Readable = []string{filepath.Dir(file)}
			r := runAs(t, uid, s)
			out := string(r.Output)
			if r.ExitCode != 0 || r.Signal != "" || r.Limit != "" || !strings.Contains(out, "all tried\n") {
				t.Errorf("exit %d, signal %q, limit %q:\n%s", r.ExitCode, r.Signal, r.Limit, out)
			}
			for line := range strings.Lines(out) {
				if strings.Contains(line, "GOT THROUGH") {
					t.Error(strings.TrimSpace(line))
				}
			}
			const none = "CapPrm=0000000000000000 CapEff=0000000000000000 "
			own, init := lineAfter(out, "own: "), lineAfter(out, "init: ")
			if !strings.Contains(own, "NoNewPrivs=1 Seccomp=2 ") || strings.Contains(own, "NoNewPrivs=0") || strings.Contains(own, "Seccomp=0") {
				t.Errorf("not every thread is filtered: %s", own)
			}
			if uid != 0 && !strings.HasPrefix(own, none) || uid == 0 && strings.Count(own, "CapPrm") != 1 {
				t.Errorf("the program's rights: %s", own)
			}
			if (uid != 0 || tier == Full) && (!strings.HasPrefix(init, none) || strings.Count(init, "Cap") != 2) {
				t.Errorf("the init's rights: %s", init)
			}
			after, err := os.Stat(file)
			if err != nil || before.Mode() != after.Mode() || !before.ModTime().Equal(after.ModTime()) {
				t.Errorf("%s was %v, is %v, %v", file, before, after, err)
			}
		})
	})
}

// What was left open to pausetui does not get to what it starts, sandboxed or
// not.
func TestNothingOpenIsPassedOn(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	leak, err := os.Open("/etc/hostname")
	if err != nil {
		t.Skip(err)
	}
	defer leak.Close()
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env, cmd.ExtraFiles = append(os.Environ(), behavior+"=start"), []*os.File{leak}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: open is %s", err, out)
	}
}

func TestTheGuardCannotBeStopped(t *testing.T) {
	users(t, func(t *testing.T, uid int) {
		tiers(t, func(t *testing.T, tier Tier) {
			s := program(t, tier, "overrun")
			s.Limits.Memory = 300 << 20
			r := runAs(t, uid, s)
			if r.Limit != LimitMemory || r.Took > 6*time.Second || strings.Contains(string(r.Output), "NOBODY LOOKED") {
				t.Errorf("result %+v, output %q", r, r.Output)
			}
			nothingLeft(t)
		})
	})
}

// Directories that only their names let in do not stay.
func TestNothingIsLeftBehind(t *testing.T) {
	users(t, func(t *testing.T, uid int) {
		tiers(t, func(t *testing.T, tier Tier) {
			temp := t.TempDir()
			if uid == os.Geteuid() { // the host of another user looks itself
				t.Setenv("TMPDIR", temp)
			}
			s := program(t, tier, "leave")
			if out := string(runAs(t, uid, s).Output); strings.Count(out, "<nil>") != 10 {
				t.Errorf("output %q", out)
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	})
}

// Children that ignore what they can, lead sessions of their own, and hold on to
// the output do not delay the end of a run.
func TestNothingHoldsAProofUp(t *testing.T) {
	users(t, func(t *testing.T, uid int) {
		tiers(t, func(t *testing.T, tier Tier) {
			s := program(t, tier, "cling")
			s.Limits.Wall = time.Second
			began := time.Now()
			r := runAs(t, uid, s)
			if took := time.Since(began); !r.Alive() || took > 8*time.Second {
				t.Errorf("took %v, result %+v", took, r)
			}
			nothingLeft(t)
		})
	})
}
