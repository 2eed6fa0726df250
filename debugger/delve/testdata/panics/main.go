// Command panics panics in the way its argument names.
package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

type index struct {
	terms map[string][]int
	docs  []string
}

func (x *index) add(term string, doc int) {
	n := len(x.docs)
	x.terms[term] = append(x.terms[term], doc+n)
}

type codeError struct {
	Code int
	Path string
}

func (e *codeError) Error() string { return fmt.Sprintf("code %d at %s", e.Code, e.Path) }

type valueError struct{ Why string }

func (e valueError) Error() string { return "because " + e.Why }

type color int

func (c color) String() string { return [...]string{"red", "green"}[c] }

type count int
type label string
type ratio float64
type flag bool
type wave complex128

type point struct{ X, Y int }

type pair[T any] struct{ A, B T }

type shape interface{ Area() float64 }

type named interface{ Name() string }

func (p point) Area() float64 { return float64(p.X * p.Y) }

var zero int

func item(list []int, i int) int { return list[i] }

var cases = map[string]func(){
	"nil map":        func() { x := &index{docs: []string{"a"}}; x.add("go", 1) },
	"index":          func() { item([]int{1, 2, 3}, 5) },
	"negative index": func() { item([]int{1, 2, 3}, zero-1) },
	"slice":          func() { s := []int{1, 2, 3}; _ = s[zero+3 : zero+2] },
	"slice cap":      func() { s := "abc"; _ = s[:zero+9] },
	"nil pointer":    func() { var x *index; x.docs = append(x.docs, "b") },
	"divide":         func() { fmt.Println(7 / zero) },
	"assertion":      func() { var v any = "text"; _ = v.(int) },
	"nil assertion":  func() { var v any; _ = v.(fmt.Stringer) },
	"method missing": func() { var v shape = point{}; _ = v.(named) },
	"closed channel": func() { c := make(chan int); close(c); c <- 1 },
	"closing twice":  func() { c := make(chan int); close(c); close(c) },
	"makeslice":      func() { _ = make([]int, zero-1) },
	"repeat":         func() { _ = strings.Repeat("x", zero-1) },
	"waitgroup":      func() { var wg sync.WaitGroup; wg.Done() },
	"must compile":   func() { regexp.MustCompile("a(b") },
	"ticker":         func() { time.NewTicker(time.Duration(zero)) },
	"string":         func() { panic("plain words") },
	"two lines":      func() { panic("first\nsecond") },
	"empty":          func() { panic("") },
	"error":          func() { panic(errors.New("went wrong")) },
	"wrapped error":  func() { panic(fmt.Errorf("load %q: %w", "x", os.ErrNotExist)) },
	"pointer error":  func() { panic(&codeError{Code: 7, Path: "/etc"}) },
	"value error":    func() { panic(valueError{"of rain"}) },
	"stringer":       func() { panic(color(1)) },
	"int":            func() { panic(42) },
	"negative":       func() { panic(-7) },
	"float":          func() { panic(1.5) },
	"float32":        func() { panic(float32(1e-20)) },
	"complex":        func() { panic(complex(1, -2)) },
	"bool":           func() { panic(true) },
	"rune":           func() { panic('x') },
	"named int":      func() { panic(count(3)) },
	"named string":   func() { panic(label("a b")) },
	"named float":    func() { panic(ratio(0.25)) },
	"named bool":     func() { panic(flag(true)) },
	"named complex":  func() { panic(wave(complex(1, 2))) },
	"struct":         func() { panic(point{1, 2}) },
	"generic":        func() { panic(pair[string]{"a", "b"}) },
	"struct pointer": func() { panic(&point{3, 4}) },
	"slice value":    func() { panic([]string{"a"}) },
	"map value":      func() { panic(map[string]int{"a": 1}) },
	"nil":            func() { panic(nil) },
	"nested":         nested,
	"cleared":        cleared,
	"repanicked":     repanicked,
	"rewrapped":      rewrapped,
	"handler bug":    handlerBug,
	"goexit":         func() { defer func() { panic("after goexit") }(); panicGoexit() },
	"other goroutine": func() {
		go item(nil, 2)
		select {}
	},
}

func panicGoexit() { panic("before") }

func nested() {
	defer cleanup()
	item([]int{1}, 3)
}

func cleanup() {
	x := &index{}
	x.add("late", 1)
}

// lender's shelf is cleared by a deferred function.
type lender struct{ shelf *shelf }

type shelf struct{ first *label }

func (l *lender) title() label {
	return *l.shelf.first
}

func (l *lender) close() { l.shelf = nil }

func cleared() {
	l := &lender{shelf: &shelf{}}
	defer l.close()
	fmt.Println(l.title())
}

func repanicked() {
	defer func() {
		r := recover()
		panic(r)
	}()
	item([]int{1}, 3)
}

func rewrapped() {
	defer func() {
		r := recover()
		panic(fmt.Errorf("worker: %v", r))
	}()
	item([]int{1}, 3)
}

func handlerBug() {
	defer func() {
		_ = recover()
		cleanup()
	}()
	item([]int{1}, 3)
}

func main() {
	if len(os.Args) < 2 {
		for name := range cases {
			fmt.Println(name)
		}
		return
	}
	cases[os.Args[1]]()
}
