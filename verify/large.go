package verify

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/pausetui/pausetui/patch"
)

// The comparison of a candidate with the code before takes time in proportion to the
// square of what is added, and of how deep it is nested. It cannot be interrupted.
const (
	maxAdded = 10_000 // tokens in added lines
	maxDepth = 500    // of syntax
)

// tooLarge says how a candidate is larger than what is compared with the code
// before; empty where it is not.
func tooLarge(edits []patch.Edit) string {
	added := 0
	for _, e := range edits {
		if !strings.HasSuffix(e.File, ".go") {
			continue
		}
		if added += tokens(addedLines(e.Before, e.After)); added > maxAdded {
			return fmt.Sprintf("it adds too much code to be compared with the original: more than %d tokens", maxAdded)
		}
		if depth := depthOf(e.After); depth > maxDepth && depth > depthOf(e.Before) {
			return fmt.Sprintf("%s is nested too deeply to be compared with the original: more than %d levels", e.File, maxDepth)
		}
	}
	return ""
}

// addedLines are the lines of a text that another one does not have, or not as often.
func addedLines(before, after string) string {
	had := map[string]int{}
	for line := range strings.Lines(before) {
		had[strings.TrimSpace(line)]++
	}
	var added strings.Builder
	for line := range strings.Lines(after) {
		key := strings.TrimSpace(line)
		if had[key]--; had[key] < 0 {
			added.WriteString(key + "\n")
		}
	}
	return added.String()
}

// tokens counts the tokens of a text.
func tokens(text string) int {
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile("", set.Base(), len(text)), []byte(text), nil, 0)
	n := 0
	for {
		if _, tok, _ := s.Scan(); tok == token.EOF {
			return n
		}
		n++
	}
}

// depthOf is how deep the syntax of a file is nested, as far as it parses.
func depthOf(text string) int {
	file, _ := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if file == nil {
		return 0
	}
	depth, most := 0, 0
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			depth--
			return false
		}
		depth++
		most = max(most, depth)
		return true
	})
	return most
}
