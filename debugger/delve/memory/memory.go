package memory

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/control"
	"github.com/pausetui/pausetui/debugger/delve/rpc"
)

// Reader reads the target's memory, past Delve where that is possible.
type Reader struct {
	srv      *control.Server
	Indirect bool // it has to be read through Delve; for who holds the queue
}

// New returns what reads the memory of a server's target.
func New(srv *control.Server) *Reader { return &Reader{srv: srv} }

// Once is what Delve reads of memory in one call, at most.
const Once = rpc2.ExamineMemoryLengthLimit

// ReadMemory reads n bytes of the target from an address on.
func (mem *Reader) ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error) {
	var data []byte
	for len(data) < n {
		err := mem.srv.Do(ctx, func(ctx context.Context) error {
			part, err := Read(ctx, mem, addr+uint64(len(data)), min(n-len(data), Once))
			data = append(data, part...)
			return err
		})
		if err != nil {
			return data, fmt.Errorf("read %d bytes at %#x: %w", n, addr, err)
		}
	}
	return data, nil
}

// Read reads a piece of memory; it is for who holds the queue.
func Read(ctx context.Context, mem *Reader, address uint64, length int) ([]byte, error) {
	var direct [1][]byte
	if mem.ReadDirectly([]Span{{address, length}}, direct[:]) && direct[0] != nil {
		return direct[0], ctx.Err()
	}
	out, err := rpc.Call[rpc2.ExaminedMemoryOut](ctx, mem.srv.Client, "ExamineMemory", rpc2.ExamineMemoryIn{Address: address, Length: length})
	if err != nil {
		return nil, err
	}
	if len(out.Mem) < length {
		return nil, fmt.Errorf("read %d bytes of %d", len(out.Mem), length)
	}
	return out.Mem, nil
}

// maxMemory bounds what Memory reads in one call, in bytes.
const maxMemory = 1 << 20

// Memory reads bytes at an address; fewer than asked for where reading fails
// in the middle.
func (mem *Reader) Memory(ctx context.Context, address uint64, count int) (m debugger.Memory, err error) {
	if count <= 0 || count > maxMemory {
		return m, fmt.Errorf("read %d bytes of memory: at most %d can be read", count, maxMemory)
	}
	m.Addr = address
	for len(m.Bytes) < count {
		err = mem.srv.Do(ctx, func(ctx context.Context) error {
			want := min(count-len(m.Bytes), rpc2.ExamineMemoryLengthLimit)
			out, err := rpc.Call[rpc2.ExaminedMemoryOut](ctx, mem.srv.Client, "ExamineMemory",
				rpc2.ExamineMemoryIn{Address: address + uint64(len(m.Bytes)), Length: want})
			if err != nil {
				return err
			}
			m.Bytes, m.LittleEndian = append(m.Bytes, out.Mem...), out.IsLittleEndian
			return nil
		})
		if err != nil {
			break
		}
	}
	if len(m.Bytes) > 0 && ctx.Err() == nil {
		return m, nil
	}
	return m, err
}
