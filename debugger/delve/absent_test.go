//go:build linux

package delve

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/convert"
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

func TestTheNoteOfMappedFiles(t *testing.T) {
	var note []byte
	for _, word := range []uint64{2, 4096, 0x1000, 0x3000, 0, 0x5000, 0x6000, 1} {
		note = binary.LittleEndian.AppendUint64(note, word)
	}
	note = append(note, "/a/db\x00/bin/prog\x00"...)
	mapped := mappedFiles(note, binary.LittleEndian)
	if want := []mapping{{0x1000, 0x3000, "/a/db"}, {0x5000, 0x6000, "/bin/prog"}}; !reflect.DeepEqual(mapped, want) {
		t.Errorf("mapped: %v", mapped)
	}
	left := absent(without(mapped, 0x1800, 0x2000))
	for addr, want := range map[uint64]string{0xfff: "", 0x1000: "/a/db", 0x17ff: "/a/db", 0x1800: "", 0x2000: "/a/db", 0x3000: "", 0x5000: "/bin/prog", 0x6000: ""} {
		if got := strings.TrimPrefix(left.at(addr, 1), convert.AbsentPrefix); got != want {
			t.Errorf("%#x: %q, want %q", addr, got, want)
		}
	}
	if left.at(0xff0, 32) == "" {
		t.Error("memory that ends there is taken for known")
	}
	note[0] = 200
	if got := mappedFiles(note, binary.LittleEndian); got != nil {
		t.Errorf("a broken note: %v", got)
	}
}
