// Package aside reads values in a run without a debugger: code that writes them to a file
// is built in at one place. It marks source and reads what was written; it runs nothing.
// What a run writes is not to be trusted.
//
// The sandbox refuses ptrace, so an agent's rerun_to cannot use a debugger.
package aside

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/verify/instrument"
)

// Look is a place in a program, and what is read there. Its expressions are code of that
// place: callers see to it that they only read.
type Look struct {
	File   string // absolute
	Line   int    // of a statement, before which is read, or of a function, at whose beginning
	Cond   string // empty: always
	Values []string
	Skip   int // how often the condition holds before
	Times  int // how often is read; the run ends then

	parts, condParts []string // the expressions within these: see Parts
}

// ComputesLength reports whether an expression has the type of an array whose length is no
// plain number: the compiler may say what it is.
func (l Look) ComputesLength() bool {
	found := false
	for _, expr := range append([]string{l.Cond}, l.Values...) {
		e, err := parser.ParseExpr(expr)
		if err != nil {
			continue
		}
		ast.Inspect(e, func(n ast.Node) bool {
			t, ok := n.(*ast.ArrayType)
			if ok && t.Len != nil {
				_, plain := t.Len.(*ast.BasicLit)
				found = found || !plain
			}
			return true
		})
	}
	return found
}

// ErrNoStatement is returned where nothing begins at a line.
var ErrNoStatement = errors.New("no statement and no function begins there")

//go:embed look.go.txt
var lookText string

// Mark has the source of l.File read what l says.
func Mark(source string, l Look) (instrument.Overlay, error) {
	s := instrument.Parse(source)
	if s == nil {
		return nil, fmt.Errorf("%s does not parse", l.File)
	}
	at, ok := place(s, l.Line)
	if !ok {
		return nil, ErrNoStatement
	}
	cond := "true"
	if l.Cond != "" {
		var err error
		if cond, err = written(l.Cond); err != nil {
			return nil, err
		}
	}
	values, err := readers(l.Values)
	parts, errParts := readers(l.parts)
	condParts, errCond := readers(l.condParts)
	if err = errors.Join(err, errParts, errCond); err != nil {
		return nil, err
	}
	if condParts != "" {
		cond = "pausetuiNote(" + condParts + ") && (" + cond + ")"
	}
	s.Put(at, " if pausetuiHolds(func() bool { return "+cond+" }) { pausetuiLook([]func() any{"+parts+"}, "+values+") }; ")
	o := instrument.Overlay{l.File: s.Marked()}
	o.Help(l.File, s.AST.Name.Name, strings.NewReplacer("$Skip", strconv.Itoa(l.Skip), "$Times", strconv.Itoa(l.Times)).Replace(lookText))
	return o, nil
}

// readers are functions that return what expressions stand for.
func readers(exprs []string) (string, error) {
	var list []string
	for _, v := range exprs {
		expr, err := written(v)
		if err != nil {
			return "", err
		}
		list = append(list, "func() any { return "+expr+" }")
	}
	return strings.Join(list, ", "), nil
}

// written is an expression as it is put into source: without comments, in one line.
func written(expr string) (string, error) {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return "", fmt.Errorf("%q is no Go expression", expr)
	}
	text := types.ExprString(e)
	if strings.ContainsAny(text, "\n\r") {
		return "", fmt.Errorf("%q has several lines", expr)
	}
	return text, nil
}

// place is where code is put that runs when a line is reached.
func place(s *instrument.Source, line int) (offset int, ok bool) {
	ast.Inspect(s.AST, func(n ast.Node) bool {
		if n == nil || ok {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			offset, ok = first(s, n.List, line)
		case *ast.CaseClause:
			offset, ok = first(s, n.Body, line)
		case *ast.CommClause:
			offset, ok = first(s, n.Body, line)
		}
		return !ok
	})
	if ok {
		return offset, true
	}
	for _, fn := range s.Declared() {
		if s.Line(fn.Name.Pos()) == line && fn.Body != nil {
			return s.Offset(fn.Body.Lbrace) + 1, true
		}
	}
	return 0, false
}

// first is the first of some statements that begins at a line; a clause of a switch is none.
func first(s *instrument.Source, list []ast.Stmt, line int) (offset int, ok bool) {
	for _, stmt := range list {
		switch stmt.(type) {
		case *ast.CaseClause, *ast.CommClause:
			continue
		}
		if s.Line(stmt.Pos()) == line {
			return s.Offset(stmt.Pos()), true
		}
	}
	return 0, false
}

// Row is what was read once: a value for each expression.
type Row struct {
	Values []debugger.Variable
	Parts  map[string]debugger.Variable // of the expressions within these, by their texts
}

// Read is what a run has read.
type Read struct {
	Rows []Row
	// Decided are different values of the parts of the condition, each time that the place
	// was reached, whether it held or not.
	Decided []map[string]debugger.Variable
	// Many says that there were too many of these, so that no more was read.
	Many bool
}

// maxRead bounds what a run writes, in bytes.
const maxRead = 16 << 20

// entry is a line that look.go.txt writes.
type entry struct {
	Values, Parts, Decided []node
	Many                   bool
}

// node is a value as look.go.txt writes it.
type node struct {
	Name, Type, Full, Value, Err string
	Kind                         reflect.Kind
	Nil                          bool
	Len, Cap, Left               int64
	Key                          *node
	Children                     []node
}

// ReadFrom reads what a run has written.
func ReadFrom(r io.Reader, l Look) (Read, error) {
	limited := &io.LimitedReader{R: r, N: maxRead}
	d := json.NewDecoder(limited)
	var got Read
	for len(got.Rows) < l.Times {
		var in entry
		switch err := d.Decode(&in); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			got.Many = limited.N <= 0 // else it ended meanwhile
			return got, nil
		case err != nil:
			return got, fmt.Errorf("read what the run has written: %w", err)
		}
		parts, decided := named(in.Parts, l.parts), named(in.Decided, l.condParts)
		switch {
		case in.Many:
			got.Many = true
			return got, nil
		case len(in.Decided) > 0 && decided != nil:
			got.Decided = append(got.Decided, decided)
		case len(in.Values) == len(l.Values) && parts != nil:
			row := Row{Parts: parts}
			for i, n := range in.Values {
				v := n.variable(maxDepth)
				v.Name, v.Expr = l.Values[i], l.Values[i]
				row.Values = append(row.Values, v)
			}
			got.Rows = append(got.Rows, row)
		default:
			return got, errors.New("the run has written something else")
		}
	}
	return got, nil
}

// named are the values of some expressions; nil where these are others.
func named(nodes []node, exprs []string) map[string]debugger.Variable {
	if len(nodes) != len(exprs) {
		return nil
	}
	list := map[string]debugger.Variable{}
	for i, n := range nodes {
		v := n.variable(maxDepth)
		v.Name, v.Expr = exprs[i], exprs[i]
		list[exprs[i]] = v
	}
	return list
}

// maxDepth is how deep values are, at most.
const maxDepth = 8

func (n node) variable(depth int) debugger.Variable {
	v := debugger.Variable{Name: n.Name, Type: n.Type, FullType: n.Full, Kind: n.Kind, Value: n.Value, Nil: n.Nil, Len: n.Len, Cap: n.Cap, Unloaded: n.Left, Unreadable: n.Err}
	if n.Key != nil && depth > 0 {
		key := n.Key.variable(depth - 1)
		v.Key = &key
	}
	for _, c := range n.Children {
		if depth > 0 {
			v.Children = append(v.Children, c.variable(depth-1))
		}
	}
	return v
}
