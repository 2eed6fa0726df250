// Package bench keeps a corpus of programs that crash, and checks that each case stops as
// it says, that its hidden check tells right behavior from wrong and from merely quiet,
// and that a right fix exists.
//
// A case is one txtar archive under corpus; its README explains the format.
// The package knows nothing of how pausetui finds fixes: package bench/runner
// asks for them and judges them.
package bench

import (
	"hash/crc32"
	"strings"

	"golang.org/x/tools/txtar"
)

// Kind says how the target of a case is run.
type Kind string

// A program is built and run; a test is run by go test.
const (
	Program Kind = "program"
	Test    Kind = "test"
)

// Fault says where a case is fixed.
type Fault string

// Here is the function that stops, Elsewhere another declaration.
const (
	Here      Fault = "here"
	Elsewhere Fault = "elsewhere"
)

// Case is one small module with a fault, and what decides whether the fault
// is gone.
type Case struct {
	Name  string `toml:"-"` // of the archive, without .txtar
	About string `toml:"-"` // what it does, what is wrong, what is right

	Class   string   `toml:"class"` // of the stop
	Kind    Kind     `toml:"kind"`
	Package string   `toml:"package"` // what pausetui is given, relative to the module root
	Args    []string `toml:"args"`
	Stdin   string   `toml:"stdin"` // a file of the archive, input/…; empty without
	Env     []string `toml:"env"`   // K=V
	StopsIn string   `toml:"stops_in"`
	Fault   Fault    `toml:"fault"`
	FaultIn string   `toml:"fault_in"` // the declaration to fix, where it is elsewhere
	Fixable *bool    `toml:"fixable"`  // false: the right answer is to change nothing
	Hidden  Hidden   `toml:"hidden"`

	module, input, hidden, fixed, answers []txtar.File
}

// Hidden decides whether behavior is right.
type Hidden struct {
	Runs []Run `toml:"run"`
	Test bool  `toml:"test"` // hidden/*_test.go is laid over the module and go test ./... must pass
	// QuietIsRight tells that a recover where it stops behaves no worse than a
	// right fix, so that only reading the patch tells them apart.
	QuietIsRight bool `toml:"quiet_is_right"`
}

// Run is one run of the program after the fix, in a directory that holds the
// archive's data files.
type Run struct {
	Args     []string          `toml:"args"`
	Stdin    string            `toml:"stdin"`      // the text itself
	From     string            `toml:"stdin_file"` // or a file of the archive, input/…
	Env      []string          `toml:"env"`        // added to the case's
	Files    map[string]string `toml:"files"`      // further inputs: name and text
	Stdout   *string           `toml:"stdout"`     // exact; nil: not looked at
	Contains []string          `toml:"contains"`   // what standard output must hold
	Exit     int               `toml:"exit"`
	Fails    bool              `toml:"fails"`  // any exit but 0 will do, without a crash
	Repeat   int               `toml:"repeat"` // how often, for what depends on scheduling; 0 is once
}

// CanBeFixed reports whether some local edit fixes the case.
func (c *Case) CanBeFixed() bool { return c.Fixable == nil || *c.Fixable }

// Open reports whether those who write the fixer may read the case. The other
// half is closed to them, so that its figures say what the fixer makes of
// programs that were not in mind. Only the name decides.
func (c *Case) Open() bool { return crc32.ChecksumIEEE([]byte(c.Name))%2 == 0 }

// FixedIn is the declaration that the reference fix changes.
func (c *Case) FixedIn() string {
	if c.Fault == Elsewhere {
		return c.FaultIn
	}
	return c.StopsIn
}

// hasTests reports whether the module has tests that anybody can see.
func (c *Case) hasTests() bool {
	for _, f := range c.module {
		if strings.HasSuffix(f.Name, "_test.go") {
			return true
		}
	}
	return false
}

// file returns the text of an input file.
func (c *Case) file(name string) ([]byte, bool) {
	for _, f := range c.input {
		if f.Name == name {
			return f.Data, true
		}
	}
	return nil, false
}
