package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// check finds what is missing in a case or contradicts itself. The error is
// about a key of the settings or a file of the archive.
func (c *Case) check() error {
	return errors.Join(c.checkSettings(), c.checkFiles(), c.checkHidden(), c.checkFault())
}

func (c *Case) checkSettings() error {
	var bad []error
	wrong := func(key, format string, args ...any) {
		bad = append(bad, fmt.Errorf("%s: %s: %s", settings, key, fmt.Sprintf(format, args...)))
	}
	if _, known := classes[c.Class]; !known {
		wrong("class", "unknown class %q", c.Class)
	} else if !strings.HasPrefix(c.Name, c.Class+"-") {
		wrong("class", "%q is not how the archive's name begins", c.Class)
	}
	if c.Kind != Program && c.Kind != Test {
		wrong("kind", "%q: want %q or %q", c.Kind, Program, Test)
	}
	if c.StopsIn == "" {
		wrong("stops_in", "missing")
	}
	if c.Fault != Here && c.Fault != Elsewhere {
		wrong("fault", "%q: want %q or %q", c.Fault, Here, Elsewhere)
	}
	if (c.Fault == Elsewhere) != (c.FaultIn != "") {
		wrong("fault_in", "belongs to fault = %q and only there", Elsewhere)
	}
	if c.FaultIn != "" && c.FaultIn == c.StopsIn {
		wrong("fault_in", "is where it stops")
	}
	for _, kv := range c.Env {
		if !strings.Contains(kv, "=") {
			wrong("env", "%q: want K=V", kv)
		}
	}
	for _, r := range c.Hidden.Runs {
		for name := range r.Files {
			if !fs.ValidPath(name) || name == "." {
				wrong("hidden.run.files", "%q is not a clean relative path", name)
			}
		}
	}
	if _, ok := c.file(c.Stdin); c.Stdin != "" && !ok {
		wrong("stdin", "%q is not a file of the archive under input/", c.Stdin)
	}
	return errors.Join(bad...)
}

func (c *Case) checkFiles() error {
	if c.About == "" {
		return errors.New("no comment: say what the program does, what is wrong, and what right behavior is")
	}
	if !slices.ContainsFunc(c.module, func(f txtar.File) bool { return f.Name == "go.mod" }) {
		return errors.New("no go.mod in the archive")
	}
	for _, f := range c.fixed {
		i := slices.IndexFunc(c.module, func(m txtar.File) bool { return m.Name == f.Name })
		switch {
		case i < 0:
			return fmt.Errorf("fixed/%s: the module has no such file", f.Name)
		case bytes.Equal(c.module[i].Data, f.Data):
			return fmt.Errorf("fixed/%s: the same as in the module", f.Name)
		}
	}
	return nil
}

func (c *Case) checkHidden() error {
	decides := len(c.Hidden.Runs) > 0 || c.Hidden.Test
	if !c.CanBeFixed() {
		if decides || len(c.fixed) > 0 || len(c.hidden) > 0 {
			return errors.New("fixable = false has neither hidden checks nor fixed files")
		}
		return nil
	}
	if !decides {
		return errors.New("nothing decides what is right: [[hidden.run]] or hidden.test")
	}
	if len(c.fixed) == 0 {
		return errors.New("no reference fix under fixed/")
	}
	if c.Hidden.Test != (len(c.hidden) > 0) {
		return errors.New("hidden.test and files under hidden/ belong together")
	}
	for i, r := range c.Hidden.Runs {
		if err := c.checkRun(r); err != nil {
			return fmt.Errorf("%s: hidden.run %d: %w", settings, i+1, err)
		}
	}
	return c.checkHiddenTests()
}

func (c *Case) checkRun(r Run) error {
	if r.Stdout == nil && len(r.Contains) == 0 && !r.Fails {
		return errors.New("looks at nothing: stdout, contains or fails")
	}
	if r.Fails && r.Exit != 0 {
		return errors.New("fails is for any exit code, exit for one")
	}
	if _, ok := c.file(r.From); r.From != "" && (!ok || r.Stdin != "") {
		return fmt.Errorf("stdin_file %q: want a file of the archive under input/, and no stdin", r.From)
	}
	return nil
}

// checkHiddenTests holds the names of hidden tests apart from those of tests
// that a fix brings along.
func (c *Case) checkHiddenTests() error {
	for _, f := range c.hidden {
		if !strings.HasSuffix(f.Name, "_test.go") {
			return fmt.Errorf("hidden/%s: want a _test.go file", f.Name)
		}
		declared, err := declarations([]txtar.File{f})
		if err != nil {
			return err
		}
		for name := range declared {
			if strings.HasPrefix(name, "Test") && !strings.HasPrefix(name, "TestHidden") {
				return fmt.Errorf("hidden/%s: %s: names begin with TestHidden", f.Name, name)
			}
		}
	}
	return nil
}

// checkFault compares what the settings say with what the reference fix does.
func (c *Case) checkFault() error {
	before, err := declarations(c.module)
	if err != nil {
		return err
	}
	for _, name := range []string{Outermost(c.StopsIn), Outermost(c.FixedIn())} {
		if _, ok := before[name]; !ok {
			return fmt.Errorf("the module does not declare %s", name)
		}
	}
	if !c.CanBeFixed() {
		return nil
	}
	after, err := declarations(c.fixedModule())
	if err != nil {
		return err
	}
	changed := func(name string) bool { return before[Outermost(name)] != after[Outermost(name)] }
	if !changed(c.FixedIn()) {
		return fmt.Errorf("the reference fix does not change %s", c.FixedIn())
	}
	if c.Fault == Elsewhere && Outermost(c.FaultIn) != Outermost(c.StopsIn) && changed(c.StopsIn) {
		return fmt.Errorf("the reference fix changes %s, where it stops: is the fault elsewhere?", c.StopsIn)
	}
	return nil
}

// fixedModule is the module with the reference fix.
func (c *Case) fixedModule() []txtar.File {
	files := slices.Clone(c.module)
	for i, f := range files {
		if j := slices.IndexFunc(c.fixed, func(x txtar.File) bool { return x.Name == f.Name }); j >= 0 {
			files[i] = c.fixed[j]
		}
	}
	return files
}

// Outermost is the declared function of a closure: main for main.func1.
func Outermost(function string) string {
	name, _, _ := strings.Cut(function, ".func")
	return name
}
