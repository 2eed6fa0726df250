package patch

import (
	_ "embed"
	"strings"
)

//go:generate go run gen_std.go

//go:embed std.txt
var stdList string

// standard lists the standard library's packages, one for each name: where
// several share a name, the one that ordinary programs use.
var standard = strings.Fields(stdList)
