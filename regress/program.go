package regress

import (
	"errors"
	"fmt"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/regress/literal"
	"github.com/pausetui/pausetui/workspace"
)

// program makes the outermost test: it calls main with the same arguments and
// the same input.
func (m *maker) program() {
	m.done["main.main"] = true
	if err := m.wholeProgram(); err != nil {
		m.refuse("main.main", err)
	}
}

func (m *maker) wholeProgram() error {
	fn, ok := m.mainFunction()
	if !ok {
		return errors.New("its source is not known")
	}
	if err := returns(fn); err != nil {
		return err
	}
	file, err := m.fileFor(fn)
	if err != nil {
		return err
	}
	used := testNames(file.dir)
	s := styleOf(used, fn.Package.Types.Scope())
	s.lower = false
	name := m.unique(s.join([]string{"Main"}, classWord(m.c.Stop.Panic.Class)), used, fn.Package.Types.Scope())
	lines, err := m.programBody(file, fn)
	if err != nil {
		return err
	}
	source, err := m.wrap(file, name, "run", lines)
	if err != nil {
		return err
	}
	edit, err := file.edit(source)
	if err != nil {
		return err
	}
	m.offer(patch.RegressionTest{Name: name, Edit: edit, Calls: "main, with the arguments and the input of this run"})
	return nil
}

func (m *maker) mainFunction() (workspace.Func, bool) {
	for _, p := range m.c.Code.Packages {
		if p.Name != "main" || p.Types == nil {
			continue
		}
		if object, ok := p.Types.Scope().Lookup("main").(*types.Func); ok {
			at := p.Fset.Position(object.Pos())
			return m.c.Code.FuncAt(at.Filename, at.Line)
		}
	}
	return workspace.Func{}, false
}

// programBody writes the statements that set the stage for main.
func (m *maker) programBody(file *testFile, fn workspace.Func) ([]string, error) {
	u := usesOf(m.c.Code)
	var lines []string
	if u.files && m.run.Dir != "" {
		if rel, err := filepath.Rel(file.dir, m.run.Dir); err == nil && rel != "." && m.c.Workspace.Owns(m.run.Dir) {
			lines = append(lines, "t.Chdir("+strconv.Quote(filepath.ToSlash(rel))+")")
		}
	}
	for _, env := range m.run.Env {
		key, held, _ := strings.Cut(env, "=")
		lines = append(lines, fmt.Sprintf("t.Setenv(%q, %q)", key, held))
	}
	if u.args {
		lines = append(lines, m.arguments(file, fn)...)
	}
	input, known := m.input()
	if u.stdin && known && input != "" {
		if len(input) > literal.MaxText {
			return nil, errors.New("its input is too long")
		}
		lines = append(lines, standardInput(file, input, u.keepsStdin)...)
	}
	if m.deadlocked() {
		w := literal.NewWriter(file.imports, "t", "args", "input", "stdin", "was", "err")
		return append(lines, guarded(file, w, "main()")...), nil
	}
	return append(lines, "main()"), nil
}

func (m *maker) arguments(file *testFile, fn workspace.Func) []string {
	os := file.imports.Use("os", "os")
	list := []string{strconv.Quote(path.Base(fn.Package.PkgPath))}
	for _, a := range m.run.Args {
		list = append(list, strconv.Quote(a))
	}
	return []string{
		"args := " + os + ".Args",
		"t.Cleanup(func() { " + os + ".Args = args })",
		os + ".Args = []string{" + strings.Join(list, ", ") + "}",
	}
}

// standardInput gives the program its input. A program that keeps os.Stdin in a
// variable of a package has to get it in the same place.
func standardInput(file *testFile, input string, kept bool) []string {
	os, filepath := file.imports.Use("os", "os"), file.imports.Use("path/filepath", "filepath")
	lines := []string{
		"input := " + filepath + `.Join(t.TempDir(), "stdin")`,
		"if err := " + os + ".WriteFile(input, []byte(" + quoteInput(input) + "), 0o600); err != nil {\nt.Fatal(err)\n}",
		"stdin, err := " + os + ".Open(input)",
		"if err != nil {\nt.Fatal(err)\n}",
	}
	if kept {
		return append(lines, "was := *"+os+".Stdin", "*"+os+".Stdin = *stdin",
			"t.Cleanup(func() {\n*"+os+".Stdin = was\n_ = stdin.Close()\n})")
	}
	return append(lines, "was := "+os+".Stdin", os+".Stdin = stdin",
		"t.Cleanup(func() {\n"+os+".Stdin = was\n_ = stdin.Close()\n})")
}

func quoteInput(text string) string {
	if strings.Count(text, "\n") > 1 && !strings.ContainsAny(text, "`\r\ufeff\x00") && strconv.CanBackquote(strings.ReplaceAll(text, "\n", "")) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// cooked is what a program reads of what was typed, as a terminal passes it on:
// whole lines, mended by the keys that erase.
func cooked(typed string) string {
	var out, line []rune
	for _, c := range typed {
		switch c {
		case '\r', '\n':
			out = append(append(out, line...), '\n')
			line = line[:0]
		case '\b', 0x7f:
			line = line[:max(0, len(line)-1)]
		case 0x15: // ^U
			line = line[:0]
		case 0x04: // ^D
			out, line = append(out, line...), line[:0]
		default:
			line = append(line, c)
		}
	}
	return string(append(out, line...))
}
