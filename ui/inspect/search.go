package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/search"
)

// maxHits is how many hits of a search are kept; who has more has to say better
// what is meant.
const maxHits = 10_000

// Search is a search among the elements of a collection, or in the bytes of a
// text. It goes on in portions for as long as they are asked for.
type Search struct {
	At    debugger.FrameRef
	Of    debugger.Variable
	Text  string  // what is looked for, as it was typed
	Hits  []int64 // numbers of elements, or of bytes, ascending
	Done  int64   // how many were looked at
	All   int64
	Err   string
	query search.Query
	id    int
}

// Over reports whether nothing is left to look at.
func (s *Search) Over() bool { return s.Done >= s.All || s.Err != "" || s.Full() }

// Full reports whether it ended because there are too many hits.
func (s *Search) Full() bool { return len(s.Hits) >= maxHits }

type searchResult struct {
	id    int
	found []int64
	done  int64 // up to which it was looked at
	err   string
}

// Search begins to look for something among the children of a value. There is
// one search at a time; an empty text ends it.
func (s *Store) Search(at debugger.FrameRef, v debugger.Variable, text string) {
	if old := s.search; old != nil && old.At == at && old.Of.Expr == v.Expr && old.Text == text {
		return
	}
	s.searches++
	if text == "" {
		s.search = nil
		return
	}
	s.search = &Search{At: at, Of: v, Text: text, All: v.Len, query: search.Parse(text), id: s.searches}
}

// Searching returns the search; nil without one.
func (s *Store) Searching() *Search { return s.search }

// NeedSearch asks for the next portion of the search.
func (s *Store) NeedSearch() []Need {
	one := s.search
	if one == nil || one.Over() || s.tag.Stop == 0 {
		return nil
	}
	at, v, from, id, query := one.At, one.Of, one.Done, one.id, one.query
	v.Children = nil
	return []Need{{Key: fmt.Sprintf("search %d %d", id, from), Read: func(ctx context.Context, in debugger.Inspector) any {
		found, done, err := portion(ctx, in, at, v, query, from)
		return searchResult{id, found, done, readError(err)}
	}}}
}

var errNoFinder = errors.New("this program cannot be searched")

func portion(ctx context.Context, in debugger.Inspector, at debugger.FrameRef, v debugger.Variable, query search.Query, from int64) ([]int64, int64, error) {
	if v.Kind == reflect.String {
		return searchText(ctx, in, at, v, query, from)
	}
	finder, ok := in.(debugger.Finder)
	if !ok {
		return nil, from, errNoFinder
	}
	found, looked, err := finder.Find(ctx, at, v, query.Match, debugger.Page{Start: int(from), Count: int(v.Len - from)})
	if err == nil && looked == 0 {
		looked = int(v.Len - from)
	}
	return found, from + int64(looked), err
}

// textPortion is how much of a text is searched in one go.
const textPortion = 4 << 20

// searchText finds where a text is in a longer one, in large and small
// letters alike.
func searchText(ctx context.Context, in debugger.Inspector, at debugger.FrameRef, v debugger.Variable, query search.Query, from int64) ([]int64, int64, error) {
	want, ok := query.Plain()
	if !ok {
		return nil, from, errors.New("a text can be searched for words only")
	}
	end := min(from+textPortion, v.Len)
	over := min(end+int64(len(want)), v.Len) // a hit may lie across the border
	data, err := readBytes(ctx, in, at, v, from, int(over-from))
	if err != nil {
		return nil, from, err
	}
	lower := bytes.ToLower(data)
	if len(lower) != len(data) {
		lower = data // letters that change their length: the numbers of bytes matter more
	}
	var found []int64
	for i := 0; len(found) < maxHits; {
		n := bytes.Index(lower[i:], []byte(want))
		if n < 0 || from+int64(i+n) >= end {
			break
		}
		found = append(found, from+int64(i+n))
		i += n + len(want)
	}
	return found, end, nil
}

func (s *Store) keepSearch(r searchResult) {
	one := s.search
	if one == nil || one.id != r.id {
		return
	}
	next := *one
	next.Hits = append(next.Hits[:len(next.Hits):len(next.Hits)], r.found...)
	next.Hits = next.Hits[:min(len(next.Hits), maxHits)]
	next.Done, next.Err = r.done, r.err
	s.search = &next
}
