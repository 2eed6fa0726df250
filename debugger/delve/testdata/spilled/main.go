// Program spilled panics in the first instruction after the arguments were written to the stack;
// with an argument, its stack overflows, or it panics in the first instruction of an inlined call.
package main

import (
	"os"
	"runtime/debug"
)

type list struct{ first, last *list }

func (r *list) push(e *list) {
	e.first, e.last = nil, r.first
}

func depth(name string) int {
	return 1 + depth(name)
}

// even and odd call each other with their names.
//
//go:noinline
func even(name string, half float64, small uint8) int {
	var pad [5]int
	pad[small%5] = 1
	return odd("odd", half, small) + pad[0]
}

//go:noinline
func odd(name string, half float64, small uint8) int {
	return 1 + even("even", half, small)
}

func captures(name string) {
	var again func(n int) int
	again = func(n int) int {
		return len(name) + again(n+1)
	}
	again(0)
}

func firstOf(l *list) *list {
	return l.first
}

//go:noinline
func calls(l *list) *list {
	return firstOf(l)
}

func main() {
	debug.SetMaxStack(1 << 20)
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "overflow":
			depth("deep")
		case "between":
			even("even", 0.5, 7)
		case "closure":
			captures("deep")
		case "inlined":
			calls(nil)
		}
	}
	var r *list
	r.push(&list{})
}
