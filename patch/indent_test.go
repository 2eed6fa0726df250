package patch_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/patch"
)

const spacesGo = `package a

import "fmt"

func f(m map[string]int, keys []string) int {
    n:=0 // so far
    for _,k := range keys {
        switch {
            case k == "":
                n++
        }
        fmt.Println( k )
    }
      odd(n)
    text := ` + "`\n\traw  text\n`" + `
    return len(text)+n
}
`

func TestCodeIsIndentedAsItsFileIs(t *testing.T) {
	for _, c := range []struct {
		name, src, after, want string
	}{
		{name: "inserted with tabs", src: spacesGo,
			after: strings.Replace(spacesGo, "    n:=0", "\tif m == nil {\n\t\treturn 0\n\t}\n    n:=0", 1),
			want:  strings.Replace(spacesGo, "    n:=0", "    if m == nil {\n        return 0\n    }\n    n:=0", 1)},
		{name: "inserted at the beginning of the line", src: spacesGo,
			after: strings.Replace(spacesGo, "        fmt.Println", "if k == \"x\" {\ncontinue\n}\n        fmt.Println", 1),
			want:  strings.Replace(spacesGo, "        fmt.Println", "        if k == \"x\" {\n            continue\n        }\n        fmt.Println", 1)},
		{name: "the whole function, formatted", src: spacesGo,
			after: "package a\n\nimport \"fmt\"\n\nfunc f(m map[string]int, keys []string) int {\n\tn := 0 // so far\n\tfor _, k := range keys {\n\t\tswitch {\n\t\tcase k == \"\":\n\t\t\tn++\n\t\tcase m == nil:\n\t\t\treturn 0\n\t\t}\n\t\tfmt.Println(k)\n\t}\n\todd(n)\n\ttext := `\n\traw  text\n`\n\treturn len(text) + n\n}\n",
			want:  strings.Replace(spacesGo, "                n++\n", "                n++\n            case m == nil:\n                return 0\n", 1)},
		{name: "lines that are wrapped", src: spacesGo,
			after: strings.Replace(spacesGo, "        fmt.Println( k )\n", "        if k != \"\" {\n        fmt.Println( k )\n}\n", 1),
			want:  strings.Replace(spacesGo, "        fmt.Println( k )\n", "        if k != \"\" {\n            fmt.Println( k )\n        }\n", 1)},
		{name: "next to an odd line", src: spacesGo,
			after: strings.Replace(spacesGo, "      odd(n)\n", "      odd(n)\n\todd(n + 1)\n", 1),
			want:  strings.Replace(spacesGo, "      odd(n)\n", "      odd(n)\n      odd(n + 1)\n", 1)},
		{name: "the first of a body with its own way", src: "package a\nfunc g() {\n   h()\n}\n",
			after: "package a\nfunc g() {\n\tdefer h()\n   h()\n}\n", want: "package a\nfunc g() {\n   defer h()\n   h()\n}\n"},
		{name: "raw text is text", src: spacesGo,
			after: strings.Replace(spacesGo, "\traw  text", "    raw  text\n  and more", 1), want: strings.Replace(spacesGo, "\traw  text", "    raw  text\n  and more", 1)},
		{name: "a string is a string", src: "package a\nvar s  = \"a  b\"\n", after: "package a\nvar s = \"a b\"\n", want: "package a\nvar s = \"a b\"\n"},
		{name: "a formatted file", src: "package a\n\nfunc g() {\n\th()\n}\n", after: "package a\n\nfunc g() {\n    h()\n  i()\n}\n", want: "package a\n\nfunc g() {\n    h()\n  i()\n}\n"},
		{name: "a new function", src: spacesGo, after: spacesGo + "\nfunc odd(n int) {\n\tif n > 0 {\n\t\tpanic(n)\n\t}\n}\n", want: spacesGo + "\nfunc odd(n int) {\n    if n > 0 {\n        panic(n)\n    }\n}\n"},
		{name: "no Go", src: "a {\n  b\n}\n", after: "a {\n\tc\n  b\n}\n", want: "a {\n\tc\n  b\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, end := range []string{"\n", "\r\n"} {
				e := patch.Edit{File: "a.go", Before: strings.ReplaceAll(c.src, "\n", end), After: c.after}
				want := strings.ReplaceAll(c.want, "\n", end)
				got := e.Faithful()
				if got.After != want {
					t.Fatalf("got\n%s\nwant\n%s", got.After, want)
				}
				if again := got.Faithful(); again != got {
					t.Errorf("a second time gives\n%s", again.After)
				}
			}
		})
	}
}
