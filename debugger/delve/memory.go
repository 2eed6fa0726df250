package delve

import (
	"context"
	"fmt"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// memory reads the target's memory, past Delve where that is possible.
type memory struct {
	*server
	indirect bool // it has to be read through Delve; for who holds the queue
}

// memoryOnce is what Delve reads of memory in one call, at most.
const memoryOnce = rpc2.ExamineMemoryLengthLimit

// ReadMemory reads n bytes of the target from an address on.
func (mem *memory) ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error) {
	var data []byte
	for len(data) < n {
		err := mem.do(ctx, func(ctx context.Context) error {
			part, err := mem.read(ctx, addr+uint64(len(data)), min(n-len(data), memoryOnce))
			data = append(data, part...)
			return err
		})
		if err != nil {
			return data, fmt.Errorf("read %d bytes at %#x: %w", n, addr, err)
		}
	}
	return data, nil
}

func (mem *memory) read(ctx context.Context, address uint64, length int) ([]byte, error) {
	var direct [1][]byte
	if mem.readDirectly([]span{{address, length}}, direct[:]) && direct[0] != nil {
		return direct[0], ctx.Err()
	}
	out, err := call[rpc2.ExaminedMemoryOut](ctx, mem.client, "ExamineMemory", rpc2.ExamineMemoryIn{Address: address, Length: length})
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
func (mem *memory) Memory(ctx context.Context, address uint64, count int) (m debugger.Memory, err error) {
	if count <= 0 || count > maxMemory {
		return m, fmt.Errorf("read %d bytes of memory: at most %d can be read", count, maxMemory)
	}
	m.Addr = address
	for len(m.Bytes) < count {
		err = mem.do(ctx, func(ctx context.Context) error {
			want := min(count-len(m.Bytes), rpc2.ExamineMemoryLengthLimit)
			out, err := call[rpc2.ExaminedMemoryOut](ctx, mem.client, "ExamineMemory",
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
