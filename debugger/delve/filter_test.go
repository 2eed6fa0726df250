//go:build linux

package delve

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

const filtersPath = "github.com/pausetui/pausetui/debugger/delve/testdata/filters"

func TestFiltersOfPanics(t *testing.T) {
	t.Parallel()
	fixture(t, "filters")
	once := func(message string) func(debugger.Stop) bool {
		return func(s debugger.Stop) bool { return s.Panic.Message == message }
	}
	for _, tt := range []struct {
		name, what string
		filter     debugger.PanicFilter
		muted      func(debugger.Stop) bool
		want       string // messages of the stops, the last one being how it ended
	}{
		{"libraries on their own business", "libraries", debugger.PanicFilter{}, nil, "exited"},
		{"a library that is asked for", "libraries", debugger.PanicFilter{In: []string{"text/template/parse"}}, nil, "template: t:1: unclosed action exited"},
		{"all", "mine", debugger.PanicFilter{}, nil, "one inner two exited"},
		{"in", "mine", debugger.PanicFilter{In: []string{filtersPath + "/..."}}, nil, "inner exited"},
		{"not", "mine", debugger.PanicFilter{Not: []string{filtersPath + "/inner"}}, nil, "one two exited"},
		{"muted", "mine", debugger.PanicFilter{}, once("one"), "inner two exited"},
		{"it dies of one that was filtered", "dies", debugger.PanicFilter{Not: []string{"main"}}, nil, "inner exited"},
		{"it dies of one that was muted", "dies", debugger.PanicFilter{}, once("inner"), "inner exited"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target := launchWith(t, Config{Binary: fixture(t, "filters"), Args: []string{tt.what}, Panics: debugger.PanicsAll, Filter: tt.filter, Muted: tt.muted})
			if text := messages(t, target); text != tt.want {
				t.Errorf("stops %q, want %q", text, tt.want)
			}
		})
	}
}

// messages goes on until the target ends, and returns the messages of its panics
// and how it ended.
func messages(t *testing.T, target *Target) string {
	t.Helper()
	var got []string
	stop := resume(t, target, debugger.Continue)
	for ; !stop.Ended(); stop = resume(t, target, debugger.Continue) {
		got = append(got, stop.Panic.Message)
	}
	return strings.Join(append(got, string(stop.Reason)), " ")
}

// What a server recovers is filtered and muted as well.
func TestRecoveredPanicsAreFiltered(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]Config{
		"filtered": {Filter: debugger.PanicFilter{Not: []string{"main"}}},
		"muted":    {Muted: func(s debugger.Stop) bool { return s.Panic.Recovered }},
		"others":   {Filter: debugger.PanicFilter{In: []string{"net/http"}}},
	} {
		config.Binary, config.Args, config.Panics = fixture(t, "serves"), []string{"two"}, debugger.PanicsAuto
		if stop := resume(t, launchWith(t, config), debugger.Continue); stop.Reason != debugger.ReasonExited {
			t.Errorf("%s: stopped for %q %+v", name, stop.Reason, stop.Panic)
		}
	}
}

// A panic that was passed when it began has its typed value when it ends the
// program.
func TestAPassedPanicKeepsItsValue(t *testing.T) {
	t.Parallel()
	target := launchWith(t, Config{Binary: fixture(t, "panics"), Args: []string{"rewrapped"}, Panics: debugger.PanicsAll, Filter: debugger.PanicFilter{Not: []string{"main"}}})
	p := resume(t, target, debugger.Continue).Panic
	if p == nil || p.Thrown || p.Recovered || p.Class != debugger.IndexOutOfRange || p.Value.Type != "*errors.errorString" {
		t.Errorf("panic %+v", p)
	}
}

// Where package main is another module's, what it throws and recovers is its own
// business, and its faults are not.
func TestFaultsOfLibrariesStop(t *testing.T) {
	t.Parallel()
	inner, err := filepath.Abs("testdata/filters/inner")
	if err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{"mine": "inner exited", "faulty": "assignment to entry in nil map exited"} {
		target := launchWith(t, Config{Binary: fixture(t, "filters"), Args: []string{what}, Panics: debugger.PanicsAll, UserDirs: []string{inner}})
		if text := messages(t, target); text != want {
			t.Errorf("%s: stops %q, want %q", what, text, want)
		}
	}
}
