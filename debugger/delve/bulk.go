package delve

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"net/rpc"
	"slices"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// Reading many small pieces of memory, as fast as Delve's protocol allows: a
// request costs about as much as four kilobytes of an answer, so neighbors are read
// together, and requests are sent before earlier ones are answered.
const (
	maxGap     = 4 << 10  // bytes that are read for nothing rather than ask twice
	maxRequest = 64 << 10 // bytes that Delve gives at once
	inFlight   = 16       // requests sent before the first is answered
)

// span is a piece of the target's memory.
type span struct {
	addr uint64
	size int
}

func (s span) end() uint64 { return s.addr + uint64(s.size) }

// asked is how much of the piece is read: nothing where it cannot be one.
func (s span) asked() int {
	if s.size > maxRequest || s.end() < s.addr {
		return 0
	}
	return max(s.size, 0)
}

// readMany reads pieces of memory. What cannot be read, or is larger than a
// request, comes as nil; an error means that nothing can be read any more.
func (mem *memory) readMany(ctx context.Context, want []span) ([][]byte, error) {
	out := make([][]byte, len(want))
	if mem.readDirectly(want, out) {
		return out, ctx.Err()
	}
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(want[a].addr, want[b].addr) })
	var parts []part
	for _, i := range order {
		s := want[i]
		if s.asked() == 0 {
			continue
		}
		if n := len(parts) - 1; n >= 0 && s.addr <= parts[n].end()+maxGap && s.end()-parts[n].addr <= maxRequest {
			parts[n].size = int(max(parts[n].end(), s.end()) - parts[n].addr)
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
	span
	of []int
}

// readParts fills out; it returns the pieces of refused requests, one by one.
func (mem *memory) readParts(ctx context.Context, parts []part, want []span, out [][]byte) (again []part, err error) {
	type asked struct {
		part
		answer *rpc2.ExaminedMemoryOut
		call   *rpc.Call
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
		failed := callError(a.call.Error)
		switch {
		case errors.Is(failed, debugger.ErrGone):
			return failed
		case failed != nil || len(a.answer.Mem) < a.size || mem.client.absent.at(a.addr, uint64(a.size)) != "":
			for _, i := range a.of {
				if len(a.of) > 1 {
					again = append(again, part{want[i], []int{i}})
				}
			}
			return nil
		}
		for _, i := range a.of {
			from := int(want[i].addr - a.addr)
			out[i] = a.answer.Mem[from : from+want[i].size : from+want[i].size]
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
		in := rpc2.ExamineMemoryIn{Address: p.addr, Length: p.size}
		queue = append(queue, asked{p, answer, mem.client.rpc.Go("RPCServer.ExamineMemory", in, answer, make(chan *rpc.Call, 1))})
	}
	for len(queue) > 0 {
		if err := take(); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// word is the number of eight bytes at an offset; 0 beyond the end. The targets
// that Delve debugs are little endian.
func word(b []byte, at uint64) uint64 {
	if at+8 > uint64(len(b)) {
		return 0
	}
	return binary.LittleEndian.Uint64(b[at:])
}

func half(b []byte, at uint64) uint32 {
	if at+4 > uint64(len(b)) {
		return 0
	}
	return binary.LittleEndian.Uint32(b[at:])
}
