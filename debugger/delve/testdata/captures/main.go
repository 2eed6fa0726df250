// Command captures calls closures whose variables change from call to call.
package main

import "fmt"

type box struct{ n int }

func counters(n int) []func() int {
	var list []func() int
	for i := range n {
		c := i * 10
		b := &box{n: i}
		list = append(list, func() int {
			c += i
			return c + b.n
		})
	}
	return list
}

func short(n int) []func() int {
	var list []func() int
	for i := range n {
		list = append(list, func() int { return i })
	}
	return list
}

func main() {
	sum := 0
	for _, f := range counters(4) {
		sum += f() + f()
	}
	for _, f := range short(4) {
		sum += f()
	}
	fmt.Println(sum)
}
