package navigate

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Query is what a person has typed to find something: "idxadd", "index.go:42",
// ":42", "@Add" for symbols alone.
type Query struct {
	Name    string
	Line    int // 0 when none was given
	Symbols bool
}

// ParseQuery reads what was typed. Spaces between parts of a name say nothing.
func ParseQuery(typed string) Query {
	q := Query{Name: strings.Join(strings.Fields(typed), "")}
	q.Name, q.Symbols = strings.CutPrefix(q.Name, "@")
	if i := strings.LastIndexByte(q.Name, ':'); i >= 0 {
		if n, err := strconv.Atoi(q.Name[i+1:]); err == nil && n > 0 {
			q.Name, q.Line = q.Name[:i], n
		} else if q.Name[i+1:] == "" {
			q.Name = q.Name[:i] // the number is still to come
		}
	}
	return q
}

// Match is an entry that matches a query.
type Match struct {
	Entry
	Marks []int // bytes of Name that matched
}

// Matches is what of an index matches a query, the best first.
type Matches struct {
	List []Match // at most as many as were asked for
	All  int     // how many there are

	query Query
	index *Index
	at    []int // the entries that matched: what a longer query can match
}

// matchChunk is how many entries are looked at between two looks at the context.
const matchChunk = 4096

// Find finds entries by a query: what begins with the name comes before what
// holds it, and that before what has its letters in order; the user's own come
// before others. before may hold the matches of a shorter query of the same
// index, which are then all that is looked at. It fails only with ctx.
func (x *Index) Find(ctx context.Context, q Query, before Matches, limit int) (Matches, error) {
	out, err := x.find(ctx, q, before, limit)
	if name, ok := strings.CutPrefix(q.Name, "main."); ok && name != "" && out.All == 0 && err == nil {
		q.Name, q.Symbols = name, true // the symbols of package main are listed without it
		out, err = x.find(ctx, q, Matches{}, limit)
		out.index = nil // no matches of a longer query
	}
	return out, err
}

func (x *Index) find(ctx context.Context, q Query, before Matches, limit int) (Matches, error) {
	out := Matches{query: q, index: x}
	f := finder{index: x, query: q, folded: strings.ToLower(q.Name)}
	within, all := before.at, len(x.Entries)
	narrowed := before.index == x && before.query.Symbols == q.Symbols && before.query.Name != "" && strings.HasPrefix(f.folded, strings.ToLower(before.query.Name))
	if narrowed {
		all = len(within)
	}
	for from := 0; from < all; from += matchChunk {
		if err := ctx.Err(); err != nil {
			return Matches{}, err
		}
		for i := from; i < min(from+matchChunk, all); i++ {
			at := i
			if narrowed {
				at = within[i]
			}
			f.look(at)
		}
		f.scatter()
	}
	slices.SortFunc(f.ranked, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at))
	})
	out.All, out.at = len(f.ranked), make([]int, len(f.ranked))
	for i, r := range f.ranked {
		if i < limit {
			out.List = append(out.List, Match{x.Entries[r.at], f.marks(r)})
		}
		out.at[i] = r.at
	}
	return out, ctx.Err()
}

// ranked is an entry with how well it matches: a low rank first, then a high
// score.
type ranked struct {
	at    int
	rank  float32
	score int
	start int   // of the query in the name, from 1; 0 where it is in pieces
	marks []int // then: where they are
}

type finder struct {
	index  *Index
	query  Query
	folded string // the name in lower case
	ranked []ranked
	loose  []int // entries that have the letters, not together
}

// How far an entry is from what was typed.
const (
	isName    = 0
	beginsIt  = 1
	holdsIt   = 2
	scattered = 4
	foreign   = 1.5 // added to what is not the user's own
)

// look ranks an entry whose name holds the query in one piece, and sets aside
// what may match in pieces.
func (f *finder) look(at int) {
	e := &f.index.Entries[at]
	if f.query.Symbols && e.Kind == File {
		return
	}
	r := ranked{at: at}
	if !e.User {
		r.rank = foreign
	}
	if f.folded == "" {
		f.ranked = append(f.ranked, r)
		return
	}
	base := baseAt(e.folded)
	i := strings.Index(e.folded[base:], f.folded)
	switch {
	case i == 0 && len(e.folded)-base == len(f.folded), i == 0 && e.Kind == File && strings.HasPrefix(e.folded[base+len(f.folded):], "."):
		r.rank += isName
	case i == 0:
		r.rank += beginsIt
	case i > 0:
		r.rank += holdsIt
	default:
		base = 0
		if i = strings.Index(e.folded, f.folded); i < 0 {
			if inOrder(e.folded, f.folded) {
				f.loose = append(f.loose, at)
			}
			return
		}
		switch {
		case i == 0 && len(e.folded) == len(f.folded):
			r.rank += isName
		case i == 0:
			r.rank += beginsIt
		default:
			r.rank += holdsIt + 0.5
		}
	}
	r.score = -len(e.Name)
	if len(e.Name) == len(e.folded) { // else folding has moved the bytes
		if strings.HasPrefix(e.Name[base+i:], f.query.Name) {
			r.rank -= 0.25 // also in the case that was typed
		}
		r.start = base + i + 1
	}
	f.ranked = append(f.ranked, r)
}

// marks are the bytes of the name that matched.
func (f *finder) marks(r ranked) []int {
	if r.start == 0 {
		return r.marks
	}
	marks := make([]int, len(f.folded))
	for i := range marks {
		marks[i] = r.start - 1 + i
	}
	return marks
}

// scatter ranks what was set aside.
func (f *finder) scatter() {
	if len(f.loose) == 0 {
		return
	}
	for _, m := range fuzzy.FindFromNoSort(f.query.Name, names{f.index, f.loose}) {
		r := ranked{at: f.loose[m.Index], rank: scattered, score: m.Score, marks: m.MatchedIndexes}
		if !f.index.Entries[r.at].User {
			r.rank += foreign
		}
		f.ranked = append(f.ranked, r)
	}
	f.loose = f.loose[:0]
}

// names are the names of some entries, as package fuzzy takes them.
type names struct {
	index *Index
	at    []int
}

// String implements fuzzy.Source.
func (n names) String(i int) string { return n.index.Entries[n.at[i]].Name }

// Len implements fuzzy.Source.
func (n names) Len() int { return len(n.at) }

// baseAt is where the last part of a name begins: after the last slash, or the
// last dot of a symbol; a file's ending is no part.
func baseAt(name string) int {
	slash := strings.LastIndexByte(name, '/') + 1
	if strings.HasSuffix(name, ".go") || slash > 0 {
		return slash
	}
	return strings.LastIndexByte(name, '.') + 1
}

// inOrder reports whether a name has all letters of a query in their order.
func inOrder(name, query string) bool {
	for i := 0; i < len(query); i++ {
		at := strings.IndexByte(name, query[i])
		if at < 0 {
			return false
		}
		name = name[at+1:]
	}
	return true
}
