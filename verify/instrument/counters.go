package instrument

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"go/ast"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// size is the size of the file that a program counts in, in bytes.
const size = 4096

// What is counted has a number, its point. These have their own ones; callers number theirs
// from 0 on, below Free.
const (
	Returns = size/8 - 2 - iota // main, or the tests, came to their end
	Exits                       // the program ended itself with 0
	Begins                      // main began
	Passed                      // a test came to its end without a failure
	Tested                      // a test came to its end
	Unwound                     // an error of the runtime left the function that failed

	Entered        // how often the function with a probe was entered
	Past           // how often its latest call came past the site
	Hit            // the token once a call came further than the probe waits for
	Ran            // the token once the statement itself has run to its end then
	Left           // the token once such a call came further by being left
	Raised         // the token once such a call was left by a panic of the program's own
	Began          // the token once the call that the probe waits for, or a later one, has come to the statement
	Panics         // how often a panic left the function
	PanicLine      // of the first of these: the line in the function,
	PanicCall      // the number of the call,
	PanicPast      // and how often that call had come past the site
	Last      = -1 // no count: the point that has left last, plus one
)

// By is the first of the words that hold the numbers of the goroutines which have run the
// statement itself, once a call has come further; callers' points are below Free.
const (
	Goroutines = 32
	By         = PanicPast - Goroutines
	Free       = By
)

// Counters is a file that a program counts in, as its file 3.
type Counters struct{ *os.File }

// NewCounters makes the file of one run, or of several that count together.
func NewCounters(path string) (Counters, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Counters{}, fmt.Errorf("make the counters: %w", err)
	}
	if err := f.Truncate(size); err != nil {
		_ = f.Close()
		return Counters{}, fmt.Errorf("make the counters: %w", err)
	}
	return Counters{f}, nil
}

// At reads the count of a point.
func (c Counters) At(point int) uint64 {
	var b [8]byte
	if _, err := c.ReadAt(b[:], int64(8*(1+point))); err != nil {
		return 0
	}
	return binary.NativeEndian.Uint64(b[:])
}

// Goal says what a probe waits for: a call that comes further than this.
type Goal struct {
	Entered uint64 // the number of the call
	Past    uint64 // how often that came past the site
}

// Overlay are the marked files of a program and those added to their packages, by path.
type Overlay map[string]string

// Add adds a marked file, and the counters of its package.
func (o Overlay) Add(path string, s *Source) {
	o[path] = s.Marked()
	o.count(path, s.AST.Name.Name)
}

// AddProbe adds a file with a probe in a function: it counts how often that is called, what
// Passes and Runs say of how far the calls come, and the panics that leave them. token stands
// for having come past the goal, and the program's own code does not know it. Nothing else
// may be counted in that program: its file 3 is closed at once, as what the program writes
// there itself must not count.
func (o Overlay) AddProbe(path string, s *Source, body *ast.BlockStmt, g Goal, token uint64) {
	s.PutFirst(s.Offset(body.Lbrace)+1, "pausetuiCall, pausetuiReturns := pausetuiProbeEnter(), false; defer pausetuiProbeLeave(pausetuiCall, &pausetuiReturns); ")
	o[path] = s.Marked()
	o.counters(path, s.AST.Name.Name, "Close", g, token, s.Line(body.Pos()), s.Line(body.End()))
}

// Counters are the names of the files in a directory that count.
func (o Overlay) Counters(dir string) (names []string) {
	for _, name := range []string{countersName, externalName} {
		if _, there := o[filepath.Join(dir, name)]; there {
			names = append(names, name)
		}
	}
	return names
}

// First is the file that is added to a package. By its name, its variables come before those of
// the files whose names sort after it, so that these start no program while the file that
// counts would be passed on.
const First = "0-pausetui_marks.go"

// The files that are added to a package, to its tests, and to its external tests.
const (
	countersName = First
	testsName    = "pausetui_marks_test.go"
	externalName = "pausetui_marks_counter_test.go"
)

// count adds the counters to a package. Several packages map the file that they count in;
// when main begins it is closed.
func (o Overlay) count(path, name string) {
	o.counters(path, name, "CloseOnExec", Goal{Entered: math.MaxUint64}, 0, 0, 0)
}

// Help adds what marks call to the package of a file, in place of the counters.
func (o Overlay) Help(path, name, text string) {
	file := countersName
	if strings.HasSuffix(name, "_test") {
		file = externalName
	}
	o[filepath.Join(filepath.Dir(path), file)] = "package " + name + "\n" + text
}

func (o Overlay) counters(path, name, done string, g Goal, token uint64, first, last int) {
	o.Help(path, name, expand(counterText, map[string]string{
		"GoalFile": strconv.Quote("/" + filepath.Base(path)), "GoalFirst": strconv.Itoa(first), "GoalLast": strconv.Itoa(last), "Done": done,
		"GoalEntered": fmt.Sprint(g.Entered), "GoalPast": fmt.Sprint(g.Past), "Token": fmt.Sprint(token)}))
}

//go:embed counter.go.txt
var counterText string

//go:embed tests.go.txt
var testsText string

var points = map[string]int{"Returns": Returns, "Begins": Begins, "Passed": Passed, "Tested": Tested, "Unwound": Unwound, "Entered": Entered, "Past": Past, "Hit": Hit, "Ran": Ran, "Left": Left, "Raised": Raised, "Began": Began,
	"Panics": Panics, "PanicLine": PanicLine, "PanicCall": PanicCall, "PanicPast": PanicPast,
	"By": By, "Goroutines": Goroutines}

// expand puts values and the numbers of points in for $names.
func expand(text string, values map[string]string) string {
	return os.Expand(text, func(name string) string {
		if point, ok := points[name]; ok {
			return strconv.Itoa(point)
		}
		return values[name]
	})
}
