// Package probe puts counters into one function of a program, to tell whether a run got
// past the place where another run crashed. Lines keep their numbers.
//
// It works on source text alone; building and running is for the caller. It must
// not know what a count means for a verdict.
package probe

import (
	"errors"
	"fmt"
	"go/ast"
	"slices"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/instrument"
	"github.com/pausetui/pausetui/verify/syntax"
)

var (
	// ErrNoFunction is returned when no function is at the line, or the
	// function is not in the file any more.
	ErrNoFunction = errors.New("no such function")
	// ErrNoStatement is returned when no statement is at the line.
	ErrNoStatement = errors.New("no statement at the line")
	// ErrSyntax is returned for a file that does not parse.
	ErrSyntax = errors.New("the file does not parse as Go")
)

// Site is the place of a crash in a form that survives edits: statements are
// known by their text.
type Site struct {
	Receiver, Name string // of the declaration around it
	Literal        int    // which of its function literals, from 1 in source order; 0: none
	Faulting       string
	Following      []string // what comes after it in its block and the blocks around
}

// in reports whether a declaration is the one around the site.
func (s Site) in(d *ast.FuncDecl) bool {
	receiver, _ := patch.Receiver(d)
	return d.Name.Name == s.Name && receiver == s.Receiver
}

// Find describes the site at a line of a file.
func Find(source string, line int) (Site, error) {
	f, err := parse(source)
	if err != nil {
		return Site{}, err
	}
	decl := f.At(line)
	if decl == nil {
		return Site{}, fmt.Errorf("line %d: %w", line, ErrNoFunction)
	}
	s := Site{Name: decl.Name.Name}
	s.Receiver, _ = patch.Receiver(decl)
	body := decl.Body
	for i, lit := range literals(decl) {
		// Later ones in source order are the inner ones.
		if f.Spans(lit, line) && f.innermost(blocksOf(lit.Body), line) != nil {
			s.Literal, body = i+1, lit.Body
		}
	}
	blocks := blocksOf(body)
	faulting := f.innermost(blocks, line)
	if faulting == nil {
		return Site{}, fmt.Errorf("line %d: %w", line, ErrNoStatement)
	}
	s.Faulting = f.key(faulting)
	before := map[string]bool{s.Faulting: true}
	for _, block := range blocks {
		for _, stmt := range block {
			switch {
			case stmt.Pos() > faulting.End() && holds(block, faulting):
				s.Following = append(s.Following, f.key(stmt))
			case stmt.Pos() < faulting.Pos():
				before[f.key(stmt)] = true
			}
		}
	}
	// A text that also is before the site tells nothing.
	s.Following = slices.DeleteFunc(s.Following, func(text string) bool { return before[text] })
	return s, nil
}

// file is a parsed file.
type file struct{ *instrument.Source }

func parse(source string) (file, error) {
	f := file{instrument.Parse(source)}
	if f.Source == nil {
		return f, ErrSyntax
	}
	return f, nil
}

// key is the text by which a statement is known: its header, if it holds others.
func (f file) key(s ast.Stmt) string {
	end := s.End()
	if body := syntax.Body(s); body != nil {
		end = body.Lbrace
	} else if s, ok := s.(*ast.IfStmt); ok {
		end = s.Body.Lbrace
	}
	return f.Between(s.Pos(), end)
}

// innermost returns the smallest statement of the blocks at the line.
func (f file) innermost(blocks [][]ast.Stmt, line int) ast.Stmt {
	var best ast.Stmt
	for _, block := range blocks {
		for _, s := range block {
			if f.Spans(s, line) && (best == nil || s.Pos() >= best.Pos() && s.End() <= best.End()) {
				best = s
			}
		}
	}
	return best
}

// holds reports whether the block holds the faulting statement, or a statement
// that contains it.
func holds(block []ast.Stmt, faulting ast.Stmt) bool {
	return slices.ContainsFunc(block, func(s ast.Stmt) bool {
		return s.Pos() <= faulting.Pos() && faulting.End() <= s.End()
	})
}

// literals returns the function literals of a declaration, in source order.
func literals(d *ast.FuncDecl) []*ast.FuncLit {
	return slices.Collect(syntax.All[*ast.FuncLit](d.Body))
}

// blocksOf returns the statement lists of a function's body, without those of
// the function literals in it.
func blocksOf(body *ast.BlockStmt) [][]ast.Stmt {
	var blocks [][]ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			blocks = append(blocks, n.List)
		case *ast.CaseClause:
			blocks = append(blocks, n.Body)
		case *ast.CommClause:
			blocks = append(blocks, n.Body)
		}
		return true
	})
	for i, block := range blocks { // a switch's own list is its clauses, not statements
		blocks[i] = slices.DeleteFunc(slices.Clone(block), func(s ast.Stmt) bool {
			switch s.(type) {
			case *ast.CaseClause, *ast.CommClause:
				return true
			}
			return false
		})
	}
	return blocks
}
