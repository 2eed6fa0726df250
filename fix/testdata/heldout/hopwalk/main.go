package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func readGraph() (*Graph, error) {
	g := &Graph{}
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		a, rest, ok := strings.Cut(sc.Text(), "--")
		if !ok {
			continue
		}
		a = strings.TrimSpace(a)
		for b := range strings.SplitSeq(rest, ",") {
			if b = strings.TrimSpace(b); b != "" {
				g.Link(a, b)
			}
		}
	}
	return g, sc.Err()
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: hopwalk from goal <graph")
		os.Exit(2)
	}
	from, goal := os.Args[1], os.Args[2]
	g, err := readGraph()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !g.Has(from) {
		fmt.Printf("%s is not in the graph\n", from)
		return
	}
	reached := false
	n := 0
	for h := range g.Walk(from, goal, 6) {
		mark := ""
		if h.Node == goal {
			reached = true
			mark = " *"
		}
		n++
		fmt.Printf("%s%s%s\n", strings.Repeat("  ", h.Depth), h.Node, mark)
	}
	fmt.Printf("%d of %d nodes, goal reached: %t\n", n, g.Len(), reached)
}
