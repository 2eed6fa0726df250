//go:build linux

package delve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/reexec"
	"github.com/pausetui/pausetui/internal/supervise"
	"github.com/pausetui/pausetui/internal/testsupport"
)

func TestMain(m *testing.M) {
	reexec.Main()
	if binary := os.Getenv(hostEnv); binary != "" {
		host(binary)
	}
	if pid := os.Getenv(attachEnv); pid != "" {
		attachHost(pid)
	}
	dir, err := os.MkdirTemp("", "delve-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binaries = dir
	testsupport.MostlyWaiting()
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// hostEnv makes the test binary a program that debugs another, to be killed
// while it does.
const hostEnv = "DELVE_TEST_HOST"

func host(binary string) {
	target, err := Launch(context.Background(), Config{Binary: binary, Args: []string{"forks"}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go func() {
		for len(supervise.Descendants(os.Getpid())) < 10 { // until it has forked
			time.Sleep(time.Millisecond)
		}
		fmt.Println("ready")
	}()
	_, err = target.Resume(context.Background(), debugger.Continue)
	fmt.Println(err)
	os.Exit(1)
}

var (
	binaries string // where the fixtures are built
	built    sync.Map
)

// fixture builds a program of testdata, once.
func fixture(t testing.TB, name string) string {
	t.Helper()
	return compile(t, name, "build")
}

// testBinary builds the tests of a package of testdata, once.
func testBinary(t testing.TB, name string) string {
	t.Helper()
	return compile(t, name, "test", "-c")
}

func compile(t testing.TB, name string, verb ...string) string {
	t.Helper()
	once, _ := built.LoadOrStore(name, sync.OnceValues(func() (string, error) {
		out := filepath.Join(binaries, name)
		build := exec.Command("go", append(verb, "-o", out, "-buildvcs=false", "-ldflags=-compressdwarf=false",
			"-gcflags=./...=-N -l", "./testdata/"+name)...)
		text, err := build.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return out, err
	}))
	binary, err := once.(func() (string, error))()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// testdata is where the fixtures' sources are: the user's directory.
func testdata(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// launch starts a fixture and closes it at the end of the test.
func launch(t testing.TB, name string, args ...string) *Target {
	t.Helper()
	return launchWith(t, Config{Binary: fixture(t, name), Args: args})
}

func launchWith(t testing.TB, config Config) *Target {
	t.Helper()
	if config.UserDirs == nil {
		config.UserDirs = []string{testdata(t)}
	}
	target, err := Launch(t.Context(), config)
	if errors.Is(err, debugger.ErrPtrace) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := target.Close(); err != nil {
			t.Error(err)
		}
	})
	return target
}

// isRunning waits until a target that was resumed runs.
func isRunning(t testing.TB, target *Target) {
	t.Helper()
	testsupport.Eventually(t, "the program runs", func() bool { return target.srv.Usable() != nil })
}

// resume bounds the wait for a stop: a test that hangs says where.
func resume(t testing.TB, target *Target, motion debugger.Motion) debugger.Stop {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stop, err := target.Resume(ctx, motion)
	if err != nil {
		t.Fatal(err)
	}
	return stop
}
