package effect

import (
	_ "embed"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/verify/instrument"
)

// Size is the size of the memory that a marked program shares with us, in bytes.
const Size = 4096

// The words of that memory, 8 bytes each, in the machine's byte order: the
// number of the point that the run came to last, plus one; from FirstCount on
// how often it came to each point and then into each changed function; at the
// end how often a test came to its end, without a failure, main began, the program
// ended itself with 0, and main returned.
const (
	LastPoint  = 0
	FirstCount = 1
	Tested     = Size/8 - 5
	Passed     = Size/8 - 4
	Begins     = Size/8 - 3
	Exits      = Size/8 - 2
	Returns    = Size/8 - 1
	Unwound    = Size/8 - 6         // the function that failed panics again
	Moved      = Unwound - maxMoves // each moved statement
	maxMarks   = Moved - FirstCount
	maxMoves   = 8
)

//go:embed counter.go.txt
var counterText string

var counter = numbered(counterText)

// numbered puts the numbers of the words into a text of the counters.
func numbered(text string) string {
	return strings.NewReplacer("BEGINS", strconv.Itoa(Begins-FirstCount), "RETURNS", strconv.Itoa(Returns-FirstCount),
		"TESTED", strconv.Itoa(Tested-FirstCount), "PASSED", strconv.Itoa(Passed-FirstCount), "UNWOUND", strconv.Itoa(Unwound-FirstCount)).Replace(text)
}

// Marked is a program text with marks.
type Marked struct {
	Points    []Point  // in the order of their numbers
	Functions []string // whose entries are counted after them
	Moves     []Move
	Main      bool // the returns of main, or of its tests, are counted
	Tests     bool // the ends of the test that was stopped are counted
	// Overlay are the marked files and those added to their packages, by path.
	Overlay map[string]string
}

// Mark puts a mark at each point, at the beginning of each changed function, and
// where main returns or the program exits.
// Lines keep their numbers. The counters are in a file of their own, or within
// in the first marked file of a directory. path turns a file of a change into an
// absolute path.
func Mark(changes []Change, r Report, within bool, path func(file string) string) Marked {
	m := Marked{Points: r.Points, Moves: r.Moves, Overlay: map[string]string{}}
	counted := map[string]bool{}
	m.Points = m.Points[:min(len(m.Points), maxMarks/2)]
	for _, ch := range changes {
		after := parse(ch.After)
		if after.ast == nil {
			continue
		}
		marks := map[int]string{}
		for i, p := range m.Points {
			if p.File != ch.File {
				continue
			}
			call := fmt.Sprintf("pausetuiMark(%d, %t)", i, p.Exit)
			switch {
			case p.further != "":
				marks[p.at] += "("
				marks[p.testEnd] = fmt.Sprintf(" || pausetuiTest(%d, !(%s)) && false)", i, p.further) + marks[p.testEnd]
			case p.key != "":
				marks[p.at] += fmt.Sprintf("pausetuiAgain(%d, %s); ", i, p.key)
				marks[p.entered] += fmt.Sprintf("; defer pausetuiVisit(%d, %s)()", i, p.key)
			case p.testEnd > 0:
				marks[p.at] += fmt.Sprintf("pausetuiTest(%d, ", i)
				marks[p.testEnd] = ")" + marks[p.testEnd]
			case p.branch == elseBranch:
				marks[p.at] += " else { " + call + " }"
			default:
				marks[p.at] += " " + p.branch + " " + call + "; "
			}
		}
		markMoves(r, ch.File, marks)
		if len(marks) > 0 {
			m.entries(after, r.Changed, marks)
		}
		if ch.Runs {
			markUnwinds(parse(ch.Before), after, ch.Line, marks)
		}
		if ch.Ends {
			m.Main = markMain(after, marks) || m.Main
			if before := parse(ch.Before); before.ast != nil {
				markExits(before, after, marks)
			}
		}
		if len(marks) == 0 {
			continue
		}
		file := path(ch.File)
		counterFile := filepath.Join(filepath.Dir(file), counterName)
		if within && !counted[counterFile] {
			imports, rest, _ := strings.Cut(counter, "\n)\n")
			imports = strings.ReplaceAll(strings.TrimSpace(imports), "\n", "; ")
			marks[after.offset(after.ast.Name.End())] += "; " + strings.Replace(imports, "(;", "(", 1) + ")"
			marks[len(ch.After)] += "\n" + rest
		} else if !within {
			m.Overlay[counterFile] = "package " + after.ast.Name.Name + "\n" + counter
		}
		counted[counterFile] = true
		m.Overlay[file] = instrument.Insert(ch.After, marks)
	}
	return m
}

