package fixer

import (
	"github.com/pausetui/pausetui/internal/lazyregexp"
)

// emptyParsed are the messages of parsing a text that is empty.
var emptyParsed = lazyregexp.New(`parsing "": |invalid duration ""|invalid syntax: ""|parsing time "" as`)
