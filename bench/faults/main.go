// Command faults runs pausetui many times, each time with a random fault at a random
// moment, and checks the promises of SECURITY.md and the README: no process and no
// temporary file is left, the source is as before or as after an apply, the log can be
// read, the next start is clean, and the terminal is restored.
//
//	go run ./bench/faults -n 1000 -seed 7 [-scenario NAME] [-fault NAME] [-run ID] [-jobs J]
//
// Scenario, fault and moment follow from the seed and the number of the run. The
// command that repeats a run is printed with its failure. When exactly the fault comes also
// depends on how busy the machine is, so a failure may need several repetitions.
//
// It needs Linux; as root, or with user namespaces, it also fills disks. It knows
// pausetui only as a person does, and by the names of its processes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

// options are those of the command line.
type options struct {
	n, run, jobs int
	seed         uint64
	scenario     string
	fault        string
	bin          string // a built pausetui; made if empty
	verbose      bool
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == oneRun {
		os.Exit(one(os.Args[2]))
	}
	var o options
	flag.IntVar(&o.n, "n", 100, "make `N` runs")
	flag.Uint64Var(&o.seed, "seed", 1, "draw scenarios, faults and moments by `S`")
	flag.StringVar(&o.scenario, "scenario", "", "make runs of scenario `NAME` only: "+strings.Join(scenarioNames(), ", "))
	flag.StringVar(&o.fault, "fault", "", "make only faults whose name contains `NAME`, as \"file descriptors\" or \"SIGKILL to delve\"")
	flag.IntVar(&o.run, "run", -1, "make only the run with the number `ID`")
	flag.IntVar(&o.jobs, "jobs", max(1, runtime.NumCPU()/2), "make `J` runs at a time")
	flag.StringVar(&o.bin, "bin", "", "test the pausetui at `PATH` instead of building ./cmd/pausetui")
	flag.BoolVar(&o.verbose, "v", false, "print every run")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed, err := campaign(ctx, o, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// oneRun is the argument of a process that makes one run: see one.
const oneRun = "one-run"
