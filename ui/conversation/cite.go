// Package conversation draws the conversation about a stop: questions, what a model
// looked at, answers in light markdown, and citations that lead to the frame,
// line or value they name.
//
// What a model wrote can only ever be looked at: a citation moves the view, it
// runs nothing.
package conversation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// Kind is what a citation names.
type Kind int

// The kinds.
const (
	Frame Kind = iota // a frame of the stack by its number
	Line              // a line of a file
	Value             // an expression in the frame that was asked about
)

// Citation is a place that an answer names.
type Citation struct {
	Kind  Kind
	Frame int
	File  string // as the answer gives it, relative to the module
	Line  int
	Expr  string
}

// span is a piece of an answer's text.
type span struct {
	text string
	code bool
	bold bool
	cite *Citation
}

var (
	framePattern = lazyregexp.New(`^(?:frame|Frame) (\d{1,4})$`)
	linePattern  = lazyregexp.New(`^([\w.@/+-]{1,200}\.go):(\d{1,7})(?:-\d{1,7})?$`)
	markPattern  = lazyregexp.New("`[^`\n]+`|\\*\\*[^*\n]+\\*\\*|\\[[^\\[\\]\n]{1,120}(?:\\[[^\\[\\]\n]{0,60}\\][^\\[\\]\n]{0,60})?\\]|[\\w.@/+-]+\\.go:\\d+(?:-\\d+)?")
)

// spans splits a line of an answer. known tells the names of variables.
func spans(line string, known func(string) bool) []span {
	var out []span
	at := 0
	for _, m := range markPattern.FindAllStringIndex(line, -1) {
		if m[0] < at {
			continue
		}
		s, ok := marked(line, m[0], m[1], known)
		if !ok {
			continue
		}
		if m[0] > at {
			out = append(out, span{text: line[at:m[0]]})
		}
		out = append(out, s...)
		at = m[1]
	}
	if at < len(line) {
		out = append(out, span{text: line[at:]})
	}
	return out
}

// marked is what a mark in a line means; false when it is plain text.
func marked(line string, from, to int, known func(string) bool) ([]span, bool) {
	word := line[from:to]
	switch word[0] {
	case '`':
		inner := word[1 : len(word)-1]
		if c, ok := citation(inner, known); ok {
			return []span{{text: inner, code: true, cite: &c}}, true
		}
		return []span{{text: inner, code: true}}, true
	case '*':
		inner := spans(word[2:len(word)-2], known)
		for i := range inner {
			inner[i].bold = true
		}
		return inner, true
	case '[':
		if from > 0 && isWord(line[from-1]) || to < len(line) && line[to] == '(' {
			return nil, false // an index, or a link
		}
		inner := word[1 : len(word)-1]
		c, ok := citation(inner, known)
		return []span{{text: strings.Trim(inner, "`"), cite: &c}}, ok
	}
	c, ok := citation(word, known)
	return []span{{text: word, cite: &c}}, ok
}

func isWord(b byte) bool {
	return b == '_' || b == ']' || b == ')' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// citation reads what is between the brackets.
func citation(s string, known func(string) bool) (Citation, bool) {
	s = strings.Trim(strings.TrimSpace(s), "`")
	if m := framePattern.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[1])
		return Citation{Kind: Frame, Frame: n}, err == nil
	}
	if m := linePattern.FindStringSubmatch(s); m != nil {
		n, err := strconv.Atoi(m[2])
		return Citation{Kind: Line, File: m[1], Line: n}, err == nil && n > 0
	}
	root, plain := readable(s)
	return Citation{Kind: Value, Expr: s}, root != "" && (plain || strings.ContainsAny(s, ".[*")) && known(root)
}

// readable returns the variable that an expression begins with, if the
// expression only reads; empty otherwise. plain tells that it is nothing else.
func readable(s string) (root string, plain bool) {
	e, err := parser.ParseExpr(s)
	if err != nil {
		return "", false
	}
	_, plain = e.(*ast.Ident)
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name, plain
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			if !simple(x.Index) {
				return "", false
			}
			e = x.X
		default:
			return "", false
		}
	}
}

// simple tells an index that calls nothing.
func simple(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.BasicLit, *ast.Ident:
		return true
	case *ast.UnaryExpr:
		return x.Op == token.SUB && simple(x.X)
	case *ast.BinaryExpr:
		return x.Op != token.SHL && simple(x.X) && simple(x.Y) // a huge shift takes all memory
	case *ast.SelectorExpr:
		return simple(x.X)
	}
	return false
}
