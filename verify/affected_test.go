package verify

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/source/build"
)

func TestWhichPackagesAreAffected(t *testing.T) {
	packages := []build.TestPackage{
		{ImportPath: "m/app", Dir: "/m/app", HasTests: true, Deps: []string{"fmt", "m/app", "m/mid", "m/low"}},
		{ImportPath: "m/mid", Dir: "/m/mid", HasTests: true, Deps: []string{"m/mid", "m/low"}},
		{ImportPath: "m/low", Dir: "/m/low", HasTests: true, Deps: []string{"m/low"}},
		{ImportPath: "m/bare", Dir: "/m/bare"},
		{ImportPath: "m/user", Dir: "/m/user", HasTests: true, Deps: []string{"m/bare", "m/user"}},
		{ImportPath: "other", Dir: "/other", HasTests: true, Deps: []string{"m/low", "other"}}, // of another module
	}
	for _, tt := range []struct {
		files, stack []string
		want         string
	}{
		{[]string{"/m/low/low.go"}, nil, "m/low | m/mid other m/app"},
		{[]string{"/m/low/low.go"}, []string{"/m/low", "/m/app"}, "m/low | m/app | m/mid other"},
		{[]string{"/m/mid/mid.go"}, nil, "m/mid | m/app"},
		{[]string{"/m/mid/mid.go"}, []string{"/other"}, "m/mid | m/app"},
		{[]string{"/m/app/main.go"}, nil, "m/app"},
		{[]string{"/m/app/main.go", "/m/low/x.go"}, nil, "m/low m/app | m/mid other"},
		{[]string{"/m/low/low_test.go"}, nil, "m/low"},
		{[]string{"/m/bare/bare.go"}, nil, "m/user"},
		{[]string{"/m/low/testdata/deep/in.txt"}, nil, "m/low | m/mid other m/app"},
		{[]string{"/m/new/new.go"}, nil, ""},
		{[]string{"/elsewhere/x.txt"}, nil, ""},
	} {
		var groups []string
		for _, g := range affected(packages, tt.files, tt.stack) {
			var names []string
			for _, p := range g {
				names = append(names, p.ImportPath)
			}
			groups = append(groups, strings.Join(names, " "))
		}
		if got := strings.Join(groups, " | "); got != tt.want {
			t.Errorf("%v affect %q, with %v on the stack, want %q", tt.files, got, tt.stack, tt.want)
		}
	}
}
