package syntax

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
)

// lexeme is one token with its place in the source.
type lexeme struct {
	tok        token.Token
	start, end int // byte offsets
}

// scan returns the tokens of clean source, in order, without the semicolons
// that line endings stand for.
func scan(source string) []lexeme {
	text := []byte(source)
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	out := make([]lexeme, 0, len(text)/4)
	end := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.SEMICOLON && lit != ";" {
			continue
		}
		if lit == "" {
			lit = tok.String()
		}
		start := file.Offset(pos)
		if start < end || start+len(lit) > len(text) {
			continue // cannot be with clean source; never cut out of bounds
		}
		end = start + len(lit)
		out = append(out, lexeme{tok, start, end})
	}
}

// name tells the kind of an identifier. Without types this is a guess from the
// tokens around it, good enough for colors.
func name(source string, tokens []lexeme, i int) Kind {
	t := tokens[i]
	text := source[t.start:t.end]
	prev, next := at(tokens, i-1), at(tokens, i+1)
	if prev.tok != token.PERIOD {
		switch types.Universe.Lookup(text).(type) {
		case *types.TypeName:
			return Type
		case *types.Builtin, *types.Const, *types.Nil:
			return Builtin
		}
	}
	before := at(tokens, i-2)
	switch {
	case next.tok == token.LPAREN && next.start == t.end:
		return Function
	case prev.tok == token.TYPE:
		return Type
	case next.tok == token.LBRACE && next.start == t.end: // a literal: T{…}
		return Type
	case prev.tok == token.RBRACK && prev.end == t.start: // []T, map[K]T
		return Type
	case prev.tok == token.MUL && prev.end == t.start && pointer(text, before, prev):
		return Type
	}
	return Plain
}

// pointer reports whether a star right before a name makes a pointer type rather
// than a product or what a pointer points to: x *T, (*T), []*T.
func pointer(name string, before, star lexeme) bool {
	switch before.tok {
	case token.IDENT:
		return before.end < star.start
	case token.LPAREN, token.RBRACK, token.COMMA, token.RPAREN:
		return ast.IsExported(name)
	}
	return false
}

func at(tokens []lexeme, i int) lexeme {
	if i < 0 || i >= len(tokens) {
		return lexeme{tok: token.EOF}
	}
	return tokens[i]
}
