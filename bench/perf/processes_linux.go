package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/pausetui/pausetui/debugger/delve/process"
	"github.com/pausetui/pausetui/internal/supervise"
)

// used is the processor time in seconds that a process and those below it have spent so far.
func used(pid int) (seconds float64) {
	pids := append(supervise.Descendants(pid), pid)
	for _, p := range supervise.Processes() {
		if slices.Contains(pids, p.ID) {
			seconds += p.CPU.Seconds()
		}
	}
	return seconds
}

// resident is the memory of a process in MB.
func resident(pid int) (mb float64) {
	for _, p := range supervise.Processes() {
		if p.ID == pid {
			mb = float64(p.Held(false)) / (1 << 20)
		}
	}
	return mb
}

// debuggerBelow is the process that traces one of those below another.
func debuggerBelow(pid int) (int, error) {
	for _, child := range supervise.Descendants(pid) {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", child)) // it may have ended
		tracer := process.StatusField(status, "TracerPid")              // one of its threads
		if tracer == "" || tracer == "0" {
			continue
		}
		status, err := os.ReadFile("/proc/" + tracer + "/status")
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(process.StatusField(status, "Tgid"))
	}
	return 0, errors.New("no process is traced")
}
