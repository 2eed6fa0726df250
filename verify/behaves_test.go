package verify

import (
	"testing"

	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/verify/verdict"
)

// behavior compares a candidate.
func (f fixture) behavior(t testing.TB, c patch.Candidate) verdict.Behavior {
	t.Helper()
	v, err := New(f.subject, Options{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	}()
	b, err := v.Behavior(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBehavior(t *testing.T) {
	f := crashing(t, "index")
	for _, c := range []patch.Candidate{
		f.edit(t, "index.go", "return &Index{}", "return &Index{terms: map[string][]int{}}"),
		f.edit(t, "index.go", "	x.calls++\n", "	if x.terms == nil {\n\t\tx.terms = map[string][]int{}\n\t}\n	x.calls++\n"),
		f.edit(t, "index.go", "	x.calls++\n", "	if x.terms == nil {\n\t\treturn\n\t}\n"),
	} {
		b := f.behavior(t, c)
		t.Logf("%+v", b)
	}
	f = crashing(t, "notes")
	for _, c := range []patch.Candidate{
		f.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && len(n.by.name) > 0"),
		f.edit(t, "main.go", "b.WriteString(n.text)", "if n.by == nil {\n\t\t\tcontinue\n\t\t}\n\t\tb.WriteString(n.text)"),
		f.edit(t, "main.go", "len(n.by.name) > 0", "n.by != nil && len(n.by.name) > 3"),
	} {
		b := f.behavior(t, c)
		t.Logf("%+v", b)
	}
}
