package regress

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/regular"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/behavior/replay"
	"github.com/pausetui/pausetui/verify/regress/value"
)

// Answers are calls of a function, each with what it answers.
type Answers struct {
	File, Receiver, Name string // of the function: absolute, "*T", "Len"
	Rows                 []Row
	// Beside is a test that stays, and is written with this one; nil for none.
	Beside *patch.RegressionTest
}

// Row is a call with what it answers.
type Row struct {
	Name   string // "the call that panicked"
	Args   []replay.Node
	Answer replay.Outcome
	New    bool // the answer is the fix's own, and nobody has confirmed it
	Needed bool // without it there is no test
	Stops  bool // it is the call that panicked
}

// Stops reports whether the call that panicked is among the rows.
func (a Answers) Stops() bool {
	return slices.ContainsFunc(a.Rows, func(r Row) bool { return r.Stops })
}

// Table makes a test that asserts what a function answers. Rows whose values cannot be
// written as Go are left out, unless they are needed: then the error says why there is no
// test. Results that cannot be compared are not, and nothing is asserted of a function whose
// answers may be others at another time or on another machine.
func Table(ctx context.Context, c evidence.Case, a Answers) (patch.RegressionTest, error) {
	m := &maker{ctx: ctx, c: c, names: map[string]bool{}, beside: a.Beside}
	fn, ok := declaredAs(c.Code, a)
	if !ok || fn.Object == nil {
		return patch.RegressionTest{}, errors.New("its source is not known")
	}
	if why := m.varies(fn, a.Rows); why != "" {
		return patch.RegressionTest{}, errors.New(why)
	}
	file, err := m.besideOr(fn)
	if err != nil {
		return patch.RegressionTest{}, err
	}
	t := newTable(m, fn, file)
	for _, row := range a.Rows {
		if err := t.add(row); err != nil && row.Needed {
			return patch.RegressionTest{}, err
		}
	}
	if err := t.compares(); err != nil {
		return patch.RegressionTest{}, err
	}
	if a.Beside != nil {
		m.names[a.Beside.Name] = true
	}
	name := m.testName(file, fn, "Answers")
	source, err := t.source(name)
	if err != nil {
		return patch.RegressionTest{}, err
	}
	if path := namesAPath(source); path != "" {
		return patch.RegressionTest{}, fmt.Errorf("it was given %s, a path of this machine", path)
	}
	edit, err := file.edit(source)
	return patch.RegressionTest{Name: name, Asserts: t.asserts(), Edit: edit, Calls: declared(fn) + ", as calls of the run had it"}, err
}

// besideOr is the file of the test that stays, if it is of the same package; else the one
// that belongs to the function.
func (m *maker) besideOr(fn workspace.Func) (*testFile, error) {
	source := position(fn).Filename
	if m.beside != nil {
		path := m.c.Workspace.Abs(m.beside.Edit.File)
		text, err := regular.Read(source)
		if filepath.Dir(path) == filepath.Dir(source) && err == nil {
			if f, err := m.file(fn, path, buildLine(text)); err == nil {
				return f, nil
			}
		}
	}
	return m.fileFor(fn)
}

// table is a test that is being made: the function's parameters and results are the columns.
type table struct {
	m       *maker
	fn      workspace.Func
	file    *testFile
	types   *value.Types
	args    []column // the receiver first
	wants   []column
	changed []column // what the call has changed of what an argument leads to
	rows    []tableRow
}

// column is a parameter, a result, or what a call leaves of an argument.
type column struct {
	name  string
	typ   types.Type
	arg   int    // the argument that it is about, of changed
	fault bool   // the result is an error: whether there is one is compared
	skip  string // why it is not compared; empty where it is
}

type tableRow struct {
	Row
	args, wants, changed []*value.Value // nil in a column that is not compared
}

func newTable(m *maker, fn workspace.Func, file *testFile) *table {
	t := &table{m: m, fn: fn, file: file, types: value.NewTypes(mainPackage(fn, m.c.Code), m.c.Code.Packages)}
	sig := fn.Object.Signature()
	var vars []*types.Var
	if sig.Recv() != nil {
		vars = append(vars, sig.Recv())
	}
	vars = slices.AppendSeq(vars, sig.Params().Variables())
	taken := map[string]bool{"call": true}
	for i, v := range vars {
		c := column{name: v.Name(), typ: v.Type(), arg: i}
		if c.name == "" || c.name == "_" || strings.HasPrefix(c.name, "want") || taken[c.name] {
			c.name = "arg" + strconv.Itoa(i+1)
		}
		taken[c.name] = true
		t.args = append(t.args, c)
		if leads(v.Type()) {
			c.name = "want" + upper(c.name)
			t.changed = append(t.changed, c)
		}
	}
	plain := 0
	for v := range sig.Results().Variables() {
		c := column{name: "want", typ: v.Type()}
		if c.fault = types.Identical(v.Type(), types.Universe.Lookup("error").Type()); c.fault {
			c.name = "wantErr"
		} else if plain++; plain > 1 {
			c.name = "want" + strconv.Itoa(plain)
		}
		if c.fault && slices.ContainsFunc(t.wants, func(o column) bool { return o.fault }) {
			c.skip = "only the first error is compared"
		}
		t.wants = append(t.wants, c)
	}
	return t
}

