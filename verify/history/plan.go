// Package history finds how a value got where it is: in a run of their own, the places of
// a program that may change it record what happens there, and it picks what happened to
// the value that the run has stopped at.
//
// It writes source and reads what a run has written; building and running is for the caller.
// It must not know what a value means.
package history

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/instrument"
)

// Kind says what happens to a value at a site.
type Kind string

// The kinds of sites.
const (
	Stop   Kind = "stop"   // the statement at which the program stopped
	Set    Kind = "set"    // it gets a value
	Made   Kind = "made"   // what it is a part of is made with it
	Left   Kind = "left"   // what it is a part of is made without it: it is zero
	Given  Kind = "given"  // a function is called with it
	Zero   Kind = "zero"   // its variable is declared without a value
	Passed Kind = "passed" // it is about to leave a function, as a result or an argument

	// What is done with a channel, a lock, a group that is waited for, or a map.
	Sent     Kind = "sent"
	Received Kind = "received"
	Closed   Kind = "closed"
	Locked   Kind = "locked" // for reading, too
	Unlocked Kind = "unlocked"
	Added    Kind = "added"
	Done     Kind = "done"
	Waited   Kind = "waited" // for the group, which has ended
	Accessed Kind = "accessed"
	Written  Kind = "written" // an entry of the map

	Fails   Kind = "fails"   // it fails a test
	moved   Kind = "moved"   // the elements of a list are elsewhere from then on
	through Kind = "through" // a site that waits has gone on; it is the one before this
	plain   Kind = "plain"   // the plain variables before the statement at which the program stopped
)

// Site is a place where something happens to a value.
type Site struct {
	Kind     Kind
	File     string // absolute
	Line     int
	Function string // "(*Pool).reap"; empty outside of functions
	Scope    Scope
	Text     string // of the statement, in one line
	Field    string // what is left out, of the kind Left; the variable, of the kind Zero
	By       string // what of another package has given the value: "strconv.Atoi()", "os.Args"
	// Begins says that what was at its address before is another value.
	Begins bool
	// Goes: the statement goes on after it is looked at. A loop over a range may stop in any
	// of its rounds, a deferred call when the function ends.
	Goes bool
	// Each: it is the head of a loop, which does it before each round of the body.
	Each bool

	call     bool // the value is the result of a call of the user's code
	waits    bool // it may be for ever: what is done is done when the next site follows
	unsure   bool // what it gives may be changed before it arrives
	computes bool // from what was there before
	result   bool // the variable is a result with a name
	zeroes   bool // all elements of what it makes are zero
	copies   bool // the value is from elsewhere: the statement does not make it
	converts bool // it is another value of another type
}

// uses reports whether something is done with the value there.
func (s Site) uses() bool {
	switch s.Kind {
	case Set, Zero, Made, Left, Given, Passed:
		return false
	}
	return true
}

// Scope tells a function from the literals in it: where it begins, and in how many functions
// it is.
type Scope struct{ Line, Depth int }

// scope is that of the function around a node.
func (m *marker) scope(f *file, n ast.Node) (s Scope) {
	path, _ := astutil.PathEnclosingInterval(f.syntax, n.Pos(), n.Pos())
	for _, n := range path {
		var t *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncLit:
			t = n.Type
			s.Depth++
		case *ast.FuncDecl:
			t = n.Type
		default:
			continue
		}
		if s.Line == 0 {
			s.Line = m.code.Fset.PositionFor(t.Pos(), false).Line
		}
	}
	return s
}

// Query is a value: an expression at a place. The expression names a variable, a field, an
// element or an entry of a map, and calls nothing.
type Query struct {
	File string // absolute
	Line int
	// Depth is how many function literals the statement is in.
	Depth int
	Expr  string // empty: what the statement waits for, or fails with
	// Exact: only the expression itself will do, not what it is computed from.
	Exact bool
	// Number is a number in the paused program; nil where none can be asked for.
	Number func(expr string) (n int64, ok bool)
	// Plain: only whole variables and fields are followed, not parts of them.
	Plain bool
	// Shared: it is a map that several goroutines have used at once.
	Shared bool
	// Within: the run has stopped in something that the statement there has called.
	Within bool
	// Elsewhere: it is a goroutine that waits while another one has stopped the program.
	Elsewhere bool
	// Report is what says that the test has failed which the run is about; nil without one.
	Report *Report
}

// Plan is what is built into a program to record the history of a value.
type Plan struct {
	Sites   []Site
	Overlay map[string]string // the files that differ, by absolute path
	Gaps    []string          // what it cannot see, in sentences without a period

	query  Query
	used   bool // what is done with the value is recorded, too
	unseen bool // some of that cannot be recorded
	cut    bool // it is followed no further back, though it could be
}

