package pausetui

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var system = flag.String("system", "", "type-check the program for darwin, windows or linux: .ci/cross does")

// systems are those that are not tested, with what has to build there; CONTRIBUTING.md
// says what does not, and why. Programs for Windows import pause, so it must build
// there. The other packages need no Unix files, signals or terminals.
var systems = map[string]struct {
	arch     string
	packages []string
}{
	"darwin": {"arm64", []string{"./..."}},
	"linux":  {"arm64", []string{"./..."}},
	"windows": {"amd64", strings.Fields(`. ./pause
		./debugger ./debugger/crash ./debugger/exeinfo ./debugger/format ./debugger/output ./debugger/search
		./llm ./llm/ollama/... ./llm/openai/... ./llm/providers ./llm/replay ./llm/retry ./llm/wire
		./engine/hooks ./engine/script ./prompts/redact ./ui/layout ./ui/text
		./verify/gotest ./verify/repro ./verify/regress/literal ./verify/regress/value
		./internal/advice ./internal/background ./internal/editdistance ./internal/filelock ./internal/glob ./internal/lazyregexp ./internal/printable
		./internal/reexec ./internal/sqlite ./internal/supervise ./internal/testsupport ./internal/wilson`)},
}

// TestOtherSystems type-checks the source, with its tests: a compiler would take
// minutes for the libraries and find no more.
func TestOtherSystems(t *testing.T) {
	s, known := systems[*system]
	switch {
	case *system == "":
		t.Skip("-system says for which")
	case !known:
		t.Fatalf("unknown system %q", *system)
	}
	list, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Tests: true, Env: append(os.Environ(), "GOOS="+*system, "GOARCH="+s.arch, "CGO_ENABLED=0"),
	}, s.packages...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		for _, e := range p.Errors {
			t.Errorf("%s: %v", p.ID, e)
		}
	}
	t.Logf("%d packages", len(list))
}
