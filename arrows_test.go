// Package pausetui_test keeps the arrows of ARCHITECTURE.md: which package may
// import which.
package pausetui_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/pausetui/pausetui/"

// layers maps a package (with all below it) to the packages of ours that it
// may import; those below a named one are meant too.
var layers = map[string][]string{
	"debugger":       {},
	"keep":           {},
	"regular":        {},
	"printable":      {},
	"scratch":        {},
	"breakpoints":    {"debugger", "keep"},
	"mutes":          {"debugger", "keep"},
	"debugger/crash": {"debugger"},
	"debugger/trace": {"printable", "debugger", "patch"},
	"debugger/delve": {"printable", "debugger", "supervise"},
	"supervise":      {"courtesy"},
	"courtesy":       {},
	"program":        {},
	"output":         {},
	"terminal":       {},
	"proof":          {"patch"},
	"patch":          {},
	"workspace":      {"scratch", "debugger", "supervise"},
	"evidence":       {"debugger", "workspace"},
	"build":          {"scratch", "debugger", "supervise"},
	"llm":            {},
	"llm/wire":       {"printable", "near", "llm"},
	"llm/ollama":     {"llm", "debugger"},
	"llm/openai":     {"llm", "debugger"},
	"llm/replay":     {"llm", "debugger"},
	"llm/retry":      {"llm"},
	"llm/providers":  {"llm", "debugger", "glob"},
	"llm/builtin":    {"debugger", "evidence", "patch", "workspace"},
	"llm/catalog":    {"near", "debugger", "llm", "patch"},
	"prompts":        {"git", "near", "redact", "debugger", "evidence", "llm", "patch", "workspace", "supervise"},
	"investigate":    {"debugger", "evidence", "llm", "patch", "prompts", "workspace"},
	"regress":        {"debugger", "evidence", "patch", "workspace"},
	"repro":          {"supervise"},
	"verify":         {"scratch", "printable", "courtesy", "repro", "debugger", "build", "patch", "proof", "supervise", "terminal", "workspace"},
	"session":        {"printable", "debugger", "build", "evidence", "patch", "proof", "workspace"},
	"matching":       {"debugger", "llm", "patch", "session"},
	"git":            {"scratch", "debugger", "supervise"},
	"navigate":       {"patch", "program", "workspace"},
	"apply":          {"debugger", "git", "patch", "proof", "session", "workspace"},
	"engine":         {"scratch", "courtesy", "program", "consent", "redact", "apply", "debugger", "build", "evidence", "git", "investigate", "llm", "navigate", "output", "patch", "prompts", "proof", "regress", "repro", "session", "terminal", "verify", "workspace"},
	"engine/console": {"near", "debugger", "session"},
	"fix":            {"printable", "debugger", "engine", "patch", "proof", "session"},
	"plain":          {"printable", "debugger", "engine", "output", "patch", "proof", "session"},
	"glob":           {},
	"near":           {},
	"redact":         {"glob"},
	"consent":        {"keep"},
	"config":         {"near", "debugger", "glob"},
	"doctor":         {"supervise", "verify"},
	"ui":             {"scratch", "printable", "debugger", "build", "engine", "evidence", "keep", "navigate", "output", "patch", "proof", "session", "workspace"},
	"bench":          {"breakpoints", "debugger", "llm/ollama/ollamatest", "patch", "supervise"},
	"cmd":            {"terminal", "printable", "courtesy", "breakpoints", "mutes", "consent", "redact", "debugger", "config", "doctor", "engine", "fix", "llm", "matching", "prompts", "proof", "repro", "session", "supervise", "ui", "verify", "plain"},

	"debugger/search": {"debugger"},
	"debugger/format": {"debugger", "glob"},
}

// anywhere are packages that every other one may import: all of them read files
// whose names come from a repository.
var anywhere = []string{"regular"}

// only says which third-party module may be imported by one package alone.
var only = map[string]string{
	"github.com/go-delve/delve":    "debugger/delve",
	"github.com/ollama/ollama":     "llm/ollama",
	"github.com/openai/openai-go":  "llm/openai",
	"charm.land/bubbletea":         "ui",
	"charm.land/lipgloss":          "ui",
	"github.com/sergi/go-diff":     "patch",
	"github.com/landlock-lsm":      "verify/sandbox",
	"github.com/spf13/cobra":       "cmd",
	"github.com/alecthomas/chroma": "ui",
}

func TestArrowsPointDownward(t *testing.T) {
	for _, pkg := range goList(t) {
		fields := strings.Fields(pkg)
		path, imports := strings.TrimPrefix(fields[0], module), fields[1:]
		if strings.HasPrefix(path, "examples") || path == "github.com/pausetui/pausetui" {
			continue
		}
		layer := within(path, keys(layers))
		if layer == "" {
			t.Errorf("package %s has no layer: say in arrows_test.go what it may import", path)
			continue
		}
		for _, imported := range imports {
			checkImport(t, path, layer, imported)
		}
	}
}

func TestArchitectureNamesEveryPackage(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, word := range regexp.MustCompile("(?:  |`)[a-z]+(?:/[a-z]+)*|[a-z]+(?:/[a-z]+)+").FindAllString(string(text), -1) {
		named[strings.Trim(word, " `")] = true // a word of its own in the list, or a path anywhere
	}
	for _, pkg := range goList(t) {
		path := strings.TrimPrefix(strings.Fields(pkg)[0], module)
		if !named[path] && !strings.HasPrefix(path, "examples") && path+"/" != module {
			t.Errorf("package %s does not stand in ARCHITECTURE.md", path)
		}
	}
}

func checkImport(t *testing.T, path, layer, imported string) {
	for prefix, owner := range only {
		if strings.HasPrefix(imported, prefix) && within(path, []string{owner}) == "" {
			t.Errorf("%s imports %s: only %s may", path, imported, owner)
		}
	}
	ours, ok := strings.CutPrefix(imported, module)
	if !ok || within(ours, []string{layer}) != "" {
		return
	}
	if within(ours, anywhere) == "" && within(ours, layers[layer]) == "" {
		t.Errorf("%s imports %s: an arrow the wrong way", path, ours)
	}
}

// within returns the longest of the packages that path is or lies below.
func within(path string, packages []string) string {
	best := ""
	for _, p := range packages {
		if (path == p || strings.HasPrefix(path, p+"/")) && len(p) > len(best) {
			best = p
		}
	}
	return best
}

func keys(m map[string][]string) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

func goList(t *testing.T) []string {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
