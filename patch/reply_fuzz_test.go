package patch

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzReply holds what is read from a model's reply to its limits, and the
// parts of the reply to the reply.
func FuzzReply(f *testing.F) {
	for _, s := range []string{
		"The map is nil.\n\n```go\nfunc f() {}\n```\nDone.",
		"**Fix**: make it. It was never made.\r\n\r\n~~~go main.go\r\npackage a\r\n~~~\r\n",
		"```\nunclosed\n````\n```go\n", "\x1b[31mred\x1b[0m \u202eevil\u202c\u200f. Next sentence, index.go too.",
		"# Heading\n\n## Diagnosis: x\n\n```diff\n--- a\n+++ b\n@@ -1 +1 @@\n```", "a\n\n``` `x` ```\n\nb", strings.Repeat("word. ", 900), "\xff\xfe\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		title, explanation := ReplyText(reply)
		if n := utf8.RuneCountInString(title); n > maxTitle || strings.ContainsAny(title, "\n\r") {
			t.Fatalf("title of %d characters: %q", n, title)
		}
		if n := utf8.RuneCountInString(explanation); n > maxExplanation {
			t.Fatalf("explanation of %d characters", n)
		}
		if at := strings.IndexFunc(title+explanation, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }); at >= 0 || !utf8.ValidString(title+explanation) {
			t.Fatalf("control characters reach the person: %q, %q", title, explanation)
		}
		blocks, prose := splitFences(reply)
		lines := map[string]int{}
		for line := range strings.SplitSeq(strings.ReplaceAll(reply, "\r\n", "\n"), "\n") {
			lines[line]++
		}
		take := func(text string) {
			for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
				if lines[line]--; lines[line] < 0 && line != "" {
					t.Fatalf("line %q is not so often in the reply", line)
				}
			}
		}
		take(prose)
		for _, b := range blocks {
			take(b.text)
		}
	})
}

// FuzzReplaceAll holds that search/replace takes nothing out of a file but what
// the reply searches for, and puts nothing in but what it gives.
func FuzzReplaceAll(f *testing.F) {
	const src = "package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 2\n}"
	block := func(search, replace string) string {
		return "a.go\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n"
	}
	for _, s := range []string{src, strings.ReplaceAll(src, "\n", "\r\n"), "\ufeff" + strings.Replace(src, "\n", "\r\n", 3), src + "\n"} {
		f.Add(s, block("\treturn 1\n", "\tx := 3\n\treturn x\n"))
		f.Add(s, block("\treturn 2\n}\n", "\treturn 4\n}\n")+block("package a\n", "package b\n"))
		f.Add(s, block("func f() int {\n\treturn 1\n}\n\n", ""))
		f.Add(s, "<<<<<<< SEARCH\n}\n=======\n};\n>>>>>>> REPLACE\n")
	}
	f.Fuzz(func(t *testing.T, src, reply string) {
		if len(src)+len(reply) > maxFuzzed {
			return
		}
		files := map[string]string{"a.go": src, "b.txt": "text\n"}
		edits, err := ReplaceAll(files, reply)
		var refused *ReplyError
		if err != nil {
			if !errors.As(err, &refused) || edits != nil {
				t.Fatalf("error %v with %d edits", err, len(edits))
			}
			return
		}
		if again, _ := ReplaceAll(files, reply); !reflect.DeepEqual(again, edits) {
			t.Fatal("a second time gives something else")
		}
		given := map[string]bool{}
		for line := range strings.SplitSeq(strings.ReplaceAll(reply, "\r\n", "\n"), "\n") {
			given[line] = true
		}
		for _, e := range edits {
			if e.Before != files[e.File] || e.Before == e.After {
				t.Fatalf("edit of %q: %q", e.File, e.Before)
			}
			before, after := linesOf(e.Before), linesOf(e.After)
			for line := range after {
				if !before[line] && !given[line] {
					t.Fatalf("new line %q is not the reply's", line)
				}
			}
			for line := range before {
				if !after[line] && !given[line] {
					t.Fatalf("lost line %q was not searched for", line)
				}
			}
			if strings.HasPrefix(e.Before, bom) != strings.HasPrefix(e.After, bom) && !given[bom+firstLine(e.After)] {
				t.Fatalf("byte order mark: %q", e.After)
			}
		}
	})
}

// linesOf is the set of a text's lines without their ends and the byte order mark.
func linesOf(text string) map[string]bool {
	lines, _ := cutEnds(splitLines(strings.TrimPrefix(text, bom)))
	set := map[string]bool{}
	for _, l := range lines {
		set[l] = true
	}
	return set
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(text, bom), "\n")
	return strings.TrimSuffix(line, "\r")
}
