package pause

import (
	"context"
	"runtime/pprof"
	"strings"
)

// The labels that say in which block a goroutine works. Goroutines inherit those
// of the one that starts them. pausetui reads them from the stopped program, and
// the runtime prints them into the crash report of Guard.
const (
	labelBlock  = "pausetui.block"
	labelIntent = "pausetui.intent"
)

// maxLabel bounds a label, in bytes.
const maxLabel = 200

// pathKey is the context's key of the block's path: "import/parse".
type pathKey struct{}

// place is where a block is among the others.
type place struct {
	path string // ids from the outermost block to this one
	key  string // the same with the hashes of the inputs
}

// tracked runs a block with labels, and with stored results under pausetui.
func tracked[T any](ctx context.Context, b *block, f func(context.Context) (T, error)) (T, error) {
	outer, _ := ctx.Value(pathKey{}).(place)
	at := place{path: join2(outer.path, b.id), key: join2(outer.key, b.id)}
	record := begin(b, &at, codePointer(f))
	if record != nil {
		if result, ok := restore[T](record); ok {
			return result, nil
		}
	}
	inside := context.WithValue(ctx, pathKey{}, at)
	inside = pprof.WithLabels(inside, pprof.Labels(labelBlock, bounded(at.path), labelIntent, bounded(b.intent)))
	pprof.SetGoroutineLabels(inside)
	// The labels stay when f panics: they are to be seen at the stop.
	result, err := attempt(inside, b, f)
	pprof.SetGoroutineLabels(ctx)
	if err == nil && record != nil {
		keep(record, result)
	}
	return result, err
}

func join2(outer, id string) string {
	if outer == "" {
		return id
	}
	return outer + "/" + id
}

// bounded cuts a text for a label, between characters.
func bounded(text string) string {
	if len(text) <= maxLabel {
		return text
	}
	return strings.ToValidUTF8(text[:maxLabel], "") + "…"
}
