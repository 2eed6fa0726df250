package completion

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestAttachCompletesGoPrograms: not what it would refuse.
func TestAttachCompletesGoPrograms(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
		return strconv.Itoa(cmd.Process.Pid)
	}
	// A test binary that waits for its input, and a program that is not Go's.
	t.Setenv(waitForInput, "1")
	goes, other := start(exe, "-test.run", "^TestWaitForInput$"), start("cat")
	list, _ := completeProcesses(nil, nil, "")
	all := "\n" + strings.Join(list, "\n")
	if !strings.Contains(all, "\n"+goes+"\t") {
		t.Errorf("the Go program %s is not offered:%s", goes, all)
	}
	if strings.Contains(all, "\n"+other+"\t") {
		t.Errorf("cat, %s, is offered:%s", other, all)
	}
}

const waitForInput = "PAUSETUI_TEST_WAITS"

func TestWaitForInput(t *testing.T) {
	if os.Getenv(waitForInput) == "" {
		t.Skip("only in a process of TestAttachCompletesGoPrograms")
	}
	_, _ = os.Stdin.Read(make([]byte, 1))
}
