// Package pausetui_test checks the tree as a whole: which package may import which,
// and what the documents say of the packages.
package pausetui_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pausetui/pausetui/"

// A layer is a folder at the top, with the folders or packages of lower layers that
// its packages may import.
type layer struct {
	name string
	may  []string
}

// layers are listed from the top: an import points downward only. ARCHITECTURE.md has
// the same table.
var layers = []layer{
	{"cmd", []string{"internal/cli", "internal"}},
	{"internal/cli", []string{"bench", "ui", "fix", "pair", "engine", "prompts", "llm", "session", "verify", "config", "debugger", "patch", "internal"}},
	{"bench", []string{"fix", "engine", "llm", "session", "verify/sandbox", "config", "debugger", "patch", "internal"}},
	{"ui", []string{"pair", "engine", "session", "verify/verdict", "source", "config", "debugger", "patch", "internal"}},
	{"fix", []string{"engine", "session", "verify/verdict", "debugger", "patch", "internal"}},
	{"pair", []string{"engine", "session", "source", "config", "debugger", "patch", "verify/verdict", "internal"}},
	{"engine", []string{"fixer", "prompts", "llm", "session", "verify", "source", "config", "debugger", "patch", "internal"}},
	{"fixer", []string{"source", "debugger", "patch", "internal"}},
	{"prompts", []string{"llm", "source", "debugger", "patch", "internal"}},
	{"llm", []string{"session", "patch", "internal"}},
	{"session", []string{"verify/verdict", "source", "debugger", "patch", "internal"}},
	{"verify", []string{"source", "debugger", "patch", "internal"}},
	{"source", []string{"debugger", "patch", "internal"}},
	{"config", []string{"debugger", "internal"}},
	{"debugger", []string{"patch", "internal"}},
	{"patch", []string{"internal"}},
	{"internal", nil},
	{"pause", nil}, // programs import it: the standard library only
}

// only says which module or package may be imported by one package alone, or by a few.
// The longest of the prefixes that fit counts.
var only = map[string]string{
	"github.com/go-delve/delve":              "debugger/delve",
	"github.com/ollama/ollama":               "llm/ollama",
	"charm.land/bubbletea":                   "ui",
	"charm.land/lipgloss":                    "ui",
	"github.com/sergi/go-diff":               "patch",
	"github.com/landlock-lsm":                "verify/sandbox",
	"github.com/spf13/cobra":                 "cmd, internal/cli",
	"github.com/alecthomas/chroma":           "ui",
	"golang.org/x/crypto/ssh":                "pair/ssh",
	"github.com/google/go-dap":               "pair/dap",
	"github.com/modelcontextprotocol/go-sdk": "pair/mcp",
	module + "internal/testsupport":          "internal/testsupport", // elsewhere in tests alone, whose imports are not looked at
	module + "internal/testsupport/terminal": "bench",                // and in tests
}

func TestImportsPointDownward(t *testing.T) {
	order := map[string]int{}
	for i, l := range layers {
		order[l.name] = i
	}
	for i, l := range layers {
		for _, below := range l.may {
			if order[top(below)] <= i {
				t.Errorf("%s may not import %s: it is not a lower layer", l.name, below)
			}
		}
	}
	for _, pkg := range goList(t) {
		fields := strings.Fields(pkg)
		path, imports := strings.TrimPrefix(fields[0], module), fields[1:]
		if strings.HasPrefix(path, "examples") || path+"/" == module {
			continue
		}
		l, ok := order[top(path)]
		if !ok {
			t.Errorf("package %s is in no layer: say in imports_test.go what it may import", path)
			continue
		}
		for _, imported := range imports {
			checkImport(t, path, layers[l].may, imported)
		}
	}
}

// The helpers of these packages run while Go initializes packages, as soon as those
// that they import are initialized. Package net and what it imports would double that
// time, for each command that runs under a supervisor or in a sandbox.
func TestHelpersBeginEarly(t *testing.T) {
	for _, pkg := range []string{"internal/supervise", "verify/sandbox"} {
		out, err := exec.Command("go", "list", "-deps", "./"+pkg).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, late := range []string{"net", "net/url", "crypto/tls"} {
			if slices.Contains(strings.Fields(string(out)), late) {
				t.Errorf("%s imports %s, perhaps through another package", pkg, late)
			}
		}
	}
}

// top is the folder at the top of the repository that a package lies in. The commands
// are in one below another, and stand above what they use.
func top(path string) string {
	if within(path, []string{"internal/cli"}) {
		return "internal/cli"
	}
	folder, _, _ := strings.Cut(path, "/")
	return folder
}

func checkImport(t *testing.T, path string, may []string, imported string) {
	longest := ""
	for prefix := range only {
		if strings.HasPrefix(imported, prefix) && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	if longest != "" && !within(path, strings.Split(only[longest], ", ")) {
		t.Errorf("%s imports %s: only %s may", path, imported, only[longest])
	}
	ours, ok := strings.CutPrefix(imported, module)
	if ok && top(ours) != top(path) && (!within(ours, may) || top(ours) == "internal/cli" && !slices.Contains(may, "internal/cli")) {
		t.Errorf("%s imports %s: its layer may not", path, ours)
	}
}

// within tells whether path is one of the packages or lies below one.
func within(path string, packages []string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

func goList(t *testing.T) []string {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// A reader can take in a folder: no package has more than 45 files beside its tests.
func TestFoldersAreSmall(t *testing.T) {
	const most = 45
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{len .GoFiles}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		var path string
		var files int
		if _, err := fmt.Sscan(line, &path, &files); err != nil {
			t.Fatal(err)
		}
		if files > most {
			t.Errorf("package %s has %d files, more than %d", path, files, most)
		}
	}
}
