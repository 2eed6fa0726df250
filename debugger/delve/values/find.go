package values

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// Find's portions: after findPatience it hands back what it has.
const (
	findPatience = 80 * time.Millisecond
	findLoaded   = 256     // elements that are loaded in one go
	findRead     = 8192    // elements of a list whose memory is read in one go
	findEntries  = 1 << 17 // entries of a map: texts of keys lie in no order, so that fewer would read all of them again and again
)

// Find looks through the elements of a collection. Elements that hold what they
// are (numbers, texts, structs of them) are read as memory, which is a hundred
// times faster than loading them; others are loaded.
func (vs *Inspector) Find(ctx context.Context, at debugger.FrameRef, v debugger.Variable, match func(*debugger.Variable) bool, page debugger.Page) (found []int64, looked int, err error) {
	if v.Expr == "" {
		return nil, 0, fmt.Errorf("%s cannot be named in this frame", v.Name)
	}
	count := min(int64(page.Count), v.Len-int64(page.Start))
	began := time.Now()
	for int64(looked) < count && (looked == 0 || time.Since(began) < findPatience) {
		var some []int64
		n := 0
		err := vs.srv.Do(ctx, func(ctx context.Context) error {
			some, n, err = vs.findSome(ctx, at, v, match, debugger.Page{Start: page.Start + looked, Count: int(count) - looked})
			return err
		})
		if err != nil {
			return found, looked, err
		}
		if n == 0 {
			return found, int(count), nil // it has fewer than it says
		}
		found, looked = append(found, some...), looked+n
	}
	return found, looked, nil
}

func (vs *Inspector) findSome(ctx context.Context, at debugger.FrameRef, v debugger.Variable, match func(*debugger.Variable) bool, page debugger.Page) ([]int64, int, error) {
	scan, err := vs.newScan(ctx, at, v, page)
	if err != nil {
		return nil, 0, err
	}
	if scan == nil {
		return vs.findInLoaded(ctx, at, v, match, page)
	}
	found, err := vs.scan(ctx, scan, match)
	for i := range found {
		found[i] += int64(page.Start)
	}
	return found, len(scan.elems), err
}

func (vs *Inspector) findInLoaded(ctx context.Context, at debugger.FrameRef, v debugger.Variable, match func(*debugger.Variable) bool, page debugger.Page) (found []int64, looked int, err error) {
	page.Count = min(page.Count, findLoaded)
	list, err := vs.children(ctx, at, v, page)
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		if match(&list[i]) {
			found = append(found, int64(page.Start+i))
		}
	}
	return found, len(list), nil
}

// scan is where some elements are and how they are made.
type scan struct {
	keys, elems []uint64 // addresses; keys of a map's entries
	key, elem   *shape   // key is nil where there are none
}

// newScan prepares the elements of a page to be read as memory; nil where that
// cannot be.
func (vs *Inspector) newScan(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (*scan, error) {
	switch v.Kind {
	case reflect.Slice, reflect.Array:
		return vs.scanList(ctx, at, v, page)
	case reflect.Map:
		return vs.scanMap(ctx, at, v, page)
	}
	return nil, nil
}

func (vs *Inspector) scanList(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (*scan, error) {
	sample, err := vs.children(ctx, at, v, debugger.Page{Start: page.Start, Count: 2})
	if err != nil || len(sample) == 0 {
		return nil, err
	}
	s := &scan{elem: shapeOf(&sample[0], sample[0].Addr)}
	if s.elem == nil || !debugger.InMemory(sample[0].Addr) {
		return nil, nil
	}
	stride := s.elem.size()
	if len(sample) == 2 {
		stride = sample[1].Addr - sample[0].Addr
	}
	for i := range min(page.Count, findRead, max(memory.Once/int(max(stride, 1)), 64)) {
		s.elems = append(s.elems, sample[0].Addr+uint64(i)*stride)
	}
	return s, nil
}

// scanMap finds where entries are through the map's index.
func (vs *Inspector) scanMap(ctx context.Context, at debugger.FrameRef, v debugger.Variable, page debugger.Page) (*scan, error) {
	if v.Len <= MapIndexFrom {
		return nil, nil
	}
	page.Count = min(page.Count, findEntries)
	index, err := vs.mapIndexOf(ctx, at, v)
	if err != nil || index == nil || index.keyByPtr || index.valByPtr {
		return nil, err
	}
	if err := vs.extend(ctx, index, page.Start+page.Count); err != nil {
		return nil, err
	}
	if page.Start >= len(index.slots) {
		return nil, nil
	}
	slots := index.slots[page.Start:min(page.Start+page.Count, len(index.slots))]
	first, err := vs.children(ctx, at, v, debugger.Page{Start: page.Start, Count: 1})
	if err != nil || len(first) == 0 || first[0].Key == nil {
		return nil, err
	}
	elem := &first[0]
	s := &scan{key: shapeOf(elem.Key, elem.Key.Addr), elem: shapeOf(elem, elem.Addr)}
	if s.key == nil || s.elem == nil || !debugger.InMemory(elem.Addr) || !debugger.InMemory(elem.Key.Addr) {
		return nil, nil
	}
	at0 := index.slotAt(slots[0])
	for _, slot := range slots {
		here := index.slotAt(slot)
		s.keys = append(s.keys, here+(elem.Key.Addr-at0))
		s.elems = append(s.elems, here+(elem.Addr-at0))
	}
	return s, nil
}

// scan reads and asks about each element.
func (vs *Inspector) scan(ctx context.Context, s *scan, match func(*debugger.Variable) bool) ([]int64, error) {
	var key debugger.Variable
	var keys [][]byte
	var err error
	if s.key != nil {
		if keys, err = vs.gather(ctx, s.keys, s.key.size()); err != nil {
			return nil, err
		}
	}
	elems, err := vs.gather(ctx, s.elems, s.elem.size())
	if err != nil {
		return nil, err
	}
	texts, err := vs.texts(ctx, s, keys, elems)
	if err != nil {
		return nil, err
	}
	elem := s.elem.variable()
	if s.key != nil {
		key = s.key.variable()
		elem.Key = &key
	}
	var found []int64
	for i := range elems {
		if s.key != nil {
			s.key.fill(&key, keys[i], texts)
		}
		s.elem.fill(&elem, elems[i], texts)
		if match(&elem) {
			found = append(found, int64(i))
		}
	}
	return found, nil
}
