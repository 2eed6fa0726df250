//go:build linux

package delve

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

// What a core dump lacks of a mapped file is not read from the executable.
func TestMappedFilesThatACoreDumpLacks(t *testing.T) {
	t.Parallel()
	program, core := kernelDump(t, "mapped")
	target, stop := openCore(t, program, core)
	at := debugger.FrameRef{Goroutine: stop.Goroutine, Frame: stop.Selected}
	eval := func(expr string) debugger.Variable {
		t.Helper()
		v, err := target.Evaluate(t.Context(), at, expr)
		if err != nil {
			t.Fatalf("%s: %v", expr, err)
		}
		return v
	}
	absent := func(v debugger.Variable) bool {
		return strings.HasPrefix(v.Unreadable, "not in the core dump: mapped from /") && v.Value == "" && len(v.Children) == 0
	}
	for _, expr := range []string{"d.data[0]", "d.page.ID", "*d.page", "d.page.ID + 1", "d.page.Next", "d.name", "string(d.data[:4])", "d.data[1] == 0"} {
		if v := eval(expr); !absent(v) {
			t.Errorf("%s: %+v", expr, v)
		}
	}
	for expr, want := range map[string]string{"len(d.data)": "8192", "d.own[1]": "2", "len(d.name)": "8", "d.page == nil": "false"} {
		if v := eval(expr); v.Value != want {
			t.Errorf("%s: %+v", expr, v)
		}
	}
	data := eval("d.data[:8]")
	if data.Len != 8 || len(data.Children) == 0 || !absent(data.Children[0]) {
		t.Errorf("a slice: %+v", data)
	}
	list, err := target.Children(t.Context(), at, eval("d.data"), debugger.Page{Start: 100, Count: 2})
	if err != nil || len(list) != 2 || !absent(list[1]) {
		t.Errorf("elements: %+v, %v", list, err)
	}
	page := eval("d.page")
	if page.Nil || len(page.Children) != 1 || !absent(page.Children[0]) {
		t.Errorf("a pointer: %+v", page)
	}
	if m, err := target.Memory(t.Context(), data.Base, 8); err == nil || !strings.Contains(err.Error(), "not in the core dump: mapped from /") {
		t.Errorf("memory: %+v, %v", m, err)
	}
	if _, err := target.ReadMemory(t.Context(), data.Base, 8); err == nil {
		t.Error("memory was read")
	}
	full, err := target.Load(t.Context(), at)
	if err != nil || len(full.Args) != 1 {
		t.Fatalf("the frame: %+v, %v", full, err)
	}
	if p, ok := full.Args[0].Deref().Child("page"); !ok || len(p.Children) > 0 && !absent(p.Children[0]) {
		t.Errorf("in the frame: %+v", p)
	}
}
