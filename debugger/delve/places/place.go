package places

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-delve/delve/pkg/locspec"
	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
	"github.com/pausetui/pausetui/debugger/delve/source"
	"github.com/pausetui/pausetui/internal/advice"
)

// Locator finds locations as a person writes them, functions, types and files, and
// says in plain words why there is none.
type Locator struct {
	srv     *control.Server
	sources *source.Finder
}

// New returns what finds locations in a server's target.
func New(srv *control.Server, sources *source.Finder) *Locator {
	return &Locator{srv: srv, sources: sources}
}

// manyPlaces bounds what one breakpoint may be set on: a regular expression
// that matches half the program is a mistake.
const manyPlaces = 2000

// Locate finds a location as a person writes it, or says in plain words why
// there is none.
func Locate(ctx context.Context, pl *Locator, at debugger.FrameRef, location string) ([]api.Location, error) {
	list, err := ask.Find(ctx, pl.srv, at, location)
	switch {
	case errors.Is(err, rpc.ErrNoScope):
		list, err = pl.matching(ctx, at, location)
	case err != nil && !strings.HasPrefix(location, "/") && strings.Contains(location, "["): // as stacks name instances of generic functions
		if found, noErr := ask.Find(ctx, pl.srv, at, debugger.WithoutTypeArguments(location)); noErr == nil {
			list, err = found, nil
		}
	case errors.Is(err, rpc.ErrAmbiguous):
		list, err = pl.own(ctx, at, location, err)
	}
	places := 0
	for _, l := range list {
		places += len(l.PCs)
	}
	switch {
	case err != nil:
		return nil, pl.unlocated(ctx, at, location, err)
	case places == 0:
		return nil, errors.New("no such place")
	case places > manyPlaces:
		return nil, advice.Add(fmt.Errorf("%d places match", places), "make the expression narrower")
	}
	return list, nil
}

// matching finds the functions whose names match an expression, "/^main/", where no
// goroutine has begun: Delve looks them up in a frame's scope.
func (pl *Locator) matching(ctx context.Context, at debugger.FrameRef, location string) (list []api.Location, err error) {
	spec, err := locspec.Parse(location)
	expr, ok := spec.(*locspec.RegexLocationSpec)
	if err != nil || !ok {
		return nil, rpc.ErrNoScope
	}
	out, err := rpc.Call[rpc2.ListFunctionsOut](ctx, pl.srv.Client, "ListFunctions", rpc2.ListFunctionsIn{Filter: expr.FuncRegex})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, name := range out.Funcs[:min(len(out.Funcs), manyPlaces+1)] {
		if name = debugger.WithoutTypeArguments(name); known[name] { // which finds all instances
			continue
		}
		known[name] = true
		if found, err := ask.Find(ctx, pl.srv, at, name); err == nil { // else it has no code, as when it was inlined
			list = append(list, found...)
		}
	}
	return list, ctx.Err()
}

// ErrNoPlace is returned where the program has no function or file of the name.
var ErrNoPlace = errors.New("no function or file of this name is in the program")

func (pl *Locator) unlocated(ctx context.Context, at debugger.FrameRef, location string, err error) error {
	switch {
	case errors.Is(err, rpc.ErrNoStatement):
		if file, line, ok := pl.fileAndLine(ctx, at, location); ok {
			return Refusal(ctx, pl, debugger.Breakpoint{File: file, Line: line}, err)
		}
	case errors.Is(err, rpc.ErrNoLocation):
		return advice.Add(ErrNoPlace,
			"what is never called is not in the binary; write main.name, pkg.(*Type).Method, file.go:12, or /regexp/")
	case errors.Is(err, rpc.ErrMalformed):
		return advice.Add(errors.New("not a location"), "write main.name, pkg.(*Type).Method, file.go:12, +3, or /regexp/")
	}
	return err
}

// fileAndLine reads a location that names a line which has no code.
func (pl *Locator) fileAndLine(ctx context.Context, at debugger.FrameRef, location string) (file string, line int, ok bool) {
	out, err := rpc.Call[rpc2.FindLocationOut](ctx, pl.srv.Client, "FindLocation", rpc2.FindLocationIn{
		Scope: ask.Inner(at), Loc: location, IncludeNonExecutableLines: true,
	})
	if err != nil || len(out.Locations) == 0 {
		return "", 0, false
	}
	return out.Locations[0].File, out.Locations[0].Line, out.Locations[0].Line > 0
}

// ByLine reports whether a location means one line, wherever it moves, and not a
// function or whatever matches an expression.
func ByLine(location string, b debugger.Breakpoint) bool {
	spec, err := locspec.Parse(location)
	if err != nil || b.Line == 0 {
		return false
	}
	switch spec := spec.(type) {
	case *locspec.OffsetLocationSpec, *locspec.LineLocationSpec, *locspec.AddrLocationSpec:
		return true
	case *locspec.NormalLocationSpec:
		return spec.LineOffset > 0 && filepath.Base(spec.Base) == filepath.Base(b.File)
	}
	return false
}

// Returns lists the return instructions of the functions that a breakpoint
// names, by a location or by a line of theirs; single tells that it is one
// function. Delve's own list also has the calls of deferred functions, which
// may still change the results.
func Returns(ctx context.Context, pl *Locator, b debugger.Breakpoint) (addrs []uint64, single bool, err error) {
	location := b.Location
	if location == "" {
		location = fmt.Sprintf("%s:%d", b.File, b.Line)
	}
	entries, err := Addresses(ctx, pl, b.At, location)
	if err != nil {
		return nil, false, err
	}
	functions := map[uint64]bool{} // by their first instruction
	for _, pc := range entries {
		code, err := ask.Disassemble(ctx, pl.srv, pc)
		if err != nil {
			return nil, false, err
		}
		if len(code) == 0 || functions[code[0].Loc.PC] {
			continue
		}
		functions[code[0].Loc.PC] = true
		for _, in := range code {
			if isReturn(in) {
				addrs = append(addrs, in.Loc.PC)
			}
		}
	}
	if len(addrs) == 0 {
		return nil, false, errors.New("it never returns")
	}
	return addrs, len(functions) == 1, nil
}

func isReturn(in api.AsmInstruction) bool {
	name, _, _ := strings.Cut(in.Text, " ")
	return strings.EqualFold(name, "ret")
}

// Addresses lists the addresses that a location names.
func Addresses(ctx context.Context, pl *Locator, at debugger.FrameRef, location string) (addrs []uint64, err error) {
	list, err := Locate(ctx, pl, at, location)
	for _, l := range list {
		addrs = append(addrs, l.PCs...)
	}
	return addrs, err
}
