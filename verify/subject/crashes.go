package subject

import (
	"slices"
	"strings"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/debugger/crash"
	"github.com/pausetui/pausetui/internal/lazyregexp"
	"github.com/pausetui/pausetui/source/build"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/finding"
	"github.com/pausetui/pausetui/verify/gotest"
	"github.com/pausetui/pausetui/verify/sandbox"
)

// Waiter is the first goroutine that waits at the site's statement; -1 without one.
func (s Site) Waiter(own func(debugger.Frame) bool, all []crash.Goroutine) int {
	return slices.IndexFunc(all, func(g crash.Goroutine) bool {
		i := slices.IndexFunc(g.Frames, own)
		if i < 0 || g.State == "running" || g.State == "runnable" {
			return false
		}
		f := g.Frames[i]
		return Named(f.Function) == s.Function && (f.Line == s.Line || workspace.Line(f.File, f.Line) == workspace.Line(s.File, s.Line))
	})
}

// Crashes are those that a run has printed. Where the target was halted in a deadlock,
// it is one of them if the run was in it when its time was up.
func Crashes(v *Target, s Site, r sandbox.Result) []crash.Crash {
	all := crash.ParseAll(r.Output)
	if !v.Subject.Stop.Hangs() || !r.Alive() {
		return all
	}
	goroutines := crash.Goroutines(r.Stacks)
	if i := s.Waiter(v.Own, goroutines); i >= 0 {
		end := len(r.Output)
		all = append(all, crash.Crash{Class: s.Class, Message: "still waiting after " + finding.Short(r.Took).String(),
			Goroutines: goroutines[i : i+1], Start: end, End: end})
	}
	return all
}

// InTests is the site in the test binary of its package.
func (s Site) InTests(pkg build.TestPackage) Site {
	s.Function = inTests(s.Function, pkg)
	recurs := map[string]bool{}
	for name := range s.recurs {
		recurs[inTests(name, pkg)] = true
	}
	s.recurs = recurs
	return s
}

// inTests is a function's name in the test binary of its package: there package
// main has its import path.
func inTests(function string, pkg build.TestPackage) string {
	if rest, ok := strings.CutPrefix(function, "main."); ok && pkg.Name == "main" {
		return pkg.ImportPath + "." + rest
	}
	return function
}

// testFunction finds the name of a test in that of its function, or of one of
// its literals.
var testFunction = lazyregexp.New(`\.((?:Test|Fuzz|Example)[^.\[]*)(?:\.|$)`)

// StoppedTest is the top-level test that the goroutine of the stop ran; empty
// where its stack does not say.
func (v *Target) StoppedTest() string {
	if t, ok := v.Failing(); ok {
		return gotest.Top(t.Name)
	}
	return RunningTest(v.Subject.Stop.Frames)
}

// RunningTest is the top-level test that a goroutine runs; empty where its stack does
// not say.
func RunningTest(frames []debugger.Frame) string {
	for i, f := range frames {
		if i > 0 && strings.HasPrefix(Named(f.Function), "testing.tRunner") {
			if m := testFunction.FindStringSubmatch(frames[i-1].Function); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// Failing returns the test that the target stopped at; false where it stopped
// at something else.
func (v *Target) Failing() (debugger.FailingTest, bool) {
	t := v.Subject.Stop.Test
	if t == nil || t.Name == "" {
		return debugger.FailingTest{}, false
	}
	return *t, true
}
