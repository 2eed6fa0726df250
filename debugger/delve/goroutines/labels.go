package goroutines

import (
	"context"
	"maps"

	"github.com/pausetui/pausetui/debugger/delve/memory"
)

// Bounds of the labels of a goroutine.
const (
	maxLabels    = 64
	maxLabelText = 256
)

// readLabels reads the sets of labels that the goroutines refer to, unless they
// were read before: a slice of pairs of strings (runtime/pprof.labelMap).
func (gr *Lister) readLabels(ctx context.Context, members []member) error {
	var sets []uint64
	for _, m := range members {
		if _, known := gr.labelSets[m.labels]; m.labels != 0 && !known {
			gr.labelSets[m.labels] = nil
			sets = append(sets, m.labels)
		}
	}
	if len(sets) == 0 {
		return nil
	}
	headers, err := memory.ReadAll(ctx, gr.memory, sets, func(int) int { return 16 })
	if err != nil {
		return err
	}
	lists := make([]uint64, len(sets))
	for i, h := range headers {
		if n := memory.Word(h, 8); n <= maxLabels {
			lists[i] = memory.Word(h, 0)
		}
	}
	pairs, err := memory.ReadAll(ctx, gr.memory, lists, func(i int) int { return 32 * int(memory.Word(headers[i], 8)) })
	if err != nil {
		return err
	}
	var texts []memory.Span
	for _, p := range pairs {
		for at := uint64(0); at < uint64(len(p)); at += 16 {
			texts = append(texts, memory.Span{Addr: memory.Word(p, at), Size: int(min(memory.Word(p, at+8), maxLabelText))})
		}
	}
	read, err := memory.ReadMany(ctx, gr.memory, texts)
	if err != nil {
		return err
	}
	next, last := 0, map[string]string(nil)
	for i, p := range pairs {
		set := map[string]string{}
		for range len(p) / 32 {
			set[string(read[next])] = string(read[next+1])
			next += 2
		}
		if maps.Equal(set, last) { // neighbors are often labeled alike
			set = last
		}
		gr.labelSets[sets[i]], last = set, set
	}
	return nil
}