// leads reports whether a caller sees what a function changes through an argument, as
// package replay records it.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// add reads the values of a row.
func (t *table) add(row Row) error {
	if len(row.Args) != len(t.args) || len(row.Answer.Results) != len(t.wants) || len(row.Answer.After) != len(t.changed) {
		return errors.New("it has other parameters or results")
	}
	r := tableRow{Row: row}
	given := t.reader()
	for i, v := range value.Recorded(row.Args) {
		read, err := given.Read(t.m.ctx, t.args[i].name, v, t.args[i].typ)
		if err != nil {
			return err
		}
		r.args = append(r.args, read)
	}
	answered := t.reader()
	r.wants = t.expected(answered, t.wants, row.Answer.Results)
	r.changed = t.expected(answered, t.changed, row.Answer.After)
	t.rows = append(t.rows, r)
	return nil
}

func (t *table) reader() *value.Reader {
	return &value.Reader{Inspect: value.RecordedOnly{}, Types: t.types, From: t.fn.Package.Types}
}

// expected reads what is compared; a column that cannot be is not, in any row.
func (t *table) expected(r *value.Reader, columns []column, nodes []replay.Node) []*value.Value {
	list := make([]*value.Value, len(nodes))
	for i, v := range value.Recorded(nodes) {
		c := &columns[i]
		if c.skip == "" && !c.fault {
			c.skip = incomparable(nodes[i], isTime(c.typ))
		}
		if c.skip != "" || c.fault {
			continue
		}
		read, err := r.Read(t.m.ctx, c.name, v, c.typ)
		if err != nil {
			c.skip = err.Error()
		}
		list[i] = read
	}
	return list
}

// incomparable says why a value is never equal to another one that was made the same way;
// empty where it may be.
func incomparable(n replay.Node, top bool) string {
	switch n.Kind {
	case replay.Func, replay.Chan, replay.Context, replay.File, replay.SyncMap:
		return "it holds a " + string(n.Kind)
	case replay.Time:
		if !top && n.Text != "0001-01-01T00:00:00Z" {
			return "it holds a time"
		}
	case replay.Float:
		if n.Text == "NaN" {
			return "it holds NaN"
		}
	}
	for _, c := range n.Nodes {
		if why := incomparable(c, false); why != "" {
			return why
		}
	}
	return ""
}

func isTime(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "time" && named.Obj().Name() == "Time"
}

// compares decides which columns are compared: an argument only where a call has changed
// it. The error says that nothing is.
func (t *table) compares() error {
	for i := range t.changed {
		c := &t.changed[i]
		if c.skip == "" && !slices.ContainsFunc(t.rows, func(r tableRow) bool { return !same(r.Args[c.arg], r.Answer.After[i]) }) {
			c.skip = "no call changes it"
		}
	}
	all := slices.Concat(t.wants, t.changed)
	if slices.ContainsFunc(all, func(c column) bool { return c.skip == "" }) {
		return nil
	}
	for _, c := range all {
		return errors.New("its answer cannot be written: " + c.skip)
	}
	return errors.New("it returns nothing")
}

// same reports whether two values are, whatever the numbers of what pointers share.
func same(a, b replay.Node) bool {
	return a.Kind == b.Kind && a.Type == b.Type && a.Text == b.Text && slices.EqualFunc(a.Nodes, b.Nodes, same)
}

// asserts says what the test asserts: "1 new answer, 3 as before".
func (t *table) asserts() string {
	fresh := 0
	for _, r := range t.rows {
		if r.New {
			fresh++
		}
	}
	answers := func(n int) string {
		if n == 1 {
			return "1 answer"
		}
		return fmt.Sprintf("%d answers", n)
	}
	switch kept := len(t.rows) - fresh; {
	case fresh == 0:
		return answers(kept) + " as before"
	case kept == 0:
		return strings.Replace(answers(fresh), " ", " new ", 1)
	default:
		return strings.Replace(answers(fresh), " ", " new ", 1) + fmt.Sprintf(", %d as before", kept)
	}
}

// declaredAs finds a function by its names.
func declaredAs(code *workspace.Code, a Answers) (workspace.Func, bool) {
	_, file, ok := code.FileOf(a.File)
	if !ok {
		return workspace.Func{}, false
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != a.Name {
			continue
		}
		if name, pointer := patch.Receiver(fn); name == strings.TrimPrefix(a.Receiver, "*") && pointer == strings.HasPrefix(a.Receiver, "*") {
			return code.FuncAt(a.File, code.Fset.Position(fn.Pos()).Line)
		}
	}
	return workspace.Func{}, false
}