// markUnwinds has the function that failed note that an error of the runtime leaves it:
// what calls it may recover that, as package fmt does where it calls String.
func markUnwinds(before, after source, line int, marks map[int]string) {
	if before.ast == nil {
		return
	}
	functions := after.functions()
	for name, fn := range before.functions() {
		now := functions[name]
		if fn.Body == nil || now == nil || now.Body == nil || line < before.line(fn) || line > before.fset.PositionFor(fn.End(), false).Line {
			continue
		}
		at := after.offset(now.Body.Lbrace) + 1
		marks[at] = " defer pausetuiUnwinds(); " + marks[at]
	}
}

const counterName = "pausetui_marks.go"

// entries marks where the changed functions of a file begin.
func (m *Marked) entries(s source, changed []string, marks map[int]string) {
	for _, d := range s.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || len(m.Points)+len(m.Functions) >= maxMarks {
			continue
		}
		name := functionName(fn, s)
		if !slices.Contains(changed, name) || !slices.ContainsFunc(m.Points, func(p Point) bool { return p.Function == name }) {
			continue
		}
		marks[s.offset(fn.Body.Lbrace)+1] = fmt.Sprintf(" pausetuiMark(%d, false); ", len(m.Points)+len(m.Functions)) + marks[s.offset(fn.Body.Lbrace)+1]
		m.Functions = append(m.Functions, name)
	}
}

// Reached is what a marked run came to.
type Reached struct {
	Last   int      // the number of the last point; -1 without one
	Points []uint64 // how often each point was reached
	Calls  map[string]uint64
	Moved  []uint64 // how often each moved statement ran
	// Returned: main came to its end, or to the os.Exit that ends it, or the tests
	// to theirs. Exited: an os.Exit that was there before has ended the program
	// with 0.
	Returned, Exited bool
	// Tested: the test that was stopped came to its end. Passed: without a failure.
	Tested, Passed bool
	// Unwound: an error of the runtime has left the function that failed.
	Unwound bool
}

// Read reads the shared memory of a run: word returns one of its words.
func (m Marked) Read(word func(n int) uint64) Reached {
	r := Reached{Last: int(word(LastPoint)) - 1, Calls: map[string]uint64{}, Returned: word(Returns) > 0, Exited: word(Exits) > 0, Tested: word(Tested) > 0, Passed: word(Passed) > 0, Unwound: word(Unwound) > 0}
	for i := range m.Points {
		r.Points = append(r.Points, word(FirstCount+i))
	}
	for i := range m.Moves {
		r.Moved = append(r.Moved, word(Moved+i))
	}
	for i, name := range m.Functions {
		r.Calls[name] = word(FirstCount + len(m.Points) + i)
	}
	if r.Last >= len(m.Points) {
		r.Last = -1
	}
	return r
}

// Always names a function every call of which came to a point that declines or
// leaves the work out; empty without one. A single call tells nothing.
func (m Marked) Always(r Reached) string {
	for name, calls := range r.Calls {
		left := uint64(0)
		for i, p := range m.Points {
			if p.Function == name && p.Exit {
				left += r.Points[i]
			}
		}
		if calls > 1 && left >= calls {
			return name
		}
	}
	return ""
}
