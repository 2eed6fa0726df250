// Command roundtrip holds values of every kind. Its tests are written by the
// tests of package regress: each compares a value made from generated source
// with the one that sample makes.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"math/big"
	"net"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"example.com/roundtrip/shapes"
)

// ErrHere is an error of this package.
var ErrHere = errors.New("here")

type celsius float64

type level int

const (
	low level = iota
	mid
	high
)

type base struct{ id int }

type point struct {
	x, y  int
	label string
}

type node struct {
	name        string
	next, prev  *node
	children    []*node
	tags        map[string]*node
	anything    any
	parentOrNil **node
}

type pair[K comparable, V any] struct {
	key K
	val V
}

type coded struct {
	code int
	err  error
}

func (c *coded) Error() string { return fmt.Sprint(c.code) }

func (c *coded) Unwrap() error { return c.err }

type shape interface{ area() int }

func (p point) area() int { return p.x * p.y }

func double(n int) int { return 2 * n }

type guarded struct {
	mu    sync.Mutex
	rw    *sync.RWMutex
	wg    sync.WaitGroup
	once  sync.Once
	hits  atomic.Int64
	ready atomic.Bool
	last  atomic.Pointer[point]
	any   atomic.Value
	note  strings.Builder
	out   bytes.Buffer
}

// all has a field for each value.
type all struct {
	Bools                          []bool
	I8                             int8
	U64                            uint64
	Neg                            int64
	Level                          level
	Levels                         []level
	Temp                           celsius
	F32                            float32
	Floats                         []float64
	C                              complex128
	C64                            complex64
	Rune                           rune
	Byte                           byte
	Text, Lines, Raw, Long, Quoted string
	Odd                            string
	Bytes, Binary                  []byte
	JSON                           json.RawMessage
	NilSlice, Empty                []int
	NilMap, EmptyMap               map[string]int
	Sparse                         []int
	Zeros                          []point
	Array                          [4]int16
	Grid                           [][]int
	Points                         []point
	PointPtrs                      []*point
	ByLevel                        map[level][]string
	ByPoint                        map[point]*point
	ByInt                          map[int]string
	ByAny                          map[any]int
	LongKeys                       map[string]int
	Nested                         struct{ A struct{ b int } }
	Embedded                       struct {
		base
		*point
	}
	Ptr       *int
	StrPtr    *string
	PtrPtr    **int
	NewInt    *int
	Shared    [2]*point
	SharedMap [2]map[string]int
	Ring      *node
	Tree      *node
	Anys      []any
	Shape     shape
	Shapes    []shapes.Shape
	Box       shapes.Box[point]
	Pair      pair[string, []int]
	NilIface  shape
	Err       error
	Errs      []error
	When      time.Time
	Local     time.Time
	Fixed     time.Time
	Paris     time.Time
	ZeroTime  time.Time
	TimePtr   *time.Time
	Month     time.Month
	Wait      time.Duration
	Waits     []time.Duration
	Zone      *time.Location
	Big       *big.Int
	Huge      *big.Int
	BigVal    big.Int
	IP        net.IP
	URL       *url.URL
	Mode      fs.FileMode
	Re        *regexp.Regexp
	Log       *log.Logger
	Out       io.Writer
	In        io.Reader
	Buf       *bytes.Buffer
	Fn        func(int) int
	Upper     func(string) string
	NilFn     func()
	Chan      chan int
	Closed    <-chan string
	Plain     chan struct{}
	Ctx       context.Context
	Guarded   *guarded
	Nan       float64
	Hooks     *hooks
	Inner     *inner
}

