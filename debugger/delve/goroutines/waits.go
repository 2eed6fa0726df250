package goroutines

import (
	"context"
	"reflect"

	"github.com/go-delve/delve/service/api"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/ask"
	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// semaphoreLayout is where the runtime keeps the goroutines that wait for semaphores: a
// table of trees of addresses, each with a list of its waiters.
type semaphoreLayout struct {
	table, stride, tree uint64
	roots               int
}

// readSemaphoreLayout returns the zero layout where the table is not as known.
func (gr *Lister) readSemaphoreLayout(ctx context.Context) semaphoreLayout {
	table, err := ask.Eval(ctx, gr.srv, debugger.FrameRef{Goroutine: -1}, "runtime.semtable", api.LoadConfig{MaxArrayValues: 2, MaxVariableRecurse: 3, MaxStructFields: -1})
	if err != nil || table.Kind != reflect.Array || len(table.Children) != 2 {
		return semaphoreLayout{}
	}
	at := map[string]uint64{}
	offsets(&table.Children[0], table.Addr, "", at)
	tree, ok := at["root.treap"]
	if !ok {
		return semaphoreLayout{}
	}
	return semaphoreLayout{table.Addr, table.Children[1].Addr - table.Addr, tree, int(table.Len)}
}

// maxWaits bounds how many waiters are listed.
const maxWaits = 1 << 20

// Waits lists the goroutines that wait for a semaphore. Those that wait for one
// come together, in the order in which they will be woken.
func (gr *Lister) Waits(ctx context.Context) (list []debugger.Wait, err error) {
	err = gr.srv.DoInBackground(ctx, func(ctx context.Context, pause func() error) error {
		if CurrentListing(ctx, gr).Plain {
			return nil // it cannot be known
		}
		if gr.Known.Layout.semaphores == nil {
			l := gr.readSemaphoreLayout(ctx)
			gr.Known.Layout.semaphores = &l
		}
		if gr.Known.Layout.semaphores.roots == 0 {
			return ctx.Err()
		}
		list, err = gr.waits(ctx, pause)
		return err
	})
	return list, err
}

func (gr *Lister) waits(ctx context.Context, pause func() error) ([]debugger.Wait, error) {
	l := gr.Known.Layout
	table, err := memory.ReadMany(ctx, gr.memory, []memory.Span{{Addr: l.semaphores.table, Size: int(l.semaphores.stride) * l.semaphores.roots}})
	if err != nil {
		return nil, err
	}
	var trees []uint64
	for i := range l.semaphores.roots {
		if root := memory.Word(table[0], uint64(i)*l.semaphores.stride+l.semaphores.tree); root != 0 {
			trees = append(trees, root)
		}
	}
	r := waiterReader{Lister: gr, pause: pause, blocks: map[uint64][]byte{}}
	var list []debugger.Wait
	var gs []uint64
	for len(trees) > 0 && len(gs) < maxWaits {
		node := trees[len(trees)-1]
		trees = trees[:len(trees)-1]
		b, err := r.read(ctx, node)
		if err != nil {
			return nil, err
		}
		for _, child := range []uint64{memory.Word(b, l.sudogPrev), memory.Word(b, l.sudogNext)} {
			if child != 0 {
				trees = append(trees, child)
			}
		}
		address := memory.Word(b, l.sudogElem)
		for b != nil && len(gs) < maxWaits {
			gs = append(gs, memory.Word(b, l.sudogG))
			list = append(list, debugger.Wait{Semaphore: address})
			next := memory.Word(b, l.sudogLink)
			if next == 0 {
				break
			}
			if b, err = r.read(ctx, next); err != nil {
				return nil, err
			}
		}
	}
	ids, err := memory.ReadAll(ctx, gr.memory, gs, func(int) int { return int(l.id) + 8 })
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Goroutine = debugger.GoroutineID(memory.Word(ids[i], l.id))
	}
	return list, nil
}

// waiterReader reads the runtime's records of waiters one after another. They
// are linked, so that only the last tells where the next one is; but most of
// them are close together.
type waiterReader struct {
	*Lister
	pause  func() error
	blocks map[uint64][]byte
}

const waiterBlock = 8 << 10 // a page of Go's heap

func (r *waiterReader) read(ctx context.Context, addr uint64) ([]byte, error) {
	size := uint64(r.Known.Layout.sudogSize)
	base := addr &^ (waiterBlock - 1)
	block, known := r.blocks[base]
	if !known {
		got, err := memory.ReadMany(ctx, r.memory, []memory.Span{{Addr: base, Size: waiterBlock}})
		if err != nil {
			return nil, err
		}
		if len(r.blocks) > 4096 { // 32 MB
			clear(r.blocks)
		}
		block = got[0]
		r.blocks[base] = block
		if err := r.pause(); err != nil {
			return nil, err
		}
	}
	if from := addr - base; from+size <= uint64(len(block)) {
		return block[from : from+size], nil
	}
	got, err := memory.ReadMany(ctx, r.memory, []memory.Span{{Addr: addr, Size: int(size)}})
	if err != nil {
		return nil, err
	}
	return got[0], nil
}
