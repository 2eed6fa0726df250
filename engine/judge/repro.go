package judge

import (
	"fmt"
	"time"

	"github.com/pausetui/pausetui/engine/target"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/verify/repro"
)

// leastGrace is how long a target has to live on, at least, after the repro command
// has ended.
const leastGrace = 500 * time.Millisecond

// isReplayed reports whether the proof has replayed something.
func (w *Watch) isReplayed() bool { return w != nil && w.ending != nil && w.ending.Reply != nil }

// needsRequest reports whether the proof has replayed something that a restart with this plan
// does not: a person has to.
func (w *Watch) needsRequest(p repro.Plan) bool { return w.isReplayed() && p.Command == "" }

// repliedAsProved reports whether the request that stopped the target was made again
// in this round and got its answer, as in the proof. It would have panicked before that.
func (w *Watch) repliedAsProved(end *session.ReproEnded) bool {
	return w.passes && w.crash.LivesOn() && w.settle == 0 && w.ending != nil && w.ending.Alive && w.ending.Reply != nil &&
		end != nil && end.Err == "" && end.Signal == "" && *w.ending.Reply == end.Exit
}

// watchReplied judges a restart by the repro command: as in the proof, it
// has to end as it did there, and the target has to live on.
func (jd *Judging) watchReplied(r *target.Round) {
	w := jd.Watched
	if w == nil || w.alive || !w.passes || w.ending == nil || !w.ending.Alive || r.Replied.IsZero() || !r.Running {
		return
	}
	since := r.Since
	jd.After(max(leastGrace, 2*w.settle), func() {
		if jd.Watched != w || jd.Runner.Round != r || !r.Running || !r.Since.Equal(since) {
			return
		}
		end := jd.State().Replied
		words := session.ReplyWords(*end)
		if w.ending.Reply != nil && (end.Err != "" || *w.ending.Reply != end.Exit) {
			jd.Judge(session.NotReached, fmt.Sprintf("%s, in the proof with %d", words, *w.ending.Reply))
			return
		}
		jd.judgeAlive(words + ", and the program lives on, as in the proof")
	})
}
