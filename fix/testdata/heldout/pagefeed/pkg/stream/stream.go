package stream

import (
	"cmp"
	"iter"
	"slices"
)

type Pair[A, B any] struct {
	First  A
	Second B
}

type Number interface {
	~int | ~int64 | ~float64
}

func Map[T, U any](in iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for v := range in {
			if !yield(f(v)) {
				return
			}
		}
	}
}

func Filter[T any](in iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range in {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}

func Fold[T, A any](in iter.Seq[T], acc A, f func(A, T) A) A {
	for v := range in {
		acc = f(acc, v)
	}
	return acc
}

func Sum[T any, N Number](in iter.Seq[T], of func(T) N) N {
	return Fold(in, N(0), func(a N, v T) N { return a + of(v) })
}

func SortedBy[T any, K cmp.Ordered](in iter.Seq[T], key func(T) K) []T {
	return slices.SortedStableFunc(in, func(a, b T) int {
		return cmp.Compare(key(a), key(b))
	})
}
