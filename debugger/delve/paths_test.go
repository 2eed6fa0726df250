//go:build linux

package delve

import (
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/go-delve/delve/service/api"
	"github.com/go-delve/delve/service/rpc2"

	"github.com/pausetui/pausetui/debugger"
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
		packages []builtPackage
		theirs   string
		ours     string
	}{
		"main":             {[]builtPackage{{"main", "/build/src/cmd/app"}}, "/build/src/cmd/app/main.go", "/home/me/app/cmd/app/main.go"},
		"beside":           {[]builtPackage{{"main", "/build/src/cmd/app"}}, "/build/src/other/x.go", "/home/me/app/other/x.go"},
		"root":             {[]builtPackage{{"example.com/app", "/build/src"}}, "/build/src/app.go", "/home/me/app/app.go"},
		"package":          {[]builtPackage{{"example.com/app/store", "/build/src/store"}}, "/build/src/store/s.go", "/home/me/app/store/s.go"},
		"test of it":       {[]builtPackage{{"example.com/app/store_test", "/build/src/store"}}, "/build/src/store/s_test.go", "/home/me/app/store/s_test.go"},
		"trimmed main":     {[]builtPackage{{"main", "example.com/app/cmd/app"}}, "example.com/app/cmd/app/main.go", "/home/me/app/cmd/app/main.go"},
		"trimmed std":      {[]builtPackage{{"runtime", "runtime"}}, "runtime/panic.go", "/usr/go/src/runtime/panic.go"},
		"std":              {[]builtPackage{{"net/http", "/opt/go/src/net/http"}}, "/opt/go/src/runtime/panic.go", "/usr/go/src/runtime/panic.go"},
		"dependency":       {[]builtPackage{{"github.com/Big/lib/sub", "/r/mod/github.com/!big/lib@v1.2.3/sub"}}, "/r/mod/github.com/!big/lib@v1.2.3/sub/a.go", "/home/me/cache/github.com/!big/lib@v1.2.3/sub/a.go"},
		"trimmed":          {[]builtPackage{{"github.com/Big/lib", "github.com/Big/lib@v1.2.3"}}, "github.com/Big/lib@v1.2.3/a.go", "/home/me/cache/github.com/!big/lib@v1.2.3/a.go"},
		"replaced":         {[]builtPackage{{"example.org/old", "example.org/new@v2.0.0"}}, "example.org/new@v2.0.0/a.go", "/home/me/cache/example.org/new@v2.0.0/a.go"},
		"where it was":     {[]builtPackage{{"example.com/app", "/same/here"}}, "/same/here/a.go", "/same/here/a.go"},
		"of Windows":       {[]builtPackage{{"example.com/app/store", `C:\src\app\store`}}, `C:\src\app\store\s.go`, "/home/me/app/store/s.go"},
		"unknown":          {[]builtPackage{{"example.net/none", "/r/none"}}, "/r/none/a.go", "/r/none/a.go"},
		"in another place": {[]builtPackage{{"main", "/go/work"}}, "/go/work/main.go", "/home/me/app/cmd/app/main.go"},
	} {
		t.Run(name, func(t *testing.T) {
			p := local.guess(test.packages)
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
	p := local.guess([]builtPackage{{"main", "/build/src/cmd/app"}})
	if got := p.ours("/build/src/cmd/app/main.go"); got != "/home/me/app/cmd/app/main.go" {
		t.Errorf("ours: %q", got)
	}
}

func TestPathsInQuestionsAndAnswers(t *testing.T) {
	p := here(&debug.BuildInfo{Path: "example.com/app"}, "/home/me/app").guess([]builtPackage{{"main", "/b"}})
	in := p.outward(rpc2.CreateBreakpointIn{Breakpoint: api.Breakpoint{File: "/home/me/app/main.go"}}).(rpc2.CreateBreakpointIn)
	if in.Breakpoint.File != "/b/main.go" || len(in.SubstitutePathRules) == 0 {
		t.Errorf("asked: %+v", in)
	}
	at := api.Location{File: "/b/main.go"}
	out := &rpc2.CommandOut{State: api.DebuggerState{CurrentThread: &api.Thread{File: "/b/main.go", Breakpoint: &api.Breakpoint{File: "/b/main.go"}},
		SelectedGoroutine: &api.Goroutine{UserCurrentLoc: at}}}
	p.inward(out)
	if th := out.State.CurrentThread; th.File != "/home/me/app/main.go" || th.Breakpoint.File != th.File || out.State.SelectedGoroutine.UserCurrentLoc.File != th.File {
		t.Errorf("answered: %+v", out.State)
	}
	sources := &rpc2.ListSourcesOut{Sources: []string{"/b/main.go", "/other"}}
	p.inward(sources)
	if !slices.Equal(sources.Sources, []string{"/home/me/app/main.go", "/other"}) {
		t.Errorf("sources: %v", sources.Sources)
	}
}

func TestATrimmedBinaryIsDebuggedByItsSource(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "panics")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "-gcflags=./...=-N -l", "./testdata/panics")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	target := launchWith(t, Config{Binary: binary, Args: []string{"nil map"},
		Local: &Local{Modules: map[string]string{"github.com/pausetui/pausetui": root}, GoRoot: strings.TrimSpace(string(goroot))}})
	file := filepath.Join(testdata(t), "panics", "main.go")
	set, err := target.SetBreakpoint(t.Context(), debugger.Breakpoint{File: file, Line: 157})
	if err != nil || set.File != file {
		t.Fatalf("breakpoint: %+v, %v", set, err)
	}
	if stop := resume(t, target, debugger.Continue); stop.Breakpoint == nil || stop.Breakpoint.File != file {
		t.Errorf("stop: %+v", stop)
	}
	stop := resume(t, target, debugger.Continue)
	if f, ok := stop.SelectedFrame(); !ok || f.File != file || !f.User {
		t.Errorf("selected: %+v", f)
	}
	if f := stop.Frames[0]; f.File != filepath.Join(strings.TrimSpace(string(goroot)), "src", "runtime", "panic.go") {
		t.Errorf("innermost: %+v", f)
	}
}
