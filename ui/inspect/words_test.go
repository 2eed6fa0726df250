package inspect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/ui/inspect"
)

func TestWords(t *testing.T) {
	s := inspect.NewSource("a.go", "package p\r\n\r\nimport (\r\n\tx \"example.org/日/y\"\r\n)\r\n\r\n"+
		"func (x *Index) Add(n int) error { // no names here\r\n\treturn x.run(\"日本\", 0xff, 1e9, été_1)\r\n`raw\r\ntext` + z\xff.f\r\n")
	for line, want := range map[int]string{
		1:  "p@9:8",
		2:  "",
		4:  "example.org/日/y@5:7",
		7:  "x@7:6 Index@10:9 Add@17:16( n@21:20 int@23:22 error@28:27",
		8:  "x@9:11 run@11:13( été_1@36:36",
		9:  "",
		10: "z@9:8 f@12:11",
		99: "",
	} {
		var got []string
		for _, w := range s.Words(line) {
			call := ""
			if w.Call {
				call = "("
			}
			got = append(got, fmt.Sprintf("%s@%d:%d%s", w.Text, w.Column, w.Cell, call))
			if raw := s.Raw(line); !strings.HasPrefix(raw[w.Column-1:], w.Text) {
				t.Errorf("line %d: %q stands not at %d of %q", line, w.Text, w.Column, raw)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("line %d: %q, want %q", line, strings.Join(got, " "), want)
		}
	}
}

func TestFindText(t *testing.T) {
	s := inspect.NewSource("a.go", "package p\n\n// Go go GO 日本go\nvar go_ = \"Go\"\n")
	for text, want := range map[string][]inspect.Found{
		"go":   {{3, 3, 2}, {3, 6, 2}, {3, 9, 2}, {3, 16, 2}, {4, 4, 2}, {4, 11, 2}},
		"Go":   {{3, 3, 2}, {4, 11, 2}},
		"本":    {{3, 14, 2}},
		"":     nil,
		"none": nil,
	} {
		if got := s.Find(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
