package review_test

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/verify/review"
)

// What is set in another package, or has the name of one, changes code that stands as it did.
func TestForeign(t *testing.T) {
	const token = "package p\n\nimport (\n\t\"crypto/rand\"\n\t\"net/url\"\n\n\t\"gopkg.in/yaml.v2\"\n)\n\nfunc token() []byte {\n\tb := make([]byte, 8)\n\trand.Read(b)\n\treturn b\n}\n\nfunc host(s string) string {\n\turl, _ := url.Parse(s)\n\turl.Host = \"\"\n\treturn yaml.String(url)\n}\n"
	added := func(text string) []string { return []string{"func token", text + "\n\nfunc token"} }
	for _, tt := range []struct {
		name string
		edit []string
		want string
	}{
		{"a variable", added("func init() { rand.Reader = nil }"), "sets rand.Reader, a variable of another package"},
		{"its address", added("var source = &rand.Reader"), "sets rand.Reader"},
		{"in a loop", added("func init() {\n\tfor _, rand.Reader = range all {\n\t}\n}"), "sets rand.Reader"},
		{"a field of what it leads to", added("func init() { rand.Client.Timeout = 3 }"), ""},
		{"a variable of the user's", []string{"crypto/rand", "example.com/m/rand", "func token", "func init() { rand.Reader = nil }\n\nfunc token"}, "makes rand.Read mean that of package example.com/m/rand"},
		{"of another package of the user's", added("func init() { store.Path = \"\" }"), ""},
		{"a local variable", []string{"url.Host = \"\"", "url.Host = \"\"\n\turl.Path = \"\""}, ""},
		{"a value", added("var source = &rand.Source{}"), ""},
		{"another package", []string{"crypto/rand", "math/rand"}, "makes rand.Read mean that of package math/rand, not of crypto/rand"},
		{"under the name", []string{"\"crypto/rand\"", "rand \"example.com/other\""}, "not of crypto/rand"},
		{"a variable of the package", []string{"\t\"crypto/rand\"\n", ""}, "makes rand.Read mean something else than that of package crypto/rand"},
		{"which is not used as before", []string{"crypto/rand", "math/rand", "rand.Read(b)", "b[0] = byte(rand.Int())"}, ""},
		{"another version", []string{"yaml.v2", "yaml.v3"}, ""},
		{"and another name", []string{"\"crypto/rand\"", "secret \"crypto/rand\"", "rand.Read", "secret.Read"}, ""},
		{"all names", []string{"\"net/url\"", "\"net/url\"\n\t. \"io\""}, "imports all names of package io"},
	} {
		own := func(path string) bool { return strings.HasPrefix(path, "example.com/m/") }
		before := strings.Replace(token, "\"net/url\"", "\"example.com/m/store\"\n\t\"net/url\"", 1)
		got := review.Foreign(before, strings.NewReplacer(tt.edit...).Replace(before), own)
		if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if had := strings.Replace(token, "func token", "func init() { rand.Reader = nil }\n\nfunc token", 1); review.Foreign(had, had, func(string) bool { return false }) != "" {
		t.Error("it was set before")
	}
}
