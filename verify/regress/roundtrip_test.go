package regress

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/verify/regress/literal"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// TestValuesGoRound reads values of every kind from a paused program, writes
// them as source, and has a test compare what the source makes with what the
// program had.
func TestValuesGoRound(t *testing.T) {
	p := program{dir: realDir(t), pkg: "."}
	if err := os.CopyFS(p.dir, os.DirFS("testdata/roundtrip")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(p.dir, "check.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(p.dir, "check_test.go"), string(text))
	c := p.pause(t)
	frame, err := c.Inspect.Load(t.Context(), at(c))
	if err != nil {
		t.Fatal(err)
	}
	struct_ := structOf(c, "all")
	fields := frame.Args[0].Children[0].Children
	if len(fields) != struct_.NumFields() {
		t.Fatalf("%d fields, want %d", len(fields), struct_.NumFields())
	}
	imports := literal.NewImports("example.com/roundtrip", nil, slices.Values(c.Code.Packages[len(c.Code.Packages)-1].Types.Scope().Names()))
	imports.Use("testing", "testing")
	var functions []string
	for i := range fields {
		f := struct_.Field(i)
		lines, err := written(t, c, imports, fields[i], f)
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		functions = append(functions, fmt.Sprintf("func Test%s(t *testing.T) {\n%s\n}\n", f.Name(), strings.Join(lines, "\n")))
	}
	file := &testFile{pkg: "main", fresh: true, imports: imports}
	source, err := file.whole(strings.Join(functions, "\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, strings.Join(functions, "\n"))
	}
	write(t, filepath.Join(p.dir, "values_test.go"), source)
	if testing.Verbose() {
		t.Log(source)
	}
	if out, err := command(t, p.dir, "go", "test", "."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func at(c evidence.Case) debugger.FrameRef {
	return debugger.FrameRef{Goroutine: c.Stop.Goroutine, Frame: c.Stop.Panic.Culprit}
}

func structOf(c evidence.Case, name string) *types.Struct {
	pkg := c.Code.Packages[len(c.Code.Packages)-1]
	return pkg.Types.Scope().Lookup(name).Type().Underlying().(*types.Struct)
}

// written reads a value and writes the statements that make it, and a check.
func written(t *testing.T, c evidence.Case, imports *literal.Imports, v debugger.Variable, f *types.Var) ([]string, error) {
	last := c.Code.Packages[len(c.Code.Packages)-1]
	r := &value.Reader{Inspect: c.Inspect, At: at(c), From: last.Types, Types: value.NewTypes(last.Types, c.Code.Packages), Closures: closures{last}.find}
	graph, err := r.Read(t.Context(), f.Name(), v, f.Type())
	if err != nil {
		return nil, err
	}
	var lines []string
	for range 2 {
		w := literal.NewWriter(imports, "t")
		w.Count(graph)
		name, err := w.Variable("got", graph)
		if err != nil {
			return nil, err
		}
		lines = append(w.Lines(), fmt.Sprintf("check(t, %s, sample().%s)", name, f.Name()))
	}
	return lines, nil
}
