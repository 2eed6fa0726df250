package prompts

import "github.com/pausetui/pausetui/debugger"

// Value writes a value as prompts show it: one bounded line of Go-like text.
func Value(v debugger.Variable) string { return shower{}.value(v, valueDepth) }

// Variables lists variables as prompts show them, one a line.
func Variables(vars []debugger.Variable) string { return showVariables(vars) }

// Data fences what comes from the running program, so that it stands as data.
func Data(text string) string { return data(manyLines(text)) }

// ManyLines strips control characters but keeps lines.
func ManyLines(text string) string { return manyLines(text) }

// OneLine bounds text of the program and takes line breaks and control
// characters out of it.
func OneLine(text string) string { return oneLine(text) }
