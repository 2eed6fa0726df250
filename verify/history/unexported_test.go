package history

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/pausetui/pausetui/source/workspace"
)

// What another package does not export cannot be recorded here, which is said without the
// compiler's words.
func TestAnUnexportedFieldNeedsAFrameOfItsPackage(t *testing.T) {
	lib, main := types.NewPackage("lib", "lib"), types.NewPackage("main", "main")
	lock := types.NewField(token.NoPos, lib, "lock", types.Typ[types.Int], false)
	cache := types.NewNamed(types.NewTypeName(token.NoPos, lib, "Cache", nil), types.NewStruct([]*types.Var{lock}, nil), nil)
	main.Scope().Insert(types.NewVar(token.NoPos, main, "c", cache))
	m, f := &marker{code: &workspace.Code{Fset: token.NewFileSet()}}, &file{pkg: &packages.Package{Types: main}}
	_, err := m.check(f, "c.lock", token.NoPos)
	if err == nil || !strings.HasPrefix(err.Error(), "c.lock is not exported by its package: why needs a frame of that package") {
		t.Error(err)
	}
	if _, err := m.check(f, "c", token.NoPos); err != nil {
		t.Error(err)
	}
}

// Uses one after the other at a place are one row, which has the number of those between them
// that were not kept, too.
func TestUsesInARowAreCounted(t *testing.T) {
	send := func(nth uint64) Event {
		return Event{Site: Site{Kind: Sent, Line: 7}, Goroutine: 6, object: 1, nth: nth}
	}
	receive := Event{Site: Site{Kind: Received, Line: 9}, Goroutine: 1, object: 2}
	var got []int
	for _, e := range folded([]Event{send(29), send(28), send(3), receive, send(2), send(1)}) {
		got = append(got, e.Times)
	}
	if want := []int{27, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
