//go:build linux && (amd64 || arm64)

package serve

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-delve/delve/pkg/dwarf/op"
	"github.com/go-delve/delve/pkg/proc"
	"github.com/go-delve/delve/pkg/proc/native"
)

// program builds a fixture of package delve's.
func program(t *testing.T, name string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	build := exec.Command("go", "build", "-o", out, "-buildvcs=false", "-ldflags=-compressdwarf=false", "-gcflags=./...=-N -l", "../testdata/"+name)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// A thread has run the instruction of a breakpoint that was taken out since, or is still
// there, and Delve does not know.
func TestAThreadIsTakenOutOfAnInstruction(t *testing.T) {
	// Not beside others: Delve waits for every child of this process.
	group, err := native.Launch([]string{program(t, "lives"), t.TempDir() + "/socket"}, "", 0, nil, "", "", proc.OutputRedirect{}, proc.OutputRedirect{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = group.Detach(true) }()
	target := group.Selected
	if !target.BinInfo().Arch.BreakInstrMovesPC() {
		t.Skip("a breakpoint's instruction does not move on here")
	}
	places, err := proc.FindFunctionLocation(target, "main.main", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := target.SetBreakpoint(0, places[0], proc.UserBreakpoint, nil); err != nil {
		t.Fatal(err)
	}
	if err := group.Continue(); err != nil {
		t.Fatal(err)
	}
	thread := target.CurrentThread()
	pc := func() uint64 {
		regs, err := thread.Registers()
		if err != nil {
			t.Fatal(err)
		}
		return regs.PC()
	}
	if pc() != places[0] {
		t.Fatalf("it stopped at %#x, not at %#x", pc(), places[0])
	}
	move := func(to uint64) {
		if err := thread.SetReg(target.BinInfo().Arch.PCRegNum, op.DwarfRegisterFromUint64(to)); err != nil {
			t.Fatal(err)
		}
	}
	code, err := proc.Disassemble(target.Memory(), nil, target.Breakpoints(), target.BinInfo(), places[0], places[0]+64)
	if err != nil || code[0].Size == 1 || code[1].Size == 1 {
		t.Fatalf("%v: it takes two long instructions: %v", err, code)
	}
	second := code[1].Loc.PC
	for _, place := range []struct {
		at, want uint64
		trapped  bool
	}{
		{places[0] + 1, places[0], true}, {places[0] + 1, places[0], false}, {places[0], places[0], true},
		{second, second, false}, {second, second, true}, {second + 1, second, false}, {second + 2, second + 2, false},
	} {
		move(place.at)
		if rewindPhantom(target, thread, place.trapped); pc() != place.want {
			t.Errorf("from %#x it was taken to %#x, want %#x", place.at, pc(), place.want)
		}
	}
	move(places[0])
}

// The decoder takes instructions of AVX for shorter ones: behind them, some begin for it
// where none does.
func TestNoThreadIsMovedWhereTheDecoderErrs(t *testing.T) {
	group, err := native.Launch([]string{program(t, "lives"), t.TempDir() + "/socket"}, "", 0, nil, "", "", proc.OutputRedirect{}, proc.OutputRedirect{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = group.Detach(true) }()
	info := group.Selected.BinInfo()
	for _, name := range []string{"memeqbody", "cmpbody"} {
		entry, err := proc.FindFunctionLocation(group.Selected, name, 0)
		if err != nil {
			t.Skip(err) // another architecture
		}
		fn := info.PCToFunc(entry[0])
		for pc := fn.Entry; pc < fn.End; pc++ {
			if inMiddle(group.Selected, pc) {
				t.Errorf("%s: a thread at %#x would be taken back", name, pc)
				break
			}
		}
	}
}
