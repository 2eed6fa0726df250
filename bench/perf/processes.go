package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// spent runs a command, and waits for it and all that it leaves behind. It returns the
// processor and wall time in seconds of it all. The command's own error is an exit code.
func spent(cmd *exec.Cmd) (processor, wall float64, err error) {
	before, began := children(), time.Now()
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		return 0, 0, err
	}
	wall = time.Since(began).Seconds()
	for {
		if _, err := syscall.Wait4(-1, nil, 0, nil); errors.Is(err, syscall.ECHILD) {
			return children() - before, wall, nil
		} else if err != nil && !errors.Is(err, syscall.EINTR) {
			return 0, 0, err
		}
	}
}

// children is the processor time in seconds of the children that have ended.
func children() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// tree lists a process and all its descendants.
func tree(pid int) []int {
	list := []int{pid}
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, t := range tasks {
		data, _ := os.ReadFile(t)
		for _, word := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, tree(child)...)
			}
		}
	}
	return list
}

// used is the processor time in seconds that running processes have spent so far.
func used(pids []int) (sum float64) {
	const ticks = 100 // a second, on all of Linux
	for _, pid := range pids {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		_, rest, _ := bytes.Cut(data, []byte(") ")) // its name may hold anything
		if words := strings.Fields(string(rest)); len(words) > 12 {
			user, _ := strconv.Atoi(words[11])
			system, _ := strconv.Atoi(words[12])
			sum += float64(user+system) / ticks
		}
	}
	return sum
}

// resident is the memory of a process in MB.
func resident(pid int) (mb float64) {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range bytes.Lines(data) {
		var kb float64
		if n, _ := fmt.Sscanf(string(line), "VmRSS: %f kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}
