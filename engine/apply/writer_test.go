package apply

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The writer is a session without a target: it applies candidates, takes them
// back and writes its log, for ever. After each event that the log has
// acknowledged it says so on standard output.

// asFresh, in the environment, has the writer begin a new session.
const asFresh = "PAUSETUI_TEST_WRITER_FRESH"

func module(dir string) workspace.Workspace {
	root := filepath.Join(dir, "m")
	return workspace.Workspace{Dir: root, Root: root, Modules: []workspace.Module{{Path: "m", Dir: root, Main: true}}}
}

func logDir(ws workspace.Workspace) string { return filepath.Join(ws.Root, "debug") }

// writer is one session at work.
type writer struct {
	site  Site
	state session.State
	rand  *rand.Rand
}

func runWriter(dir string) {
	seed, _ := strconv.ParseUint(os.Getenv("PAUSETUI_TEST_WRITER_SEED"), 10, 64)
	w := &writer{site: Site{Workspace: module(dir)}, state: session.NewState(), rand: rand.New(rand.NewPCG(seed, 1))}
	w.site.Record = w.record
	if err := w.run(); err != nil {
		fmt.Fprintln(os.Stderr, "writer:", err)
		os.Exit(4)
	}
}

func (w *writer) record(who string, body session.Body) error {
	e, err := w.site.Log.Append(who, body)
	if err != nil {
		return err
	}
	w.state = w.state.Apply(e)
	_, err = fmt.Printf("%s %d\n", filepath.Base(w.site.Log.Path()), e.Seq)
	return err
}

func (w *writer) run() error {
	ws := w.site.Workspace
	logs, _, err := session.Dir(ws.Root, "")
	if err != nil {
		return err
	}
	fmt.Println("begun")
	Recover(context.Background(), logs, ws)
	if err := w.open(logs); err != nil {
		return err
	}
	for {
		if err := w.step(); err != nil {
			return err
		}
	}
}

// open goes on with the newest session that is worth it, or begins one.
func (w *writer) open(logs string) error {
	if newest := newestJournal(logs); newest != "" && os.Getenv(asFresh) == "" {
		log, events, _, err := session.OpenLog(newest, false, time.Now)
		if err == nil {
			w.site.Log, w.state = log, session.Fold(session.NewState(), events)
			if w.state.CaseIndex() >= 0 {
				return w.record("engine", &session.Reopened{})
			}
			if err := log.Close(); err != nil {
				return err
			}
		}
	}
	log, err := session.CreateLog(logs, time.Now)
	if err != nil {
		return err
	}
	w.site.Log, w.state = log, session.NewState()
	if err := w.record("engine", &session.Started{ID: log.ID(), Package: ".", Workspace: w.site.Workspace}); err != nil {
		return err
	}
	return w.record("engine", &session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Selected: -1,
		Panic: &debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map", Culprit: -1}}})
}

// newestJournal is that of the last session; empty without any.
func newestJournal(logs string) string {
	e, err := session.Find(logs, session.Latest)
	if err != nil {
		return ""
	}
	return e.Journal
}

func (w *writer) step() error {
	ctx := context.Background()
	_, undoable := w.state.Undoable()
	switch n := w.rand.IntN(10); {
	case n < 4 && undoable:
		_, err := w.site.Undo(ctx, w.state, "person", "")
		return err
	case n < 8:
		c, err := w.propose()
		if err != nil {
			return err
		}
		return w.site.Apply(ctx, c)
	}
	text := fmt.Sprintf("note %d %s", w.state.Seq+1, strings.Repeat("words ", w.size(100)))
	return w.record("person", &session.Notice{Level: "note", Text: text})
}

// propose makes a candidate for the files as they are now: it changes two and,
// as a regression test, makes one.
func (w *writer) propose() (session.CandidateRecord, error) {
	id := fmt.Sprintf("c%d", w.state.Seq+1)
	c := patch.Candidate{ID: id, Title: "change everything"}
	for _, name := range []string{"a.go", "sub/b.go"} {
		before, err := os.ReadFile(filepath.Join(w.site.Workspace.Root, name))
		if err != nil {
			return session.CandidateRecord{}, err
		}
		after := fmt.Sprintf("package m\n\n// %s of %s\n%s", id, w.site.Log.ID(), strings.Repeat("// line\n", w.size(200)))
		c.Edits = append(c.Edits, patch.Edit{File: name, Before: string(before), After: after})
	}
	test := patch.RegressionTest{Name: "Test", Edit: patch.Edit{File: testFile(w.site.Log.ID(), id), After: "package m\n// " + id + "\n", Create: true}}
	bodies := []session.Body{
		&session.Proposed{Candidate: c},
		&session.Proved{Candidate: id, Verdict: verdict.Verdict{Verified: true, Test: &test}},
		&session.Decided{Candidate: id, Decision: session.Approved},
	}
	for _, b := range bodies {
		if err := w.record("person", b); err != nil {
			return session.CandidateRecord{}, err
		}
	}
	record, _ := w.state.Candidate(id)
	return record, nil
}

func testFile(log, id string) string { return "sub/" + log + "_" + id + "_test.go" }

// size is below n mostly, and now and then much more: what takes long to write
// is killed in the middle more often.
func (w *writer) size(n int) int {
	if w.rand.IntN(10) == 0 {
		n *= 20
	}
	return w.rand.IntN(n)
}
