package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// crashing is a program that panics, in a module of its own.
type crashing struct {
	tool, dir string
	pkg       string   // of its main function, as the go command names it in dir
	touched   string   // the package that a fix edits, likewise
	args      []string // of the program
}

// fix: what it takes to propose and prove, against what a person must do to try an edit:
// build, run, vet and test. Both begin with a package that was never built.
func (c crashing) fix() ([]two, error) {
	defer os.Remove(c.edited())
	if err := c.edit(); err != nil {
		return nil, err
	}
	ours, oursWall, err := c.spend(c.tool, append([]string{"fix", "--offline", "--json", c.pkg, "--"}, c.args...)...)
	if err != nil {
		return nil, err
	}
	if err := c.edit(); err != nil {
		return nil, err
	}
	binary := c.dir + "-by-hand"
	defer os.Remove(binary)
	var hand, handWall float64
	for _, command := range [][]string{{"go", "build", "-o", binary, c.pkg}, append([]string{binary}, c.args...), {"go", "vet", c.touched}, {"go", "test", c.touched}} {
		processor, wall, err := c.spend(command[0], command[1:]...)
		if err != nil {
			return nil, err
		}
		hand, handWall = hand+processor, handWall+wall
	}
	return []two{{ours, hand}, {oursWall, handWall}}, nil
}

func (c crashing) spend(name string, args ...string) (processor, wall float64, err error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	return spent(cmd)
}

// edited is the file that makes the package new.
func (c crashing) edited() string { return filepath.Join(c.dir, c.touched, "edited_for_perf.go") }

var packageClause = regexp.MustCompile(`(?m)^package \w+`)

func (c crashing) edit() error {
	files, err := filepath.Glob(filepath.Join(c.dir, c.touched, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if clause := packageClause.Find(source); clause != nil {
			text := fmt.Appendf(nil, "%s\n\nvar editedForPerf = %d\n\nfunc init() { editedForPerf++ }\n", clause, time.Now().UnixNano())
			return os.WriteFile(c.edited(), text, 0o600)
		}
	}
	return errors.New("no Go files in " + c.touched)
}

// ofProgram measures a fix in a module of somebody else's.
func ofProgram(n int, c crashing) error {
	temp, err := os.MkdirTemp("", "pausetui-perf-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	c.tool = filepath.Join(temp, "pausetui")
	if err := goCommand("", "build", "-o", c.tool, "./cmd/pausetui"); err != nil {
		return err
	}
	return measurement{fixFigures, c.fix}.report(n)
}

var fixFigures = []figure{{"fix", "CPU s", "≤ 3 of build, run, vet and test by hand"}, {"fix, wall time", "s", "as a ratio to the same by hand"}}

// firstVerified: from the stop to the first fix that has passed its checks.
func (b bench) firstVerified() ([]two, error) {
	marks, err := b.marked("verified", nil)
	return []two{{(marks["verified"] - marks["stopped"]).Seconds(), 0}}, err
}
