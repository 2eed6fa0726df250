package delve

import (
	"context"
	"fmt"
	"reflect"

	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
)

// memoryOnce is what Delve reads of memory in one call, at most.
const memoryOnce = rpc2.ExamineMemoryLengthLimit

// ReadMemory reads n bytes of the target from an address on.
func (t *Target) ReadMemory(ctx context.Context, addr uint64, n int) ([]byte, error) {
	var data []byte
	for len(data) < n {
		err := t.do(ctx, func(ctx context.Context) error {
			part, err := t.memory(ctx, addr+uint64(len(data)), min(n-len(data), memoryOnce))
			data = append(data, part...)
			return err
		})
		if err != nil {
			return data, fmt.Errorf("read %d bytes at %#x: %w", n, addr, err)
		}
	}
	return data, nil
}

// String returns a part of a string of the target: Count bytes (4096 by
// default) from the byte Start on.
func (t *Target) String(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (text string, err error) {
	if v.Kind != reflect.String || v.Expr == "" {
		return "", fmt.Errorf("%s is not a string that can be read on", v.Name)
	}
	start, count := int64(max(page.Start, 0)), int64(page.Count)
	if count <= 0 {
		count = 4096
	}
	if start >= v.Len {
		return "", nil
	}
	err = t.do(ctx, func(ctx context.Context) error {
		load := childLoad
		load.MaxStringLen = int(count)
		expr := fmt.Sprintf("%s[%d:%d]", operand(v.Expr), start, min(start+count, v.Len))
		got, err := t.eval(ctx, at, expr, load)
		if err != nil {
			return err
		}
		if got.Unreadable != "" {
			return fmt.Errorf("read %s: %s", v.Expr, got.Unreadable)
		}
		text = got.Value
		return nil
	})
	return text, err
}

// buffered returns a page of the items in a channel's buffer, the oldest first:
// the buffer is a ring, and what is received next stands at recvx.
func (t *Target) buffered(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) ([]debugger.Variable, error) {
	end := min(int64(page.Start+page.Count), v.Len)
	first, err := t.eval(ctx, at, operand(v.Expr)+".recvx", childLoad)
	if err != nil {
		return nil, err
	}
	var recvx int64
	if _, err := fmt.Sscan(first.Value, &recvx); err != nil || v.Cap <= 0 {
		return nil, fmt.Errorf("read %s: where its buffer begins is not known", v.Expr)
	}
	buffer := "(*" + operand(v.Expr) + ".buf)"
	var list []debugger.Variable
	for next := int64(page.Start); next < end; {
		slot := (recvx + next) % v.Cap
		count := min(end-next, v.Cap-slot)
		load := childLoad
		load.MaxArrayValues = int(count)
		got, err := t.eval(ctx, at, fmt.Sprintf("%s[%d:%d]", buffer, slot, slot+count), load)
		if err != nil {
			return nil, err
		}
		if got.Unreadable != "" {
			return nil, fmt.Errorf("read %s: %s", v.Expr, got.Unreadable)
		}
		for i := range got.Children {
			name := fmt.Sprintf("[%d]", next+int64(i))
			list = append(list, convert(&got.Children[i], name, fmt.Sprintf("%s[%d]", buffer, slot+int64(i))))
		}
		next += count
	}
	return list, nil
}
