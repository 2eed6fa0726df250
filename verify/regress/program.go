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
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/regress/literal"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// program makes the outermost test: it calls main with the same arguments and
// the same input.
func (m *maker) program() {
	m.done[mainMain] = true
	if err := m.wholeProgram(); err != nil {
		m.refuse(mainMain, err)
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
	name := m.unique(s.join([]string{"Main"}, m.asserts().name), used, fn.Package.Types.Scope())
	lines, err := m.programBody(file, fn, name)
	if err != nil {
		return err
	}
	source, err := m.wrap(file, name, m.comment("run", false), lines)
	if err != nil {
		return err
	}
	edit, err := file.edit(source)
	if err != nil {
		return err
	}
	m.offer(patch.RegressionTest{Name: name, Asserts: m.asserts().words, Edit: edit, Calls: "main, with the arguments and the input of this run"})
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

// programBody writes the statements that run main as it was run. A program that
// ends its process, or waits forever, is run in a process of its own.
func (m *maker) programBody(file *testFile, fn workspace.Func, name string) ([]string, error) {
	u := usesOf(m.c.Code)
	s := stage{file: file, process: u.exits || m.deadlocked()}
	if rel, err := filepath.Rel(file.dir, m.run.Dir); u.files && m.run.Dir != "" && err == nil && rel != "." && m.c.Workspace.Owns(m.run.Dir) {
		s.dir = filepath.ToSlash(rel)
	}
	if err := m.surroundings(&s, u, path.Base(fn.Package.PkgPath)); err != nil {
		return nil, err
	}
	if input, known := m.input(); u.stdin && known {
		if len(input) > literal.MaxText {
			return nil, errors.New("its input is too long")
		}
		s.input = input
	}
	if s.process {
		return s.child(name), nil
	}
	return s.inside(u.keepsStdin), nil
}

// surroundings fills in the environment and the arguments, and the files that
// they name.
func (m *maker) surroundings(s *stage, u uses, program string) error {
	dir := filepath.Join(s.file.dir, filepath.FromSlash(s.dir))
	all := func(list []string) ([]given, error) {
		var out []given
		for _, text := range list {
			g := given{text: text}
			if u.files {
				var err error
				if g, err = m.given(text, dir); err != nil {
					return nil, err
				}
			}
			out = append(out, g)
		}
		return out, nil
	}
	var err error
	if s.env, err = all(m.run.Env); err != nil || !u.args {
		return err
	}
	s.args, err = all(m.run.Args)
	s.args = append([]given{{text: program}}, s.args...)
	s.tellApart()
	return err
}

// stage is what main finds around it.
type stage struct {
	file    *testFile
	process bool
	dir     string // the working directory, if it is another than the test's
	env     []given
	args    []given
	input   string
}

// inside calls main in the test.
func (s stage) inside(keepsStdin bool) []string {
	var lines []string
	if s.dir != "" {
		lines = append(lines, "t.Chdir("+strconv.Quote(s.dir)+")")
	}
	lines = append(lines, s.files("")...)
	for _, env := range s.env {
		key, held, _ := strings.Cut(env.text, "=")
		lines = append(lines, fmt.Sprintf("t.Setenv(%q, %s)", key, s.expr(given{held, env.file}, fileDir)))
	}
	if len(s.args) > 0 {
		os := s.file.imports.Use("os", "os")
		lines = append(lines, "args := "+os+".Args", "t.Cleanup(func() { "+os+".Args = args })", os+".Args = []string{"+s.exprs(s.args, fileDir)+"}")
	}
	if s.input != "" {
		lines = append(lines, s.standardInput(keepsStdin)...)
	}
	return append(lines, "main()")
}

// standardInput gives the program its input. A program that keeps os.Stdin in a
// variable of a package has to get it in the same place.
func (s stage) standardInput(kept bool) []string {
	os, filepath := s.file.imports.Use("os", "os"), s.file.imports.Use("path/filepath", "filepath")
	lines := []string{
		"input := " + filepath + `.Join(t.TempDir(), "stdin")`,
		"if err := " + os + ".WriteFile(input, []byte(" + value.Quote(s.input) + "), " + s.file.imports.FileMode() + "); err != nil {\nt.Fatal(err)\n}",
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

// runMain is the variable that tells the test's own binary to be the program.
// With files that the test brings, it holds where they are.
const runMain = "RUN_MAIN"

// child runs the test's own binary as the program, which may end as it likes
// but with the stacks of goroutines.
func (s stage) child(name string) []string {
	os, exec, strs, io := s.file.imports.Use("os", "os"), s.file.imports.Use("os/exec", "exec"), s.file.imports.Use("strings", "strings"), s.file.imports.Use("io", "io")
	begin := "if " + os + ".Getenv(" + strconv.Quote(runMain) + `) != "" {` + "\n"
	if len(s.args) > 0 {
		begin += os + ".Args = []string{" + s.exprs(s.args, os+".Getenv("+strconv.Quote(runMain)+")") + "}\n"
	}
	lines := append([]string{begin + "main()\nreturn\n}"}, s.files(s.dir)...)
	env := []string{strconv.Quote(runMain + "=1")}
	if s.brings() {
		env[0] = strconv.Quote(runMain+"=") + " + " + fileDir
	}
	if len(s.env) > 0 {
		env = append(env, s.exprs(s.env, fileDir))
	}
	lines = append(lines,
		"binary, err := "+os+".Executable()",
		"if err != nil {\nt.Fatal(err)\n}",
		"cmd := "+exec+".Command(binary, "+strconv.Quote("-test.run=^"+name+"$")+")",
		"cmd.Env = append("+os+".Environ(), "+strings.Join(env, ", ")+")",
	)
	if s.dir != "" {
		lines = append(lines, "cmd.Dir = "+strconv.Quote(s.dir))
	}
	if s.input != "" {
		lines = append(lines, "cmd.Stdin = "+strs+".NewReader("+value.Quote(s.input)+")")
	}
	return append(lines,
		"var stderr "+strs+".Builder",
		"cmd.Stderr = "+io+".MultiWriter("+os+".Stderr, &stderr)",
		"_ = cmd.Run() // it may fail, but not crash",
		"if "+strs+`.Contains(stderr.String(), "\ngoroutine ") {`+"\n"+`t.Error("it crashed")`+"\n}")
}

// cooked is what a program reads of what was typed, as a terminal passes it on:
// whole lines, fixed by the keys that erase.
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
