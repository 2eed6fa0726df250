package fixer

import (
	"context"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/flow"
	"github.com/pausetui/pausetui/fixer/syntax"
)

// The layers of the fixer. Each embeds the one below it and adds what it needs
// to answer: code reads the source, analysis
// adds the paused program, exitFinder says how a function can refuse a value, and
// fixer offers candidates.

// analysis is the stop next to the source: values, where they come from, and
// what may hold the same value.
type analysis struct {
	*code.Code
	ctx    context.Context
	panic  debugger.Panic
	frame  debugger.Frame // the culprit
	at     int            // the culprit's index in the stack
	home   syntax.Place   // the function declaration around the culprit's line
	chosen suspect        // the expression to blame; its file is nil where there is none
	// guessed are the texts of all that may be to blame, where nothing tells them apart.
	guessed []string
	values  *values
	flow    *flow.Flow
	uses    map[any]*chanUses
	alike   []refusal // how neighbors treat what is bad here
	every   everyCall
	// doubtful: only what the values prove, or what nothing else can be, is chosen.
	doubtful bool
	// cannotBe reports that a definition does not give the bad value; nil when
	// every one may.
	cannotBe func(code.Source) bool
	// missing is what is nil while ways to refuse it are made; see exitsWithout.
	missing string
}

// exitFinder finds how the function at the fault can refuse the bad value: the
// error it returns, the item it skips, the reply it sends.
type exitFinder struct {
	*analysis
}
