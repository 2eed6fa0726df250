package pausetui_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/reference/packages.md again")

// TestReferenceOfPackages keeps docs/reference/packages.md equal to the package
// comments: one line for each package, grouped by layer.
func TestReferenceOfPackages(t *testing.T) {
	const page = "docs/reference/packages.md"
	old, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const open, end = "<!-- generated: packages -->\n", "<!-- /generated -->\n"
	head, _, ok := strings.Cut(string(old), open)
	if !ok {
		t.Fatalf("%s lacks the mark %q", page, open)
	}
	switch text := head + open + packageTables(t) + "\n" + end; {
	case text == string(old):
	case !*update:
		t.Errorf("%s is stale: go test . -run TestReferenceOfPackages -update", page)
	default:
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// packageTables has a table for each layer: the path of each package and the first
// sentence of its comment, without the words that all of them begin with.
func packageTables(t *testing.T) string {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Name}}\t{{.Doc}}", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	tables := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), module), "\t")
		name, doc, _ := strings.Cut(rest, "\t")
		if top(path) == "examples" || path+"/" == module {
			continue
		}
		begins := "Package " + name + " "
		if name == "main" {
			begins = "Command " + path[strings.LastIndex(path, "/")+1:] + " "
		}
		says, ok := strings.CutPrefix(doc, begins)
		if !ok {
			t.Errorf("package %s: its comment must begin with %q: %q", path, begins, doc)
		}
		tables[top(path)] += fmt.Sprintf("| `%s` | %s |\n", path, strings.TrimSuffix(says, "."))
	}
	var b strings.Builder
	for _, l := range layers {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| package | what it does |\n| --- | --- |\n%s", l.name, l.imports(), tables[l.name])
	}
	return b.String()
}

// imports says in words what the packages of a layer may import.
func (l layer) imports() string {
	if len(l.may) == 0 {
		return "Imports no other layer"
	}
	return "May import " + l.list()
}

func (l layer) list() string { return "`" + strings.Join(l.may, "`, `") + "`" }

// TestArchitectureHasTheLayers holds the table of ARCHITECTURE.md to the layers here.
func TestArchitectureHasTheLayers(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows, want []string
	for line := range strings.Lines(string(data)) {
		if cells := strings.Split(line, " | "); len(cells) == 3 && strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.Trim(cells[0], "| ")+" "+strings.TrimRight(cells[2], "| \n"))
		}
	}
	for _, l := range layers {
		may := l.list()
		if len(l.may) == 0 {
			may = "–"
		}
		want = append(want, "`"+l.name+"` "+may)
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the table of layers in ARCHITECTURE.md has\n%s\nimports_test.go has\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
}

// TestDecisionsAreIndexed holds the list of docs/decisions to its pages: each stands there
// with its title.
func TestDecisionsAreIndexed(t *testing.T) {
	const dir = "docs/decisions/"
	index, err := os.ReadFile(dir + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if page.Name() == "README.md" {
			continue
		}
		text, err := os.ReadFile(dir + page.Name())
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		if want := "- [" + strings.TrimPrefix(first, "# ") + "](" + page.Name() + ")\n"; !strings.Contains(string(index), want) {
			t.Errorf("%sREADME.md lacks the line %s", dir, want)
		}
	}
}
