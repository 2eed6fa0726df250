package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/pausetui/pausetui/internal/wilson"
)

// share is a count among others.
type share struct{ n, of int }

func (s share) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", s.n, s.of)
}

// withInterval is the share with its per cent and their interval.
func (s share) withInterval() string {
	if s.of == 0 {
		return "–"
	}
	low, high := wilson.Interval(s.n, s.of)
	return fmt.Sprintf("**%d of %d**, %.0f %% (%.0f–%.0f)", s.n, s.of, 100*float64(s.n)/float64(s.of), low, high)
}

func count[T any](list []T, holds func(T) bool) share {
	s := share{of: len(list)}
	for _, x := range list {
		if holds(x) {
			s.n++
		}
	}
	return s
}

func filter[T any](list []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !keep(x) })
}

func median(results []result) string {
	var took []time.Duration
	for _, r := range results {
		if r.verified() && r.first > 0 {
			took = append(took, r.first)
		}
	}
	if len(took) == 0 {
		return "–"
	}
	slices.Sort(took)
	return took[len(took)/2].Round(100 * time.Millisecond).String()
}
