package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/llm/ollama/ollamatest"
	"github.com/pausetui/pausetui/ui/preferences"
)

// runTests makes "pausetui" a command of the scripts, runs everything and exits.
func runTests(m *testing.M) {
	testscript.Main(ownState{m}, map[string]func(){"pausetui": func() { os.Exit(Main(os.Args[1:])) }})
}

// ownState runs the tests with a state directory of their own.
type ownState struct{ *testing.M }

// Run runs the tests and takes the directory away.
func (m ownState) Run() int {
	testsupport.MostlyWaiting()
	dir, err := os.MkdirTemp("", "pausetui-state-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_STATE_HOME", dir)
	screen := &preferences.File{Path: filepath.Join(dir, "pausetui", "screen.json")}
	if err := screen.Change(func(s *preferences.Screen) { s.Hinted = true }); err != nil { // nobody is here for the first time
		panic(err)
	}
	return m.M.Run()
}

func TestScripts(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:       "testdata",
		Condition: condition,
		Cmds:      map[string]func(*testscript.TestScript, bool, []string){"ollama": startOllama},
		Setup: func(env *testscript.Env) error {
			// the toolchain's caches, which testscript's own HOME would hide
			for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOROOT"} {
				if value := goEnv(name); value != "" {
					env.Setenv(name, value)
				}
			}
			env.Setenv("EXAMPLES", examples)
			env.Setenv("PAUSETUI", filepath.Join(strings.Split(env.Getenv("PATH"), string(os.PathListSeparator))[0], "pausetui"))
			env.Setenv("OLLAMA_HOST", "127.0.0.1:1")
			env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			return nil
		},
	})
}

// condition knows whether all tests shall run: scripts that take long begin with
// a line that asks for it.
func condition(name string) (bool, error) {
	if name != "whole" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return testsupport.Whole(), nil
}

func goEnv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// startOllama has a scripted server serve some models for the rest of the
// script: good ones fix what they are shown and call tools, the others only write prose.
func startOllama(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("unsupported: ! ollama")
	}
	const fixed = "The map is nil.\n```go\nfunc NewCounter() *Counter {\n\treturn &Counter{seen: map[string]int{}}\n}\n```\n"
	var models []ollamatest.Model
	for _, name := range args {
		m := ollamatest.Model{Name: name, Size: 4_683_000_000, Digest: name, Capabilities: []string{"completion"}, Script: ollamatest.Answer("You should make the map.")}
		switch {
		case strings.HasPrefix(name, "good"):
			m.Script, m.Loaded = ollamatest.Answer(fixed), true
		case strings.HasPrefix(name, "cloud"):
			m.RemoteHost = "https://ollama.com"
		case strings.HasPrefix(name, "embed"):
			m.Capabilities = []string{"embedding"}
		}
		_, m.Parameters, _ = strings.Cut(strings.ToUpper(name), ":")
		models = append(models, m)
	}
	s, err := ollamatest.Start("127.0.0.1:0", models...)
	ts.Check(err)
	ts.Defer(func() { ts.Check(s.Close()) })
	s.AddPull("new:3b", ollamatest.Pull{Bytes: 1_929_000_000})
	s.AddPull("cut:3b", ollamatest.Pull{Bytes: 1_929_000_000, Err: "max retries exceeded: EOF"})
	ts.Setenv("OLLAMA_HOST", s.URL)
}
