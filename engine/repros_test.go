package engine

import (
	"testing"

	"github.com/pausetui/pausetui/verify/repro"
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
		rp := &repros{core: &core{opts: Options{Repro: c.own}}, captured: c.captured}
		if got := [3]string{rp.plan().Command, rp.planOfRound(true).Command, rp.planOfRound(false).Command}; got != [3]string{c.proof, c.watched, c.normal} {
			t.Errorf("%s: %q", name, got)
		}
	}
}
