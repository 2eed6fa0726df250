package pause

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
)

// envGuard marks the process that waits for the crash of another: its id, and when
// it called Guard.
const envGuard = "PAUSETUI_GUARD"

// maxCrash bounds the report, in bytes.
const maxCrash = 4 << 20

// Guard writes a report when the program crashes: the trace of all goroutines, the
// blocks that were running, and how the program was built. It prints the command
// that opens the report in pausetui. If the crash also left a core file that can be found
// (on Linux, with GOTRACEBACK=crash, a limit on core files above zero, and a core
// pattern that names a file), it prints the command that opens the core, too.
// Call Guard first in main.
//
// The report is written by a second process of the same program, which Guard
// starts and which does not return from its own call of Guard. Package
// initialization runs in that process as well. Reports are a markdown file and a
// JSON file with the same content, readable by this user only, in the directory
// named by the environment variable PAUSETUI_CRASH, or in the working directory.
// Under pausetui, Guard does nothing.
func Guard() {
	if of := os.Getenv(envGuard); of != "" {
		parent, began, _ := strings.Cut(of, " ")
		nanoseconds, _ := strconv.ParseInt(began, 10, 64)
		os.Exit(watch(parent, time.Unix(0, nanoseconds), os.Stdin, os.Stderr))
	}
	if under != nil {
		return
	}
	if err := guard(); err != nil {
		fmt.Fprintf(os.Stderr, "pause: crashes will not be reported: %v\n", err)
		return
	}
	// The runtime then names the blocks of every goroutine in its traces.
	setting := "tracebacklabels=1"
	if old := os.Getenv("GODEBUG"); old != "" {
		setting = old + "," + setting
	}
	_ = os.Setenv("GODEBUG", setting)
	tracking.Store(true)
}

// guard starts the process that waits, and gives it the runtime's crash output.
func guard() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	watcher := exec.Command(program)
	watcher.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d", envGuard, os.Getpid(), time.Now().UnixNano()))
	watcher.Stderr = os.Stderr
	read, written, err := os.Pipe()
	if err != nil {
		return err
	}
	watcher.Stdin = read
	err = watcher.Start()
	if err == nil {
		err = debug.SetCrashOutput(written, debug.CrashOptions{}) // which duplicates the file
	}
	return errors.Join(err, read.Close(), written.Close())
}

// watch waits until the other process has ended, and reports its crash, if it
// was one. began is when the other was running. It returns its own exit code.
func watch(parent string, began time.Time, crash io.Reader, out io.Writer) int {
	signal.Ignore() // those of the terminal go to the whole group
	text, err := io.ReadAll(io.LimitReader(crash, maxCrash))
	if len(text) == 0 {
		return 0
	}
	if _, copied := io.Copy(io.Discard, crash); err == nil {
		err = copied
	}
	var file string
	if err == nil {
		file, err = write(parent, text)
	}
	if err != nil {
		fmt.Fprintf(out, "pause: the crash could not be reported: %v\n", err)
		return 1
	}
	fmt.Fprintf(out, "\nThe crash is reported in %s. Open it with:\n\n\t%s\n", file, command("pausetui", "trace", file))
	// The kernel has written the core before it closed the crashed process's files.
	core := coreOf(parent, began)
	program, err := os.Executable()
	if core != "" && err == nil {
		fmt.Fprintf(out, "\nThe kernel has written a core dump. Open it with:\n\n\t%s\n", command("pausetui", "core", program, core))
	}
	return 0
}

// write writes the report as markdown and as a journal of one line, and returns the name
// of the first.
func write(parent string, text []byte) (string, error) {
	dir := os.Getenv("PAUSETUI_CRASH")
	if dir == "" {
		dir = "."
	}
	at := time.Now()
	name := filepath.Join(dir, fmt.Sprintf("crash-%s-%s", at.Format("20060102-150405"), parent))
	blocks, trace := inFlight(text)
	info := "unknown"
	if build, ok := debug.ReadBuildInfo(); ok {
		info = build.String()
	}
	line, err := json.Marshal(map[string]any{"v": 1, "at": at, "kind": "crash", "trace": string(trace), "build": info, "blocks": blocks})
	if err != nil {
		return "", err
	}
	if err := create(name+".jsonl", append(line, '\n')); err != nil {
		return "", err
	}
	return name + ".md", create(name+".md", report(at, blocks, trace, info))
}

// create writes a new file. The name can be guessed, and the directory may be one
// that others write to: what is there already, also a link, is left alone.
func create(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

func report(at time.Time, blocks []flight, trace []byte, info string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Crash of %s\n\n%s, process of %s.\n", filepath.Base(os.Args[0]), at.Format(time.RFC3339), strings.Join(os.Args, " "))
	if len(blocks) > 0 {
		b.WriteString("\n## Running blocks\n\n")
		for _, f := range blocks {
			fmt.Fprintf(&b, "- %s: %s (goroutine %s)\n", f.Block, f.Intent, strings.Join(f.Goroutines, ", "))
		}
	}
	fmt.Fprintf(&b, "\n## Trace\n\n```\n%s\n```\n\n## Build\n\n```\n%s\n```\n", bytes.TrimSpace(trace), strings.TrimSpace(info))
	return b.Bytes()
}

// flight is a block that was running.
type flight struct {
	Block      string   `json:"block"`
	Intent     string   `json:"intent"`
	Goroutines []string `json:"goroutines"`
}

var (
	header = regexp.MustCompile(`(?m)^(goroutine (\d+) [^\n]*?) labels:\{(.*)\}\]:$`)
	label  = regexp.MustCompile(`("(?:[^"\\]|\\.)*"|[^\s:,]+): ("(?:[^"\\]|\\.)*"|[^\s,]+)`)
)

// inFlight takes the labels out of the headers of a trace, which tools do not
// expect there, and returns the blocks that they name.
func inFlight(trace []byte) ([]flight, []byte) {
	var blocks []flight
	for _, m := range header.FindAllSubmatch(trace, -1) {
		set := map[string]string{}
		for _, pair := range label.FindAllSubmatch(m[3], -1) {
			set[unquote(pair[1])] = unquote(pair[2])
		}
		path := set[labelBlock]
		if path == "" {
			continue
		}
		i := slices.IndexFunc(blocks, func(f flight) bool { return f.Block == path })
		if i < 0 {
			i, blocks = len(blocks), append(blocks, flight{Block: path, Intent: set[labelIntent]})
		}
		blocks[i].Goroutines = append(blocks[i].Goroutines, string(m[2]))
	}
	return blocks, header.ReplaceAll(trace, []byte("$1]:"))
}

func unquote(text []byte) string {
	if s, err := strconv.Unquote(string(text)); err == nil {
		return s
	}
	return string(text)
}
