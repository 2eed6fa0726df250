// Package aside reads values in a run of a program that nobody debugs: code that writes
// them to a file is built in at one place. It marks source and reads what was written; it
// runs nothing. What a run writes is not to be trusted.
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
	var values []string
	for _, v := range l.Values {
		expr, err := written(v)
		if err != nil {
			return nil, err
		}
		values = append(values, "func() any { return "+expr+" }")
	}
	s.Put(at, " if pausetuiHolds(func() bool { return "+cond+" }) { pausetuiLook("+strings.Join(values, ", ")+") }; ")
	o := instrument.Overlay{l.File: s.Marked()}
	o.Help(l.File, s.AST.Name.Name, strings.NewReplacer("$Skip", strconv.Itoa(l.Skip), "$Times", strconv.Itoa(l.Times)).Replace(lookText))
	return o, nil
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
type Row []debugger.Variable

// maxRead bounds what a run writes, in bytes.
const maxRead = 4 << 20

// node is a value as look.go.txt writes it.
type node struct {
	Name, Type, Full, Value, Err string
	Kind                         reflect.Kind
	Nil                          bool
	Len, Cap, Left               int64
	Key                          *node
	Children                     []node
}

// Read reads the rows that a run has written.
func Read(r io.Reader, l Look) ([]Row, error) {
	d := json.NewDecoder(io.LimitReader(r, maxRead))
	var rows []Row
	for len(rows) < l.Times {
		var nodes []node
		switch err := d.Decode(&nodes); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return rows, nil // it ended meanwhile
		case err != nil:
			return rows, fmt.Errorf("read what the run has written: %w", err)
		case len(nodes) != len(l.Values):
			return rows, errors.New("the run has written something else")
		}
		var row Row
		for i, n := range nodes {
			v := n.variable(maxDepth)
			v.Name, v.Expr = l.Values[i], l.Values[i]
			row = append(row, v)
		}
		rows = append(rows, row)
	}
	return rows, nil
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
