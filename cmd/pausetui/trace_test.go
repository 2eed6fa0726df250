//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/cli"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// ran runs the program of a module until it dies, and returns what it printed.
func ran(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOTRACEBACK=all")
	text, err := cmd.CombinedOutput()
	if err == nil {
		t.Fatalf("it did not die: %s", text)
	}
	return string(text)
}

// dyingProgram dies as its argument says.
const dyingProgram = `package main

import (
	"fmt"
	"os"
	"time"
)

// Shelf holds books.
type Shelf struct{ books map[string]int }

// Put adds a book.
func (s *Shelf) Put(title string) {
	s.books[title]++
}

func pick(list []string, n int) string {
	return list[n]
}

func wait(c chan int) { fmt.Println(<-c) }

func main() {
	switch os.Args[1] {
	case "map":
		(&Shelf{}).Put("Dune")
	case "index":
		fmt.Println(pick([]string{"a", "b"}, len(os.Args)))
	case "deadlock":
		wait(make(chan int))
	case "many":
		for range 40 {
			go wait(make(chan int))
		}
		time.Sleep(200 * time.Millisecond)
		fmt.Println(pick(nil, 5))
	case "race":
		n := 0
		go func() { n++ }()
		n++
		time.Sleep(200 * time.Millisecond)
		os.Exit(1)
	}
}
`

// The trace of a real panic, in a file: stack, source, a fix that was built and
// vetted and is never called verified, applied by hand, in the log.
func TestTraceFromAFile(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := module(t, "inventory")
	put(t, filepath.Join(dir, "crash.log"), ran(t, dir, "run", "."))
	x := way(t, dir, "trace", "crash.log")
	x.wait("nil-map-write")
	x.wait("never sets")
	x.wait("rerun–", "rerun –")
	x.gone("◌") // the other is still being proved, and stands first until it is
	x.keys("c")
	x.wait("a trace cannot run")
	x.keys("r")
	x.wait("a trace cannot be started again")
	x.keys(":", "p", " ", "i", "n", "v", ".", "i", "t", "e", "m", "s", "\r")
	x.wait("a trace has no values but")
	x.keys(escape)
	x.gone("a trace has no values but")
	x.keys("6", "\r")
	x.wait("not run: a trace has no process")
	x.approve()
	x.wait("not reached", "not-reached")
	x.leave()
	has(t, get(t, filepath.Join(dir, "inventory.go")), "bySupplier: make(map")
	has(t, logOf(t, dir), "pausetui trace", "nil-map-write", "### The trace", "not run: a trace has no process")

	x = startTerminal(t, dir, 120, 36, nil, "sessions", "resume", "--offline", "latest")
	x.wait("nil-map-write")
	x.wait("the trace is of the source before")
	x.keys("u")
	x.wait("Undo")
	x.keys("y")
	x.wait("undone:")
	x.leave()
	if text := get(t, filepath.Join(dir, "inventory.go")); strings.Contains(text, "bySupplier: make(map") {
		t.Error("the change was not taken back")
	}
}

// Standard input is the trace, and keys come from the terminal all the same.
func TestTraceFromAPipe(t *testing.T) {
	t.Parallel()
	dir := program(t, dyingProgram)
	put(t, filepath.Join(dir, "crash.log"), ran(t, dir, "run", ".", "many"))
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	x := startProgram(t, dir, 120, 36, nil, "sh", "-c", `cat crash.log | "$0" trace --offline -`, exe)
	x.wait("index-out-of-range")
	x.wait("return list[n]")
	x.keys("4")
	x.wait("40")
	x.leave()
	has(t, logOf(t, dir), "pausetui trace -", "index out of range [5] with length 0")
}

// Without a file the trace is pasted; the screen comes up where it was.
func TestTracePasted(t *testing.T) {
	t.Parallel()
	dir := program(t, dyingProgram)
	text := ran(t, dir, "run", ".", "map")
	x := way(t, dir, "trace")
	x.wait("Paste the trace")
	x.keys(strings.ReplaceAll(text, "\n", "\r"))
	x.wait(fmt.Sprintf("%d lines", strings.Count(text, "\n")))
	x.keys("\x04")
	x.wait("nil-map-write")
	x.wait("s.books[title]++")
	x.wait("6 Fixes")
	x.leave()
	has(t, logOf(t, dir), "pausetui trace -", "nil-map-write")
}

// A record of a structured log is one line, longer than a terminal takes in lines.
func TestTracePastedInOneLine(t *testing.T) {
	t.Parallel()
	dir := program(t, dyingProgram)
	record, err := json.Marshal(map[string]string{"level": "fatal", "stack": ran(t, dir, "run", ".", "many")})
	if err != nil || len(record) < 5000 {
		t.Fatal(err, len(record))
	}
	x := way(t, dir, "trace")
	x.wait("Paste the trace")
	x.keys(string(record) + "\r")
	x.wait("1 line")
	x.keys("\x04")
	x.wait("index-out-of-range")
	x.keys("4")
	x.wait("×40")
	x.leave()
}

func TestTracePasteIsGivenUp(t *testing.T) {
	t.Parallel()
	x := way(t, program(t, dyingProgram), "trace")
	x.wait("Paste the trace")
	x.keys("panic: half\n", "\x03")
	if code := x.exit(); code != cli.ExitInterrupted {
		t.Errorf("exit code %d", code)
	}
}

