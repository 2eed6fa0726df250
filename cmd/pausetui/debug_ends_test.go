package main

import (
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// A target that ends is shown as what it is.
func TestDebugShowsHowTheTargetEnds(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"at once", ``, []string{"EXITED", "exit code 0", "■ exit 0"}},
		{"with a code", `os.Exit(7)`, []string{"EXITED", "exit code 7", "■ exit 7"}},
		{"by a signal", `_ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {}`, []string{"KILLED", "SIGKILL"}},
		{"by another signal", `_ = syscall.Kill(os.Getpid(), syscall.SIGTERM); time.Sleep(time.Hour)`, []string{"KILLED", "SIGTERM"}},
		{"with children left", `fmt.Println(exec.Command("sh", "-c", "sleep 1000 & setsid sleep 1001 & sleep 1002 >/dev/null 2>&1 &").Run())`,
			[]string{"EXITED", "exit code 0", "<nil>"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := offline(t, program(t, `package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

var _ = []any{fmt.Println, os.Exit, exec.Command, syscall.Kill, time.Sleep}

func main() {
	`+c.body+`
}
`))
			x.wait("r restart")
			for _, want := range c.want {
				x.wait(want)
			}
			x.leave()
		})
	}
}

// A target that floods its terminal does not hold up the keys.
func TestDebugQuitsAFlood(t *testing.T) {
	t.Parallel()
	x := offline(t, program(t, `package main

import "fmt"

func main() {
	for i := 0; ; i++ {
		fmt.Println("line", i, "\x1b[2J\x1b]0;title\a")
	}
}
`))
	x.wait("line 1")
	x.keys("q")
	x.wait("Quit?")
	x.keys("y")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// A million lines are taken in, and what came last is shown.
func TestDebugTakesAMillionLines(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	x := offline(t, program(t, `package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	for i := 1; i <= 1_000_000; i++ {
		fmt.Fprintln(out, "line", i)
	}
	_ = out.Flush()
}
`))
	x.wait("line 1000000")
	x.wait("exit code 0")
	x.shows("1,000,000 lines")
	x.leave()
}
