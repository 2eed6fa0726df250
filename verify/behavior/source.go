package behavior

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/instrument"
)

//go:embed replay/*.go
var sources embed.FS

// shownOnly is the file of package replay that programs do not need: it writes values for
// people.
const shownOnly = "source.go"

// Sources are the files of package replay that a program gets, by their names.
func Sources() map[string]string {
	files := instrument.Package(sources, "replay")
	delete(files, shownOnly)
	return files
}

// Record has the functions of a file note their calls. Lines keep their numbers. path is
// the import path of package replay.
func Record(text, path string, functions []Function) (string, error) {
	f := instrument.Parse(text)
	if f == nil {
		return "", errors.New("record calls: the file does not parse")
	}
	f.Put(f.Offset(f.AST.Name.End()), "; import pausetuiReplay "+strconv.Quote(path))
	for _, d := range f.Declared() {
		for _, fn := range functions {
			if d.Name.Name != fn.Name || receiver(d) != fn.Receiver {
				continue
			}
			names := named(f, d)
			for i, n := range names {
				names[i] = "&" + n
			}
			f.Put(f.Offset(d.Body.Lbrace)+1, fmt.Sprintf("defer pausetuiReplay.Enter(%s).Leave(); ", strings.Join(append([]string{fmt.Sprint(fn.Num)}, names...), ", ")))
		}
	}
	return f.Marked(), nil
}

// named returns the names of the receiver and the parameters, and gives a name to those
// that have none.
func named(f *instrument.Source, d *ast.FuncDecl) []string {
	var names []string
	fields := append([]*ast.Field{}, d.Type.Params.List...)
	if d.Recv != nil {
		fields = append(append([]*ast.Field{}, d.Recv.List...), fields...)
	}
	for _, field := range fields {
		if len(field.Names) == 0 {
			name := fmt.Sprintf("pausetui%d", len(names))
			f.Put(f.Offset(field.Type.Pos()), name+" ")
			names = append(names, name)
		}
		for _, n := range field.Names {
			name := n.Name
			if name == "_" {
				name = fmt.Sprintf("_pausetui%d", len(names))
				f.Put(f.Offset(n.End()), strings.TrimPrefix(name, "_"))
			}
			names = append(names, name)
		}
	}
	return names
}

// TestFile is the name of the file that calls functions again, in their package.
const TestFile = "pausetui_replay_test.go"

// TestName is the name of the test in it.
const TestName = "TestPausetuiReplay"

// Test is a test file that calls functions of the package again, with values as calls have
// them. path is the import path of package replay.
func (p Package) Test(path string, functions []Function, calls []replay.Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\tpausetuiTesting \"testing\"\n\n\tpausetuiReplay %s\n", p.Name, strconv.Quote(path))
	shown := make([]string, 0, len(p.Types))
	for _, t := range p.Types {
		shown = append(shown, "(*"+t+")(nil)")
	}
	imported := map[string]string{} // the names of packages
	from := func(path string) string {
		if p.owns(path) {
			return ""
		}
		if imported[path] == "" {
			imported[path] = fmt.Sprintf("pausetui%d.", len(imported))
			fmt.Fprintf(&b, "\t%s %s\n", strings.TrimSuffix(imported[path], "."), strconv.Quote(path))
		}
		return imported[path]
	}
	for _, t := range p.dynamic(calls) {
		path, name := split(t)
		shown = append(shown, "(*"+from(path)+name+")(nil)")
	}
	for _, fn := range p.given(calls) {
		path, name := split(fn)
		shown = append(shown, fmt.Sprintf("pausetuiReplay.Named{Name: %q, Func: %s}", fn, from(path)+name))
	}
	fmt.Fprintf(&b, ")\n\nfunc %s(*pausetuiTesting.T) {\n\tpausetuiReplay.Run([]pausetuiReplay.Function{\n", TestName)
	for _, f := range functions {
		fmt.Fprintf(&b, "\t\t{Num: %d, Name: %s, Func: %s},\n", f.Num, strconv.Quote(f.Expression()), f.Expression())
	}
	b.WriteString("\t}")
	for _, v := range shown {
		b.WriteString(",\n\t\t" + v)
	}
	b.WriteString(")\n}\n")
	return b.String()
}
