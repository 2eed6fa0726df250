package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/internal/testsupport"
	"github.com/pausetui/pausetui/verify/execute"
	"github.com/pausetui/pausetui/verify/sandbox"
	"github.com/pausetui/pausetui/verify/verdict"
)

// TestAFixReadsNoCaches: what other programs were built from is not there for a fix, nor
// what they require.
func TestAFixReadsNoCaches(t *testing.T) {
	needSandbox(t)
	f := crashingAlone(t, "index")
	env := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	required, _ := filepath.Glob(filepath.Join(env("GOMODCACHE"), "golang.org/x/mod@*", "go.mod"))
	if len(required) == 0 {
		t.Skip("golang.org/x/mod is not in the module cache")
	}
	built := filepath.Join(env("GOCACHE"), "pausetui-test")
	testsupport.Write(t, built, secret)
	t.Cleanup(func() { _ = os.Remove(built) })
	fix := f.edit(t, "index.go", "\treturn &Index{}", makeMap)
	looks := fmt.Sprintf("package main\n\nimport \"os\"\n\nfunc init() {\n\tfor _, f := range []string{%q, %q} {\n\t\tif text, err := os.ReadFile(f); err == nil {\n\t\t\tpanic(string(text))\n\t\t}\n\t}\n}\n",
		built, required[len(required)-1])
	fix.Edits = append(fix.Edits, hostile("looks.go", looks).Edits...)
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := f.prove(t, execute.Options{MaxTier: tier}, fix)
		expect(t, v, verdict.Rerun, verdict.Pass, "")
		reveals(t, v)
	}
}

// TestTestsThatRunTheGoCommand get a verdict as others do, with a build cache of their own.
func TestTestsThatRunTheGoCommand(t *testing.T) {
	testsupport.Slow(t)
	needSandbox(t)
	f := crashingAlone(t, "inventory")
	testsupport.Write(t, filepath.Join(f.dir, "store", "go_test.go"), `package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestGo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte("package main\n\nimport \"errors\"\n\nfunc main() { println(errors.New(\"\").Error()) }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"list", "std"}, {"build", "-o", file + ".bin", file}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
}
`)
	warm := exec.Command("go", "test", "-run", "^$", "./...") // builds in the tier landlock need what is in the cache
	warm.Dir = f.dir
	if out, err := warm.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, tier := range []sandbox.Tier{sandbox.Full, sandbox.Landlock} {
		v := f.prove(t, execute.Options{MaxTier: tier}, f.edits(t, storeGo, newStore, makeBins))
		check, _ := verdict.Find(v.Checks, verdict.Tests)
		if !v.Verified || strings.Contains(check.Detail, "TestGo") {
			t.Errorf("%s: %+v", tier, v)
		}
	}
}
