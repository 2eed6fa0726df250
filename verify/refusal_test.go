package verify

import "testing"

func TestWhichMessagesTellValues(t *testing.T) {
	const added = "\tvar n int = \"six\"\n\tb := byte(300)\n"
	for _, c := range []struct {
		message string
		want    bool
	}{
		{"undefined: shelf", false},
		{"declared and not used: n2", false},
		{`"os" imported and not used`, false},
		{`"example.com/a" imported as b and not used`, false},
		{"missing return", false},
		{"x.foo undefined (type *T has no field or method foo)", false},
		{"assignment mismatch: 2 variables but f() returns 1 value", false},
		{`cannot use "six" (untyped string constant) as int value in variable declaration`, false},
		{"cannot use x (variable of type int) as string value in return statement", false},
		{`cannot use a (untyped string constant "summer") as int value in variable declaration`, true},
		{"cannot use a (constant 7319 of type int) as string value in argument to f", true},
		{`cannot use "seven" (untyped string constant) as int value in variable declaration`, true},
		{"cannot use x (variable of type [23]int) as int value in assignment", true},
		{"duplicate key true in map literal", true},
		{"invalid argument: index 5 out of bounds [0:3]", true},
		{"invalid operation: division by zero", true},
		{"a - 20 overflows uint", true},
		{`fmt.Sprintf format %x has arg n of wrong type error`, true},
		{`struct field tag "json:secret" not compatible with reflect.StructTag.Get`, true},
		{`cannot use v (variable of type struct{A int "k:\"secret\""}) as int value in assignment`, true},
		{"n (32 bits) is not enough", true},
	} {
		if got := tellsValues(c.message, added); got != c.want {
			t.Errorf("tellsValues(%q) = %t", c.message, got)
		}
	}
}
