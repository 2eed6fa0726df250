package main

import (
	"bytes"
	"os"
	"runtime"
	"testing"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == oneRun {
		os.Exit(one(os.Args[2]))
	}
	os.Exit(m.Run())
}

// TestFaults is a short campaign. A failure prints the command that repeats it.
func TestFaults(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("it runs programs on Linux")
	}
	var out bytes.Buffer
	failed, err := campaign(t.Context(), options{n: 3, seed: 287, run: -1, jobs: runtime.NumCPU(), verbose: true}, &out)
	t.Log(out.String())
	if err != nil || failed > 0 {
		t.Errorf("%d runs failed: %v", failed, err)
	}
}
