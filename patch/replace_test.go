package patch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

func replacing(search, replace string) string {
	return "Why.\n```\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n```\n"
}

func TestReplaceAll(t *testing.T) {
	src := "package a\n\nfunc f() int {\n\treturn 1\n}\n\nfunc g() int {\n\treturn 2\n}"
	cases := []struct {
		name, src, reply, want string
		err                    error
	}{
		{"one line", src, replacing("\treturn 1\n", "\treturn 3\n"), strings.Replace(src, "return 1", "return 3", 1), nil},
		{"to the end without a newline", src, replacing("\treturn 2\n}\n", "\treturn 4\n}\n"), strings.Replace(src, "return 2", "return 4", 1), nil},
		{"deletes", src, replacing("func f() int {\n\treturn 1\n}\n\n", ""), "package a\n\nfunc g() int {\n\treturn 2\n}", nil},
		{"named file", src, "a.go\n" + replacing("\treturn 1\n", "\treturn 3\n"), strings.Replace(src, "return 1", "return 3", 1), nil},
		{"other white space", src, replacing("    return 1\n", "    return 3\n"), "", patch.ErrNoMatch},
		{"part of a line", src, replacing("return 1\n", "return 3\n"), "", patch.ErrNoMatch},
		{"twice", src, replacing("}\n", "};\n"), "", patch.ErrAmbiguous},
		{"empty", src, replacing("", "x\n"), "", patch.ErrNoMatch},
		{"same", src, replacing("\treturn 1\n", "\treturn 1\n"), "", patch.ErrNoChange},
		{"breaks the file", src, replacing("\treturn 1\n", "\treturn (\n"), "", patch.ErrSyntax},
		{"open", src, "<<<<<<< SEARCH\nx\n=======\n", "", patch.ErrSyntax},
		{"none", src, "prose", "", patch.ErrNoCode},
		{"too long", src, strings.Repeat("x", patch.MaxReply+1), "", patch.ErrTooLong},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, eol := range []string{"\n", "\r\n"} {
				src, want := strings.ReplaceAll(c.src, "\n", eol), strings.ReplaceAll(c.want, "\n", eol)
				edits, err := patch.ReplaceAll(map[string]string{"a.go": src}, c.reply)
				if !errors.Is(err, c.err) {
					t.Fatalf("got %v, want %v", err, c.err)
				}
				if err == nil && (len(edits) != 1 || edits[0].After != want) {
					t.Fatalf("got %q\nwant %q", edits[0].After, want)
				}
			}
		})
	}
	two := map[string]string{"a.go": src, "b.go": src}
	if _, err := patch.ReplaceAll(two, replacing("\treturn 1\n", "\treturn 3\n")); !errors.Is(err, patch.ErrAmbiguous) {
		t.Errorf("in two files: %v", err)
	}
}

// What begins like the word "file" is a name, not a label: only what a colon or a
// space ends is one.
func TestTheFileOfABlock(t *testing.T) {
	for line, file := range map[string]string{
		"filepicker/filepicker.go":     "filepicker/filepicker.go",
		"file: filepicker/in.go":       "filepicker/in.go",
		"pathutil/x.go":                "pathutil/x.go",
		"./pathutil/x.go":              "pathutil/x.go",
		"filename.go":                  "filename.go",
		"// filename.go":               "filename.go",
		"File filename.go":             "filename.go",
		"Filename: file.go":            "file.go",
		"file.go":                      "file.go",
		"**File:** `in/x.go`":          "in/x.go",
		"### `in/x.go`:":               "in/x.go",
		"in/x.go":                      "in/x.go",
		"fileserver/v2/file/serve.go":  "fileserver/v2/file/serve.go",
		"`File.go`":                    "File.go",
		"file+net/größe.go":            "file+net/größe.go",
		"file":                         "", // no name: every file is searched
		"The fix belongs into file.go": "",
	} {
		t.Run(line, func(t *testing.T) {
			const src = "package a\n\nvar n = 1\n"
			files := map[string]string{"other/y.go": "package b\n"}
			if file == "" {
				files["anywhere/z.go"] = src
			} else { // the others hold the text too: only the name can tell
				files[file], files["picker/filepicker.go"], files["name.go"] = src, src, src
				files["deep/"+file] = src
			}
			edits, err := patch.ReplaceAll(files, line+"\n"+replacing("var n = 1\n", "var n = 2\n"))
			if err != nil || len(edits) != 1 || file != "" && edits[0].File != file {
				t.Fatalf("got %+v, %v; want an edit of %q", edits, err, file)
			}
		})
	}
}
