package main

import (
	"fmt"
	"unicode"
)

// Kind tells what a token is.
type Kind int

// The kinds of tokens.
const (
	End Kind = iota
	Number
	Name
	Symbol
)

// Token is one word of a line.
type Token struct {
	Kind   Kind
	Text   string
	Column int // of its first character, from 1
}

// Tokenize cuts a line into tokens. The last one is always an End.
func Tokenize(line string) ([]Token, error) {
	var tokens []Token
	runes := []rune(line)
	for at := 0; at < len(runes); {
		start := at
		switch r := runes[at]; {
		case unicode.IsSpace(r):
			at++
			continue
		case unicode.IsDigit(r):
			at = skip(runes, at, unicode.IsDigit)
			tokens = append(tokens, Token{Number, string(runes[start:at]), start + 1})
		case unicode.IsLetter(r):
			at = skip(runes, at, isNamePart)
			tokens = append(tokens, Token{Name, string(runes[start:at]), start + 1})
		case isSymbol(r):
			at++
			tokens = append(tokens, Token{Symbol, string(r), start + 1})
		default:
			return nil, fmt.Errorf("unexpected %q at column %d", r, start+1)
		}
	}
	return append(tokens, Token{Kind: End, Column: len(runes) + 1}), nil
}

// skip returns the index after the run of characters that satisfy in.
func skip(runes []rune, at int, in func(rune) bool) int {
	for at < len(runes) && in(runes[at]) {
		at++
	}
	return at
}

func isNamePart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

func isSymbol(r rune) bool {
	switch r {
	case '+', '-', '*', '/', '^', '(', ')', '=':
		return true
	}
	return false
}
