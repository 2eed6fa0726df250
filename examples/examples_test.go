// Package examples_test checks that every example stops as its row in
// README.md says when it is run plainly, without a debugger.
package examples_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// patience bounds every child process; none comes near it.
const patience = 2 * time.Minute

// example is a program and how it stops.
type example struct {
	name     string
	args     []string
	printed  string // a line on standard output before the stop
	message  string // the runtime's first line about the stop
	function string // the innermost function of the program in the first goroutine's trace
	trace    string // a further function that must be in the trace
}

// stops are the examples that end by themselves: all but httpapi.
var stops = []example{
	{
		name:     "calculator",
		printed:  "returned = 4 * 12: 48",
		message:  "panic: runtime error: integer divide by zero",
		function: "main.(*Binary).Eval",
		trace:    "main.(*Session).Execute",
	},
	{
		name:     "userimport",
		printed:  "read 8 records",
		message:  "panic: interface conversion: interface {} is nil, not float64",
		function: "main.parseUser",
		trace:    "main.importAll",
	},
	{
		name:     "recordimport",
		printed:  "valley   in °C  every  30 minutes",
		message:  "panic: interface conversion: interface {} is nil, not float64",
		function: "main.intervalOf",
		trace:    "main.NewStation",
	},
	{
		name:     "inventory",
		message:  "panic: assignment to entry in nil map",
		function: "main.(*Inventory).remember",
		trace:    "main.(*Inventory).Receive",
	},
	{
		name:     "leaderboard",
		message:  "panic: runtime error: index out of range [8] with length 8",
		function: "main.bestRun",
		trace:    "main.Rank",
	},
	{
		name:     "workerpool",
		printed:  "6 documents, 49 words",
		message:  "panic: close of closed channel",
		function: "main.(*Pool).Close",
		trace:    "main.run",
	},
	{
		name:     "lrucache",
		message:  "panic: runtime error: invalid memory address or nil pointer dereference",
		function: "main.(*recency).pushFront",
		trace:    "main.(*Cache).Put",
	},
	{
		name:     "blockimport",
		printed:  "check: 5 orders",
		message:  "panic: assignment to entry in nil map",
		function: "main.sumOrders",
		trace:    "main.run",
	},
	{
		name:     "deadlock",
		message:  "fatal error: all goroutines are asleep - deadlock!",
		function: "main.Summarize",
		trace:    "main.parseLines",
	},
	{
		name:     "chatty",
		printed:  "1000000 readings, warmest #102 ridge temperature=32.9C wind=54km/h",
		message:  "panic: runtime error: slice bounds out of range [-36:]",
		function: "main.(*History).Last",
		trace:    "main.run",
	},
	{
		name:     "chatty",
		args:     []string{"-n", "30", "-repeat", "31"},
		printed:  "#29 reservoir temperature=1.2C wind=40km/h",
		message:  "panic: runtime error: slice bounds out of range [-1:]",
		function: "main.(*History).Last",
		trace:    "main.run",
	},
}

func TestStops(t *testing.T) {
	bin := build(t)
	t.Setenv("PAUSETUI_CRASH", t.TempDir()) // blockimport reports its crash
	for _, e := range stops {
		t.Run(strings.Join(append([]string{e.name}, e.args...), " "), func(t *testing.T) {
			stdout, stderr, code := run(t, filepath.Join(bin, e.name), e)
			if code != 2 {
				t.Errorf("exit code %d, want 2", code)
			}
			if e.printed != "" && !slices.Contains(lines(stdout), e.printed) {
				t.Errorf("standard output lacks %q; it ends with:\n%s", e.printed, tail(stdout))
			}
			if first, _, _ := strings.Cut(stderr, "\n"); first != e.message {
				t.Errorf("stopped with %q, want %q", first, e.message)
			}
			functions := traced(stderr)
			if len(functions) == 0 || functions[0] != e.function {
				t.Errorf("stopped in %q, want %s first", functions, e.function)
			}
			if !slices.Contains(functions, e.trace) {
				t.Errorf("trace %q lacks %s", functions, e.trace)
			}
		})
	}
}

