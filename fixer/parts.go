package fixer

import "github.com/pausetui/pausetui/fixer/analysis"

// The layers of the fixer. Each embeds the one below it and adds what it needs
// to answer: code reads the source, analysis
// adds the paused program, exitFinder says how a function can refuse a value, and
// fixer offers candidates.

// exitFinder finds how the function at the fault can refuse the bad value: the
// error it returns, the item it skips, the reply it sends.
type exitFinder struct {
	*analysis.Analysis
}
