package main

import (
	"encoding/json"
	"os"

	"github.com/pausetui/pausetui/llm/choose"
)

// caution marks the results whose first place would carry the caution of a poor
// record. The record of each is that of the other cases of its class, so that no
// case warns of itself. pausetui's own caution does not count here: it comes from
// the record that this command wrote the last time, over all cases.
func caution(results []result) {
	for i := range results {
		r := &results[i]
		if len(r.candidates) == 0 || !r.top().onlyBuiltin() {
			continue
		}
		others := filter(results, func(o result) bool { return o.c != r.c && o.c.Class == r.c.Class })
		verified, right := builtinRecord(others)
		r.cautioned = choose.Doubtful(verified, right)
	}
}

// builtinRecord counts the verified first places of the built-in fixer alone, and
// those of them that are right.
func builtinRecord(results []result) (verified, right int) {
	for _, r := range results {
		if r.setting == builtin && fixable(r) && r.top().Verified && !r.top().warns() {
			verified++
			if r.rightFirst() {
				right++
			}
		}
	}
	return verified, right
}

// writeRecord writes the record of the built-in fixer by class, for package
// choose. Classes with a single closed case are left out.
func writeRecord(file string, results []result) error {
	var list []choose.BenchResult
	for _, class := range classes(results) {
		of := filter(results, func(r result) bool { return r.setting == builtin && fixable(r) && r.c.Class == class })
		if exposes(of) || len(of) == 0 {
			continue
		}
		verified, right := builtinRecord(of)
		list = append(list, choose.BenchResult{Model: "builtin/rules", Class: class, Cases: len(of), Verified: verified, Right: right})
	}
	data, err := json.MarshalIndent(list, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}
