//go:build linux

package delve

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/places"
	"github.com/pausetui/pausetui/internal/advice"
)

func TestCodeOfAFrame(t *testing.T) {
	target, at, frame := stopAtValues(t)
	ctx := t.Context()
	found, err := target.Locate(ctx, at, "+0", true)
	if err != nil || len(found) != 1 || found[0].Function != frame.Function || found[0].PC == 0 {
		t.Fatalf("located %+v, %v", found, err)
	}
	code, err := target.Disassemble(ctx, at, debugger.Code{PC: found[0].PC}, "intel")
	if err != nil || len(code) < 10 || code[0].Function != frame.Function || len(code[0].Bytes) == 0 {
		t.Fatalf("%d instructions, %v", len(code), err)
	}
	part, err := target.Disassemble(ctx, at, debugger.Code{Start: code[0].PC, End: code[3].PC}, "")
	if err != nil || len(part) != 3 {
		t.Errorf("of a range of three instructions: %d, %v", len(part), err)
	}
	if _, err := target.Disassemble(ctx, at, debugger.Code{PC: found[0].PC}, "arm"); err == nil {
		t.Error("a flavor that there is not is taken")
	}
	if !slices.ContainsFunc(code, func(i debugger.Instruction) bool { return i.To != nil && i.To.Function != "" }) {
		t.Error("no call knows where it leads")
	}
}

func TestSymbols(t *testing.T) {
	target, at, _ := stopAtValues(t)
	ctx := t.Context()
	for name, list := range map[string]func(context.Context, string) ([]string, error){
		`^main\.\(\*index\)\.look$`: target.Functions, `^main\.index$`: target.Types, `values/main\.go$`: target.Sources,
	} {
		if got, err := list(ctx, name); err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := target.Packages(ctx, "^strings$"); err != nil || len(got) != 1 || got[0].Dir == "" {
		t.Errorf("packages: %v, %v", got, err)
	}
	if all, err := target.Packages(ctx, ""); err != nil || !slices.IsSortedFunc(all, func(a, b debugger.Package) int {
		return 2*strings.Compare(a.Path, b.Path) - 1 // each once
	}) {
		t.Errorf("packages: %v, %v", all, err)
	}
	for _, path := range []string{"fmt", "os", "main"} { // Delve leaves out those that begin with generated code
		if got, err := target.Packages(ctx, "^"+path+"$"); err != nil || len(got) != 1 || got[0].Path != path {
			t.Errorf("package %s: %v, %v", path, got, err)
		}
	}
	if _, err := target.Packages(ctx, "("); err == nil {
		t.Error("a broken regular expression is taken")
	}
	if _, err := target.Functions(ctx, "("); err == nil {
		t.Error("a broken regular expression is taken")
	}
	vars, err := target.PackageVariables(ctx, `^runtime\.ncpu$|^runtime\.numCPUStartup$`, false)
	if err != nil || len(vars) == 0 || vars[0].Value == "" {
		t.Errorf("variables: %v, %v", vars, err)
	}
	typ, err := target.Type(ctx, at, "main.index")
	if err != nil || typ.Kind != "struct" || typ.Size == 0 || len(typ.Fields) == 0 {
		t.Errorf("a type: %+v, %v", typ, err)
	}
	if typ, err = target.Type(ctx, at, "number"); err != nil || typ.Name != "int" {
		t.Errorf("the type of a variable: %+v, %v", typ, err)
	}
	if _, text, err := target.Print(ctx, at, "number", "%x"); err != nil || text != "2a" {
		t.Errorf("print %%x: %q, %v", text, err)
	}
}

// The linker's name of a function says which package it is in.
func TestThePackageOfAFunction(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"main.main": "main", "io.(*pipe).read": "io", "example.com/a/yaml%2ev3.(*Node).Decode.func1": "example.com/a/yaml.v3",
		"slices.SortFunc[go.shape.[]a/b.T,a/b.T]": "slices", "example.com/c.F[x.org/d.T].func2": "example.com/c",
		"type:.eq.[2]runtime.Frame": "", "type:.eq.example.com/a.T": "", "go.(*struct { sync.Mutex }).Lock": "",
		"main.(*struct { sync/atomic.Int32 }).Load": "", "gogo": "", "printf": "",
	} {
		if got := places.PackageOf(name); got != want {
			t.Errorf("%s is of %q, want %q", name, got, want)
		}
	}
}

