package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/review"
)

// What tests mention is what they compare with.
func TestMentioned(t *testing.T) {
	const code = "package p\n\nimport \"errors\"\n\nvar Err = errors.New(\"empty\")\n\nvar errOther = errors.New(\"other\")\n\nconst Limit = limit + 1\n\nconst limit = 9\n\nconst (\n\tone = iota\n\ttwo\n\tthree\n)\n\n" +
		"var table = []func(string) string{func(s string) string { return s }, func(s string) string { return s + \"!\" }}\n\nvar all = fill(errOther)\n\nvar count, sum int\n\n// F may fail.\nfunc F(limit int) error { sum++; return nil }\n"
	const beside = "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\terrOther := F(Limit)\n\tif errOther != Err || two != 1 || len(table) != 2 || len(all) != 1 || count != 1 || sum != 1 {\n\t\tt.Error(errOther)\n\t}\n}\n"
	const apart = "package p_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m\"\n)\n\nfunc TestF(t *testing.T) {\n\tif m.F(0) != m.Err {\n\t\tt.Error()\n\t}\n}\n"
	for _, tt := range []struct {
		name, test string
		edit       []string
		want       string
	}{
		{"an error", beside, []string{"Err = errors.New(\"empty\")", "Err error"}, "Err"},
		{"from outside", apart, []string{"Err = errors.New(\"empty\")", "Err = errOther"}, "Err"},
		{"by its name alone", strings.NewReplacer("\"example.com/m\"", ". \"example.com/m\"", "m.", "").Replace(apart), []string{"Err = errors.New(\"empty\")", "Err = errOther"}, "Err"},
		{"which a test does not mention", apart, []string{"limit = 9", "limit = 8"}, ""},
		{"what has the name of a local variable", beside, []string{"errors.New(\"other\")", "errors.New(\"more\")"}, ""},
		{"by what it is worked out from", beside, []string{"limit = 9", "limit = 8"}, "Limit"},
		{"by its place", beside, []string{"\tone = iota\n", "\tzero = iota\n\tone\n"}, "two"},
		{"after it", beside, []string{"\tthree\n", "\tthree\n\tfour\n"}, ""},
		{"a row less", beside, []string{", func(s string) string { return s + \"!\" }", ""}, "table"},
		{"what a row does", beside, []string{"return s + \"!\"", "return s + \"?\""}, ""},
		{"set when the program starts", beside, []string{"// F may", "func init() { table = table[:1] }\n\n// F may"}, "table"},
		{"or a part of it", beside, []string{"// F may", "var _ = func() int { table[1] = table[0]; return 0 }()\n\n// F may"}, "table"},
		{"set where nothing was", beside, []string{"sum++", "sum++; Err = nil"}, "Err"},
		{"set as well", beside, []string{"sum++", "sum += 2"}, ""},
		{"moved", beside, []string{"var Err = errors.New(\"empty\")\n\n", "", "// F may", "var Err = errors.New(\"empty\")\n\n// F may"}, ""},
		{"a function", beside, []string{"return nil", "return Err"}, ""},
	} {
		files := func(text string) func(string) map[string]string {
			return func(path string) map[string]string {
				if path != "example.com/m" {
					return nil
				}
				return map[string]string{"m.go": text}
			}
		}
		before := files(code)
		v := review.Mentioned(map[string]string{"m_test.go": tt.test}, before, "example.com/m")
		if got := v.Changed(before, files(strings.NewReplacer(tt.edit...).Replace(code)), "example.com/m"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
