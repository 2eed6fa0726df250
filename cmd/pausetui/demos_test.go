package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
)

// demos are the examples whose README is carried out.
var demos = []string{"calculator", "userimport", "recordimport", "shopservice", "blockimport"}

var (
	commandsOf = regexp.MustCompile("(?s)```sh\n(.*?)```")
	printedBy  = regexp.MustCompile("(?s)```text\n(.*?)```")
	rateOf     = regexp.MustCompile(`<td class="rate">([^<]*)</td>`)
)

// The commands of a demo's README print what it says, word for word.
func TestDemosDoWhatTheirReadmesSay(t *testing.T) {
	testsupport.Slow(t)
	repository := filepath.Join("..", "..")
	for _, name := range demos {
		t.Run(name, func(t *testing.T) {
			readme := testsupport.Read(t, filepath.Join(repository, "examples", name, "README.md"))
			commands, printed := commandsOf.FindStringSubmatch(readme), printedBy.FindStringSubmatch(readme)
			if commands == nil || printed == nil {
				t.Fatal("no commands, or nothing that they print")
			}
			dir := demoModule(t, repository, name)
			out := carryOut(t, dir, commands[1])
			rest := out
			for line := range strings.Lines(printed[1]) {
				_, after, found := strings.Cut(rest, strings.TrimSpace(line))
				if !found {
					t.Fatalf("it does not print, or not in this order:\n%s\nit prints:\n%s", line, out)
				}
				rest = after
			}
			if name == "shopservice" {
				failuresFall(t, filepath.Join(dir, "shopservice.html"))
			}
		})
	}
}

// demoModule is a copy of the repository with one example alone.
func demoModule(t *testing.T, repository, name string) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range []string{filepath.Join("examples", name), "pause"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join(repository, part))); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "go.mod"), "module github.com/pausetui/pausetui\n\ngo 1.26\n")
	return dir
}

// carryOut gives commands to a shell that finds this program, and returns what they
// print.
func carryOut(t *testing.T, dir, commands string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "pausetui")); err != nil {
		t.Fatal(err)
	}
	sh := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
	sh.Dir = dir
	sh.Env = append(os.Environ(), asMain+"=1", "NO_COLOR=1", "PWD="+dir, "XDG_STATE_HOME="+t.TempDir(),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := sh.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// failuresFall checks on the page of a session that the failures per minute fall from
// the first launch on, to zero in the last.
func failuresFall(t *testing.T, page string) {
	t.Helper()
	var rates []float64
	for _, m := range rateOf.FindAllStringSubmatch(testsupport.Read(t, page), -1) {
		rate, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(rates); n > 0 && rate >= rates[0] { // the load decides between the second and the third
			t.Errorf("launch %d: %v failures per minute after %v", n+1, rate, rates)
		}
		rates = append(rates, rate)
	}
	if n := len(rates); n != 4 || rates[n-1] != 0 {
		t.Errorf("failures per minute: %v", rates)
	}
}
