package engine

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/engine/options"
	"github.com/pausetui/pausetui/session"
)

// bareCore is what a part needs, without an engine around it. Its log ends with
// the test.
func bareCore(t *testing.T, opts options.Session) *core {
	t.Helper()
	log, err := session.CreateLog(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	opts = opts.WithDefaults()
	c := &core{recorder: newRecorder(log, opts.Now), opts: opts, mail: newMailbox(), ctx: t.Context()}
	t.Cleanup(func() {
		c.jobs.Wait()
		_ = log.Close()
	})
	return c
}

// runPosted does what was posted once all jobs have ended, as Run would.
func (c *core) runPosted() {
	c.jobs.Wait()
	for _, fn := range c.mail.take() {
		fn()
	}
}

// errorsOf are the errors that were reported.
func errorsOf(c *core) string {
	var list []string
	for _, n := range c.State().Notices {
		if n.Level == "error" {
			list = append(list, n.Text)
		}
	}
	return strings.Join(list, "\n")
}

func TestEventsOfOneStepAppearAtOnce(t *testing.T) {
	r := bareCore(t, options.Session{}).recorder
	now, cancel := context.WithCancel(t.Context())
	cancel()
	r.hold(true)
	r.notice("info", "one", "")
	r.notice("info", "two", "")
	if u, err := r.Wait(now, 0, ^uint64(0)); err == nil {
		t.Errorf("half of a step is shown: %d events", len(u.Events))
	}
	r.hold(false)
	u, err := r.Wait(now, 0, ^uint64(0))
	if err != nil || len(u.Events) != 2 || u.Events[1].Seq != 2 {
		t.Errorf("%v: %+v", err, u.Events)
	}
	if _, err := r.Wait(now, 2, ^uint64(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing is new, and Wait says %v", err)
	}
	if u, err := r.Wait(now, 2, 0); err != nil || u.Live.Version == 0 {
		t.Errorf("what is under way has changed, and Wait says %v", err)
	}
	r.finish()
	if _, err := r.Wait(now, 2, 0); !errors.Is(err, io.EOF) {
		t.Errorf("at the end Wait says %v", err)
	}
}

// A log that cannot be written is reported, and the session goes on.
func TestALogThatCannotBeWritten(t *testing.T) {
	r := bareCore(t, options.Session{}).recorder
	r.notice("info", "one", "")
	if err := r.log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.record(session.EngineActor, &session.Notice{Level: "info", Text: "two"}); err == nil {
		t.Error("a closed log was written")
	}
	u, err := r.Wait(t.Context(), 0, 0)
	if err != nil || len(u.Events) != 3 || u.Events[1].Seq != 2 || !strings.Contains(u.Live.Status, "the log cannot be written") {
		t.Errorf("%v: %d events, status %q", err, len(u.Events), u.Live.Status)
	}
}

func TestTheStatusLineIsPutBack(t *testing.T) {
	r := bareCore(t, options.Session{}).recorder
	r.showStatus("ready")
	if before := r.showStatus("busy"); before != "ready" {
		t.Errorf("before: %q", before)
	}
}
