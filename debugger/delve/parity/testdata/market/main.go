// Command market has something of everything that a debugger prints.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"time"
)

// Fruit is a named number.
type Fruit int

// The fruits.
const (
	Apple Fruit = iota
	Pear
)

// Crate is a struct with much in it.
type Crate struct {
	Label  string
	Count  int
	Kind   Fruit
	Weight float64
	Tags   []string
	Inner  *Crate
	Stock  map[string]int
}

// Weigh returns the weight of all that is in the crate.
func (c *Crate) Weigh(scale float64) (total float64) {
	defer note("weighed", c.Label)
	factor := scale * 2
	total = c.Weight * float64(c.Count) // the tests stop here
	total *= factor
	if c.Inner != nil {
		total += double(c.Inner.Weight)
	}
	return total
}

func double(x float64) float64 {
	twice := 2 * x
	return twice
}

func note(what, label string) {
	if len(what)+len(label) > 1000 {
		panic("too long")
	}
}

// Opened counts what was opened.
var Opened = 7

var seller any = errors.New("closed")

func wait(queue chan int) int { return <-queue }

func main() {
	queue := make(chan int, 3)
	orders := make(chan int)
	queue <- 4
	queue <- 5
	for i := range 3 {
		labels := pprof.Labels("shift", fmt.Sprint("n", i), "hall", "east")
		go pprof.Do(context.Background(), labels, func(context.Context) { wait(orders) })
	}
	time.Sleep(50 * time.Millisecond) // the goroutines wait by then
	inner := &Crate{Label: "inner", Count: 1, Kind: Pear, Weight: 0.25}
	crate := Crate{Label: "outer", Count: 12, Kind: Apple, Weight: 1.5, Tags: []string{"red", "ripe"}, Inner: inner,
		Stock: map[string]int{"boskoop": 3}}
	bytes := []byte{1, 2, 3, 250, 'a', 'b', 'c', 0}
	{
		crate := "shadow"
		note(crate, "")
	}
	sum := crate.Weigh(10)
	sum += crate.Weigh(20)
	fmt.Fprintln(os.Stderr, sum, len(bytes), Opened, seller, cap(queue))
}
