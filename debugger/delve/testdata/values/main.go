// Command values has variables of every kind in scope when it panics.
package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

type point struct{ X, Y int }

type key struct {
	Part string
	N    int
}

type base struct{ ID int }

type index struct {
	base
	terms map[string][]int
	docs  []string
	next  *index
	_     int
}

type color int

const (
	red color = iota
	green
)

type pair[A, B any] struct {
	First  A
	Second B
}

type shape interface{ Area() int }

func (p point) Area() int     { return p.X * p.Y }
func (x *index) Name() string { return "index" }

func (x *index) look(term string, deep ...string) (found int, err error) {
	number, negative, small := 42, -7, uint8(200)
	ratio, wave, yes, letter := 1.5, complex(1, -2), true, 'é'
	text, long, raw := "go\tlang", strings.Repeat("0123456789", 200), string([]byte{0xff, 'a'})
	quote := `say "hi"`
	shade := green
	array := [3]int{1, 2, 3}
	var grid [4][3]int
	grid[2][1] = 5
	slice := make([]int, 200, 300)
	for i := range slice {
		slice[i] = i * i
	}
	part := slice[10:12]
	empty, none := []int{}, []int(nil)
	points := []point{{1, 2}, {3, 4}}
	byName := map[string]int{}
	for i := range 150 {
		byName[fmt.Sprintf("name %03d", i)] = i
	}
	byNumber := map[int]*point{7: {7, 8}}
	byKey := map[key]string{{"a", 1}: "struct key"}
	byAny := map[any]int{"s": 1}
	byBool := map[bool]point{true: {1, 1}}
	odd := map[string]int{"a\"b": 1, "": 2, long: 3}
	var noMap map[string]int
	pp := &points[1]
	ppp := &pp
	var noPointer *point
	var anything any = point{5, 6}
	var pointerInside any = &point{7, 8}
	var numberInside any = 9
	var nothing any
	var form shape = point{2, 3}
	var failure error = fmt.Errorf("outer: %w", errors.New("inner"))
	jobs := make(chan int, 3)
	jobs <- 1
	call := func() int { return number + array[0] }
	generic := pair[string, []int]{"a", []int{1, 2}}
	anonymous := struct{ A, B int }{1, 2}
	moment, span := time.Unix(1700000000, 0).UTC(), 3*time.Second
	list := &index{base: base{1}, next: &index{base: base{2}, next: &index{base: base{3}}}}
	shadow := 1
	{
		shadow := "inner"
		use(number, negative, small, ratio, wave, yes, letter, text, long, raw, quote, shade, array, grid, slice, part,
			empty, none, points, byName, byNumber, byKey, byAny, byBool, odd, noMap, pp, ppp, noPointer, anything,
			pointerInside, numberInside, nothing, form, failure, jobs, call, generic, anonymous, moment, span, list, shadow)
		x.terms[term] = append(x.terms[term], len(deep)) // the panic
	}
	return shadow, nil
}

var sink []any

//go:noinline
func use(values ...any) { sink = values }

func main() {
	x := &index{base: base{99}, docs: []string{"first", "second"}}
	_, _ = x.look("go", "a", "b")
}
