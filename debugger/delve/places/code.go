package places

import (
	"context"
	"errors"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/convert"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// flavors are the notations of instructions: the first is Go's own.
var flavors = map[string]api.AssemblyFlavour{"": api.GoFlavour, "go": api.GoFlavour, "intel": api.IntelFlavour, "gnu": api.GNUFlavour}

// Locate finds what a location of dlv's syntax names: "file.go:12", "main.f",
// "+3", "*0x46c0e0", "/^main\./". Where code is set, only
// places with instructions are found.
func (pl *Locator) Locate(ctx context.Context, at debugger.FrameRef, spec string, code bool) (found []debugger.Location, err error) {
	err = pl.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.FindLocationOut](ctx, pl.srv.Client, "FindLocation", rpc2.FindLocationIn{
			Scope: ask.Inner(at), Loc: spec, IncludeNonExecutableLines: !code})
		if err != nil {
			return err
		}
		for _, l := range out.Locations {
			found = append(found, convert.Location(l))
		}
		return nil
	})
	return found, err
}

// Disassemble returns the instructions of a function or of a range.
func (pl *Locator) Disassemble(ctx context.Context, at debugger.FrameRef, code debugger.Code, flavor string) (list []debugger.Instruction, err error) {
	style, ok := flavors[flavor]
	if !ok {
		return nil, errors.New("disassemble: the flavors are go, intel and gnu")
	}
	in := rpc2.DisassembleIn{Scope: ask.Inner(at), StartPC: code.PC, Flavour: style}
	if code.PC == 0 {
		in.StartPC, in.EndPC = code.Start, code.End
	}
	err = pl.srv.Do(ctx, func(ctx context.Context) error {
		out, err := rpc.Call[rpc2.DisassembleOut](ctx, pl.srv.Client, "Disassemble", in)
		if err != nil {
			return err
		}
		for _, i := range out.Disassemble {
			list = append(list, convert.Instruction(i))
		}
		return nil
	})
	return list, err
}
