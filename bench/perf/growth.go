package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// curve is how the cost of one thing grows with its size, compared with dlv's. Costs are
// processor seconds of all processes, which depend little on the load of the machine.
type curve struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"` // what Size counts
	Points []point `json:"points"`
}

type point struct {
	Size   int     `json:"size"`
	Ours   float64 `json:"ours"` // processor seconds
	Theirs float64 `json:"dlv"`
}

// growth is what -growth has measured, and where.
type growth struct {
	At      time.Time `json:"at"`
	Machine string    `json:"machine"`
	Curves  []curve   `json:"curves"`
}

// workload is a program of a given size, and the script that both tools run on it.
type workload struct {
	name, unit string
	sizes      []int
	program    func(size int) string // main.go
	script     func(size int) string // console commands
}

var workloads = []workload{
	{"breakpoints", "breakpoints", []int{50, 100, 200, 500}, manyFunctions, func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "break main.f%d\n", i)
		}
		return b.String() + "continue\n"
	}},
	{"goroutines", "goroutines", []int{1_000, 3_000, 10_000, 30_000}, manyGoroutines, func(int) string {
		return "continue\ngoroutines -group userloc\n"
	}},
	{"output", "MB", []int{1, 3, 10, 30}, muchOutput, func(int) string { return "continue\n" }},
	{"hits of a condition", "hits", []int{500, 1_000, 2_000, 5_000}, func(n int) string {
		return strings.ReplaceAll(loop, "HITS", fmt.Sprint(n))
	}, func(int) string { return "break main.tick if i == -1\ncontinue\n" }},
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

func muchOutput(mb int) string {
	return fmt.Sprintf("package main\n\nimport (\n\t\"bufio\"\n\t\"os\"\n)\n\nfunc main() {\n\tw := bufio.NewWriter(os.Stdout)\n\tfor range %d {\n"+
		"\t\tw.WriteString(\"a line of sixty-three bytes, and so on until the end of the line.\\n\")\n\t}\n\tw.Flush()\n}\n", mb<<20/64)
}

// grow measures all curves, prints them with the ratios that the file has, and replaces the file.
func grow(file, only string) error {
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	tool := filepath.Join(temp, "pausetui")
	if err := command("", "go", "build", "-o", tool, "./cmd/pausetui"); err != nil {
		return err
	}
	before, err := lastGrowth(file)
	if err != nil {
		return err
	}
	now := growth{At: time.Now().UTC().Truncate(time.Second), Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())}
	for _, w := range workloads {
		if !strings.Contains(w.name, only) {
			continue
		}
		c := curve{Name: w.name, Unit: w.unit}
		for _, size := range w.sizes {
			p, err := w.measure(filepath.Join(temp, fmt.Sprintf("%s%d", strings.Fields(w.name)[0], size)), tool, size)
			if err != nil {
				return fmt.Errorf("%s, %d %s: %w", w.name, size, w.unit, err)
			}
			c.Points = append(c.Points, p)
			fmt.Println(p.words(w, before))
		}
		now.Curves = append(now.Curves, c)
	}
	if file == "" || only != "" {
		return nil
	}
	data, err := json.MarshalIndent(now, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o600)
}

func lastGrowth(file string) (g growth, err error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) || file == "" {
		return g, nil
	}
	if err != nil {
		return g, err
	}
	return g, json.Unmarshal(data, &g)
}

// words describes a point in one line, with the ratio of the last measurement.
func (p point) words(w workload, before growth) string {
	text := fmt.Sprintf("%-20s %7d %-11s ratio %5.2f  ours %6.2f s  dlv %6.2f s", w.name, p.Size, w.unit, p.ratio(), p.Ours, p.Theirs)
	for _, c := range before.Curves {
		i := slices.IndexFunc(c.Points, func(old point) bool { return old.Size == p.Size })
		if c.Name == w.name && i >= 0 {
			text += fmt.Sprintf("  before %.2f", c.Points[i].ratio())
		}
	}
	return text
}

func (p point) ratio() float64 { return p.Ours / p.Theirs }

// measure builds the program and has both tools work on it.
func (w workload) measure(dir, tool string, size int) (point, error) {
	p := point{Size: size}
	files := map[string]string{"go.mod": "module example.org/perf\n\ngo 1.26\n", "main.go": w.program(size), "script": w.script(size) + "exit\n"}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return p, err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return p, err
		}
	}
	if err := command(dir, "go", "build", "-gcflags=-N -l", "-o", "target", "."); err != nil {
		return p, err
	}
	var err error
	if p.Ours, err = spent(dir, tool, "exec", "--offline", "--plain", "--log-dir", filepath.Join(dir, "log"), "./target"); err != nil {
		return p, err
	}
	p.Theirs, err = spent(dir, "dlv", "exec", "--allow-non-terminal-interactive=true", "./target")
	return p, err
}

// spent is the processor time of a tool and its children, in seconds, for the script.
func spent(dir, tool string, args ...string) (float64, error) {
	script, err := os.Open(filepath.Join(dir, "script"))
	if err != nil {
		return 0, err
	}
	defer script.Close()
	cmd := exec.Command(tool, args...)
	cmd.Dir, cmd.Stdin = dir, script
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	if err := cmd.Run(); cmd.ProcessState == nil { // the exit code is the program's
		return 0, err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, fmt.Errorf("this system does not say what a process has spent")
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds(), nil
}
