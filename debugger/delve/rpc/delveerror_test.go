package rpc

import (
	"errors"
	"fmt"
	"net/rpc"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

func TestDelvesErrorsHaveKinds(t *testing.T) {
	for text, kind := range map[string]error{
		"could not find statement at main.go:3, please use a line with a statement":          ErrNoStatement,
		"Breakpoint exists at main.go:3 at 4a":                                               ErrBreakExists,
		"key not found":                                                                      debugger.ErrNoKey,
		"breakpoint name already exists":                                                     ErrNameExists,
		`Location "f" ambiguous: main.f, other.f…`:                                           ErrAmbiguous,
		"Process 12 has exited with status 2":                                                debugger.ErrGone,
		"error evaluating expression: could not find symbol value for x":                     ErrCondition,
		"could not attach to pid 1: this could be caused by a kernel security setting":       ErrYama,
		"call not at safe point":                                                             ErrUnsafe,
		"can not watch stack allocated variable for reads":                                   ErrWatchStack,
		"Version of Delve is too old for Go version go1.99 (maximum supported version 1.27)": ErrGoTooOld,
	} {
		err := fmt.Errorf("an operation: %w", CallError(rpc.ServerError(text)))
		if !errors.Is(err, kind) {
			t.Errorf("%q is not %v", text, kind)
		}
		if errors.Is(err, ErrStripped) {
			t.Errorf("%q is of a kind that it is not", text)
		}
	}
	if err := errors.New("breakpoint name already exists"); errors.Is(err, ErrNameExists) {
		t.Error("an error that is not Delve's has a kind of Delve's")
	}
}

func TestAConditionThatFailsIsExplained(t *testing.T) {
	for text, want := range map[string]string{
		"error evaluating expression: could not find symbol value for x": "its condition cannot be evaluated: there is no x here",
		"error evaluating expression: division by zero":                  "its condition cannot be evaluated: division by zero",
		"condition expression not boolean":                               "its condition is neither true nor false: it is not a bool",
		"multiple errors evaluating conditions":                          "the conditions of several breakpoints cannot be evaluated here",
	} {
		if got := Unanswered(Error{text}); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
