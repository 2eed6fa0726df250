//go:build linux

package paths

import (
	"runtime/debug"
	"slices"
	"testing"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"
)

// here is a machine with some directories.
func here(build *debug.BuildInfo, dirs ...string) Local {
	return Local{Modules: map[string]string{"example.com/app": "/home/me/app"}, GoRoot: "/usr/go", ModCache: "/home/me/cache", Build: build,
		Exists: func(path string) bool { return slices.Contains(dirs, path) }}
}

func TestSourceIsFoundWhereTheBinaryWasBuiltElsewhere(t *testing.T) {
	build := &debug.BuildInfo{Path: "example.com/app/cmd/app", Deps: []*debug.Module{
		{Path: "github.com/Big/lib", Version: "v1.2.3"}, {Path: "example.org/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/new", Version: "v2.0.0"}},
	}}
	local := here(build, "/home/me/app/cmd/app", "/home/me/app/store", "/home/me/app", "/usr/go/src/runtime", "/usr/go/src/net/http",
		"/home/me/cache/github.com/!big/lib@v1.2.3", "/home/me/cache/github.com/!big/lib@v1.2.3/sub", "/home/me/cache/example.org/new@v2.0.0", "/same/here")
	for name, test := range map[string]struct {
		packages []Package
		theirs   string
		ours     string
	}{
		"main":             {[]Package{{"main", "/build/src/cmd/app"}}, "/build/src/cmd/app/main.go", "/home/me/app/cmd/app/main.go"},
		"beside":           {[]Package{{"main", "/build/src/cmd/app"}}, "/build/src/other/x.go", "/home/me/app/other/x.go"},
		"root":             {[]Package{{"example.com/app", "/build/src"}}, "/build/src/app.go", "/home/me/app/app.go"},
		"package":          {[]Package{{"example.com/app/store", "/build/src/store"}}, "/build/src/store/s.go", "/home/me/app/store/s.go"},
		"test of it":       {[]Package{{"example.com/app/store_test", "/build/src/store"}}, "/build/src/store/s_test.go", "/home/me/app/store/s_test.go"},
		"trimmed main":     {[]Package{{"main", "example.com/app/cmd/app"}}, "example.com/app/cmd/app/main.go", "/home/me/app/cmd/app/main.go"},
		"trimmed std":      {[]Package{{"runtime", "runtime"}}, "runtime/panic.go", "/usr/go/src/runtime/panic.go"},
		"std":              {[]Package{{"net/http", "/opt/go/src/net/http"}}, "/opt/go/src/runtime/panic.go", "/usr/go/src/runtime/panic.go"},
		"dependency":       {[]Package{{"github.com/Big/lib/sub", "/r/mod/github.com/!big/lib@v1.2.3/sub"}}, "/r/mod/github.com/!big/lib@v1.2.3/sub/a.go", "/home/me/cache/github.com/!big/lib@v1.2.3/sub/a.go"},
		"trimmed":          {[]Package{{"github.com/Big/lib", "github.com/Big/lib@v1.2.3"}}, "github.com/Big/lib@v1.2.3/a.go", "/home/me/cache/github.com/!big/lib@v1.2.3/a.go"},
		"replaced":         {[]Package{{"example.org/old", "example.org/new@v2.0.0"}}, "example.org/new@v2.0.0/a.go", "/home/me/cache/example.org/new@v2.0.0/a.go"},
		"where it was":     {[]Package{{"example.com/app", "/same/here"}}, "/same/here/a.go", "/same/here/a.go"},
		"of Windows":       {[]Package{{"example.com/app/store", `C:\src\app\store`}}, `C:\src\app\store\s.go`, "/home/me/app/store/s.go"},
		"unknown":          {[]Package{{"example.net/none", "/r/none"}}, "/r/none/a.go", "/r/none/a.go"},
		"in another place": {[]Package{{"main", "/go/work"}}, "/go/work/main.go", "/home/me/app/cmd/app/main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			p := local.Guess(test.packages)
			if got := p.ours(test.theirs); got != test.ours {
				t.Errorf("ours: %q, want %q", got, test.ours)
			}
			if got := p.theirs(test.ours); got != test.theirs {
				t.Errorf("theirs: %q, want %q", got, test.theirs)
			}
		})
	}
}

func TestAMainPackageThatDoesNotSayItsPath(t *testing.T) {
	local := here(nil, "/home/me/app", "/home/me/app/cmd/app")
	p := local.Guess([]Package{{"main", "/build/src/cmd/app"}})
	if got := p.ours("/build/src/cmd/app/main.go"); got != "/home/me/app/cmd/app/main.go" {
		t.Errorf("ours: %q", got)
	}
}

func TestPathsInQuestionsAndAnswers(t *testing.T) {
	p := here(&debug.BuildInfo{Path: "example.com/app"}, "/home/me/app").Guess([]Package{{"main", "/b"}})
	in := p.Outward(rpc2.CreateBreakpointIn{Breakpoint: api.Breakpoint{File: "/home/me/app/main.go"}}).(rpc2.CreateBreakpointIn)
	if in.Breakpoint.File != "/b/main.go" || len(in.SubstitutePathRules) == 0 {
		t.Errorf("asked: %+v", in)
	}
	at := api.Location{File: "/b/main.go"}
	out := &rpc2.CommandOut{State: api.DebuggerState{CurrentThread: &api.Thread{File: "/b/main.go", Breakpoint: &api.Breakpoint{File: "/b/main.go"}},
		SelectedGoroutine: &api.Goroutine{UserCurrentLoc: at}}}
	p.Inward(out)
	if th := out.State.CurrentThread; th.File != "/home/me/app/main.go" || th.Breakpoint.File != th.File || out.State.SelectedGoroutine.UserCurrentLoc.File != th.File {
		t.Errorf("answered: %+v", out.State)
	}
	sources := &rpc2.ListSourcesOut{Sources: []string{"/b/main.go", "/other"}}
	p.Inward(sources)
	if !slices.Equal(sources.Sources, []string{"/home/me/app/main.go", "/other"}) {
		t.Errorf("sources: %v", sources.Sources)
	}
}
