package trace

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
)

// maxSource bounds a file that is looked into, in bytes.
const maxSource = 8 << 20

// sourceFile is a file as far as a trace asks for it. What cannot be parsed has its
// lines only.
type sourceFile struct {
	lines  []string
	parsed bool
	decls  []*declaration
	file   *ast.File // nil where it cannot be parsed
	set    *token.FileSet
	calls  []bool // by line, from 1: a call is on it
}

// declaration is one of a function, with its lines.
type declaration struct {
	symbol   string // as written returns it
	from, to int
	params   []param // nil until they are asked for
	fn       *ast.FuncDecl
}

func (l *locator) source(file string) *sourceFile {
	s, known := l.files[file]
	if !known {
		s = readSource(file)
		l.files[file] = s
	}
	return s
}

// readSource returns nil where there is nothing to be read.
func readSource(file string) *sourceFile {
	info, err := os.Stat(file)
	if err != nil || info.Size() > maxSource {
		return nil
	}
	text, err := regular.Read(file)
	if err != nil {
		return nil
	}
	s := &sourceFile{lines: strings.Split(string(text), "\n")}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return s
	}
	s.parsed, s.file, s.set = true, parsed, set
	lines := func(n ast.Node) (from, to int) { return set.Position(n.Pos()).Line, set.Position(n.End()).Line }
	for _, d := range parsed.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			from, to := lines(fn)
			s.decls = append(s.decls, &declaration{symbol: patch.FuncSymbol(fn), from: from, to: to, fn: fn})
		}
	}
	s.calls = callLines(parsed, len(s.lines), lines)
	return s
}

// callLines tells the lines on which a call is, or a part of one.
func callLines(file *ast.File, count int, lines func(ast.Node) (from, to int)) []bool {
	change := make([]int, count+2) // of the number of calls that a line is in
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if from, to := lines(call); from <= count { // a //line comment may say anything
				change[from]++
				change[max(from, min(to, count))+1]--
			}
		}
		return true
	})
	in, within := make([]bool, count+1), 0
	for i := range in {
		within += change[i]
		in[i] = within > 0
	}
	return in
}

// declarationOf is the declaration of a frame's function around its line; nil for
// a function literal, and for an instance, whose words are not those of its
// parameters.
func (s *sourceFile) declarationOf(f debugger.Frame) *declaration {
	if inner.MatchString(f.Function) || strings.Contains(f.Function, "[") {
		return nil
	}
	want := written(f.Function)
	for _, d := range s.decls {
		if d.symbol == want && d.from <= f.Line && f.Line <= d.to {
			return d
		}
	}
	return nil
}

// inner ends the names of closures, wrappers and loop bodies: they belong to the
// function they are in.
var inner = lazyregexp.New(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|-range\d+|\.\d+|-fm)+$`)

// written is a function as a declaration has it: "(*Index).Add", "main".
func written(function string) string {
	_, name := debugger.CutFunction(function)
	return inner.ReplaceAllString(debugger.WithoutTypeArguments(name), "")
}

func (l *locator) declares(file, function string) bool {
	s := l.source(file)
	if s == nil || !s.parsed {
		return false
	}
	want := written(function)
	for _, d := range s.decls {
		if d.symbol == want {
			return true
		}
	}
	return strings.HasPrefix(want, "init") || strings.HasPrefix(want, "glob.")
}

// hasChanged is part of what is said of a line that is certainly another one.
const hasChanged = " has changed since: "

// Stale says why the line that is to blame is another one by now; empty when it
// may be the same.
func (t Trace) Stale() string {
	var stack []debugger.Frame
	if len(t.Goroutines) > 0 {
		stack = t.Goroutines[0].Frames
	}
	at := t.Panic.Culprit
	if len(t.Panic.Raised) > 0 {
		stack = t.Panic.Raised
		at = debugger.Culprit(stack, []debugger.Panic{t.Panic}, func(f debugger.Frame) bool { return f.User })
	}
	if at < 0 || at >= len(stack) || !strings.Contains(stack[at].Err, hasChanged) {
		return ""
	}
	return stack[at].Err
}

// changed reports whether a frame's line is another one by now: it is not in the
// function of the frame.
func (l *locator) changed(f debugger.Frame) string {
	s := l.source(f.File)
	want := written(f.Function)
	if s == nil || !s.parsed || strings.HasPrefix(want, "init") || strings.HasPrefix(want, "glob.") {
		return ""
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
	if f.Line > len(s.lines) {
		return fmt.Sprintf("%s%sit has %d lines now", at, hasChanged, len(s.lines))
	}
	is := ""
	for _, d := range s.decls {
		if d.from <= f.Line && f.Line <= d.to {
			is = d.symbol
		}
	}
	switch {
	case is == want || is == "" && strings.Contains(f.Function, "."+"func"):
		return ""
	case is == "":
		return fmt.Sprintf("%s%sthe line is not in %s any more", at, hasChanged, want)
	}
	return fmt.Sprintf("%s%sthe line is in %s, and was in %s", at, hasChanged, is, want)
}

// notCalling tells that a frame's line does not call the function that the trace
// has above it: it has changed. Calls through values name nothing.
func (l *locator) notCalling(f, callee debugger.Frame) string {
	if callee.Runtime || callee.Function == "panic" || strings.Contains(callee.Function, ":") { // type:.eq.T and its like
		return ""
	}
	key := call{place{f.Function, f.File, f.Line}, callee.Function}
	why, known := l.calls[key]
	if !known {
		if s := l.source(f.File); s != nil && s.parsed && !s.mayCall(f.Line, callee.Function) {
			name := baseName(callee.Function)
			if !callee.User {
				name = callee.Function[strings.LastIndexByte(callee.Function, '/')+1:]
			}
			why = fmt.Sprintf("%s:%d%sthe line does not call %s", filepath.Base(f.File), f.Line, hasChanged, name)
		}
		l.calls[key] = why
	}
	return why
}

// baseName is a function's name without its package and receiver.
func baseName(function string) string {
	name := written(function)
	return name[strings.LastIndexByte(name, '.')+1:]
}
