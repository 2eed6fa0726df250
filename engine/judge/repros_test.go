package judge

import (
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/engine/loop"
	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The person's command serves every start. A captured request serves the proofs
// and, where it changes nothing, the restart that is watched.
func TestWhatIsReplayed(t *testing.T) {
	get := repro.Plan{Command: "curl -s localhost", Captured: true}
	own := repro.Plan{Command: "make request"}
	for name, c := range map[string]struct {
		own                    repro.Plan
		captured               captured
		proof, watched, normal string
	}{
		"nothing":              {},
		"the person's command": {own, captured{get, get}, own.Command, own.Command, own.Command},
		"a safe request":       {repro.Plan{}, captured{get, get}, get.Command, get.Command, ""},
		"an unsafe request":    {repro.Plan{}, captured{proofs: get}, get.Command, "", ""},
	} {
		rp := &Repros{Loop: &loop.Loop{Opts: options.Session{Target: options.Target{Repro: c.own}}}, captured: c.captured}
		if got := [3]string{rp.Plan().Command, rp.PlanOfRound(true).Command, rp.PlanOfRound(false).Command}; got != [3]string{c.proof, c.watched, c.normal} {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The restart that a person has to make the request of is judged by that.
func TestARequestThatOnlyAPersonMakes(t *testing.T) {
	reply := 0
	post := &Watch{ending: &verdict.Ending{Alive: true, Reply: &reply}}
	for _, c := range []struct {
		watch *Watch
		plan  repro.Plan
		want  bool
	}{
		{post, repro.Plan{}, true},
		{post, repro.Plan{Command: "curl -s localhost"}, false},
		{&Watch{ending: &verdict.Ending{Alive: true}}, repro.Plan{}, false},
		{nil, repro.Plan{}, false},
	} {
		if got := c.watch.needsRequest(c.plan); got != c.want {
			t.Errorf("%+v with %q: %v", c.watch, c.plan.Command, got)
		}
	}
}

// A request that stopped a server and gets its answer now, as in the proof, speaks for
// the fix, whatever stops the server next.
func TestAnAnswerJudgesWhateverComesNext(t *testing.T) {
	code := func(exit int) *session.ReproEnded { return &session.ReproEnded{Exit: exit} }
	served := debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Recovered: true}}
	proved := func(reply int) *verdict.Ending { return &verdict.Ending{Alive: true, Reply: &reply} }
	for name, c := range map[string]struct {
		watch Watch
		end   *session.ReproEnded
		want  bool
	}{
		"answered":             {Watch{crash: served, passes: true, ending: proved(0)}, code(0), true},
		"answered differently": {Watch{crash: served, passes: true, ending: proved(0)}, code(52), false},
		"killed":               {Watch{crash: served, passes: true, ending: proved(0)}, &session.ReproEnded{Signal: "killed"}, false},
		"not yet answered":     {Watch{crash: served, passes: true, ending: proved(0)}, nil, false},
		"nothing was replayed": {Watch{crash: served, passes: true, ending: &verdict.Ending{Alive: true}}, code(0), false},
		"not proved":           {Watch{crash: served, ending: proved(0)}, code(0), false},
		"it stopped later":     {Watch{crash: served, passes: true, ending: proved(0), settle: time.Second}, code(0), false},
		"the panic ended it":   {Watch{crash: debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{}}, passes: true, ending: proved(0)}, code(0), false},
	} {
		if got := c.watch.repliedAsProved(c.end); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
