//go:build go1.21

package record

import "reflect"

var plains = map[uint64]uint64{} // by goroutine: its slot

// Plain records variables, name and value in turn, before a statement at which the program may
// stop.
func Plain(site int, list func() []any) {
	if !begin() {
		return
	}
	defer mu.Unlock()
	g := goroutine()
	n, ok := plains[g]
	if !ok {
		if n, ok = slot(); !ok {
			return
		}
		plains[g] = n
	}
	e := Event{Site: uint32(site), Goroutine: g}
	for i, v := 0, list(); i+1 < len(v); i += 2 {
		if line := v[i].(string) + "=" + Text(reflect.ValueOf(v[i+1])) + "\n"; len(e.Text)+len(line) <= maxText {
			e.Text += line
		}
	}
	put(n, stamp(e))
}

// moving is, by goroutine, where the elements of a list are.
var moving = map[uint64]Event{}

// Moving notes where the elements of a list are, to which p returns a pointer, before
// something is appended.
func Moving(p func() any) {
	if !begin() {
		return
	}
	defer mu.Unlock()
	g := goroutine()
	if delete(moving, g); len(moving) < 1<<12 {
		moving[g] = elements(p)
	}
}

// Move records where they are after that.
func Move(site int, p func() any) {
	if !begin() {
		return
	}
	defer mu.Unlock()
	g := goroutine()
	was, now := moving[g], elements(p)
	delete(moving, g)
	if was.Size != 0 && now.Addr != 0 && now.Addr != was.Addr {
		keep(stamp(Event{Site: uint32(site), Goroutine: g, Addr: now.Addr, Size: was.Size, From: was.Addr, Object: now.Addr}))
	}
}

// elements is where the elements of a list are.
func elements(p func() any) (e Event) {
	defer func() { _ = recover() }()
	v := reflect.ValueOf(p()).Elem()
	if v.Kind() == reflect.Slice && v.Len() > 0 {
		e.Addr, e.Size = uint64(v.Pointer()), uint32(min(uintptr(v.Len())*v.Type().Elem().Size(), 1<<31))
	}
	return e
}
