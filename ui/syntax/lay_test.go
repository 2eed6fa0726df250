package syntax

import (
	"strings"
	"testing"
)

func TestLay(t *testing.T) {
	for _, test := range []struct {
		source string
		w      int
		want   string
	}{
		{"f(1, 2)", 20, "f(1, 2)"},
		{`list([]note{{text: "signed, by", by: &author{name: "Ann"}}, {text: "unsigned"}})`, 40, "list([]note{\n    {\n        text: \"signed, by\",\n        by: &author{name: \"Ann\"},\n    },\n    {text: \"unsigned\"},\n})"},
		{`(&Index{terms: map[string]int{"a": 1}}).Add("a", 0)`, 30, "(&Index{\n    terms: map[string]int{\n        \"a\": 1,\n    },\n}).Add(\"a\", 0)"},
		{`returns T{a: 1, b: 2, c: 3}, error "it, is"`, 25, "returns T{\n    a: 1,\n    b: 2,\n    c: 3,\n}, error \"it, is\""},
		{"f([, 1234567890", 5, "f([, 1234567890"}, // brackets that nothing closes
		{"'(' + \"[{\" + `)` + 'a'", 5, "'(' + \"[{\" + `)` + 'a'"},
		{"f()", 1, "f()"},
	} {
		if got := strings.Join(Lay(test.source, test.w), "\n"); got != test.want {
			t.Errorf("%s\nin %d cells:\n%s\nwant\n%s", test.source, test.w, got, test.want)
		}
	}
}
