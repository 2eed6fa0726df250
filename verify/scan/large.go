package scan

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

// TooLarge says how a candidate is larger than what is compared with the code
// before; empty where it is not.
func TooLarge(edits []patch.Edit) string {
	added := 0
	for _, e := range edits {
		if !strings.HasSuffix(e.File, ".go") {
			continue
		}
		if added += addedTokens(e.Before, e.After); added > maxAdded {
			return fmt.Sprintf("it adds too much code to be compared with the original: more than %d tokens", maxAdded)
		}
		if depth := depthOf(e.After); depth > maxDepth && depth > depthOf(e.Before) {
			return fmt.Sprintf("%s is nested too deeply to be compared with the original: more than %d levels", e.File, maxDepth)
		}
	}
	return ""
}

// addedTokens counts the tokens in lines that a file did not have, or not as often. What
// was in a comment, or is put into one, counts as what the compiler takes it for.
func addedTokens(before, after string) (added int) {
	had := map[string]int{}
	for _, line := range tokenLines(before) {
		had[strings.Join(line, " ")]++
	}
	for _, line := range tokenLines(after) {
		key := strings.Join(line, " ")
		if had[key]--; had[key] < 0 {
			added += len(line)
		}
	}
	return added
}

// tokenLines are the tokens of a text by the lines in which they begin.
func tokenLines(text string) map[int][]string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, 0)
	lines := map[int][]string{}
	for {
		at, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		line := file.PositionFor(at, false).Line
		lines[line] = append(lines[line], tok.String()+literal)
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