// ErrPlace is returned where there is no statement.
var ErrPlace = errors.New("no statement of the program is there")

// maxSites bounds the places that are observed.
const maxSites = 600

// NewPlan finds the places that may have changed a value. place says where a file of package
// record goes in the module of a Go file, and its import path there; source is the text of a
// file that is built.
func NewPlan(code *workspace.Code, q Query, place Placer, source func(file string) (string, error)) (p *Plan, err error) {
	defer func() { // code of any kind is looked at: a session does not end with a question
		if r := recover(); r != nil {
			err = fmt.Errorf("what may change %s cannot be found: %v", q.Expr, r)
		}
	}()
	m := newMarker(code, q, place, source)
	f, err := m.open(q.File)
	if err != nil {
		return nil, err
	}
	stmt := code.StatementAt(q.File, q.Line)
	if m.end = (ender{m, f}).ending(); m.end != nil {
		stmt = m.end.stmt
		q.Expr = cmp.Or(q.Expr, m.end.deferred)
		m.plan.query.Expr = q.Expr
	}
	if stmt == nil {
		return nil, ErrPlace
	}
	if !q.Exact {
		if m.plan.query.Expr, err = (picker{m, f, stmt}).resolve(q.Expr); err != nil {
			return nil, err
		}
	}
	if err := m.stop(f, stmt, m.plan.query.Expr); err != nil {
		return nil, err
	}
	if err := m.report(q.Report); err != nil {
		return nil, err
	}
	return m.finish(), nil
}

func newMarker(code *workspace.Code, q Query, place Placer, source func(string) (string, error)) *marker {
	return &marker{code: code, index: code.Index(), place: place, source: source, plan: &Plan{query: q, Overlay: map[string]string{}},
		files: map[string]*file{}, followed: map[followed]bool{}, keyed: map[*ast.RangeStmt]bool{}, groups: map[string]int{}, passing: map[string]bool{}}
}

// finish writes the files that are marked.
func (m *marker) finish() *Plan {
	for name, f := range m.files {
		if f.text.IsMarked() {
			f.text.Put(m.offset(f.syntax.Name.End()), "; import pausetuiHistory "+strconv.Quote(f.record))
			m.plan.Overlay[name] = f.text.Marked()
		}
	}
	return m.plan
}

// Placer adds package record to the module of a Go file, and returns its import path.
type Placer func(file string, overlay map[string]string) (string, error)

// file is a Go file that is marked.
type file struct {
	name   string
	text   *instrument.Source
	syntax *ast.File
	pkg    *packages.Package
	record string // import path of package record there
}

// marker puts the marks of a plan.
type marker struct {
	code   *workspace.Code
	index  *workspace.Index
	place  Placer
	source func(string) (string, error)
	plan   *Plan
	files  map[string]*file

	end      *ending // where the run stopped at the end of a function; else nil
	followed map[followed]bool
	keyed    map[*ast.RangeStmt]bool // those whose blank key has a name
	groups   map[string]int
	passing  map[string]bool
}

func (m *marker) offset(p token.Pos) int { return m.code.Fset.PositionFor(p, false).Offset }

// wrap puts texts around a node.
func (m *marker) wrap(f *file, n ast.Node, before, after string) {
	f.text.Put(m.offset(n.Pos()), before)
	f.text.PutFirst(m.offset(n.End()), after)
}

// open reads a file that is to be marked.
func (m *marker) open(name string) (*file, error) {
	if f := m.files[name]; f != nil {
		return f, nil
	}
	pkg, syntax, ok := m.code.FileOf(name)
	if !ok || pkg.TypesInfo == nil {
		return nil, fmt.Errorf("%s is not part of the program's own code", filepath.Base(name))
	}
	text, err := m.source(name)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, text: instrument.Parse(text), syntax: syntax, pkg: pkg}
	switch {
	case f.text == nil || m.code.Fset.File(syntax.FileStart).Size() != len(text):
		return nil, fmt.Errorf("%s has changed", filepath.Base(name))
	case f.text.Cgo():
		return nil, fmt.Errorf("%s uses cgo", filepath.Base(name))
	}
	if f.record, err = m.place(name, m.plan.Overlay); err != nil {
		return nil, err
	}
	m.files[name] = f
	return f, nil
}

// at opens the file that a node is in. What cannot be opened is a gap.
func (m *marker) at(n ast.Node) (*file, bool) {
	name := m.code.Fset.PositionFor(n.Pos(), false).Filename
	f, err := m.open(name)
	if err != nil {
		m.gap("not recorded: " + err.Error())
	}
	return f, err == nil && len(m.plan.Sites) < maxSites
}

