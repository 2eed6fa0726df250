package main

import (
	"cmp"
	"slices"
)

type Graph struct {
	adj map[string][]string
}

func (g *Graph) Link(a, b string) {
	if g.adj == nil {
		g.adj = map[string][]string{}
	}
	g.adj[a] = append(g.adj[a], b)
	g.adj[b] = append(g.adj[b], a)
}

func (g *Graph) Len() int { return len(g.adj) }

func (g *Graph) Has(n string) bool {
	_, ok := g.adj[n]
	return ok
}

func (g *Graph) Neighbors(n string) []string {
	out := slices.Clone(g.adj[n])
	slices.SortFunc(out, cmp.Compare)
	return slices.Compact(out)
}

type Hop struct {
	Node  string
	Depth int
}

type walker struct {
	g     *Graph
	goal  string
	limit int
	seen  map[string]bool
	out   chan Hop
}

func (w *walker) visit(n string, depth int) {
	if depth > w.limit || w.seen[n] {
		return
	}
	w.seen[n] = true
	w.out <- Hop{n, depth}
	if n == w.goal {
		close(w.out)
		return
	}
	for _, m := range w.g.Neighbors(n) {
		w.visit(m, depth+1)
	}
}

// Walk lists the nodes in depth-first order.
func (g *Graph) Walk(from, goal string, limit int) <-chan Hop {
	w := &walker{
		g:     g,
		goal:  goal,
		limit: limit,
		seen:  make(map[string]bool, g.Len()),
		out:   make(chan Hop, g.Len()),
	}
	w.visit(from, 0)
	if !w.seen[goal] {
		close(w.out)
	}
	return w.out
}
