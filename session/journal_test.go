package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/verify/verdict"
)

// written puts bytes into a file named as a journal.
func written(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "20261120-170204-running.jsonl")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenJournalGoesOnBehindTheLastWholeLine(t *testing.T) {
	_, data := recorded(t, storyBodies()[:4])
	last := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	cases := map[string]struct {
		data   []byte
		events int
		cut    int64
	}{
		"whole":                {data, 4, 0},
		"torn":                 {append(bytes.Clone(data), `{"v":1,"seq":5,"at`...), 4, 18},
		"torn in the fourth":   {data[:last+20], 3, 20},
		"only the newline":     {data[:len(data)-1], 4, 0},
		"zeros after a crash":  {append(bytes.Clone(data), make([]byte, 100)...), 4, 100},
		"a damaged whole line": {append(bytes.Clone(data), "{\"v\":1,\n"...), 4, 8},
		"nothing":              {nil, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := written(t, c.data)
			j, events, cut, err := OpenJournal(path, true, clock())
			if err != nil || len(events) != c.events || cut != c.cut {
				t.Fatalf("%d events, %d bytes cut, %v; want %d and %d", len(events), cut, err, c.events, c.cut)
			}
			added, err := j.Append("person", &Notice{Text: "on"})
			if err != nil || added.Seq != uint64(c.events)+1 {
				t.Errorf("appended number %d, %v", added.Seq, err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			back, err := ReadFile(path)
			if err != nil || len(back) != c.events+1 || !reflect.DeepEqual(back[:c.events], events[:c.events:c.events]) && c.events > 0 {
				t.Errorf("read back %d events, %v", len(back), err)
			}
		})
	}
}

func TestOpenJournalRefuses(t *testing.T) {
	_, data := recorded(t, storyBodies()[:4])
	damaged := written(t, append([]byte("{\"v\":1,\n"), data...))
	if _, _, _, err := OpenJournal(damaged, true, clock()); !errors.Is(err, ErrTorn) {
		t.Errorf("err = %v for a line damaged in the middle, want ErrTorn", err)
	}
	if after, _ := os.ReadFile(damaged); len(after) != len(data)+8 {
		t.Error("a journal that cannot be read was changed")
	}
	path := filepath.Join(t.TempDir(), "j.jsonl")
	j, err := CreateJournal(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	if !Alive(path) {
		t.Error("a journal that is open does not count as alive")
	}
	if _, _, _, err := OpenJournal(path, true, clock()); !errors.Is(err, ErrAlive) {
		t.Errorf("err = %v for a session that runs, want ErrAlive", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if Alive(path) {
		t.Error("a journal that is closed counts as alive")
	}
}

func TestOpenLogKeepsItsName(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for range 2 { // in one second: the second gets a number
		l, err := CreateLog(dir, func() time.Time { return time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC) })
		if err != nil {
			t.Fatal(err)
		}
		bodies := storyBodies()
		bodies[0].(*Started).ID = l.ID()
		for _, b := range bodies {
			if _, err := l.Append("engine", b); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, l.Path())
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if filepath.Base(paths[1]) != "20261120-170203-2-nil-map-write.md" {
		t.Fatalf("named %q", paths[1])
	}
	for _, path := range paths {
		l, events, _, err := OpenLog(strings.TrimSuffix(path, ".md")+".jsonl", true, clock())
		if err != nil {
			t.Fatal(err)
		}
		if l.Path() != path || len(events) != len(storyBodies()) {
			t.Errorf("opened %q with %d events, want %q", l.Path(), len(events), path)
		}
		if _, err := l.Append("engine", &Reopened{Version: "devel", Cut: 7}); err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), "## Resumed") || !strings.Contains(string(text), "7 bytes were cut off") ||
			!strings.Contains(string(text), "## Judgement: fixed") {
			t.Errorf("the markdown does not tell of both times (%v):\n%s", err, text)
		}
	}
	if _, _, _, err := OpenLog(written(t, nil), true, clock()); !errors.Is(err, ErrEmpty) {
		t.Errorf("err = %v for an empty journal, want ErrEmpty", err)
	}
}

func TestReopenedForgetsWhatEndedWithTheProcess(t *testing.T) {
	bodies := storyBodies()
	killed := bodies[:len(bodies)-4] // after the restart, before the judgement
	for i, b := range killed {
		if p, ok := b.(*Proved); ok && p.Candidate == "c1" {
			killed[i] = &Proved{Candidate: "c1", Verdict: verdict.Verdict{Checks: p.Verdict.Checks, Verified: true, Binary: "/tmp/gone", Inputs: "i2"}}
		}
	}
	killed = append(killed, &Asked{Request: "a2"}, &Proposed{Request: "a2", Candidate: candidateOf("c3")}, &Checked{Candidate: "c3", Check: verdict.Check{Name: verdict.Build, Status: verdict.Pass}},
		&Decided{Candidate: "c3", Decision: Approved})
	events, _ := recorded(t, killed)
	before := Fold(NewState(), events)
	after := before.Apply(Event{Seq: before.Seq + 1, At: before.Last.Add(time.Hour), Body: &Reopened{}})
	if after.Phase != PhaseNew || after.Current != -1 || after.PID != 0 || after.Ended != nil || after.Away != time.Hour {
		t.Errorf("phase %s, current %d, pid %d, away %v", after.Phase, after.Current, after.PID, after.Away)
	}
	if len(after.Pendings()) != 0 || len(before.Pendings()) != 1 {
		t.Errorf("%d questions are open, want none: who would answer?", len(after.Pendings()))
	}
	c1, _ := after.Candidate("c1")
	if c1.Verdict.Binary != "" || !c1.Verified() || !after.IsApplied("c1") {
		t.Errorf("c1: %+v; its binary is gone, its proof is not, and it is applied", c1.Verdict)
	}
	c3, _ := after.Candidate("c3")
	if c3.Decision != "" || c3.Passes() || c3.Proving() || !c3.Cut || len(c3.Checks) != 1 {
		t.Errorf("c3: %q, %+v; it was neither applied nor proved", c3.Decision, c3.Verdict)
	}
	if old, _ := before.Candidate("c3"); old.Decision != Approved || old.Verdict != nil {
		t.Error("the state of before was changed")
	}
	if a, ok := after.Undoable(); !ok || a.Candidate != "c1" {
		t.Error("what was applied can be undone")
	}
}
