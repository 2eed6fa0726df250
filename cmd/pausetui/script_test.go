package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// runTests makes "pausetui" a command of the scripts, runs everything and exits.
func runTests(m *testing.M) {
	testscript.Main(m, map[string]func(){"pausetui": func() { os.Exit(Main(os.Args[1:])) }})
}

func TestScripts(t *testing.T) {
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
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
			return nil
		},
	})
}

func goEnv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
