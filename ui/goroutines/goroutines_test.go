package goroutines

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/ui/inspect"
)

func at(function string, line int) debugger.Frame {
	file := "/m/" + function[strings.LastIndexByte(function, '.')+1:] + ".go"
	return debugger.Frame{Function: function, File: file, Line: line, User: strings.HasPrefix(function, "main.")}
}

// some are goroutines of every sort.
func some() []debugger.Goroutine {
	list := []debugger.Goroutine{{ID: 1, Signature: 1, State: "running", User: at("main.main", 9), Start: at("runtime.main", 1)}}
	for i := range 40 {
		list = append(list, debugger.Goroutine{ID: debugger.GoroutineID(10 + i), Signature: 2, State: "waiting", WaitReason: "chan receive", User: at("main.worker", 31),
			Start: at("main.worker", 30), GoAt: at("main.main", 5), WaitsOn: []uint64{0xc000}, Waited: time.Duration(i) * time.Second})
	}
	for i := range 6 {
		list = append(list, debugger.Goroutine{ID: debugger.GoroutineID(60 + i), Signature: 3, State: "waiting", WaitReason: "select", User: at("main.listen", 12),
			Start: at("main.listen", 10), GoAt: at("main.main", 6), WaitsOn: []uint64{0xc000, 0xd000}, Labels: map[string]string{"tenant": []string{"acme", "globex"}[i%2]}})
	}
	list = append(list, debugger.Goroutine{ID: 70, Signature: 4, State: "waiting", WaitReason: "sync.Mutex.Lock", User: at("sync.(*Mutex).Lock", 46), Start: at("main.handle", 3), GoAt: at("main.main", 7)})
	for i := range 3 {
		list = append(list, debugger.Goroutine{ID: debugger.GoroutineID(2 + i), Signature: 5 + uint64(i), State: "waiting", WaitReason: "force gc (idle)", User: at("runtime.gopark", 2), Start: at("runtime.gc", 4), System: true})
	}
	return list
}

func known(list []debugger.Goroutine) *inspect.Goroutines {
	g := inspect.NewGoroutines()
	g.Add(list, false)
	return g
}

// rows are a view's rows as text.
func rows(v *View, g *inspect.Goroutines) []string {
	var out []string
	for i := range v.Rows() {
		r := v.At(i)
		switch {
		case r.Group == nil:
			out = append(out, fmt.Sprintf("⋯%d", v.Hidden))
		case r.Inside:
			out = append(out, fmt.Sprintf(" %d", g.All[r.Member].ID))
		case r.Member >= 0:
			out = append(out, fmt.Sprint(g.All[r.Member].ID))
		default:
			out = append(out, fmt.Sprintf("×%d %s", len(r.Group.Members), r.Group.Kind.Doing()))
		}
	}
	return out
}

func TestQueries(t *testing.T) {
	g := known(some())
	for query, want := range map[string]int{
		"": 51, "user": 48, "system": 3, "-system": 48, "state:waiting": 50, "state:run": 1, "wait:chan": 40, "wait:mutex": 1,
		"wait>5s": 34, "wait>=39s": 1, "wait<2s": 1, "wait>1m": 0, "wait>37": 2, "label:tenant": 6, "label:tenant=acme": 3, "label:Tenant": 0,
		"tenant=globex": 3, "-label:tenant=acme user": 45, "chan:0xc000": 46, "chan:0xD000": 6, "chan:1": 0, "func:main.work": 40, "func:MUTEX": 1,
		"start:handle": 1, "go:main.go:6": 6, "file:worker.go:31": 40, "id:12": 1, "12": 7, "worker wait>30s": 9, "nothing": 0,
		"sort:wait": 51, "worker -wait>30s": 31, "state:": 51, "-": 51, "wait>": 51, "id:": 51,
	} {
		v := NewView()
		v.SetQuery(Parse(query))
		v.Update(g, 0)
		if v.Shown != want {
			t.Errorf("%q shows %d, want %d", query, v.Shown, want)
		}
	}
	for query, note := range map[string]string{"stat:waiting": "stat: is no word", "sort:age": "sort:age is none", "chan:x": "wants an address", "main.go:6": "", "wait:chan": ""} {
		if got := Parse(query).Note; !strings.Contains(got, note) || note == "" && got != "" {
			t.Errorf("%q: %q, want %q", query, got, note)
		}
	}
}

