package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport/terminal"
)

// workload is a program of a given size, and the script that both tools run on it.
type workload struct {
	name, unit string
	sizes      []int
	program    func(size int) string                 // main.go
	script     func(size int) string                 // console commands
	measure    func(dir, tool string) (point, error) // in a directory that has the target and the script
}

var workloads = []workload{
	{"breakpoints", "breakpoints", []int{50, 100, 200, 500}, manyFunctions, breakAtAll, scripted},
	{"goroutines", "goroutines", []int{1_000, 3_000, 10_000, 30_000}, manyGoroutines, func(int) string {
		return "continue\ngoroutines -group userloc\n"
	}, scripted},
	{"output", "MB", []int{3, 10, 30, 100}, muchOutput, nil, inTerminals},
	{"hits of a condition", "hits", []int{500, 1_000, 2_000, 5_000}, func(n int) string {
		return strings.ReplaceAll(loop, "HITS", fmt.Sprint(n))
	}, func(int) string { return "break main.tick if i == -1\ncontinue\n" }, scripted},
	{"first paint", "lines", []int{1_000, 10_000, 30_000, 100_000}, manyLines, nil, firstPaint},
}

func breakAtAll(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "break main.f%d\n", i)
	}
	return b.String() + "continue\n"
}

func manyFunctions(n int) string {
	var b strings.Builder
	b.WriteString("package main\n\nfunc main() {\n\ts := 0\n")
	for i := range n {
		fmt.Fprintf(&b, "\ts += f%d(s)\n", i)
	}
	b.WriteString("\tprintln(s)\n}\n")
	for i := range n {
		fmt.Fprintf(&b, "\n//go:noinline\nfunc f%d(n int) int {\n\treturn n + %[1]d\n}\n", i)
	}
	return b.String()
}

func manyGoroutines(n int) string {
	return fmt.Sprintf("package main\n\nimport \"runtime\"\n\nfunc main() {\n\tc := make(chan int)\n\tfor range %d {\n\t\tgo func() { <-c }()\n\t}\n"+
		"\truntime.Gosched()\n\tpanic(\"done\")\n}\n", n)
}

// elapsed is the file in which the program says for how many seconds it has printed.
const elapsed = "elapsed"

func muchOutput(mb int) string {
	return fmt.Sprintf(`package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	began := time.Now()
	w := bufio.NewWriter(os.Stdout)
	for range %d {
		w.WriteString("a line of sixty-three bytes, and so on until the end of the line.\n")
	}
	w.Flush()
	os.WriteFile(%q, fmt.Append(nil, time.Since(began).Seconds()), 0o600)
	end()
}

//go:noinline
func end() {}
`, mb<<20/64, elapsed)
}

// manyLines is a program that stops in a file of so many lines.
func manyLines(n int) string {
	return strings.TrimSuffix(manyFunctions(n/6), "}\n") + "}\n\nfunc init() { panic(`in a long file`) }\n"
}

// scripted is the processor time of both tools without a screen.
func scripted(dir, tool string) (p point, err error) {
	p.Ours, err = scriptedBy(dir, tool, "exec", "--offline", "--plain", "--log-dir", filepath.Join(dir, "log"), "./target")
	if err == nil {
		p.Theirs, err = scriptedBy(dir, "dlv", "exec", "--allow-non-terminal-interactive=true", "./target")
	}
	return p, err
}

func scriptedBy(dir, tool string, args ...string) (float64, error) {
	script, err := os.Open(filepath.Join(dir, "script"))
	if err != nil {
		return 0, err
	}
	defer script.Close()
	cmd := exec.Command(tool, args...)
	cmd.Dir, cmd.Stdin = dir, script
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	processor, _, err := spent(cmd)
	return processor, err
}

// inTerminals is how long the program has printed, by its own clock, under either tool
// on a terminal.
func inTerminals(dir, tool string) (p point, err error) {
	b := bench{tool: tool, dir: dir, state: filepath.Join(dir, "state")}
	if p.Ours, err = b.atStop(func(*terminal.Terminal) (float64, error) { return printedFor(dir) }, "exec", "--break", "main.end", "./target"); err != nil {
		return p, err
	}
	screen, err := b.dlvScreen("break main.end\ncontinue\n", "./target")
	if err != nil {
		return p, err
	}
	defer screen.End()
	if err := shows(screen, "[Breakpoint 1] main.end()"); err != nil {
		return p, err
	}
	p.Theirs, err = printedFor(dir)
	return p, err
}

// printedFor reads and removes the file elapsed.
func printedFor(dir string) (seconds float64, err error) {
	name := filepath.Join(dir, elapsed)
	data, err := os.ReadFile(name)
	if err == nil {
		_, err = fmt.Sscan(string(data), &seconds)
	}
	if err == nil {
		err = os.Remove(name)
	}
	return seconds, err
}

// shows waits until a terminal's last bytes hold some words.
func shows(t *terminal.Terminal, words string) error {
	const last = 4 << 10
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if bytes.Contains(t.Written(max(t.Size()-last, 0)), []byte(words)) {
			return nil
		}
	}
	return fmt.Errorf("%q was not shown within a minute", words)
}

// firstPaint is the time from the stop to its picture, in a file of some length.
func firstPaint(dir, tool string) (p point, err error) {
	b := bench{tool: tool, dir: dir, state: filepath.Join(dir, "state")}
	marks, err := b.command("stop_painted", nil, "exec", "./target")
	p.Ours = (marks["stop_painted"] - marks["stopped"]).Seconds()
	return p, err
}
