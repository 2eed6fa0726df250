// Program frameless is interrupted in functions that have no frame of their own.
package main

import (
	"os"
	"runtime"
	"time"
)

type entry struct{ meta *int }

func touch(e *entry) {
	*e.meta++
}

func get(e *entry) {
	touch(e)
}

func spin(n *int) {
	for {
		*n++
	}
}

// lines consists of single instructions, each on a line of its own.
func lines() {
	a := 0
	for {
		a++
	}
}

func work(n *int) {
	spin(n)
}

func main() {
	if len(os.Args) > 1 {
		runtime.GOMAXPROCS(1)
		if os.Args[1] == "lines" {
			go lines()
		} else {
			go work(new(int))
		}
		time.Sleep(50 * time.Millisecond)
		runtime.Breakpoint()
	}
	get(&entry{})
}