// noisy is a log of 10 MB with crashes in it, each written otherwise.
func noisy(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	noise := strings.Repeat(`{"level":"info","ts":"2026-11-20T17:02:03Z","msg":"GET /orders/1003 200 in 3.2ms"}`+"\n", 32_000)
	prefixed := func(text, prefix string) {
		for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			fmt.Fprintf(&b, prefix+"%s\r\n", i%60, line)
		}
	}
	index, dead := ran(t, dir, "run", ".", "index"), ran(t, dir, "run", ".", "deadlock")
	b.WriteString(noise)
	prefixed(index, "2026-11-20T17:02:%02d.123456789Z stderr F ")
	b.WriteString(noise)
	prefixed("\x1b[31m"+dead+"\x1b[0m", "app-1  | \x1b[2m12:00:%02d\x1b[0m ")
	b.WriteString(noise)
	prefixed(index, "2026-11-21T09:15:%02d.000000001Z stderr F ")
	b.WriteString(noise)
	truncated := ran(t, dir, "run", ".", "map")
	b.WriteString(truncated[:strings.Index(truncated, "main.main()")])
	return b.String()
}

func TestTraceOfALogWithSeveral(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, dyingProgram)
	log := noisy(t, dir)
	if len(log) < 10<<20 {
		t.Fatalf("the log has %d bytes", len(log))
	}
	put(t, filepath.Join(dir, "app.log"), log)
	x := way(t, dir, "trace", "app.log")
	x.wait("Which of 3 traces?")
	x.wait("×2")
	x.keys("d", "e", "a", "d")
	x.gone("index out of range")
	x.keys("\r")
	x.wait("all goroutines are asleep")
	x.wait("fmt.Println(<-c)")
	x.leave()

	x = way(t, dir, "trace", "--plain", "app.log")
	x.wait("which one, 1 to 3?")
	x.keys("nine\n", "1\n")
	x.wait("index-out-of-range: runtime error: index out of range [2] with length 2")
	x.wait("this crash 2 times")
	x.keys("quit\n")
	if code := x.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	out, code := inLines(t, dir, log, "trace", "--offline", "--plain")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	has(t, out, "3 traces in standard input:\n1: panic: runtime error: index out of range [2] with length 2 · pick main.go:18, line ", ", 2 times\n2: fatal error: all goroutines are asleep - deadlock!", "3: panic: assignment to entry in nil map",
		"taking 3, the one that ended the program; --nth N takes another one", "PANIC nil-map-write")
	out, code = inLines(t, dir, log, "trace", "--offline", "--plain", "--nth", "3", "-")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	has(t, out, "PANIC nil-map-write", "line 14: s.books[title]++", "the beginning or the end of the trace is missing", "> fixes", "not verified")
}

// inLines runs pausetui without a terminal.
func inLines(t *testing.T, dir, input string, args ...string) (out string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), asMain+"=1", stateHome(t))
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	_ = cmd.Run() // its code says how it went
	return text.String(), cmd.ProcessState.ExitCode()
}

// Whatever is not as it should be is said, and what there is is shown.
func TestTraceSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	dir := program(t, dyingProgram)
	crash := ran(t, dir, "run", ".", "map")
	elsewhere := t.TempDir()
	changed := program(t, strings.Replace(dyingProgram, "// Shelf holds", "// A shelf\n// is a Shelf.\n// Shelf holds", 1))
	for name, tt := range map[string]struct {
		dir, input string
		code       int
		want       []string
	}{
		"no trace":     {dir, "all is well\n", cli.ExitFailure, []string{"there is no trace in standard input (1 line)"}},
		"nothing":      {dir, "", cli.ExitFailure, []string{"there is no trace"}},
		"no source":    {elsewhere, crash, 0, []string{"PANIC nil-map-write", "no fixes: no line of the trace is in one of your modules here"}},
		"changed":      {changed, strings.ReplaceAll(crash, dir, "/build/src"), 0, []string{"PANIC nil-map-write", "no fixes: main.go:14 has changed since"}},
		"no crash":     {dir, "goroutine 7 [chan receive]:\nmain.wait(0x0)\n\t/src/main.go:21 +0x1d\n", 0, []string{"held where it was found", "not of a crash", "line 21: func wait"}},
		"race":         {dir, "==================\nWARNING: DATA RACE\nWrite at 0x00c000014108 by goroutine 7:\n  main.main.func1()\n      /src/main.go:39 +0x3c\n\nPrevious write at 0x00c000014108 by main goroutine:\n  main.main()\n      /src/main.go:40 +0x9e\n==================\n", 0, []string{"data race: write by goroutine 7, previous write by goroutine 1", "go func() { n++ }()"}},
		"control bits": {dir, strings.Replace(crash, "nil map", "nil\x1b[2J\x1b]0;title\x07 map", 1), 0, []string{"PANIC nil-map-write: assignment to entry in nil map"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "changed" && name != "no source" && name != "no trace" && name != "nothing" && name != "no crash" {
				testsupport.Slow(t)
			}
			out, code := inLines(t, tt.dir, tt.input, "trace", "--offline", "--plain")
			if code != tt.code {
				t.Errorf("exit code %d", code)
			}
			has(t, out, tt.want...)
			if strings.Contains(out, "\x1b") {
				t.Errorf("a control sequence came through: %q", out)
			}
		})
	}
}

// What the race detector prints of a real program is read; it needs a C compiler.
func TestTraceOfARealRace(t *testing.T) {
	testsupport.Slow(t)
	t.Parallel()
	dir := program(t, dyingProgram)
	text := ran(t, dir, "run", "-race", ".", "race")
	if !strings.Contains(text, "DATA RACE") {
		t.Skip("go run -race does not work here: " + text)
	}
	out, _ := inLines(t, dir, text, "trace", "--offline", "--plain")
	has(t, out, "FATAL ERROR", "data race", "main.go")
}
