package delve

import (
	"context"
	"errors"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/internal/printable"
)

// flavors are the notations of instructions: the first is Go's own.
var flavors = map[string]api.AssemblyFlavour{"": api.GoFlavour, "go": api.GoFlavour, "intel": api.IntelFlavour, "gnu": api.GNUFlavour}

// Locate finds what a location of dlv's syntax names: "file.go:12", "main.f",
// "+3", "*0x46c0e0", "/^main\./". Where code is set, only
// places with instructions are found.
func (pl *places) Locate(ctx context.Context, at debugger.FrameRef, spec string, code bool) (found []debugger.Location, err error) {
	err = pl.do(ctx, func(ctx context.Context) error {
		out, err := call[rpc2.FindLocationOut](ctx, pl.client, "FindLocation", rpc2.FindLocationIn{
			Scope: inner(at), Loc: spec, IncludeNonExecutableLines: !code})
		if err != nil {
			return err
		}
		for _, l := range out.Locations {
			found = append(found, location(l))
		}
		return nil
	})
	return found, err
}

// Disassemble returns the instructions of a function or of a range.
func (pl *places) Disassemble(ctx context.Context, at debugger.FrameRef, code debugger.Code, flavor string) (list []debugger.Instruction, err error) {
	style, ok := flavors[flavor]
	if !ok {
		return nil, errors.New("disassemble: the flavors are go, intel and gnu")
	}
	in := rpc2.DisassembleIn{Scope: inner(at), StartPC: code.PC, Flavour: style}
	if code.PC == 0 {
		in.StartPC, in.EndPC = code.Start, code.End
	}
	err = pl.do(ctx, func(ctx context.Context) error {
		out, err := call[rpc2.DisassembleOut](ctx, pl.client, "Disassemble", in)
		if err != nil {
			return err
		}
		for _, i := range out.Disassemble {
			list = append(list, instruction(i))
		}
		return nil
	})
	return list, err
}

func instruction(i api.AsmInstruction) debugger.Instruction {
	out := debugger.Instruction{Location: location(i.Loc), Bytes: i.Bytes, Text: printable.Name(i.Text), Breakpoint: i.Breakpoint, Current: i.AtPC}
	if i.DestLoc != nil {
		to := location(*i.DestLoc)
		out.To = &to
	}
	return out
}

func location(l api.Location) debugger.Location {
	out := debugger.Location{File: l.File, Line: l.Line, PC: l.PC, PCs: l.PCs}
	if l.Function != nil {
		out.Function = debugger.Unescaped(l.Function.Name())
	}
	return out
}

// inner is the scope of a frame; that of the thread where there is no goroutine.
func inner(at debugger.FrameRef) api.EvalScope {
	s := scope(at)
	if s.GoroutineID == 0 {
		s.GoroutineID = -1
	}
	return s
}
