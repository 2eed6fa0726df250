package main

import (
	"fmt"
	"os"
)

func main() {
	docs, err := load(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	x := NewIndex(docs)
	x.Build()
	fmt.Println(len(docs), "documents,", x.count, "entries")
}
