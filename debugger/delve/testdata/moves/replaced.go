package main

import (
	"errors"
	"fmt"
)

type cat struct{ lives int }
type dog struct{ name string }
type small struct{ n int }
type other struct{ n int }

func (c *cat) add(n int) int { return c.lives + n }
func (d *dog) add(n int) int { return n }

type holder struct {
	any    any
	adder  adder
	err    error
	pair   [2]int32
	flags  struct{ a, b, c, d, e, f, g, h bool }
	padded struct {
		a int8
		b int16
	}
	p *int
	m map[string]int
	c chan int
	f func() int
}

func counting(n int) func() int { return func() int { return n } }

// replaced writes values of all kinds, some of which look as they did.
func replaced() {
	n, k := 5, 5
	h := &holder{any: 5, adder: &cat{7}, p: &n, m: map[string]int{"k": 1}, c: make(chan int, 1), f: counting(1)}
	var local any = small{1}
	fmt.Println("replaced", local)

	h.any = 600
	h.any = "text"
	h.any = small{1}
	h.any = other{1}
	h.any = other{1 + len(h.m) - 1}
	h.any = &n
	h.any = &k
	h.any = nil
	fmt.Println("any", h.any)

	h.adder = &dog{"rex"}
	h.adder = nil
	h.err = errors.New("first")
	h.err = fmt.Errorf("second: %w", h.err)
	local = other{1}
	fmt.Println("interfaces", local)

	h.pair[1] = 3
	h.flags.h = true
	h.p = &k
	k++
	h.p = &k
	h.m = map[string]int{"other": 99}
	h.c = make(chan int, 1)
	h.f = counting(2)
	h.pair[1] = 3
	fmt.Println("values", h.padded, h.f())
}
