// Program spilled panics in the first instruction after the arguments were written to the stack.
package main

type list struct{ first, last *list }

func (r *list) push(e *list) {
	e.first, e.last = nil, r.first
}

func main() {
	var r *list
	r.push(&list{})
}
