package choose

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/pausetui/pausetui/patch"
)

// builtinRecord is what the corpus showed of the built-in fixer, by class: a list of
// BenchResult, made by the measurement of the corpus.
//
//go:embed builtin.json
var builtinRecord []byte

// Caution says what the corpus showed against verified fixes of a model on a
// class; empty when nothing did. Only the built-in fixer is measured there.
func Caution(class, model string) string {
	if model != patch.BuiltinModel {
		return ""
	}
	var list []BenchResult
	if err := json.Unmarshal(builtinRecord, &list); err != nil {
		panic("choose: builtin.json: " + err.Error()) // part of the binary
	}
	for _, r := range list {
		if r.Class == class && Doubtful(r.Verified, r.Right) {
			return fmt.Sprintf("of %d verified fixes of the built-in fixer for %s in pausetui's benchmark, %d %s right", r.Verified, class, r.Right, was(r.Right))
		}
	}
	return ""
}

// Doubtful reports whether a record warrants a warning: at least two verified
// fixes were judged, and fewer than two thirds of them were right.
func Doubtful(verified, right int) bool { return verified >= 2 && 3*right < 2*verified }

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
