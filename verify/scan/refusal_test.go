package scan

import "testing"

func TestWhichMessagesTellValues(t *testing.T) {
	for message, want := range map[string]struct{ sent, withLengths bool }{
		"undefined: shelf":                             {true, true},
		"undefined: strings.Cat":                       {true, true},
		"declared and not used: n2":                    {true, true},
		`"os" imported and not used`:                   {true, true},
		`"example.com/a" imported as b and not used`:   {true, true},
		"missing return":                               {true, true},
		"syntax error: unexpected newline, expected }": {true, true},
		"no new variables on left side of :=":          {true, true},

		"x.foo undefined (type *T has no field or method foo)":                            {true, false},
		"assignment mismatch: 2 variables but f() returns 1 value":                        {true, false},
		"cannot use x2 (variable of type int) as string value in return statement":        {true, false},
		"cannot use 0 (untyped int constant) as error value in return statement":          {true, false},
		`cannot use "six" (untyped string constant) as int value in variable declaration`: {true, false},
		"invalid operation: a + b (mismatched types int and string)":                      {true, false},
		"cannot convert t0_s{} (value of struct type t0_s) to type z":                     {true, false},

		`cannot use a (untyped string constant "summer") as int value in variable declaration`: {},
		"cannot use a (constant 7319 of type int) as string value in argument to f":            {},
		"cannot use x (variable of type [23]int) as int value in assignment":                   {},
		"duplicate key true in map literal":                                                    {},
		"invalid argument: index 5 out of bounds [0:3]":                                        {},
		"invalid operation: division by zero":                                                  {},
		"a - 20 overflows uint":                                                                {},
		"fmt.Sprintf format %x has arg n of wrong type error":                                  {},
		"fmt.Printf call needs 3 args but has 1 arg":                                           {},
		`struct field tag "json:secret" not compatible with reflect.StructTag.Get`:             {},
		`cannot use v (variable of type struct{A int "k"}) as int value in assignment`:         {},
		"undefined: x\nsummer":                                                                 {},
	} {
		if got := Sendable(message, false); got != want.sent {
			t.Errorf("sendable(%q) = %t", message, got)
		}
		if got := Sendable(message, true); got != want.withLengths {
			t.Errorf("sendable(%q) of code that computes lengths = %t", message, got)
		}
	}
}
