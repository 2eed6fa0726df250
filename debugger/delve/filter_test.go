//go:build linux

package delve

import (
	"strings"
	"testing"

	"github.com/pausetui/pausetui/debugger"
)

const filtersPath = "github.com/pausetui/pausetui/debugger/delve/testdata/filters"

func TestFiltersOfPanics(t *testing.T) {
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
			var got []string
			stop := resume(t, target, debugger.Continue)
			for ; !stop.Ended(); stop = resume(t, target, debugger.Continue) {
				got = append(got, stop.Panic.Message)
			}
			if text := strings.Join(append(got, string(stop.Reason)), " "); text != tt.want {
				t.Errorf("stops %q, want %q", text, tt.want)
			}
		})
	}
}
