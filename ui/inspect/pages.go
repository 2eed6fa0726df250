package inspect

import (
	"context"
	"fmt"
	"math"

	"github.com/pausetui/pausetui/debugger"
)

// Elements of collections are read in pages around what is looked at. Pages that
// were not looked at for longest are dropped: a collection takes no more memory
// here than a few screens of it, however large it is.
const (
	elementPage = 64
	maxPages    = 256
)

// pageKey names a page of the elements of a value of a frame; one is a page of
// a single element, such as a hit of a search.
type pageKey struct {
	at    debugger.FrameRef
	expr  string
	start int64
	one   bool
}

func (k pageKey) need() string {
	return fmt.Sprintf("elements %d %d %s %d %v", k.at.Goroutine, k.at.Frame, k.expr, k.start, k.one)
}

type elements struct {
	list []debugger.Variable
	err  string
	used uint64 // when it was last looked at
}

type elementsResult struct {
	key  pageKey
	list []debugger.Variable
	err  string
}

// Element returns a child of a value by its number, if it is loaded. err is why
// it cannot be.
func (s *Store) Element(at debugger.FrameRef, v debugger.Variable, i int64) (child debugger.Variable, err string, ok bool) {
	if i < int64(len(v.Children)) {
		return v.Children[i], "", true
	}
	for _, key := range []pageKey{{at, v.Expr, i / elementPage * elementPage, false}, {at, v.Expr, i, true}} {
		page := s.pages[key]
		if page == nil {
			continue
		}
		s.clock++
		page.used = s.clock
		if n := i - key.start; n < int64(len(page.list)) {
			return page.list[n], "", true
		}
		if page.err == "" {
			return child, "the program gave no such element", false
		}
		return child, page.err, false
	}
	return child, "", false
}

// NeedElement asks for a child by its number: the page that it is in, or it
// alone where its neighbors are of no interest.
func (s *Store) NeedElement(at debugger.FrameRef, v debugger.Variable, i int64, alone bool) []Need {
	if i < int64(len(v.Children)) || v.Expr == "" || s.tag.Stop == 0 {
		return nil
	}
	key := pageKey{at, v.Expr, i, true}
	count := 1
	if !alone {
		key.start, key.one, count = i/elementPage*elementPage, false, elementPage
	}
	if _, _, ok := s.Element(at, v, i); ok || s.pages[key] != nil {
		return nil
	}
	v.Children = nil
	return []Need{{Key: key.need(), Read: func(ctx context.Context, in debugger.Inspector) any {
		list, err := in.Children(ctx, at, v, debugger.Page{Start: int(key.start), Count: count})
		return elementsResult{key, list, readError(err)}
	}}}
}

func (s *Store) keepElements(r elementsResult) {
	s.clock++
	s.pages[r.key] = &elements{list: r.list, err: r.err, used: s.clock}
	if len(s.pages) > maxPages {
		dropOldest(s.pages, func(p *elements) uint64 { return p.used })
	}
}

// dropOldest drops what was used the longest time ago.
func dropOldest[K comparable, V any](kept map[K]V, used func(V) uint64) {
	var oldest K
	least := uint64(math.MaxUint64)
	for key, v := range kept {
		if u := used(v); u < least {
			oldest, least = key, u
		}
	}
	delete(kept, oldest)
}

// Retry forgets that elements could not be read.
func (s *Store) Retry(at debugger.FrameRef, expr string) {
	for key, page := range s.pages {
		if key.at == at && key.expr == expr && page.err != "" {
			delete(s.pages, key)
		}
	}
}
