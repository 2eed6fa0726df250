// Command moves is stepped through, watched and traced in the way its argument
// names.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

var total, one, two, three, four int

type counter struct{ count int }

func (c *counter) add(n int) int {
	c.count += n
	return c.count
}

type adder interface{ add(n int) int }

func double(n int) int { return 2 * n }

func twice[T any](v T) []T {
	return []T{v, v}
}

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func calls() {
	c := &counter{}
	var a adder = c
	half := func(n int) int { return n / 2 }
	sum := double(c.add(1)) + a.add(2) + half(4) + len(twice(3))
	fmt.Println(sum, fib(5), greet("you"), pick(0))
}

func pick(i int) int { return [...]int{7}[i] }

func greet(name string) string { return "hello " + name }

// parse returns its error without a name.
func parse(text string) (int, error) {
	if text == "" {
		return 0, errors.New("empty")
	}
	return strconv.Atoi(text)
}

// named returns one with a name, which a deferred call may set.
func named(text string) (n int, err error) {
	defer func() {
		if n == 13 {
			err = errors.New("unlucky")
		}
	}()
	n, err = strconv.Atoi(text)
	return n, err
}

func returns() {
	for _, text := range []string{"1", "2", "", "3", "x"} {
		n, err := parse(text)
		fmt.Println(n, err)
	}
	for _, text := range []string{"1", "13", "2"} {
		n, err := named(text)
		fmt.Println(n, err)
	}
}

func watched() {
	c := &counter{}
	for i := range 4 {
		total += i
		c.add(i)
	}
	fmt.Println(c.count, total, one+two+three+four)
	scoped()
}

func scoped() {
	local := 0
	bump(&local)
	local += 2
	fmt.Println("local")
}

func bump(n *int) { *n++ }

func loop() {
	for i := range 1000 {
		tick(i)
	}
}

//go:noinline
func tick(i int) int {
	return i + total
}

func workers() {
	var wg sync.WaitGroup
	for id := range 4 {
		wg.Go(func() { work(id) })
	}
	wg.Wait()
	fmt.Println("done")
}

func work(id int) {
	for range 3 {
		time.Sleep(time.Millisecond)
		handle(id)
	}
}

func handle(id int) int {
	n := id * 2
	n++
	return n
}

func sleeps() {
	for i := 0; ; i++ {
		time.Sleep(20 * time.Millisecond)
		total = i
	}
}

func hot() {
	began := time.Now()
	for i := range 200_000 {
		tick(i)
	}
	fmt.Println(time.Since(began))
}

var cases = map[string]func(){
	"failing": failing, "closing": closing, "crowd": crowd, "recovering": recovering,
	"method": method, "calls": calls, "returns": returns, "watched": watched, "replaced": replaced, "loop": loop, "workers": workers, "sleeps": sleeps, "hot": hot,
}

type scale struct{ by int }

func (s *scale) times(n int) int {
	return n * s.by
}

func apply(f func(int) int, n int) int {
	r := f(n)
	return r
}

// method calls a method value.
func method() {
	s := &scale{3}
	f := s.times
	fmt.Println(apply(f, apply(f, 2)))
}

// recovering panics, and goes on.
func recovering() {
	err := graze()
	fmt.Println(err)
}

func graze() (err error) {
	defer func() {
		err = errors.Join(err, errors.New("late"))
	}()
	defer fmt.Println("grazed")
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	defer handle(2)
	panic("full")
}

func failing() {
	defer handle(1)
	list := []int{1}
	fmt.Println(list[len(os.Args)])
}

// closing panics, and only the standard library is deferred.
func closing() {
	defer os.Stdin.Close()
	var s *scale
	fmt.Println(s.by)
}

// crowd has goroutines call check at once, which fails in the last round only.
func crowd() {
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := range 50 {
				_, _ = check(i)
			}
		}()
	}
	all.Wait()
}

func check(n int) (string, error) {
	if n == 49 {
		return "", errors.New("bad")
	}
	return strconv.Itoa(n), nil
}

func main() { cases[os.Args[1]]() }
