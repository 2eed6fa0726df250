package verify

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestExitsOfOthersAreNotVerified: the program ends in code that was there
// before, or in the standard library's.
func TestExitsOfOthersAreNotVerified(t *testing.T) {
	needSandbox(t)
	f := crashingAlone(t, "index")
	const quit = "package main\n\nimport \"os\"\n\nfunc quit(code int) {\n\tif code >= 0 {\n\t\tos.Exit(code)\n\t}\n}\n\nvar _ = quit\n"
	if err := os.WriteFile(filepath.Join(f.dir, "quit.go"), []byte(quit), 0o600); err != nil {
		t.Fatal(err)
	}
	v := f.verifier(t, Options{})
	const prints = "\tos.Stdout.WriteString(\"reading\\nwords: 2\\n2\\n\")\n"
	for name, text := range map[string]string{
		"quit": "package main\n\nimport \"os\"\n\nfunc init() {\n" + prints + "\tquit(0)\n}\n",
		"flag": "package main\n\nimport (\n\t\"flag\"\n\t\"os\"\n)\n\nfunc init() {\n" + prints + "\t_ = flag.CommandLine.Parse([]string{\"-h\"})\n}\n",
	} {
		if got := check(t, v, hostile("init.go", text)); got.Verified || got.Effect != verdict.Hides {
			t.Errorf("%s is %q: %+v", name, got.Label(), got.Checks)
		}
	}
}

// TestWhoPretendsToServeIsNotVerified: a deadlock is not seen while something
// waits for connections, and that this is meant is the candidate's word alone.
func TestWhoPretendsToServeIsNotVerified(t *testing.T) {
	needSandbox(t)
	f := crashing(t, "gather")
	c := patch.Candidate{ID: "c9", Edits: []patch.Edit{{File: "init.go", Create: true,
		After: "package main\n\nimport \"net\"\n\nfunc init() {\n\tif l, err := net.Listen(\"tcp\", \"127.0.0.1:0\"); err == nil {\n\t\tgo func() { _, _ = l.Accept() }()\n\t}\n}\n"}}}
	v := f.prove(t, Options{Timeout: 2 * time.Second}, c)
	if check, _ := verdict.Find(v.Checks, verdict.Rerun); v.Verified || check.Status == verdict.Pass {
		t.Errorf("it is %q: %+v", v.Label(), v.Checks)
	}
}
