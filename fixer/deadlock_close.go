package fixer

import (
	"strings"
)

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
