package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

func TestPausesOfTypedInputAreCutDown(t *testing.T) {
	typed := []session.Input{{After: time.Minute, Text: "a"}, {After: time.Minute + 100*time.Millisecond, Text: "b"}, {After: time.Hour, Text: "\x04"}}
	quick, saved := hurried(typed)
	want := []session.Input{{After: maxPause, Text: "a"}, {After: maxPause + 100*time.Millisecond, Text: "b"}, {After: 2*maxPause + 100*time.Millisecond, Text: "\x04"}}
	if !slices.Equal(quick, want) || saved != time.Hour-want[2].After {
		t.Errorf("%v, saved %v", quick, saved)
	}
}
