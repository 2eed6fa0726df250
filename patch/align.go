package patch

import (
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Bounds on the search for the smallest diff. They count steps rather than
// time: hunks are named by index, so the same texts must give the same diff on
// a slow machine too.
const (
	maxEdits = 4000       // lines added and removed for which the diff is exact
	maxSteps = 50_000_000 // of searching in one diff; what is left then counts as changed
)

// align says for each line of a which line of b it stays, -1 for none. The
// matches ascend. go-diff finds them where the texts are near enough for it to
// be quick; texts that differ much are first cut at lines that occur once in
// both, as in a patience diff.
func align(a, b []string) []int {
	m := &aligner{match: make([]int, len(a)), steps: maxSteps}
	for i := range m.match {
		m.match[i] = -1
	}
	codes := make(map[string]rune, len(a))
	code := func(lines []string) []rune {
		out := make([]rune, len(lines))
		for i, l := range lines {
			r, ok := codes[l]
			if !ok {
				r = nth(len(codes))
				codes[l] = r
			}
			out[i] = r
		}
		return out
	}
	m.a, m.b = code(a), code(b)
	m.exact = nth(len(codes)) <= utf8.MaxRune
	m.align(region{0, len(a), 0, len(b)})
	return m.match
}

// nth returns a rune for each n from 0 on, leaving out the surrogates, which a
// string cannot hold: go-diff turns runes into strings.
func nth(n int) rune {
	r := rune(n + 1)
	if r >= 0xD800 {
		r += 0x800
	}
	return r
}

type aligner struct {
	a, b  []rune // a rune for each distinct line
	match []int
	steps int  // what remains of maxSteps
	exact bool // there are enough runes for go-diff
}

// region is a[a0:a1] and b[b0:b1], which are aligned with each other.
type region struct{ a0, a1, b0, b1 int }

func (m *aligner) align(r region) {
	for r.a0 < r.a1 && r.b0 < r.b1 && m.a[r.a0] == m.b[r.b0] {
		m.match[r.a0] = r.b0
		r.a0++
		r.b0++
	}
	for r.a0 < r.a1 && r.b0 < r.b1 && m.a[r.a1-1] == m.b[r.b1-1] {
		r.a1--
		r.b1--
		m.match[r.a1] = r.b1
	}
	if r.a0 == r.a1 || r.b0 == r.b1 {
		return
	}
	if m.exact && m.near(m.a[r.a0:r.a1], m.b[r.b0:r.b1]) {
		m.diff(r)
		return
	}
	if m.steps <= 0 {
		return
	}
	m.steps -= r.a1 - r.a0 + r.b1 - r.b0
	rest := r
	anchors := m.anchors(r)
	for _, k := range anchors {
		m.match[k.a] = k.b
		m.align(region{rest.a0, k.a, rest.b0, k.b})
		rest.a0, rest.b0 = k.a+1, k.b+1
	}
	if len(anchors) > 0 {
		m.align(rest)
	}
}

// diff aligns a region with go-diff.
func (m *aligner) diff(r region) {
	engine := diffmatchpatch.New()
	engine.DiffTimeout = 0
	i, j := r.a0, r.b0
	for _, d := range engine.DiffMainRunes(m.a[r.a0:r.a1], m.b[r.b0:r.b1], false) {
		n := utf8.RuneCountInString(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			i += n
		case diffmatchpatch.DiffInsert:
			j += n
		default:
			for ; n > 0 && i < r.a1 && j < r.b1 && m.a[i] == m.b[j]; n-- {
				m.match[i] = j
				i++
				j++
			}
		}
	}
}

// near reports whether a becomes b by at most maxEdits added and removed lines.
// It walks Myers' greedy algorithm without keeping the path.
func (m *aligner) near(a, b []rune) bool {
	if len(a)+len(b) <= maxEdits {
		return true
	}
	if max(len(a), len(b))-min(len(a), len(b)) > maxEdits {
		return false
	}
	furthest := make([]int, 2*maxEdits+3) // by diagonal, from -maxEdits-1 on
	const zero = maxEdits + 1
	for d := 0; d <= maxEdits && m.steps > 0; d++ {
		for k := -d; k <= d; k += 2 {
			x := furthest[zero+k-1] + 1
			if k == -d || k != d && furthest[zero+k-1] < furthest[zero+k+1] {
				x = furthest[zero+k+1]
			}
			from := x
			for x < len(a) && x-k < len(b) && x-k >= 0 && a[x] == b[x-k] {
				x++
			}
			m.steps -= 1 + x - from
			furthest[zero+k] = x
			if x >= len(a) && x-k >= len(b) {
				return true
			}
		}
	}
	return false
}

// anchor is a line that occurs once in both texts of a region.
type anchor struct{ a, b int }

// anchors returns the longest ascending run of lines that occur once in both
// texts of the region.
func (m *aligner) anchors(r region) []anchor {
	type seen struct{ inA, inB, a, b int }
	lines := map[rune]seen{}
	for i := r.a0; i < r.a1; i++ {
		s := lines[m.a[i]]
		s.inA, s.a = s.inA+1, i
		lines[m.a[i]] = s
	}
	for j := r.b0; j < r.b1; j++ {
		s := lines[m.b[j]]
		s.inB, s.b = s.inB+1, j
		lines[m.b[j]] = s
	}
	var once []anchor
	for i := r.a0; i < r.a1; i++ {
		if s := lines[m.a[i]]; s.inA == 1 && s.inB == 1 {
			once = append(once, anchor{i, s.b})
		}
	}
	return ascending(once)
}

// ascending returns a longest subsequence of anchors, which ascend in a, that
// ascends in b too.
func ascending(all []anchor) []anchor {
	before := make([]int, len(all)) // index of the anchor before, -1 for none
	var ends []int                  // by length: the index of the run of that length that ends lowest
	for i, k := range all {
		n := sort.Search(len(ends), func(n int) bool { return all[ends[n]].b >= k.b })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	var out []anchor
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out = append(out, all[i])
	}
	slices.Reverse(out)
	return out
}
