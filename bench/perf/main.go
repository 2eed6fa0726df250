// Command perf compares pausetui with dlv doing the same work on the same
// program in the same run, and prints ratios (docs/performance.md).
// Absolute times are noise; each figure is the median of pairs taken in turn.
//
//	go run ./bench/perf [-n 5] [-example examples/inventory] [-only goroutines]
//
// It needs dlv in PATH: go install github.com/go-delve/delve/cmd/dlv@v1.27.2
//
//	go run ./bench/perf -sessions 10000 -mb 1000
//
// instead measures the browser of past sessions on a real terminal, with that
// many sessions, half of them and a quarter.
//
//	go run ./bench/perf -growth bench/perf/growth.json [-only breakpoints]
//
// instead measures how costs grow with the size of what is debugged, compares them with
// those in the file, and replaces the file.
//
//	go run ./bench/perf -build
//
// instead builds pausetui and dlv with empty caches, some minutes.
//
//	go run ./bench/perf -program DIR [-package ./cmd/tool] [-touched ./pkg] [ARGUMENTS]
//
// instead measures a fix of a program that panics.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger/delve/process"
)

func main() {
	n := flag.Int("n", 5, "pairs of runs")
	example := flag.String("example", "examples/inventory", "directory of a program that panics")
	only := flag.String("only", "", "only figures whose name holds this")
	sessions := flag.Int("sessions", 0, "measure the browser with so many past sessions instead")
	mb := flag.Int("mb", 1000, "megabytes of their journals")
	curves := flag.String("growth", "", "measure how costs grow instead, and keep the figures in this file")
	build := flag.Bool("build", false, "measure the first build of both tools instead")
	var program crashing
	flag.StringVar(&program.dir, "program", "", "measure a fix of the program in this module instead; arguments are the program's")
	flag.StringVar(&program.pkg, "package", ".", "its main package")
	flag.StringVar(&program.touched, "touched", ".", "the package that the fix edits")
	flag.Parse()
	process.AdoptOrphans() // so that what descendants spend is known, whose own parents end
	var err error
	switch {
	case *curves != "":
		err = grow(*curves, *only)
	case *sessions > 0:
		err = pastSessions(*sessions, *mb, *n)
	case program.dir != "":
		program.args = flag.Args()
		err = ofProgram(*n, program)
	case *build:
		err = emptyCaches()
	default:
		err = run(*n, *example, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "perf:", err)
		os.Exit(1)
	}
}

// two is what something costs with either tool, in the figure's unit.
type two struct{ ours, theirs float64 }

// figure is what one measurement tells.
type figure struct {
	name, unit, want string
}

// measurement gives all its figures, once for each pair of runs.
type measurement struct {
	figures []figure
	pair    func() ([]two, error)
}

func run(n int, example, only string) error {
	if _, err := exec.LookPath("dlv"); err != nil {
		return fmt.Errorf("%w: go install github.com/go-delve/delve/cmd/dlv@v1.27.2", err)
	}
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	b := bench{tool: filepath.Join(temp, "pausetui"), dir: filepath.Join(temp, "module")}
	if err := goCommand("", "build", "-o", b.tool, "./cmd/pausetui"); err != nil {
		return err
	}
	if err := b.copyModule(example); err != nil {
		return err
	}
	for _, m := range b.measurements() {
		if !slices.ContainsFunc(m.figures, func(f figure) bool { return strings.Contains(f.name, only) }) {
			continue
		}
		if err := m.report(n); err != nil {
			return fmt.Errorf("%s: %w", m.figures[0].name, err)
		}
	}
	if !strings.Contains(keysName, only) {
		return nil
	}
	return b.reportKeys(n)
}

// measurements are all that compare the two tools. Wall time is in s, processor time of
// all processes in CPU s.
func (b bench) measurements() []measurement {
	return []measurement{
		{[]figure{{"first debug build, ordinary build cached", "s", "≤ 0.10 of dlv debug's"}}, b.firstBuild},
		{[]figure{{"start of exec to the painted stop", "s", "≤ 0.80 of dlv exec, continue, stack, locals"}}, b.startToStop},
		{[]figure{{"5,000 hits of a conditional breakpoint", "s", "≤ 0.10 of dlv's"}}, b.conditional},
		{[]figure{{"restart after approving", "s", "≤ 0.50 of dlv's rebuild"}}, b.restart},
		{[]figure{{"100,000 goroutines grouped", "s", "≤ 1 of dlv's goroutines -group"}, {"their first page, after the painted stop", "s", "≤ 0.05 s"}}, b.goroutines},
		{[]figure{{"a step", "CPU s", "≤ 1.20 of dlv's step, stack and locals"}}, b.step},
		{[]figure{{"pausetui version", "CPU s", "≤ 1.30 of dlv version"}}, b.version},
		{[]figure{{"memory of Delve at a stop in pausetui itself", "MB", "≤ 1 of dlv's"}}, b.memory},
		{fixFigures, crashing{tool: b.tool, dir: b.dir, pkg: ".", touched: "."}.fix},
		{[]figure{{"stop to the first verified fix", "s", "≤ 1.5 s"}}, b.firstVerified},
	}
}

// spreadAllowed is how far the middle half of the ratios may be apart, as a part of
// their median: beyond it the machine was too busy for a figure.
const spreadAllowed = 0.3

func (m measurement) report(n int) error {
	pairs := make([][]two, len(m.figures))
	for range n {
		found, err := m.pair()
		if err != nil {
			return err
		}
		for i, p := range found {
			pairs[i] = append(pairs[i], p)
		}
	}
	for i, f := range m.figures {
		fmt.Println(f.words(pairs[i]))
	}
	return nil
}

// words tells a figure with the spread of its pairs. Where dlv has none, the values
// stand for the ratios.
func (f figure) words(pairs []two) string {
	ours, theirs, ratios := make([]float64, len(pairs)), make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		ours[i], theirs[i], ratios[i] = p.ours, p.theirs, p.ours
		if p.theirs > 0 {
			ratios[i] = p.ours / p.theirs
		}
	}
	middle := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
	ratio, value, other := middle(ratios), middle(ours), middle(theirs)
	text := fmt.Sprintf("%-46s", f.name)
	if spread := (ratios[len(ratios)*3/4] - ratios[len(ratios)/4]) / ratio; spread > spreadAllowed {
		return fmt.Sprintf("%s no figure: the pairs differ by %.0f %% (%.2f–%.2f)   want %s", text, spread*100, ratios[0], ratios[len(ratios)-1], f.want)
	}
	if other == 0 {
		return fmt.Sprintf("%s %.3f %s (%.3f–%.3f)   want %s", text, value, f.unit, ratios[0], ratios[len(ratios)-1], f.want)
	}
	return fmt.Sprintf("%s ratio %.2f (%.2f–%.2f)  ours %.3f  theirs %.3f %s   want %s", text, ratio, ratios[0], ratios[len(ratios)-1], value, other, f.unit, f.want)
}
