package memory

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	netrpc "net/rpc"
	"slices"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Reading many small pieces of memory, as fast as Delve's protocol allows: a
// request costs about as much as four kilobytes of an answer, so neighbors are read
// together, and requests are sent before earlier ones are answered.
const (
	maxGap     = 4 << 10  // bytes that are read for nothing rather than ask twice
	MaxRequest = 64 << 10 // bytes that Delve gives at once
	inFlight   = 16       // requests sent before the first is answered
)

// Span is a piece of the target's memory.
type Span struct {
	Addr uint64
	Size int
}

func (s Span) end() uint64 { return s.Addr + uint64(s.Size) }

// asked is how much of the piece is read: nothing where it cannot be one.
func (s Span) asked() int {
	if s.Size > MaxRequest || s.end() < s.Addr {
		return 0
	}
	return max(s.Size, 0)
}

// ReadMany reads pieces of memory. What cannot be read, or is larger than a
// request, comes as nil; an error means that nothing can be read any more.
func ReadMany(ctx context.Context, mem *Reader, want []Span) ([][]byte, error) {
	out := make([][]byte, len(want))
	if mem.ReadDirectly(want, out) {
		return out, ctx.Err()
	}
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(want[a].Addr, want[b].Addr) })
	var parts []part
	for _, i := range order {
		s := want[i]
		if s.asked() == 0 {
			continue
		}
		if n := len(parts) - 1; n >= 0 && s.Addr <= parts[n].end()+maxGap && s.end()-parts[n].Addr <= MaxRequest {
			parts[n].Size = int(max(parts[n].end(), s.end()) - parts[n].Addr)
			parts[n].of = append(parts[n].of, i)
			continue
		}
		parts = append(parts, part{s, []int{i}})
	}
	again, err := mem.readParts(ctx, parts, want, out)
	if err == nil && len(again) > 0 { // a gap that cannot be read must not cost its neighbors
		_, err = mem.readParts(ctx, again, want, out)
	}
	return out, err
}

// part is a request that answers several pieces.
type part struct {
	Span
	of []int
}

// readParts fills out; it returns the pieces of refused requests, one by one.
func (mem *Reader) readParts(ctx context.Context, parts []part, want []Span, out [][]byte) (again []part, err error) {
	type asked struct {
		part
		answer *rpc2.ExaminedMemoryOut
		call   *netrpc.Call
	}
	var queue []asked
	take := func() error {
		a := queue[0]
		queue = queue[1:]
		select {
		case <-a.call.Done:
		case <-ctx.Done():
			return ctx.Err()
		}
		failed := rpc.CallError(a.call.Error)
		switch {
		case errors.Is(failed, debugger.ErrGone):
			return failed
		case failed != nil || len(a.answer.Mem) < a.Size || mem.srv.Client.Absent.At(a.Addr, uint64(a.Size)) != "":
			for _, i := range a.of {
				if len(a.of) > 1 {
					again = append(again, part{want[i], []int{i}})
				}
			}
			return nil
		}
		for _, i := range a.of {
			from := int(want[i].Addr - a.Addr)
			out[i] = a.answer.Mem[from : from+want[i].Size : from+want[i].Size]
		}
		return nil
	}
	for _, p := range parts {
		if len(queue) >= inFlight {
			if err := take(); err != nil {
				return nil, err
			}
		}
		answer := new(rpc2.ExaminedMemoryOut)
		in := rpc2.ExamineMemoryIn{Address: p.Addr, Length: p.Size}
		queue = append(queue, asked{p, answer, mem.srv.Client.Go("ExamineMemory", in, answer)})
	}
	for len(queue) > 0 {
		if err := take(); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// Word is the number of eight bytes at an offset; 0 beyond the end. The targets
// that Delve debugs are little endian.
func Word(b []byte, at uint64) uint64 {
	if at+8 > uint64(len(b)) {
		return 0
	}
	return binary.LittleEndian.Uint64(b[at:])
}

// Half is the number of four bytes at an offset; 0 beyond the end.
func Half(b []byte, at uint64) uint32 {
	if at+4 > uint64(len(b)) {
		return 0
	}
	return binary.LittleEndian.Uint32(b[at:])
}

// ReadAll reads a piece at each address; nil at address 0.
func ReadAll(ctx context.Context, mem *Reader, addrs []uint64, size func(int) int) ([][]byte, error) {
	spans := make([]Span, len(addrs))
	for i, addr := range addrs {
		if addr != 0 {
			spans[i] = Span{addr, size(i)}
		}
	}
	return ReadMany(ctx, mem, spans)
}
