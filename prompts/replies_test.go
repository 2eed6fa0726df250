package prompts_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/prompts"
)

// repaired is the file that every usable reply below makes.
var repaired = strings.Replace(indexGo, "&Index{}", "&Index{terms: map[string]Posting{}}", 1)

const newIndex = "func NewIndex() *Index {\n\treturn &Index{terms: map[string]Posting{}}\n}\n"

// block is the same as a search/replace block.
const block = "index.go\n<<<<<<< SEARCH\n\treturn &Index{}\n=======\n\treturn &Index{terms: map[string]Posting{}}\n>>>>>>> REPLACE\n"

// What becomes of the replies that models do give, in each format: a candidate,
// or the exact reason with what to do about it.
func TestReplies(t *testing.T) {
	type reply struct {
		text string
		want error  // nil: a candidate that makes the file as repaired
		says string // in the complaint, or in the warnings
	}
	both := map[string]reply{
		"strong, a function": {"The map is nil; NewIndex should make it.\n\n```go\n" + newIndex + "```\n", nil, ""},
		"strong, a block":    {"The map is nil; NewIndex should make it.\n\n" + block, nil, ""},
		"a fenced block":     {"Why.\n\n```\n" + block + "```\n", nil, ""},
		"block in go fence":  {"Why.\n\n```go\n" + strings.TrimPrefix(block, "index.go\n") + "```\n", nil, ""},

		"CRLF":           {strings.ReplaceAll("Why.\n\n```go\n"+newIndex+"```\n", "\n", "\r\n"), nil, ""},
		"CRLF, block":    {strings.ReplaceAll("Why.\n\n"+block, "\n", "\r\n"), nil, ""},
		"no fence":       {newIndex, nil, ""},
		"fence not go":   {"Why.\n```\n" + newIndex + "```", nil, ""},
		"golang fence":   {"Why.\n```golang\n" + newIndex + "```", nil, ""},
		"not closed":     {"Why.\n```go\n" + newIndex, nil, ""},
		"prose around":   {"Sure! Here is the fix.\n\n## Diagnosis\nIt is nil.\n\n```go\n" + newIndex + "```\n\nThis makes the map. Let me know if you need `more`!", nil, ""},
		"spaces":         {"Why.\n```go\n" + strings.ReplaceAll(newIndex, "\t", "    ") + "```", nil, ""},
		"no indentation": {"Why.\n```go\n" + strings.ReplaceAll(newIndex, "\t", "") + "```", nil, ""},
		"in a list":      {"1. Why.\n   ```go\n   " + strings.ReplaceAll(strings.TrimSpace(newIndex), "\n", "\n   ") + "\n   ```\n", nil, ""},
		"whole file":     {"Why.\n```go\n" + repaired + "```", nil, ""},
		"thinking":       {"<think>\nMaybe:\n```go\nfunc NewIndex() *Index {\n\treturn nil\n}\n```\nno.\n</think>\nWhy.\n```go\n" + newIndex + "```", nil, ""},
		"thinking, cut":  {"Maybe:\n```go\nfunc NewIndex() *Index {\n\treturn nil\n}\n```\n</think>\n\nWhy.\n```go\n" + newIndex + "```", nil, ""},
		"extra function": {"Why.\n```go\n" + newIndex + "\nfunc (x *Index) Add(word string, doc int) {\n\tp := x.terms[word]\n\tp.Docs = append(p.Docs, doc)\n\tx.terms[word] = p\n}\n```", nil, ""},

		"elided":          {"Why.\n```go\nfunc NewIndex() *Index {\n\t// ... rest unchanged\n}\n```", patch.ErrElided, "Write every line"},
		"a diff":          {"Why.\n```diff\n--- a/index.go\n+++ b/index.go\n@@ -13,1 +13,1 @@\n-\treturn &Index{}\n+\treturn nil\n```", patch.ErrDiff, "Do not give a diff"},
		"unbalanced":      {"Why.\n```go\nfunc NewIndex() *Index {\n\treturn &Index{\n}\n```", patch.ErrSyntax, "balanced braces"},
		"statement only":  {"Why.\n```go\nx.terms = map[string]Posting{}\n```", patch.ErrSyntax, "whole declarations"},
		"no change":       {"Why.\n```go\nfunc NewIndex() *Index {\n\treturn &Index{}\n}\n```", patch.ErrNoChange, "the same as before"},
		"only words":      {"You should make the map in NewIndex.", patch.ErrNoCode, "```go block"},
		"another program": {"```go\nfunc Unheard() int { return 1 }\n```", patch.ErrUnknownDecl, "functions that were shown"},
		"only thinking":   {"<think>\nhm\n</think>\n", patch.ErrNoCode, ""},
		"nothing":         {"", patch.ErrNoCode, ""},
		"not there":       {"Why.\n" + strings.Replace(block, "return &Index{}", "return new(Index)", 1), patch.ErrNoMatch, "exactly so"},
		"not its file":    {"Why.\n" + strings.Replace(block, "index.go", "other.go", 1), patch.ErrNoFile, "files of the program's own modules"},
		"block not ended": {"Why.\n" + strings.Replace(block, ">>>>>>> REPLACE\n", "", 1), patch.ErrSyntax, "not closed"},
		"twice":           {"Why.\n<<<<<<< SEARCH\n}\n=======\n}\n\n>>>>>>> REPLACE\n", patch.ErrAmbiguous, "more than one place"},
	}
	c := nilMap(t)
	for name, r := range both {
		t.Run(name, func(t *testing.T) {
			got, err := prompts.Candidates(r.text, c, patch.Source{})
			if r.want != nil {
				if !errors.Is(err, r.want) || !strings.Contains((prompts.Profile{Format: prompts.Functions}).Complaint(err), r.says) {
					t.Fatalf("%+v, %v; want %v", got, err, r.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if e := got[0].Edits; len(e) != 1 || e[0].File != "index.go" || e[0].After != repaired {
				t.Errorf("edits:\n%s", got[0].Edits[0].After)
			}
		})
	}
}

// What a complaint asks for is what the profile asks for.
func TestComplaintByFormat(t *testing.T) {
	l := library(t)
	for _, err := range []error{patch.ErrNoCode, patch.ErrDiff, patch.ErrSyntax, patch.ErrElided, patch.ErrPartial, patch.ErrAmbiguous, patch.ErrNoMatch, patch.ErrNoFile,
		patch.ErrUnknownDecl, patch.ErrNoChange, patch.ErrTooLong, prompts.ErrRedacted, prompts.ErrNotEditable} {
		wrapped := &patch.ReplyError{Err: err, Text: strings.Repeat("long\n", 1000)}
		for name, want := range map[string][2]string{"whole-function": {"```go block", "SEARCH"}, "search-replace": {"<<<<<<< SEARCH", "```go"}} {
			got := l[name].Complaint(wrapped)
			if !strings.Contains(got, want[0]) || strings.Contains(got, want[1]) || !strings.Contains(got, err.Error()) || strings.Contains(got, "\n") || len(got) > 1200 {
				t.Errorf("%s, %v: %s", name, err, got)
			}
		}
	}
}

// A fix that changes a test is refused: the test says what was meant.
func TestRepliesMayNotChangeTests(t *testing.T) {
	c := nilMap(t)
	file := c.Workspace.Abs("index_test.go")
	write(t, file, "package index\n\nfunc check(x *Index) bool { return x.terms != nil }\n")
	c.Stop.Frames[2].File, c.Stop.Frames[2].Line = file, 3
	_, err := prompts.Candidates("No check.\n```go\nfunc check(x *Index) bool { return true }\n```", c, patch.Source{})
	if !errors.Is(err, prompts.ErrNotEditable) || !strings.Contains((prompts.Profile{Format: prompts.Functions}).Complaint(err), "no tests") {
		t.Errorf("got %v", err)
	}
}
