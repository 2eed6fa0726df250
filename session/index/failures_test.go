package index_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/session"
	"github.com/pausetui/pausetui/session/index"
	"github.com/pausetui/pausetui/verify/verdict"
)

// The statistics count failed iterations by the names that the journal has.
func TestFailuresAreCountedByName(t *testing.T) {
	dir := t.TempDir()
	log, err := session.CreateLog(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	add := func(body session.Body) {
		if _, err := log.Append("engine", body); err != nil {
			t.Fatal(err)
		}
	}
	add(&session.Started{ID: log.ID(), Package: "."})
	add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: debugger.NilMapWrite, Culprit: -1}}})
	asked := []session.Failed{session.FailedUnusable, session.FailedGaveUp, session.FailedProvider, session.FailedRefused, session.FailedAborted, session.FailedLimit, session.FailedLimit, ""}
	want := map[string]int{}
	for i, failed := range asked {
		id := fmt.Sprintf("a%d", i+1)
		source := patch.Source{Provider: "ollama", Model: "m"}
		add(&session.Asked{Request: id, Source: source, Round: 1})
		add(&session.Answered{Request: id, Failed: failed})
		if failed != "" {
			want[string(failed)]++
		}
	}
	for i, check := range []string{verdict.Build, verdict.Rerun, verdict.Tests, verdict.Vet, ""} {
		id := fmt.Sprintf("c%d", i+1)
		add(&session.Proposed{Request: "a8", Candidate: patch.Candidate{ID: id, Title: id}})
		v := verdict.Verdict{Checks: []verdict.Check{{Name: check, Status: verdict.Fail}}}
		if check == "" {
			v = verdict.Verdict{Verified: true}
		}
		add(&session.Proved{Candidate: id, Verdict: v})
	}
	for _, failed := range []session.Failed{session.FailedBuild, session.FailedCrash, session.FailedTests, session.FailedCheck} {
		want[string(failed)]++
	}
	add(&session.Ended{Outcome: "quit"})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	x := open(t, dir)
	refreshed(t, x)
	s, err := x.Stats(t.Context(), index.Query{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, f := range s.Failures {
		got[f.Name] = f.N
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("failures %v, want %v", got, want)
	}
}

// A session is found by each of its crashes, and counted for each class.
func TestEachCrashOfASessionIsFound(t *testing.T) {
	dir := t.TempDir()
	log, err := session.CreateLog(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	add := func(body session.Body) {
		if _, err := log.Append("engine", body); err != nil {
			t.Fatal(err)
		}
	}
	add(&session.Started{ID: log.ID(), Package: "."})
	for i, class := range []debugger.Class{debugger.NilMapWrite, debugger.DivideByZero, debugger.NilMapWrite} {
		add(&session.Stopped{Stop: debugger.Stop{Reason: debugger.ReasonPanic, Panic: &debugger.Panic{Class: class, Message: fmt.Sprint("message", i), Culprit: -1}}})
	}
	add(&session.Proposed{Candidate: patch.Candidate{ID: "c1", Title: "t"}})
	add(&session.Applied{Candidate: "c1"})
	add(&session.Judged{Candidate: "c1", Judgement: session.Fixed})
	add(&session.Ended{Outcome: "fixed"})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	x := open(t, dir)
	refreshed(t, x)
	for _, query := range []string{"class:nil-map*", "class:divide*", "message1", "divide"} {
		if got := search(t, x, query); len(got) != 1 {
			t.Errorf("%s finds %q", query, got)
		}
	}
	s, err := x.Stats(t.Context(), index.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%+v", s.Classes); len(s.Classes) != 2 || s.Sessions != 1 || s.Classes[0].Fixed+s.Classes[1].Fixed != 1 {
		t.Errorf("classes: %s", got)
	}
}