func sample() *all {
	seven, text := 7, "text"
	pseven := &seven
	shared, m := &point{1, 2, "shared"}, map[string]int{"a": 1}
	a := &all{
		Bools: []bool{true, false}, I8: -8, U64: math.MaxUint64, Neg: math.MinInt64, Level: high, Levels: []level{low, mid, 7}, Temp: 36.6, F32: 0.1,
		Floats: []float64{0, math.Copysign(0, -1), 1, 1e300, math.Inf(-1), math.SmallestNonzeroFloat64, 1.0 / 3}, C: complex(1, -2), C64: complex(0.5, 2), Rune: 'é', Byte: 'b',
		Text: "plain", Lines: "one\ntwo `three`\n", Raw: "a\nb\nc\n", Long: strings.Repeat("long ", 300) + "end", Quoted: `say "x" and "y\z"`, Odd: "a\xff\xfe\ufffdz\x00\xef",
		Bytes: []byte("bytes\n"), Binary: []byte{0, 1, 254, 255}, JSON: json.RawMessage(`{"a":1}`), Empty: []int{}, EmptyMap: map[string]int{},
		Sparse: make([]int, 40), Zeros: make([]point, 20), Array: [4]int16{0, -1}, Grid: [][]int{{1, 2}, nil, {}}, Points: []point{{1, 2, ""}, {}},
		PointPtrs: []*point{{x: 1}, nil, {}}, ByLevel: map[level][]string{mid: {"m"}, low: nil}, ByPoint: map[point]*point{{x: 1}: {y: 2}, {}: nil},
		ByInt: map[int]string{10: "ten", 9: "nine", -1: "minus"}, ByAny: map[any]int{"a": 1, 2: 2, 2.5: 3, point{}: 4}, LongKeys: map[string]int{strings.Repeat("k", 700): 1, "a\xffb": 2},
		Ptr: &seven, StrPtr: &text, PtrPtr: &pseven, NewInt: new(int), Shared: [2]*point{shared, shared}, SharedMap: [2]map[string]int{m, m},
		Anys: []any{1, int8(2), uint(3), 1.0, 2.5, float32(1), "s", nil, true, point{x: 1}, &point{y: 1}, (*point)(nil), []any{map[string]any{"k": []int(nil)}}, mid, 'x', byte(1), [2]int{}, error(nil), time.Second,
			struct{}{}, map[string]int(nil), (func())(nil), json.Number("1"), complex(1, 1)},
		Shape: point{2, 3, ""}, Shapes: []shapes.Shape{shapes.Square{Side: 2}, &shapes.Circle{Radius: 1}}, Box: shapes.Box[point]{Item: point{x: 1}}, Pair: pair[string, []int]{"k", []int{1}},
		Err: &coded{3, io.EOF}, Errs: []error{errors.New("boo"), io.EOF, fs.ErrNotExist, ErrHere, shapes.ErrFlat, fmt.Errorf("100%% of %w: why", ErrHere), fmt.Errorf("no wrap"), errors.Join(io.EOF, ErrHere),
			fmt.Errorf("%w and %w", io.EOF, ErrHere), &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, context.Canceled, fmt.Errorf("deep: %w", fmt.Errorf("in %w", io.EOF))},
		When: time.Date(2026, 11, 20, 17, 2, 3, 4, time.UTC), Local: time.Date(1999, 12, 31, 23, 59, 59, 0, time.Local), Fixed: time.Date(2001, 2, 3, 4, 5, 6, 0, time.FixedZone("XT", 5400)),
		Month: time.May, Wait: 1500 * time.Millisecond, Waits: []time.Duration{0, 1, time.Hour, -time.Minute}, Zone: time.UTC,
		Big: big.NewInt(-5), Huge: new(big.Int).Lsh(big.NewInt(3), 200), IP: net.IPv4(10, 0, 0, 1), URL: &url.URL{Scheme: "http", User: url.UserPassword("u", "p"), Host: "h", Path: "/p", RawQuery: "q=1"},
		Mode: fs.ModeDir | 0o755, Re: regexp.MustCompile(`^a+\s*$`), Log: log.New(os.Stderr, "pre: ", log.Lshortfile), Out: os.Stdout, In: strings.NewReader("to read"), Buf: bytes.NewBufferString("held"),
		Fn: double, Upper: strings.ToUpper, Chan: make(chan int, 3), Plain: make(chan struct{}), Ctx: context.Background(), Nan: math.NaN(),
		Embedded: struct {
			base
			*point
		}{base{4}, &point{x: 5}},
	}
	if paris, err := time.LoadLocation("Europe/Paris"); err == nil {
		a.Paris = time.Date(2020, 7, 1, 12, 0, 0, 0, paris)
	}
	a.Sparse[3], a.Sparse[20] = 1, 2
	a.Nested.A.b = 3
	a.TimePtr = &a.When
	a.BigVal.SetInt64(12)
	a.Ring = &node{name: "a"}
	a.Ring.next = &node{name: "b", prev: a.Ring, next: a.Ring}
	a.Ring.prev = a.Ring.next
	a.Tree = &node{name: "root", tags: map[string]*node{}}
	leaf := &node{name: "leaf", anything: a.Tree}
	leaf.parentOrNil = &leaf.next
	a.Tree.children = []*node{leaf, {name: "other", children: []*node{a.Tree}}}
	a.Tree.tags["me"], a.Tree.tags["leaf"] = a.Tree, leaf
	closed := make(chan string, 2)
	closed <- "last"
	close(closed)
	a.Closed = closed
	for i := range 5 {
		a.Chan <- i
		if i > 1 {
			<-a.Chan
		}
	}
	a.Guarded = newGuarded()
	a.Hooks = newHooks()
	a.Inner = newInner()
	return a
}

func newGuarded() *guarded {
	g := &guarded{rw: &sync.RWMutex{}}
	g.wg.Add(2)
	g.once.Do(func() {})
	g.hits.Store(3)
	g.ready.Store(true)
	g.last.Store(&point{x: 9})
	g.any.Store("any")
	g.note.WriteString("note")
	g.out.WriteString("read me")
	_, _ = g.out.ReadByte()
	g.mu.Lock()
	return g
}

func main() { probe(sample()) }

func probe(a *all) {
	panic(fmt.Sprint(a.Text))
}

type hooks struct {
	name   string
	times  func(int) int
	count  func() int
	twice  func(int) int
	same   func() int
	tree   func(int) int
	method func() int
	self   func() string
	calls  map[string]func() int
}

func newHooks() *hooks {
	factor, n, p := 3, 40, point{x: 2, y: 5}
	h := &hooks{name: "h"}
	h.times = func(x int) int { return x * factor }
	h.count = func() int { n++; return n }
	h.same = func() int { return n }
	h.twice = func(x int) int {
		inner := func(y int) int { return y * 2 }
		return inner(strings.Count(strings.Repeat("x", x), "x"))
	}
	var fib func(int) int
	fib = func(i int) int {
		if i < 2 {
			return i
		}
		return fib(i-1) + fib(i-2)
	}
	h.tree = fib
	h.method = p.area
	h.self = func() string { return h.name }
	h.calls = map[string]func() int{"fixed": fixed, "area": (&p).areaNow, "size": h.size}
	return h
}

func fixed() int { return 7 }

func (p *point) areaNow() int { return p.area() }

func (h *hooks) size() int { return len(h.name) }

// inner has pointers to its own parts.
type inner struct {
	mu     sync.Mutex
	cond   *sync.Cond
	points []point
	best   *point
	counts [3]int
	count  *int
	byName map[string]*point
	self   *inner
}

func newInner() *inner {
	in := &inner{points: []point{{label: "a"}, {label: "b", x: 1}}}
	in.best, in.count, in.self = &in.points[1], &in.counts[2], in
	in.cond = sync.NewCond(&in.mu)
	in.byName = map[string]*point{"a": &in.points[0]}
	return in
}