func TestMachine(t *testing.T) {
	target, at, frame := stopAtValues(t)
	ctx := t.Context()
	// Of a frame further out only some are known.
	if outer, err := target.Registers(ctx, at, false); err != nil || len(outer) == 0 {
		t.Errorf("registers of frame %d: %v, %v", at.Frame, outer, err)
	}
	top := debugger.FrameRef{Goroutine: at.Goroutine}
	few, err := target.Registers(ctx, top, false)
	if err != nil || len(few) < 8 {
		t.Fatalf("registers: %v, %v", few, err)
	}
	all, err := target.Registers(ctx, top, true)
	if err != nil || len(all) <= len(few) {
		t.Errorf("%d registers in all, %d else; %v", len(all), len(few), err)
	}
	number := find(t, frame, "array")
	m, err := target.Memory(ctx, number.Addr, 3*8)
	if err != nil || len(m.Bytes) != 24 || !m.LittleEndian {
		t.Errorf("memory: %+v, %v", m, err)
	}
	if _, err := target.Memory(ctx, 1, 8); err == nil {
		t.Error("memory that is not mapped is read")
	}
	threads, err := target.Threads(ctx)
	if err != nil || len(threads) == 0 || !slices.ContainsFunc(threads, func(th debugger.Thread) bool { return th.Selected }) {
		t.Errorf("threads: %+v, %v", threads, err)
	}
	other, err := target.SwitchThread(ctx, threads[len(threads)-1].ID)
	if err != nil || other.ID != threads[len(threads)-1].ID {
		t.Errorf("switched to %+v, %v", other, err)
	}
	if list, err := target.Processes(ctx); err != nil || len(list) != 1 || list[0].PID != target.PID() || !list[0].Selected {
		t.Errorf("processes: %+v, %v", list, err)
	}
}

func TestStackWithMore(t *testing.T) {
	target, at, frame := stopAtValues(t)
	frames, more, err := target.Stack(t.Context(), at.Goroutine, debugger.StackQuery{Depth: 50, Full: true, Defers: true})
	if err != nil || more {
		t.Fatalf("more is %v, %v", more, err)
	}
	i := slices.IndexFunc(frames, func(f debugger.StackFrame) bool { return f.Function == frame.Function })
	if i < 0 || !frames[i].Loaded || frames[i].Offset == 0 || len(frames[i].Variables()) == 0 {
		t.Fatalf("frame %d of %d", i, len(frames))
	}
	if few, more, err := target.Stack(t.Context(), at.Goroutine, debugger.StackQuery{Depth: 1}); err != nil || !more || len(few) != 2 {
		t.Errorf("%d frames, more %v, %v", len(few), more, err)
	}
	if _, err := target.Ancestors(t.Context(), at.Goroutine, 2, 5); err == nil || !strings.Contains(advice.Of(err), "tracebackancestors") {
		t.Errorf("ancestors without the setting: %v", err)
	}
}

func TestGoroutinesAreFilteredAndGrouped(t *testing.T) {
	target, at, _ := stopAtValues(t)
	ask := func(q debugger.GoroutineQuery) debugger.GoroutineList {
		t.Helper()
		q.At = at
		got, err := target.QueryGoroutines(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	all := ask(debugger.GoroutineQuery{})
	user := ask(debugger.GoroutineQuery{Filters: []debugger.GoroutineFilter{{Field: debugger.ByUser}}})
	rest := ask(debugger.GoroutineQuery{Filters: []debugger.GoroutineFilter{{Field: debugger.ByUser, Not: true}}})
	if len(user.List) == 0 || len(user.List)+len(rest.List) != len(all.List) {
		t.Errorf("%d of the user's and %d others of %d", len(user.List), len(rest.List), len(all.List))
	}
	groups := ask(debugger.GoroutineQuery{Group: debugger.ByUser, Members: 5, Groups: 50})
	if len(groups.Groups) != 2 {
		t.Errorf("groups: %+v", groups.Groups)
	}
	if _, err := target.QueryGoroutines(t.Context(), debugger.GoroutineQuery{Group: "size"}); err == nil {
		t.Error("goroutines are grouped by what they do not have")
	}
}

func TestDump(t *testing.T) {
	target, _, _ := stopAtValues(t)
	path := filepath.Join(t.TempDir(), "core")
	reported := 0
	if err := target.Dump(t.Context(), path, func(debugger.DumpProgress) { reported++ }); err != nil || reported == 0 {
		t.Fatalf("dump: reported %d times, %v", reported, err)
	}
	head := make([]byte, 4)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Read(head); err != nil || string(head) != "\x7fELF" {
		t.Errorf("it begins with %q, %v", head, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = target.Dump(ctx, path+"2", func(debugger.DumpProgress) { cancel() })
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled dump: %v", err)
	}
	if _, _, err := target.Frames(t.Context(), 1, debugger.Page{}); err != nil {
		t.Errorf("after it: %v", err)
	}
}