// TestHTTPAPI checks that a request makes the handler panic, that the server
// outlives it, and that SIGTERM ends the server with exit code 0.
func TestHTTPAPI(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process can be sent SIGTERM on windows")
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(build(t), "httpapi"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	output := bufio.NewReader(stdout)
	hello, err := output.ReadString('\n')
	url, listening := strings.CutPrefix(strings.TrimSpace(hello), "listening on ")
	if !listening {
		t.Fatalf("first line %q, %v; standard error:\n%s", hello, err, stderr.String())
	}

	if status, body, err := get(ctx, url+"/orders/1001/invoice"); status != http.StatusOK || !strings.Contains(body, "Ines Duarte") {
		t.Errorf("invoice 1001: %d %q, %v", status, body, err)
	}
	if status, body, err := get(ctx, url+"/orders/1003/invoice"); err == nil {
		t.Errorf("invoice 1003: answered %d %q, want a cut connection", status, body)
	}
	if status, body, err := get(ctx, url+"/customers/8"); status != http.StatusNotFound {
		t.Errorf("customer 8 after the panic: %d %q, %v", status, body, err)
	}

	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	rest, _ := io.ReadAll(output)
	if err := cmd.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if string(rest) != "bye\n" {
		t.Errorf("last words %q, want bye", rest)
	}
	const message = "runtime error: invalid memory address or nil pointer dereference"
	if !strings.Contains(stderr.String(), message) {
		t.Errorf("standard error lacks %q:\n%s", message, stderr.String())
	}
	if functions := traced(stderr.String()); len(functions) == 0 || functions[0] != "main.(*API).invoice" {
		t.Errorf("panic in %q, want main.(*API).invoice first", functions)
	}
}

// TestReadme checks that every example is tested and has a row in README.md.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatalf("no examples found: %v", err)
	}
	for _, file := range mains {
		name := filepath.Dir(file)
		if row := fmt.Sprintf("| [%s](%s) |", name, name); !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks a row that begins with %q", row)
		}
		tested := func(e example) bool { return e.name == name }
		if name != "httpapi" && name != "shopservice" && !slices.ContainsFunc(stops, tested) {
			t.Errorf("%s is not in the table of this test", name)
		}
	}
}

// build compiles all examples and returns the directory of their binaries.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := exec.CommandContext(ctx, "go", "build", "-o", dir+string(filepath.Separator), "./...").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

// run runs a binary with its example's arguments and its stdin.txt, if any.
func run(t *testing.T, binary string, e example) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, e.args...)
	// The tests' own environment may ask for other traces.
	cmd.Env = append(os.Environ(), "GOTRACEBACK=single")
	input, err := os.Open(filepath.Join(e.name, "stdin.txt"))
	if err == nil {
		defer func() { _ = input.Close() }()
		cmd.Stdin = input
	} else if !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var outBuf, errBuf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &outBuf, &errBuf
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outBuf.String(), errBuf.String(), cmd.ProcessState.ExitCode()
}

// get requests a URL and returns the answer's status and body.
func get(ctx context.Context, url string) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

// traced returns the functions of package main in a trace, in its order.
func traced(trace string) []string {
	var functions []string
	for _, line := range lines(trace) {
		if !strings.HasPrefix(line, "main.") {
			continue
		}
		// The last bracket opens the arguments; receivers have brackets too.
		if end := strings.LastIndexByte(line, '('); end > 0 {
			functions = append(functions, line[:end])
		}
	}
	return functions
}

func lines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// tail returns the last lines of a text that may be very long.
func tail(text string) string {
	all := lines(text)
	return strings.Join(all[max(0, len(all)-5):], "\n")
}

// TestShopservice checks that the service outlives its faults, and counts them.
func TestShopservice(t *testing.T) {
	testsupport.Slow(t)
	e := example{name: "shopservice", args: []string{"-load", "100", "-requests", "40"}}
	stdout, stderr, code := run(t, filepath.Join(build(t), e.name), e)
	if code != 0 || !strings.Contains(stdout, "load: 40 requests, 8 failed") || !strings.Contains(stdout, "8 errors") {
		t.Errorf("exit code %d, standard output:\n%s\nstandard error:\n%s", code, stdout, stderr)
	}
	e.args = append(e.args, "-faults", "0")
	if stdout, _, _ := run(t, filepath.Join(build(t), e.name), e); !strings.Contains(stdout, "load: 40 requests, 0 failed") {
		t.Errorf("without faults:\n%s", stdout)
	}
}
