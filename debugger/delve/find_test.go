//go:build linux

package delve

import (
	"slices"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/values"
	"github.com/pausetui/pausetui/debugger/search"
	"github.com/pausetui/pausetui/internal/testsupport"
)

// large stops the fixture of large collections at its breakpoint.
func large(t testing.TB) (*Target, debugger.FrameRef, debugger.Frame) {
	t.Helper()
	target := launch(t, "large")
	stop := resume(t, target, debugger.Continue)
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	frame, err := target.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return target, at, frame
}

func local(t testing.TB, frame debugger.Frame, name string) debugger.Variable {
	t.Helper()
	for _, v := range frame.Locals {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("no variable %s", name)
	return debugger.Variable{}
}

func TestLargeCollections(t *testing.T) {
	testsupport.Slow(t)
	target, at, frame := large(t)
	page := func(t *testing.T, name string, start, count int) []debugger.Variable {
		list, err := target.Children(t.Context(), at, local(t, frame, name), debugger.Page{Start: start, Count: count})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	t.Run("slice", func(t *testing.T) {
		list := page(t, "numbers", 9_999_990, 64)
		if len(list) != 10 || list[9].Name != "[9999999]" || list[9].Value != "29999997" {
			t.Errorf("the end of the slice: %v", list)
		}
	})
	t.Run("a map with room for more", func(t *testing.T) {
		if v := local(t, frame, "roomy"); v.Unreadable != "" || v.Len != 1 {
			t.Errorf("%+v", v)
		}
		if list := page(t, "roomy", 0, 64); len(list) != 1 || list[0].Value != "eight" {
			t.Errorf("%+v", list)
		}
	})
	t.Run("map", func(t *testing.T) {
		seen := map[string]bool{}
		for _, start := range []int{0, values.MapIndexFrom - 64, values.MapIndexFrom, 500_000, 999_936} {
			for _, v := range page(t, "byName", start, 64) {
				if seen[v.Name] || v.Expr != "byName"+v.Name {
					t.Errorf("entry %s of the page at %d: %q", v.Name, start, v.Expr)
				}
				seen[v.Name] = true
			}
		}
		if len(seen) != 5*64 || len(page(t, "byName", 1_000_000, 64)) != 0 {
			t.Errorf("%d entries", len(seen))
		}
		// The index walks in Delve's order.
		walked, indexed := page(t, "byName", values.MapIndexFrom-8, 8), page(t, "byName", values.MapIndexFrom-8, 16)
		for i := range walked {
			if walked[i].Name != indexed[i].Name || walked[i].Value != indexed[i].Value {
				t.Errorf("entry %d: %s, by the index %s", i, walked[i].Name, indexed[i].Name)
			}
		}
		again, err := target.Evaluate(t.Context(), at, indexed[15].Expr)
		if err != nil || again.Value != indexed[15].Value {
			t.Errorf("%s = %q, %v; want %q", indexed[15].Expr, again.Value, err, indexed[15].Value)
		}
	})
	t.Run("channel", func(t *testing.T) {
		list := page(t, "jobs", 49_998, 4) // the ring's end lies among them
		var got []string
		for _, v := range list {
			again, err := target.Evaluate(t.Context(), at, v.Expr)
			if err != nil || again.Value != v.Value {
				t.Errorf("%s: %q, %v", v.Expr, again.Value, err)
			}
			got = append(got, v.Name+v.Value)
		}
		if want := []string{"[49998]9998", "[49999]9999", "[50000]10000", "[50001]10001"}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
	t.Run("text", func(t *testing.T) {
		v := local(t, frame, "text")
		end, err := target.String(t.Context(), at, v, debugger.Page{Start: 100<<20 - 16, Count: 100})
		if err != nil || end != "0123456789abcde\n" {
			t.Errorf("%q, %v", end, err)
		}
		data, err := target.ReadMemory(t.Context(), v.Base+100<<20-16, 16)
		if err != nil || string(data) != end {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := target.ReadMemory(t.Context(), 16, 8); err == nil {
			t.Error("nothing stands at address 16")
		}
	})
	t.Run("find", func(t *testing.T) { testFind(t, target, at, frame) })
}

func testFind(t *testing.T, target *Target, at debugger.FrameRef, frame debugger.Frame) {
	for _, c := range []struct {
		name, query string
		want        []int64
	}{
		{"numbers", "== 29999997", []int64{9_999_999}},
		{"rows", ".Price > 24999.5", []int64{99_999}},
		{"words", "word 29999", []int64{29_999, 299_990, 299_991, 299_992, 299_993, 299_994, 299_995, 299_996, 299_997, 299_998, 299_999}},
		{"jobs", "== 50000", []int64{0}},
	} {
		v := local(t, frame, c.name)
		found := findAll(t, target, at, v, c.query)
		if !slices.Equal(found, c.want) {
			t.Errorf("%s in %s: %v, want %v", c.query, c.name, found, c.want)
		}
	}
	v := local(t, frame, "byID")
	found := findAll(t, target, at, v, "key == 19999")
	if len(found) != 1 {
		t.Fatalf("%d entries of the key", len(found))
	}
	list, err := target.Children(t.Context(), at, v, debugger.Page{Start: int(found[0]), Count: 1})
	if err != nil || len(list) != 1 || list[0].Value != "id 19999" {
		t.Errorf("the entry of the key: %v, %v", list, err)
	}
}

func findAll(t *testing.T, target *Target, at debugger.FrameRef, v debugger.Variable, query string) []int64 {
	t.Helper()
	q := search.Parse(query)
	var found []int64
	for n := 0; int64(n) < v.Len; {
		some, looked, err := target.Find(t.Context(), at, v, q.Match, debugger.Page{Start: n, Count: int(v.Len)})
		if err != nil || looked == 0 {
			t.Fatalf("after %d of %d: %v", n, v.Len, err)
		}
		found, n = append(found, some...), n+looked
	}
	return found
}
