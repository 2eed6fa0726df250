package main

import (
	"fmt"
	"strconv"
)

// Node is a part of an expression that has a value of its own.
type Node interface {
	// Eval returns the node's value among the given variables.
	Eval(vars map[string]int64) (int64, error)
}

// binding gives each operator its strength; a higher one binds tighter.
var binding = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}

// Parser reads an expression from tokens by precedence climbing.
type Parser struct {
	tokens []Token
	next   int
}

// Parse reads the whole of tokens as one expression.
func Parse(tokens []Token) (Node, error) {
	p := &Parser{tokens: tokens}
	node, err := p.expression(1)
	if err != nil {
		return nil, err
	}
	if rest := p.peek(); rest.Kind != End {
		return nil, fmt.Errorf("unexpected %q at column %d", rest.Text, rest.Column)
	}
	return node, nil
}

func (p *Parser) peek() Token { return p.tokens[p.next] }

// take returns the next token and moves past it; the End stays.
func (p *Parser) take() Token {
	t := p.tokens[p.next]
	if t.Kind != End {
		p.next++
	}
	return t
}

// expression reads operands joined by operators of at least the given strength.
func (p *Parser) expression(strength int) (Node, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for {
		op := p.peek()
		own := binding[op.Text]
		if op.Kind != Symbol || own < strength {
			return left, nil
		}
		p.take()
		// Every operator groups to the left, but powers group to the right.
		inner := own + 1
		if op.Text == "^" {
			inner = own
		}
		right, err := p.expression(inner)
		if err != nil {
			return nil, err
		}
		left = &Binary{Operator: op.Text, Left: left, Right: right}
	}
}

// operand reads a number, a name, a negation or an expression in parentheses.
func (p *Parser) operand() (Node, error) {
	t := p.take()
	switch {
	case t.Kind == Number:
		value, err := strconv.ParseInt(t.Text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("number %s is too large", t.Text)
		}
		return Literal(value), nil
	case t.Kind == Name:
		return Variable(t.Text), nil
	case t.Text == "-":
		// A power binds tighter than the sign before it: -2 ^ 2 is -4.
		inner, err := p.expression(binding["^"])
		if err != nil {
			return nil, err
		}
		return &Binary{Operator: "-", Left: Literal(0), Right: inner}, nil
	case t.Text == "(":
		inner, err := p.expression(1)
		if err != nil {
			return nil, err
		}
		if closing := p.take(); closing.Text != ")" {
			return nil, fmt.Errorf("missing ) at column %d", closing.Column)
		}
		return inner, nil
	case t.Kind == End:
		return nil, fmt.Errorf("unexpected end of line")
	}
	return nil, fmt.Errorf("unexpected %q at column %d", t.Text, t.Column)
}