// where is the file and the line of a node.
func where(code *workspace.Code, n ast.Node) string {
	at := code.Fset.PositionFor(n.Pos(), false)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

func (m *marker) gap(words string) {
	for _, g := range m.plan.Gaps {
		if g == words {
			return
		}
	}
	m.plan.Gaps = append(m.plan.Gaps, words)
}

// site gives a place a number.
func (m *marker) site(f *file, kind Kind, n ast.Node, begins bool) int {
	at := m.code.Fset.PositionFor(n.Pos(), false)
	s := Site{Kind: kind, File: at.Filename, Line: at.Line, Text: cut(f.text.Text[m.offset(n.Pos()):m.offset(n.End())]), Begins: begins, Scope: m.scope(f, n)}
	if fn, ok := m.code.FuncAt(at.Filename, at.Line); ok {
		s.Function = functionName(fn.Decl)
	}
	m.plan.Sites = append(m.plan.Sites, s)
	return len(m.plan.Sites) - 1
}

// leaves names the field that a site leaves out, if it is of that kind.
func (p *Plan) leaves(site int, field string) int {
	if p.Sites[site].Kind == Left {
		p.Sites[site].Field = field
	}
	return site
}

// stop marks the statement at which the program stopped, and follows the value there.
func (m *marker) stop(f *file, stmt ast.Stmt, text string) error {
	listed, ok := m.listed(f, stmt)
	if !ok {
		return ErrPlace
	}
	first, err := m.check(f, text, stmt.Pos())
	if err == nil {
		if reason := unfit(first); reason != "" {
			return fmt.Errorf("%s: %s", text, reason)
		}
		of := first.info.TypeOf(first.Expr)
		site := m.site(f, Stop, stmt, false)
		m.plan.Sites[site].Goes = m.end.goesOn(stmt, text)
		around := ""
		if m.end == nil {
			around = m.plain(f, listed)
		}
		f.text.Put(m.offset(listed.Pos()), around+"pausetuiHistory."+m.observe(site, first)+"; ")
		if m.plan.used = (useMarker{m}).uses(of); !m.plan.used && foreign(m, of) != "" {
			m.gap("what package " + foreign(m, of) + " writes into it is not recorded")
		}
		if m.hasWrittenFields(of) {
			m.gap("writes to its fields are not recorded: ask for one of them")
		}
		m.follow(first, 0)
	}
	cond := condition(listed)
	if cond == nil || m.code.Fset.Position(cond.End()).Line < m.plan.query.Line {
		return err
	}
	then, condErr := m.check(f, text, cond.Pos())
	if condErr != nil || unfit(then) != "" {
		return err
	}
	if err != nil {
		m.follow(then, 0)
	}
	m.before(f, cond, m.observe(m.site(f, Stop, stmt, false), then)) // after what the head sets
	return nil
}

// hasWrittenFields reports whether a type is a struct of which the program writes fields.
func (m *marker) hasWrittenFields(t types.Type) bool {
	st, ok := underlying[*types.Struct](t)
	if !ok || lockName(t) != "" {
		return false
	}
	for i := range st.NumFields() {
		if slices.ContainsFunc(m.index.Uses(st.Field(i)), isAssignment) {
			return true
		}
	}
	return false
}

func isAssignment(u workspace.Use) bool {
	switch u.Node.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt:
		return u.Kind == workspace.Write
	}
	return false
}

// operand is an expression with its types.
type operand struct {
	ast.Expr
	info *types.Info
	text string
}

// check reads an expression at a position.
func (m *marker) check(f *file, text string, pos token.Pos) (operand, error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return operand{}, fmt.Errorf("%q is no Go expression", text)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if err := types.CheckExpr(m.code.Fset, f.pkg.Types, pos, e, info); err != nil {
		if mistake, ok := errors.AsType[types.Error](err); ok {
			if strings.Contains(mistake.Msg, "unexported") || strings.Contains(mistake.Msg, "not exported") { // which only code of the package may record
				return operand{}, fmt.Errorf("%s is not exported by its package: why needs a frame of that package, which has it in a variable", text)
			}
			return operand{}, fmt.Errorf("%s: %s", text, mistake.Msg)
		}
		return operand{}, fmt.Errorf("%s: %w", text, err)
	}
	return operand{ast.Unparen(e), info, types.ExprString(e)}, nil
}

// observe is the call that notes the value at the stop.
func (m *marker) observe(site int, o operand) string {
	list := "nil"
	if e, ok := o.Expr.(*ast.IndexExpr); ok && o.addressable(e.X) {
		list = "func() interface{} { return &" + types.ExprString(e.X) + " }"
	}
	if base, key, ok := o.entry(); ok {
		return fmt.Sprintf("Stop(%d, nil, %s, %s)", site, keyOf(types.ExprString(base), types.ExprString(key), ""), list)
	}
	return fmt.Sprintf("Stop(%d, func() interface{} { return &%s }, nil, %s)", site, o.text, list)
}
