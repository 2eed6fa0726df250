// Command linked stops with values in scope that lead to each other.
package main

type node struct {
	ID          int
	Near        map[int]*node
	Tags, Marks []string
	Up          *node
}

func look(nodes []*node) int {
	sum := 0
	for _, n := range nodes {
		sum += n.ID
	}
	if sum > 0 {
		panic("looked")
	}
	return sum
}

func main() {
	var nodes []*node
	for i := range 100 {
		n := &node{ID: i, Near: map[int]*node{}}
		for k, o := range nodes {
			n.Near[k], n.Up = o, o
			n.Tags, n.Marks = append(n.Tags, "tag"), append(n.Marks, "mark")
		}
		nodes = append(nodes, n)
	}
	look(nodes)
}
