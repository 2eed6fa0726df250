// Program spilled panics in the first instruction after the arguments were written to the stack;
// with an argument, its stack overflows.
package main

import "os"

type list struct{ first, last *list }

func (r *list) push(e *list) {
	e.first, e.last = nil, r.first
}

func depth(name string) int {
	return 1 + depth(name)
}

func main() {
	if len(os.Args) > 1 {
		depth("deep")
	}
	var r *list
	r.push(&list{})
}
