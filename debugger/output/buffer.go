package output

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"sync"
	"time"
)

// Sizes of a Buffer made by New with no limit of its own.
const (
	headBytes    = 64 << 10
	chunkBytes   = 64 << 10
	defaultTail  = 4 << 20
	maxLineBytes = 16 << 10 // a longer line goes on in the next row
)

// Buffer keeps a stream of bytes as rows of text: the first headBytes, the
// last bytes up to its limit, and a count of the rows lost between. It is safe
// for one writer and any number of readers. Rows are raw: strip control
// sequences before drawing them.
type Buffer struct {
	mu      sync.Mutex
	head    chunk
	tail    []*chunk
	open    []byte // the row being written, without its end
	limit   int
	size    int    // bytes in tail
	dropped int64  // rows lost between head and tail
	lost    int64  // bytes of them
	bytes   int64  // written in total
	rows    int64  // completed in total
	notes   []note // which of them are notes: the newest maxNotes, in their order
	version uint64
	notify  func()
	drawing *drawing // nil unless a terminal is emulated
}

// chunk is a run of completed rows; ends[i] is where row i ends in text.
type chunk struct {
	text []byte
	ends []int
}

func (c *chunk) add(row []byte) {
	c.text = append(c.text, row...)
	c.ends = append(c.ends, len(c.text))
}

func (c *chunk) row(i int) string {
	start := 0
	if i > 0 {
		start = c.ends[i-1]
	}
	return string(c.text[start:c.ends[i]])
}

// New returns an empty buffer that keeps about tail bytes of the end (≤ 0: 4
// MiB). notify, which may be nil, is called after each write, outside locks.
func New(tail int, notify func()) *Buffer {
	if tail <= 0 {
		tail = defaultTail
	}
	return &Buffer{limit: tail, notify: notify}
}

// emulatedAtOnce is how many bytes are emulated before a reader gets the lock: a few bytes can
// clear or scroll a large screen.
const emulatedAtOnce = 64

// notifyEvery is how often readers are notified during a long write.
const notifyEvery = 50 * time.Millisecond

// Write adds what the target printed; it never fails.
func (b *Buffer) Write(p []byte) (int, error) {
	notified := time.Now()
	for rest := p; len(rest) > 0; {
		rest = rest[b.take(rest):]
		if b.notify != nil && (len(rest) == 0 || time.Since(notified) > notifyEvery) {
			b.notify()
			notified = time.Now()
		}
	}
	return len(p), nil
}

// take adds the beginning of what the target printed, and returns how much that was.
func (b *Buffer) take(p []byte) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawing != nil && b.drawing.emulates(p) {
		p = p[:min(len(p), emulatedAtOnce)]
	}
	b.bytes += int64(len(p))
	b.version++
	if b.drawing != nil {
		b.draw(p)
	} else {
		b.print(p)
	}
	return len(p)
}

// print adds text to the rows.
func (b *Buffer) print(rest []byte) {
	for len(rest) > 0 {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			b.extend(rest)
			break
		}
		b.extend(rest[:i])
		b.finish()
		rest = rest[i+1:]
	}
}

// note is a row that the target did not print.
type note struct {
	row int64
	of  any // what it tells of
}

// Note adds a row of its own that the target did not print: before the row that
// it is writing. of is what it tells of, for Noted.
func (b *Buffer) Note(row string, of any) {
	b.mu.Lock()
	b.version++
	open := b.open
	b.notes = append(b.notes[max(len(b.notes)-maxNotes+1, 0):], note{b.rows, of})
	b.open = append([]byte(nil), row[:min(len(row), maxLineBytes)]...)
	b.finish()
	b.open = open
	b.mu.Unlock()
	if b.notify != nil {
		b.notify()
	}
}

// maxNotes is how many notes are told from what the target printed.
const maxNotes = 4096

// Noted reports whether a completed row, counted from the first, is a note, and of what.
func (b *Buffer) Noted(row int64) (of any, noted bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, found := slices.BinarySearchFunc(b.notes, row, func(n note, row int64) int { return cmp.Compare(n.row, row) })
	if !found {
		return nil, false
	}
	return b.notes[i].of, true
}

// extend adds to the open row, cutting it where it grows too long.
func (b *Buffer) extend(p []byte) {
	for len(b.open)+len(p) > maxLineBytes {
		n := maxLineBytes - len(b.open)
		b.open = append(b.open, p[:n]...)
		p = p[n:]
		b.finish()
	}
	b.open = append(b.open, p...)
}

// finish closes the open row.
func (b *Buffer) finish() {
	row := drawn(b.open)
	b.rows++
	switch {
	case len(b.tail) == 0 && len(b.head.text) < headBytes:
		b.head.add(row)
	default:
		if n := len(b.tail); n == 0 || len(b.tail[n-1].text) >= chunkBytes {
			b.tail = append(b.tail, &chunk{})
		}
		b.tail[len(b.tail)-1].add(row)
		b.size += len(row) + 8
		b.trim()
	}
	b.open = b.open[:0]
}

func (b *Buffer) trim() {
	for b.size > b.limit && len(b.tail) > 1 {
		first := b.tail[0]
		b.size -= len(first.text) + 8*len(first.ends)
		b.dropped += int64(len(first.ends))
		b.lost += int64(len(first.text) + len(first.ends))
		b.tail[0] = nil
		b.tail = b.tail[1:]
	}
}

// View is a window into a buffer.
type View struct {
	Rows    []string // from the row asked for
	Start   int      // index of Rows[0]
	Total   int      // rows that can be asked for, the row being written included
	Gap     int      // index of the first row after the lost ones; 0 when none are lost
	Dropped int64    // rows lost before Gap
	Bytes   int64    // printed in total
	Lines   int64    // completed lines in total
	Version uint64
}

// View returns up to n rows from start; a negative start counts from the end,
// -1 being the last n rows.
func (b *Buffer) View(start, n int) View {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.view(start, n)
}

func (b *Buffer) view(start, n int) View {
	v := View{Dropped: b.dropped, Bytes: b.bytes, Lines: b.rows, Version: b.version}
	counts := make([]int, 0, len(b.tail)+1)
	total := len(b.head.ends)
	counts = append(counts, total)
	for _, c := range b.tail {
		total += len(c.ends)
		counts = append(counts, total)
	}
	if b.dropped > 0 {
		v.Gap = counts[0]
	}
	completed := total
	if len(b.open) > 0 {
		total++
	}
	v.Total = total
	if start < 0 {
		start = max(total-n, 0)
	}
	v.Start = min(start, total)
	for i := v.Start; i < min(v.Start+n, total); i++ {
		if i >= completed {
			v.Rows = append(v.Rows, string(drawn(b.open)))
			continue
		}
		k := sort.SearchInts(counts, i+1)
		if k == 0 {
			v.Rows = append(v.Rows, b.head.row(i))
		} else {
			v.Rows = append(v.Rows, b.tail[k-1].row(i-counts[k-1]))
		}
	}
	return v
}

// Version changes with every write.
func (b *Buffer) Version() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.version
}

// Tail returns the last bytes as text, whole rows, at most n bytes.
func (b *Buffer) Tail(n int) string {
	v := b.View(-1, 200)
	size := 0
	for i := len(v.Rows) - 1; i >= 0; i-- {
		size += len(v.Rows[i]) + 1
		if size > n {
			v.Rows = v.Rows[i+1:]
			break
		}
	}
	var out bytes.Buffer
	for _, r := range v.Rows {
		out.WriteString(r)
		out.WriteByte('\n')
	}
	return out.String()
}