func TestGrouping(t *testing.T) {
	g := known(some())
	for mode, want := range map[Mode]string{
		ByStack:    "×40 chan receive|×6 select|70|⋯3",
		ByState:    "×40 chan receive|×6 select|70|⋯3",
		ByFunction: "×40 chan receive|×6 select|70|⋯3",
	} {
		v := NewView()
		v.SetMode(mode)
		v.Update(g, 1)
		if got := strings.Join(rows(v, g), "|"); got != want {
			t.Errorf("by %s: %s, want %s", mode, got, want)
		}
	}
	v := NewView()
	v.Update(g, 62) // one of the six: its group comes first
	v.Toggle(v.At(0).Group, true)
	v.Toggle(nil, true)
	want := "×6 select| 60| 61| 62| 63| 64| 65|×40 chan receive|1|70|⋯3|2|3|4"
	if got := strings.Join(rows(v, g), "|"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	v.Update(g, 1) // which then has no row
	if got := strings.Join(rows(v, g), "|"); got != "×40 chan receive|×6 select| 60| 61| 62| 63| 64| 65|70|⋯3|2|3|4" {
		t.Error(got)
	}
	v.SetQuery(Parse("system"))
	v.Update(g, 1)
	if got := strings.Join(rows(v, g), "|"); got != "2|3|4" {
		t.Errorf("asked for, the runtime's own are folded: %s", got)
	}
	v.SetQuery(Parse("sort:place"))
	v.Update(g, 1)
	if got := rows(v, g)[0]; got != "70" {
		t.Errorf("by place the first is %s", got)
	}
}

// Pages that come one by one give the view of all at once, and a row is found
// again.
func TestPagesAddUp(t *testing.T) {
	all := some()
	whole := known(all)
	for _, size := range []int{1, 7, 50} {
		for mode := ByStack; mode < ByWaits; mode++ {
			g, v := inspect.NewGoroutines(), NewView()
			v.SetMode(mode)
			v.SetQuery(Parse("-id:11"))
			for from := 0; from < len(all); from += size {
				v.Update(g, 12)
				g.Add(all[from:min(from+size, len(all))], from+size < len(all))
			}
			v.Update(g, 12)
			want := NewView()
			want.SetMode(mode)
			want.SetQuery(Parse("-id:11"))
			want.Update(whole, 12)
			if got, want := rows(v, g), rows(want, whole); !slices.Equal(got, want) {
				t.Errorf("in pages of %d by %s: %q, want %q", size, mode, got, want)
			}
		}
	}
	v := NewView()
	v.Update(whole, 1)
	v.Toggle(v.At(0).Group, true)
	for i := range v.Rows() {
		if got, ok := v.Find(v.At(i)); !ok || got != i {
			t.Errorf("row %d is found in %d, %v", i, got, ok)
		}
	}
	if row, ok := v.Goroutine(13); !ok || v.At(row).Member != whole.Index(13) {
		t.Errorf("goroutine 13 is in row %d, %v", row, ok)
	}
}

// The rows of a group of any size are there to the last.
func TestNoGroupIsCut(t *testing.T) {
	var list []debugger.Goroutine
	for i := range 100_000 {
		list = append(list, debugger.Goroutine{ID: debugger.GoroutineID(i + 1), Signature: 1, State: "waiting", WaitReason: "sleep", User: at("main.f", 1)})
	}
	g, v := known(list), NewView()
	v.Update(g, 0)
	v.Toggle(v.At(0).Group, true)
	if v.Rows() != 100_001 || g.All[v.At(100_000).Member].ID != 100_000 {
		t.Errorf("%d rows", v.Rows())
	}
}

// many are goroutines with n different stacks.
func many(n, stacks int) []debugger.Goroutine {
	list := make([]debugger.Goroutine, n)
	for i := range list {
		list[i] = debugger.Goroutine{ID: debugger.GoroutineID(i + 1), Signature: uint64(i%stacks) + 1, State: "waiting", WaitReason: "chan receive",
			User: at(fmt.Sprintf("main.f%d", i%stacks), i%stacks), Waited: time.Duration(i), WaitsOn: []uint64{0xc000 + uint64(i%9)}}
	}
	return list
}

// BenchmarkPages takes in a hundred thousand goroutines page by page.
func BenchmarkPages(b *testing.B) {
	for _, stacks := range []int{20, 5000, 100_000} {
		b.Run(fmt.Sprint(stacks, "-stacks"), func(b *testing.B) {
			list := many(100_000, stacks)
			for b.Loop() {
				g, v := inspect.NewGoroutines(), NewView()
				for from := 0; from < len(list); from += 500 {
					g.Add(list[from:from+500], from+500 < len(list))
					v.Update(g, 1)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/200, "µs/page")
		})
	}
}

// BenchmarkFilter narrows a hundred thousand goroutines down.
func BenchmarkFilter(b *testing.B) {
	g := known(many(100_000, 200))
	for _, query := range []string{"f17", "wait>1h", "chan:0xc003", "func:main.f1 -id:7"} {
		b.Run(query, func(b *testing.B) {
			v := NewView()
			for b.Loop() {
				v.SetQuery(Parse(query))
				v.Update(g, 1)
			}
		})
	}
}

// FuzzQuery holds that any query can be typed.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"wait>5s -user sort:wait", "label:=", "chan:0x", "::", "- -- wait>=", "wait<5d5", "id:-1"} {
		f.Add(s)
	}
	g := known(some())
	f.Fuzz(func(t *testing.T, s string) {
		v := NewView()
		v.SetQuery(Parse(s))
		v.Update(g, 1)
		for i := range v.Rows() {
			_ = v.At(i)
		}
		if v.Shown > len(g.All) {
			t.Errorf("%d of %d", v.Shown, len(g.All))
		}
	})
}
