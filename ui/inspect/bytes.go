package inspect

import (
	"context"
	"fmt"
	"reflect"

	"github.com/pausetui/pausetui/debugger"
)

// bytesPage is how much of a text or of bytes is read at once.
const bytesPage = 8 << 10

type bytesKey struct {
	at    debugger.FrameRef
	expr  string
	start int64
}

type bytesResult struct {
	key  bytesKey
	data []byte
	err  string
}

type bytesRead struct {
	data []byte
	err  string
	used uint64
}

// Bytes returns n bytes of a string, or of a slice or an array of bytes, from
// start on: as many as are loaded. err is why they cannot be.
func (s *Store) Bytes(at debugger.FrameRef, v debugger.Variable, start int64, n int) (data []byte, err string) {
	if v.Kind == reflect.String && start+int64(n) <= int64(len(v.Value)) {
		return []byte(v.Value[start : start+int64(n)]), ""
	}
	for len(data) < n && start+int64(len(data)) < v.Len {
		here := start + int64(len(data))
		key := bytesKey{at, v.Expr, here / bytesPage * bytesPage}
		page := s.bytes[key]
		if page == nil {
			return data, ""
		}
		s.clock++
		page.used = s.clock
		if page.err != "" || here-key.start >= int64(len(page.data)) {
			return data, page.err
		}
		part := page.data[here-key.start:]
		data = append(data, part[:min(len(part), n-len(data))]...)
	}
	return data, ""
}

// NeedBytes asks for bytes.
func (s *Store) NeedBytes(at debugger.FrameRef, v debugger.Variable, start int64, n int) []Need {
	if v.Expr == "" || s.tag.Stop == 0 || v.Kind == reflect.String && start+int64(n) <= int64(len(v.Value)) {
		return nil
	}
	var needs []Need
	for from := start / bytesPage * bytesPage; from < min(start+int64(n), v.Len); from += bytesPage {
		key := bytesKey{at, v.Expr, from}
		if s.bytes[key] != nil {
			continue
		}
		needs = append(needs, Need{Key: fmt.Sprintf("bytes %d %d %s %d", at.Goroutine, at.Frame, v.Expr, from),
			Read: func(ctx context.Context, in debugger.Inspector) any {
				data, err := readBytes(ctx, in, at, v, key.start, int(min(bytesPage, v.Len-key.start)))
				return bytesResult{key, data, readError(err)}
			}})
	}
	return needs
}

// readBytes reads n bytes of a string, or of a slice or an array of bytes, from
// start on.
func readBytes(ctx context.Context, in debugger.Inspector, at debugger.FrameRef, v debugger.Variable, start int64, n int) ([]byte, error) {
	reader, ok := in.(debugger.MemoryReader)
	if !ok {
		return nil, fmt.Errorf("the memory of this program cannot be read")
	}
	base := v.Base
	if v.Kind == reflect.Array {
		base = v.Addr
	}
	if !debugger.InMemory(base) {
		if v.Kind == reflect.String {
			text, err := reader.String(ctx, at, v, debugger.Page{Start: int(start), Count: n})
			return []byte(text), err
		}
		return nil, fmt.Errorf("%s is not in memory", v.Name)
	}
	return reader.ReadMemory(ctx, base+uint64(start), n)
}

func (s *Store) keepBytes(r bytesResult) {
	s.clock++
	s.bytes[r.key] = &bytesRead{data: r.data, err: r.err, used: s.clock}
	if len(s.bytes) > maxPages {
		dropOldest(s.bytes, func(p *bytesRead) uint64 { return p.used })
	}
}
