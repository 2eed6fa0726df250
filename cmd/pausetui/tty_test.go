package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// A target with a screen of its own gets another terminal for it.
func TestDebugOnAnotherTerminal(t *testing.T) {
	t.Parallel()
	dir := program(t, "package main\n\nimport \"os\"\n\nfunc main() {\n\tprintln(\"on the other terminal\")\n\tif _, err := os.Open(\"/dev/tty\"); err != nil {\n\t\tpanic(err)\n\t}\n}\n")
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "debug", "--plain", "--offline", "--tty", slave.Name(), ".")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(os.Environ(), asMain+"=1"), strings.NewReader("quit\n")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "on the other terminal") || strings.Contains(string(out), "PANIC") {
		t.Errorf("%v\n%s", err, out)
	}
	if line, err := bufio.NewReader(master).ReadString('\n'); !strings.Contains(line, "on the other terminal") {
		t.Errorf("the terminal shows %q, %v", line, err)
	}
}
