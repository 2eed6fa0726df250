package stream

import (
	"iter"
	"slices"
)

type Window struct {
	Lo, Hi int
}

type Pager[T any] struct {
	items []T
	size  int
}

func Paginate[T any](items []T, size int) Pager[T] {
	if size < 1 {
		size = 1
	}
	return Pager[T]{slices.Clip(items), size}
}

func (p Pager[T]) Pages() int {
	return (len(p.items) + p.size - 1) / p.size
}

func (p Pager[T]) window(n int) (w Window) {
	w.Lo = n * p.size
	w.Hi = w.Lo + p.size
	return
}

func (p Pager[T]) Page(n int) []T {
	w := p.window(n)
	return p.items[w.Lo:w.Hi:w.Hi]
}

func (p Pager[T]) All() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		for n := range p.Pages() {
			if !yield(n+1, p.Page(n)) {
				return
			}
		}
	}
}
