package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type leaf struct {
	Name string
	next *leaf
	any  any
}

type tree struct {
	mu     sync.Mutex
	rw     sync.RWMutex
	leaves map[string]*leaf
	list   []leaf
	self   *tree
	at     time.Time
	err    error
	out    io.Writer
	call   func(int) string
	shared sync.Map
	word   atomic.Pointer[string]
	raw    []byte
	number float64
}

func roundTrip(t *testing.T, v any) reflect.Value {
	t.Helper()
	in := reflect.New(reflect.TypeOf(v)).Elem()
	in.Set(reflect.ValueOf(v))
	nodes, why := encode([]reflect.Value{in})
	if why != "" {
		t.Fatal(why)
	}
	d := decoder{types: newTypes()}
	d.types.add(in.Type(), 0)
	out, why := d.decode(nodes, []reflect.Type{in.Type()})
	if why != "" {
		t.Fatal(why)
	}
	return out[0]
}

// Values come back as they were, with private fields, cycles and shared parts.
func TestValuesComeBack(t *testing.T) {
	word := "word"
	a := &leaf{Name: "a\xff", any: map[string]any{"x": 1, "y": []leaf{{Name: "z"}}}}
	a.next = a
	v := &tree{leaves: map[string]*leaf{"a": a, "same": a, "nil": nil}, list: []leaf{{}}, at: time.Unix(5, 7).UTC(), err: fmt.Errorf("wrapped: %w", io.EOF),
		out: os.Stdout, call: func(int) string { return "" }, raw: []byte{0, 255}, number: math.Inf(-1)}
	v.self = v
	v.mu.Lock()
	v.rw.RLock()
	v.shared.Store("k", 1)
	v.word.Store(&word)
	got := roundTrip(t, v).Interface().(*tree)
	if got.self != got || got.leaves["a"] != got.leaves["same"] || got.leaves["a"].next != got.leaves["a"] || got.leaves["nil"] != nil {
		t.Error("pointers lead elsewhere")
	}
	if got.leaves["a"].Name != a.Name || !got.at.Equal(v.at) || got.err.Error() != v.err.Error() || got.out != os.Stdout || string(got.raw) != string(v.raw) || got.number != v.number {
		t.Errorf("got %+v", got)
	}
	if !got.mu.TryLock() || !got.rw.TryLock() {
		t.Error("a lock is held, and nobody will let it go")
	}
	if x, _ := got.shared.Load("k"); x != 1 || *got.word.Load() != "word" || got.call(3) != "" {
		t.Error("a map, an atomic pointer or a function is not as it was")
	}
}

func TestWhatCannotBeMade(t *testing.T) {
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	big := make([]int, maxNodes+1)
	for want, v := range map[string]any{"holds a file": file, "is too large": big, "holds a reflected value": reflect.ValueOf(1)} {
		in := reflect.New(reflect.TypeOf(v)).Elem()
		in.Set(reflect.ValueOf(v))
		if _, why := encode([]reflect.Value{in}); why != want {
			t.Errorf("%T: %q, want %q", v, why, want)
		}
	}
	in := reflect.ValueOf(&struct{ c context.Context }{context.Background()}).Elem()
	if _, why := encode([]reflect.Value{in}); why != "" {
		t.Error(why)
	}
}

// The same calls give the same inputs, the recorded ones first, each once.
func TestInputs(t *testing.T) {
	nodes, _ := encode([]reflect.Value{reflect.ValueOf(&[]int{1, 2}).Elem(), reflect.ValueOf(new(int)).Elem()})
	call := Call{Func: 4, Num: 7, Panicked: true, Args: nodes}
	made := func() (all []string) {
		m := newMaker([]Call{call, call, {Func: 5}}, map[int][]reflect.Type{4: nil})
		for range 100 {
			c, ok := m.next()
			if !ok {
				break
			}
			text := ""
			for _, a := range c.Args {
				source, _ := Source(a, "")
				text += source + " "
			}
			all = append(all, fmt.Sprint(c.Away, " ", text))
		}
		return all
	}
	first := made()
	if !reflect.DeepEqual(first, made()) {
		t.Error("two times, other inputs")
	}
	seen := map[string]bool{}
	for _, s := range first {
		if seen[s] {
			t.Errorf("%q twice", s)
		}
		seen[s] = true
	}
	if first[0] != "0 []int{1, 2} 0 " {
		t.Errorf("first %q", first[0])
	}
	for _, want := range []string{"1 nil 0 ", "1 []int{} 0 ", "1 []int{1} 0 ", "1 []int{2} 0 ", "1 []int{1, 1, 2} 0 ", "1 []int{1, 2} -1 ", "1 []int{1, 2} 3 "} {
		if !seen[want] {
			t.Errorf("no %q", want)
		}
	}
}

func TestSource(t *testing.T) {
	one := 1
	for want, v := range map[string]any{
		`[]string{"a", "ü\n"}`: []string{"a", "ü\n"}, `int8(3)`: int8(3), `&leaf{Name: "x"}`: &leaf{Name: "x"},
		`map[string][]leaf{"k": {{Name: "y"}}}`: map[string][]leaf{"k": {{Name: "y"}}}, `[]byte("hi")`: []byte("hi"), `&1`: &one,
		`[]*leaf{{Name: "p"}, nil}`: []*leaf{{Name: "p"}, nil}, `[]any{1, errors.New("no")}`: []any{1, errors.New("no")},
	} {
		in := reflect.New(reflect.TypeOf(v)).Elem()
		in.Set(reflect.ValueOf(v))
		nodes, why := encode([]reflect.Value{in})
		if why != "" {
			t.Fatal(why)
		}
		got, _ := Source(nodes[0], reflect.TypeOf(leaf{}).PkgPath())
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
