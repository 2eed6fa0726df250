package patch_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestFaithful(t *testing.T) {
	const src = "package a\n\nfunc f() int {\n\treturn 1\n}\n"
	const fixed = "package a\n\nfunc f() int {\n\tx := 2\n\treturn x\n}\n"
	mixed := "package a\r\n\nfunc f() int {\r\n\treturn 1\n}\r\n"
	cases := []struct{ name, before, after, want string }{
		{"newlines only", src, fixed, fixed},
		{"carriage returns", crlf(src), fixed, crlf(fixed)},
		{"carriage returns, new lines without", crlf(src), strings.Replace(crlf(fixed), "x := 2\r\n", "x := 2\n", 1), crlf(fixed)},
		{"carriage returns brought in", src, crlf(fixed), fixed},
		{"mixed", mixed, fixed, "package a\r\n\nfunc f() int {\r\n\tx := 2\r\n\treturn x\r\n}\r\n"},
		{"mixed, only spliced", mixed, strings.Replace(mixed, "\treturn 1\n", "\tx := 2\n\treturn x\n", 1),
			"package a\r\n\nfunc f() int {\r\n\tx := 2\r\n\treturn x\r\n}\r\n"},
		{"mixed, one line changed", mixed, strings.Replace(mixed, "\treturn 1\n", "\treturn 2\r\n", 1), strings.Replace(mixed, "return 1", "return 2", 1)},
		{"mixed, a line with a carriage return changed", "a\nb := 1\r\nc\n", "a\nb := 2\nc\n", "a\nb := 2\r\nc\n"},
		{"mixed, a line indented", "package a\r\n\nfunc f() {\n\tg()\r\n}\n", "package a\r\n\nfunc f() {\n\tif x {\n\t\tg()\n\t}\n}\n",
			"package a\r\n\nfunc f() {\n\tif x {\n\t\tg()\r\n\t}\r\n}\n"},
		{"byte order mark lost", "\ufeff" + src, fixed, "\ufeff" + fixed},
		{"byte order mark brought in", src, "\ufeff" + fixed, fixed},
		{"final newline brought in", strings.TrimSuffix(src, "\n"), fixed, strings.TrimSuffix(fixed, "\n")},
		{"final newline lost", src, strings.TrimSuffix(fixed, "\n"), fixed},
		{"final newline lost with a new end", crlf(src), fixed + "\nvar x = 1", crlf(fixed + "\nvar x = 1\n")},
		{"no final newline, new end", strings.TrimSuffix(src, "\n"), fixed + "\nvar x = 1\n", fixed + "\nvar x = 1\n"},
		{"all of it at once", "\ufeff" + crlf(strings.TrimSuffix(src, "\n")), fixed, "\ufeff" + crlf(strings.TrimSuffix(fixed, "\n"))},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := patch.Edit{File: "a.go", Before: c.before, After: c.after}
			got := e.Faithful()
			if got.After != c.want {
				t.Errorf("got  %q\nwant %q", got.After, c.want)
			}
			if again := got.Faithful(); again != got {
				t.Errorf("a second time gives %q", again.After)
			}
		})
	}
	made := patch.Edit{File: "a_test.go", After: crlf(src), Create: true}
	if made.Faithful() != made {
		t.Error("a new file has no ways to keep")
	}
}

// Lines that a splice or a replacement does not touch stay as they are, byte
// for byte, within the replaced function too.
func TestMixedLineEndsStay(t *testing.T) {
	const before = "package a\n\r\nfunc f(m map[string]int) {\r\n\tprintln(1)\n\tprintln(2)\r\n\tm[\"a\"]++\n}\r\n\nfunc g() {\n}\r\n"
	const after = "package a\n\r\nfunc f(m map[string]int) {\r\n\tprintln(1)\n\tprintln(2)\r\n\tif m == nil {\r\n\t\treturn\r\n\t}\r\n\tm[\"a\"]++\n}\r\n\nfunc g() {\n}\r\n"
	got, err := patch.Splice([]byte(before), "a.go", fenced("func f(m map[string]int) {\n\tprintln(1)\n\tprintln(2)\n\tif m == nil {\n\t\treturn\n\t}\n\tm[\"a\"]++\n}"))
	if err != nil || got.Edits[0].After != after {
		t.Errorf("spliced: %v\ngot  %#v\nwant %q", err, got.Edits, after)
	}
	edits, err := patch.ReplaceAll(map[string]string{"a.go": before},
		replacing("\tprintln(2)\n\tm[\"a\"]++\n", "\tprintln(2)\n\tif m == nil {\n\t\treturn\n\t}\n\tm[\"a\"]++\n"))
	if err != nil || edits[0].After != after {
		t.Errorf("replaced: %v\ngot  %#v\nwant %q", err, edits, after)
	}
}

// What a splice adds in a file of Windows ends as there: imports, new
// functions, changed doc comments.
func TestSpliceOfWindowsFiles(t *testing.T) {
	src := "\ufeff" + crlf(strings.TrimSuffix(indexGo, "\n"))
	reply := fenced("// Add counts a word,\n// in lower case.\nfunc (x *Index) Add(word string) {\n\tx.terms[strings.ToLower(word)] += one()\n}\n\nfunc one() int {\n\treturn 1\n}")
	got, err := patch.Splice([]byte(src), "index.go", reply)
	if err != nil {
		t.Fatal(err)
	}
	after := got.Edits[0].After
	if n, all := strings.Count(after, "\r\n"), strings.Count(after, "\n"); n != all {
		t.Errorf("%d of %d lines end as the file's:\n%q", n, all, after)
	}
	if !strings.HasPrefix(after, "\ufeffpackage") && !strings.HasPrefix(after, "\ufeff//") {
		t.Errorf("the byte order mark is gone: %q", after[:20])
	}
	if strings.HasSuffix(after, "\n") {
		t.Error("there is a final newline now")
	}
	for _, want := range []string{"\t\"strings\"\r\n)", "// in lower case.\r\nfunc", "func one() int {\r\n\treturn 1\r\n}"} {
		if !strings.Contains(after, want) {
			t.Errorf("no %q in %q", want, after)
		}
	}
}

func TestReplaceAfterAByteOrderMark(t *testing.T) {
	src := "\ufeffpackage a\r\n\r\nvar x = 1"
	edits, err := patch.ReplaceAll(map[string]string{"a.go": src}, replacing("package a\n", "package b\n"))
	if want := "\ufeffpackage b\r\n\r\nvar x = 1"; err != nil || edits[0].After != want {
		t.Errorf("%v, got %#v, want %q", err, edits, want)
	}
}
