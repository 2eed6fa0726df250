package loop

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/session"
)

// recorderOf is a recorder whose log ends with the test.
func recorderOf(t *testing.T) *recorder {
	t.Helper()
	log, err := session.CreateLog(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return newRecorder(log, time.Now)
}

func TestEventsOfOneStepAppearAtOnce(t *testing.T) {
	r := recorderOf(t)
	now, cancel := context.WithCancel(t.Context())
	cancel()
	r.hold(true)
	r.Notice("info", "one", "")
	r.Notice("info", "two", "")
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
	r.Finish()
	if _, err := r.Wait(now, 2, 0); !errors.Is(err, io.EOF) {
		t.Errorf("at the end Wait says %v", err)
	}
}

// A log that cannot be written is reported, and the session goes on.
func TestALogThatCannotBeWritten(t *testing.T) {
	r := recorderOf(t)
	r.Notice("info", "one", "")
	if err := r.Log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(session.EngineActor, &session.Notice{Level: "info", Text: "two"}); err == nil {
		t.Error("a closed log was written")
	}
	u, err := r.Wait(t.Context(), 0, 0)
	if err != nil || len(u.Events) != 3 || u.Events[1].Seq != 2 || !strings.Contains(u.Live.Status, "the log cannot be written") {
		t.Errorf("%v: %d events, status %q", err, len(u.Events), u.Live.Status)
	}
}

func TestTheStatusLineIsPutBack(t *testing.T) {
	r := recorderOf(t)
	r.ShowStatus("ready")
	if before := r.ShowStatus("busy"); before != "ready" {
		t.Errorf("before: %q", before)
	}
}
