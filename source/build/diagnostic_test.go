package build

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParseOutput(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []Diagnostic
	}{
		{"compiler", "# example.com/a\n./a.go:3:4: undefined: x\nlib/b.go:7:1: cannot use y\n\thave int\n\twant string\n", []Diagnostic{
			{"/m/a.go", 3, 4, "undefined: x"}, {"/m/lib/b.go", 7, 1, "cannot use y\n\thave int\n\twant string"}}},
		{"too many", "./a.go:3:4: too many errors\n", []Diagnostic{{"/m/a.go", 3, 4, "too many errors"}}},
		{"absolute", "/x/a.go:3: no column\n", []Diagnostic{{"/x/a.go", 3, 0, "no column"}}},
		{"missing import", "main.go:4:2: no required module provides package example.com/x; to add it:\n\tgo get example.com/x\n", []Diagnostic{
			{"/m/main.go", 4, 2, "no required module provides package example.com/x; to add it:\n\tgo get example.com/x"}}},
		{"linker", "# example.com/a\nmain.f: relocation target main.g not defined\n", []Diagnostic{{Message: "main.f: relocation target main.g not defined"}}},
		{"cgo", "# example.com/a\n./a.go:5:10: fatal error: foo.h: No such file or directory\n    5 | // #include <foo.h>\n      |          ^~~~~~~\ncompilation terminated.\n", []Diagnostic{
			{"/m/a.go", 5, 10, "fatal error: foo.h: No such file or directory\n    5 | // #include <foo.h>\n      |          ^~~~~~~"}, {Message: "compilation terminated."}}},
		{"go command", "go: updates to go.mod needed\n", []Diagnostic{{Message: "updates to go.mod needed"}}},
		{"downloads", "go: downloading example.com/x v1.2.3\nexample.com/x@v1.2.3: 403 Forbidden\n", []Diagnostic{{Message: "example.com/x@v1.2.3: 403 Forbidden"}}},
		{"vet", "# example.com/a\n# [example.com/a]\nvet: ./a.go:3:4: undefined: x\n", []Diagnostic{{"/m/a.go", 3, 4, "undefined: x"}}},
	} {
		if got := ParseOutput(tt.text, "/m"); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
	if n := len(ParseOutput(strings.Repeat("a.go:1:1: x\n", 1000), "/")); n != maxDiagnostics {
		t.Errorf("kept %d", n)
	}
}

func TestFlags(t *testing.T) {
	s := Spec{Package: "a.go b.go", Tags: "x,y", Race: true, DebugPatterns: []string{"example.com/..."}, Flags: []string{"-trimpath", "-ldflags", "-X main.v=1"}, Env: []string{}}
	got := strings.Join(arguments(s), "|")
	want := "build|-v|-gcflags=example.com/...=-N -l|-gcflags=command-line-arguments=-N -l|-ldflags=-X main.v=1 -compressdwarf=false|-tags=x,y|-race|-trimpath|-buildvcs=false"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := linkFlags(Spec{Env: []string{"GOFLAGS=-ldflags=-s"}}); got != nil {
		t.Errorf("our flags %v silence the person's", got)
	}
	if !slices.Equal(packages(s), []string{"a.go", "b.go"}) {
		t.Errorf("packages %v", packages(s))
	}
}
