// Command iterates panics in the bodies of loops over functions.
package main

import (
	"iter"
	"os"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func longest(words []string) int {
	total, best, unused := 0, 0, 3
	for i := range count(3) {
		total += i
		for j := range count(2) {
			best = max(best, len(words[i+j]))
		}
	}
	return best + total + unused
}

type tree struct {
	left *tree
	name string
}

// all runs the body of one call while other calls of it are on the stack.
func (t *tree) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		if t == nil {
			return
		}
		for name := range t.left.all() {
			if name == t.name {
				panic("again: " + t.name)
			}
			yield(name)
		}
		yield(t.name)
	}
}

func sum(n int) int {
	total := 0
	for i := range count(n) {
		total += i
		if i == 1 {
			continue
		}
		total++
	}
	total *= 2
	return total
}

func sums() {
	first := sum(3)
	first++
	println(first)
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "sums" {
		sums()
		return
	}
	if len(os.Args) > 1 {
		for range (&tree{name: "c", left: &tree{name: "b", left: &tree{name: "a", left: &tree{name: "a"}}}}).all() {
		}
		return
	}
	longest([]string{"a", "bb"})
}
