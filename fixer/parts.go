package fixer

import (
	"context"
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/source/evidence"
)

// The layers of the fixer. Each embeds the one below it and adds what it needs
// to answer: code reads the source, facts says what the source implies, analysis
// adds the paused program, exitFinder says how a function can refuse a value, and
// fixer offers candidates.

// code is the user's source: texts, positions, declarations.
type code struct {
	c       evidence.Case
	sources map[string]string // contents of files by absolute path
	roots   map[*ast.File]inspector.Cursor
}

// facts says what the source implies whatever the values are: what is assigned
// where, what may be left unset, who waits at a line.
type facts struct {
	*code
}

func newFacts(c evidence.Case, sources map[string]string) *facts {
	return &facts{&code{c: c, sources: sources, roots: map[*ast.File]inspector.Cursor{}}}
}

// analysis is the stop next to the source: values, where they come from, and
// what may hold the same value.
type analysis struct {
	*facts
	ctx    context.Context
	panic  debugger.Panic
	frame  debugger.Frame // the culprit
	at     int            // the culprit's index in the stack
	home   place          // the function declaration around the culprit's line
	chosen suspect        // the expression to blame; its file is nil where there is none
	// guessed are the texts of all that may be to blame, where nothing tells them apart.
	guessed []string
	values  *values
	flow    *flow
	uses    map[any]*chanUses
	alike   []refusal // how neighbors treat what is bad here
	every   everyCall
	// doubtful: only what the values prove, or what nothing else can be, is chosen.
	doubtful bool
	// cannotBe reports that a definition does not give the bad value; nil when
	// every one may.
	cannotBe func(source) bool
	// missing is what is nil while ways to refuse it are made; see exitsWithout.
	missing string
}

// exitFinder finds how the function at the fault can refuse the bad value: the
// error it returns, the item it skips, the reply it sends.
type exitFinder struct {
	*analysis
}

// rules are the fixer's rules by kind of fault. A rule may call those of another
// kind: a nil value may come from a map, an index from a size.
type rules struct {
	nilRules     nilRules
	mapRules     mapRules
	indexRules   indexRules
	boundRules   boundRules
	sizeRules    sizeRules
	channelRules channelRules
	lockRules    lockRules
	libraryRules libraryRules
	refusalRules refusalRules
	typeRules    typeRules
}

func newRules(f *fixer) rules {
	return rules{nilRules{f}, mapRules{f}, indexRules{f}, boundRules{f}, sizeRules{f},
		channelRules{f}, lockRules{f}, libraryRules{f}, refusalRules{f}, typeRules{f}}
}

type (
	// nilRules: a nil pointer, function or interface is used.
	nilRules struct{ *fixer }
	// mapRules: a nil map is written to, or a value is used before it is made.
	mapRules struct{ *fixer }
	// indexRules: an index is outside of its slice, array or string.
	indexRules struct{ *fixer }
	// boundRules: a bound of a slice expression is.
	boundRules struct{ *fixer }
	// sizeRules: a number is wrong: a divisor, a size, a count.
	sizeRules struct{ *fixer }
	// channelRules: a channel is closed twice or sent to after that, a group is
	// counted down below zero.
	channelRules struct{ *fixer }
	// lockRules: a mutex is unlocked that is not locked.
	lockRules struct{ *fixer }
	// libraryRules: a function of a library panics because of what it is given.
	libraryRules struct{ *fixer }
	// refusalRules: the user's own code panics on purpose.
	refusalRules struct{ *fixer }
	// typeRules: a type assertion fails.
	typeRules struct{ *fixer }
)
