// Package analysis relates the stop to the source: the expressions at the culprit and in
// its callers, where values come from, and how the code around treats such values.
package analysis

import (
	"context"
	"go/ast"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/fixer/code"
	"github.com/pausetui/pausetui/fixer/flow"
	"github.com/pausetui/pausetui/fixer/syntax"
	"github.com/pausetui/pausetui/source/evidence"
)

// Analysis is the stop next to the source: values, where they come from, and
// what may hold the same value.
type Analysis struct {
	*code.Code
	Ctx    context.Context
	Panic  debugger.Panic
	Frame  debugger.Frame // the culprit
	At     int            // the culprit's index in the stack
	Home   syntax.Place   // the function declaration around the culprit's line
	Chosen Suspect        // the expression to blame; its file is nil where there is none
	// Guessed are the texts of all that may be to blame, where nothing tells them apart.
	Guessed []string
	Values  *Values
	Flow    *flow.Flow
	uses    map[any]*ChanUses
	Alike   []Refusal // how neighbors treat what is bad here
	Every   EveryCall
	// Doubtful: only what the values prove, or what nothing else can be, is chosen.
	Doubtful bool
	// CannotBe reports that a definition does not give the bad value; nil when
	// every one may.
	CannotBe func(code.Source) bool
}

// New begins the analysis of a stop at the culprit of a panic; sources are the
// contents of files that were read already.
func New(ctx context.Context, c evidence.Case, blamed debugger.Panic, sources map[string]string) *Analysis {
	return &Analysis{Code: code.New(c, sources), Ctx: ctx, Panic: blamed, At: blamed.Culprit, Values: newValues(ctx, c)}
}

// EveryCall is what is bad in every call, as rules found. A check that leaves the function
// does not fix it there: no caller gets a result any more.
type EveryCall struct {
	Value bool           // the value itself: nothing gives it another
	Loop  *ast.BlockStmt // the body of a loop that comes to the bad value on each run through it
}

// FlowOf computes the flow of the user's code, once a stop.
func (f *Analysis) FlowOf() *flow.Flow {
	if f.Flow == nil {
		f.Flow = flow.New(f.Code)
	}
	return f.Flow
}
