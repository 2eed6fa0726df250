package judge

import (
	"reflect"
	"testing"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/session"
)

// A fix has kept one value from being nil; on the same line another one is.
func TestAnotherCauseAtTheSamePlaceIsNotTheSamePanic(t *testing.T) {
	item := func(owner bool) []debugger.Variable {
		fields := []debugger.Variable{{Name: "ID", Value: "4"}, {Name: "Owner", Nil: !owner}}
		return []debugger.Variable{{Name: "it", Kind: reflect.Pointer, Children: []debugger.Variable{{Children: fields}}}}
	}
	at := func(locals []debugger.Variable) debugger.Stop {
		stop := crashStop("x")
		stop.Frames = []debugger.Frame{{Index: stop.Panic.Culprit, Function: "main.show", File: "/m/main.go", Line: 57, Loaded: true, Locals: locals}}
		return stop
	}
	none := []debugger.Variable{{Name: "it", Nil: true}}
	for name, tt := range map[string]struct {
		now  debugger.Stop
		back bool
	}{
		"the same value is nil":            {at(item(false)), true},
		"what would have it is nil":        {at(none), false},
		"that value is there":              {at(item(true)), false},
		"the variables cannot be read now": {crashStop("x"), true},
	} {
		jd, _ := judgingAlone(t)
		jd.Watch(&Watch{candidate: "c1", crash: at(item(false)), bad: "it.Owner", alive: true})
		jd.Stopped(tt.now)
		if j := jd.State().Judged; (j != nil && j.Judgement == session.CameBack) != tt.back {
			t.Errorf("%s: %+v", name, j)
		}
	}
}
