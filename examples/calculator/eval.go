package main

import (
	"errors"
	"fmt"
)

// errNegativeExponent is returned for 2 ^ -1, which has no whole value.
var errNegativeExponent = errors.New("negative exponent")

// Session holds the variables that earlier lines named.
type Session struct {
	vars map[string]int64
}

// NewSession returns a session without variables.
func NewSession() *Session {
	return &Session{vars: make(map[string]int64)}
}

// Execute evaluates a line, and remembers its value when the line names it.
func (s *Session) Execute(line string) (int64, error) {
	tokens, err := Tokenize(line)
	if err != nil {
		return 0, err
	}
	name := ""
	if len(tokens) > 2 && tokens[0].Kind == Name && tokens[1].Text == "=" {
		name, tokens = tokens[0].Text, tokens[2:]
	}
	node, err := Parse(tokens)
	if err != nil {
		return 0, err
	}
	value, err := node.Eval(s.vars)
	if err != nil {
		return 0, err
	}
	if name != "" {
		s.vars[name] = value
	}
	return value, nil
}

// Literal is a number as it was written.
type Literal int64

// Eval returns the number.
func (l Literal) Eval(map[string]int64) (int64, error) { return int64(l), nil }

// Variable is a name given to a value by an earlier line.
type Variable string

// Eval looks the name up, and fails for one that was never given.
func (v Variable) Eval(vars map[string]int64) (int64, error) {
	value, ok := vars[string(v)]
	if !ok {
		return 0, fmt.Errorf("unknown name %q", string(v))
	}
	return value, nil
}

// Binary is an operator between two operands.
type Binary struct {
	Operator    string
	Left, Right Node
}

// Eval evaluates both operands, the left one first, and joins them.
func (b *Binary) Eval(vars map[string]int64) (int64, error) {
	left, err := b.Left.Eval(vars)
	if err != nil {
		return 0, err
	}
	right, err := b.Right.Eval(vars)
	if err != nil {
		return 0, err
	}
	switch b.Operator {
	case "+":
		return left + right, nil
	case "-":
		return left - right, nil
	case "*":
		return left * right, nil
	case "/":
		return left / right, nil
	case "^":
		return power(left, right)
	}
	return 0, fmt.Errorf("unknown operator %q", b.Operator)
}

// power raises base to exponent by repeated squaring.
func power(base, exponent int64) (int64, error) {
	if exponent < 0 {
		return 0, errNegativeExponent
	}
	result := int64(1)
	for ; exponent > 0; exponent /= 2 {
		if exponent%2 == 1 {
			result *= base
		}
		base *= base
	}
	return result, nil
}
