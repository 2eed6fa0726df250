package session

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pausetui/pausetui/debugger"
	"github.com/pausetui/pausetui/patch"
	"github.com/pausetui/pausetui/source/evidence"
	"github.com/pausetui/pausetui/source/workspace"
	"github.com/pausetui/pausetui/verify/verdict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// clock is a time that moves by a second with each look.
func clock() func() time.Time {
	now := time.Date(2026, 11, 20, 17, 2, 3, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

// story is a whole session: a crash, two candidates, an approval, a judgement.
func storyBodies() []Body {
	frames := []debugger.Frame{
		{Index: 0, Function: "runtime.gopanic", File: "/go/src/runtime/panic.go", Line: 1, Runtime: true},
		{Index: 1, Function: "main.(*Index).Add", File: "/src/index/index.go", Line: 42, User: true, Loaded: true,
			Args: []debugger.Variable{{Name: "term", Type: "string", Kind: reflect.String, Value: "go\x1b[31m```", Len: 2}}},
		{Index: 2, Function: "main.main", File: "/src/index/main.go", Line: 12, User: true},
	}
	stop := debugger.Stop{Reason: debugger.ReasonPanic, Goroutine: 1, Frames: frames, Selected: 1,
		Panic: &debugger.Panic{Class: debugger.NilMapWrite, Message: "assignment to entry in nil map", Culprit: 1, Fingerprint: "00ff"}}
	candidate := patch.Candidate{ID: "c1", Source: patch.Source{Provider: "builtin", Model: "builtin/rules"}, Title: "create terms in NewIndex",
		Explanation: "Index.terms is never made.", Edits: []patch.Edit{{File: "index.go", Before: "a\nb\nc\n", After: "a\nB\nc\n"}}}
	masking := candidate
	masking.ID, masking.Title = "c2", "return when terms is nil"
	masking.Edits = []patch.Edit{{File: "index.go", Before: "a\nb\nc\n", After: "a\nb\nguard\nc\n"}}
	files := []FileChange{{File: "index.go", Before: "11", After: "22"}}
	pass := verdict.Check{Name: verdict.Build, Status: verdict.Pass, Took: 700 * time.Millisecond}
	return []Body{
		&Started{ID: "20261120-170204", Package: "./cmd/index", Args: []string{"-v"}, Dir: "/src/index", Sandbox: "full", Version: "devel",
			Workspace: workspace.Workspace{Root: "/src/index", Go: "go1.26.8", Modules: []workspace.Module{{Path: "index", Dir: "/src/index", Main: true}}}},
		&BuildStarted{Reason: "launch"}, &BuildFinished{Binary: "/tmp/x", Inputs: "i1", Took: time.Second},
		&Launched{PID: 7, Round: 1}, &Resumed{Motion: debugger.Continue}, &Stopped{Stop: stop, Ran: 1200 * time.Millisecond},
		&OutputKept{Round: 1, Bytes: 20, Lines: 1, Tail: "indexed 3 documents\n"},
		&Asked{Request: "a1", Source: candidate.Source, Round: 1},
		&Diagnosed{Diagnosis: evidence.Diagnosis{Sentence: "x.terms is nil: NewIndex (index.go:18) builds Index without it"}},
		&Proposed{Request: "a1", Candidate: candidate}, &Proposed{Request: "a1", Candidate: masking},
		&Answered{Request: "a1", Took: 12 * time.Millisecond, Candidates: 2},
		&Checked{Candidate: "c1", Check: pass}, &Proved{Candidate: "c1", Verdict: verdict.Verdict{Checks: []verdict.Check{pass}, Verified: true}},
		&Proved{Candidate: "c2", Verdict: verdict.Verdict{Checks: []verdict.Check{{Name: verdict.Masking, Status: verdict.Warn, Detail: "hides|it"}}, Verified: true, Masking: true}},
		&Evaluated{Input: "len(term)", Result: debugger.Variable{Name: "len(term)", Type: "int", Kind: reflect.Int, Value: "2"}},
		&Decided{Candidate: "c2", Decision: Rejected, Reason: "hides it"},
		&Decided{Candidate: "c1", Decision: Approved}, &Applying{Candidate: "c1", Files: files}, &Applied{Candidate: "c1", Files: files},
		&BuildFinished{Binary: "/tmp/y", Inputs: "i2", Proved: "c1"}, &Launched{PID: 8, Round: 2}, &Resumed{Motion: debugger.Continue},
		&Stopped{Stop: debugger.Stop{Reason: debugger.ReasonExited, Exit: &debugger.Exit{}, Selected: -1}, Ran: time.Second},
		&Judged{Candidate: "c1", Judgement: Fixed, Evidence: "no panic at index.go:42, exit 0"},
		&Ended{Outcome: "quit"},
	}
}

func recorded(t *testing.T, bodies []Body) ([]Event, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "j.jsonl")
	j, err := CreateJournal(path, clock())
	if err != nil {
		t.Fatal(err)
	}
	var events []Event
	for _, b := range bodies {
		e, err := j.Append("person", b)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return events, data
}

func TestJournalGivesBackWhatWasAppended(t *testing.T) {
	events, data := recorded(t, storyBodies())
	back, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(Fold(NewState(), back), Fold(NewState(), events)) {
		t.Error("the state of the journal differs from the state of the events")
	}
	if !bytes.Equal(Markdown(back), Markdown(events)) {
		t.Error("the markdown of the journal differs from the markdown of the events")
	}
}

func TestJournalToleratesATornEndAndKeepsUnknownKinds(t *testing.T) {
	_, data := recorded(t, storyBodies()[:3])
	data = append(data, `{"v":1,"seq":4,"at":"2026-11-20T17:02:10Z","actor":"x","kind":"from-the-future","body":{"a":1}}`+"\n"...)
	data = append(data, `{"v":1,"seq":5,"at":"2026-11-2`...)
	events, err := Read(bytes.NewReader(data))
	if err != nil || len(events) != 4 {
		t.Fatalf("read %d events, %v; want 4 and no error", len(events), err)
	}
	u, ok := events[3].Body.(*Unknown)
	if !ok || u.Name != "from-the-future" || string(u.Raw) != `{"a":1}` {
		t.Errorf("unknown event = %#v", events[3].Body)
	}
	broken := append([]byte("{\"v\":1,\"se\n"), data...)
	if _, err := Read(bytes.NewReader(broken)); !errors.Is(err, ErrTorn) {
		t.Errorf("err = %v for a damaged first line, want ErrTorn", err)
	}
}

func TestFold(t *testing.T) {
	events, _ := recorded(t, storyBodies())
	s := Fold(NewState(), events)
	if s.Phase != PhaseEnded || s.Round != 2 || len(s.Stops) != 2 || s.Seq != uint64(len(events)) {
		t.Errorf("phase %s, round %d, stops %d, seq %d", s.Phase, s.Round, len(s.Stops), s.Seq)
	}
	ranked := Rank(s.Stops[0].Candidates)
	if ranked[0].ID != "c1" || ranked[1].Decision != Rejected {
		t.Errorf("ranked = %v, %v", ranked[0].ID, ranked[1].Decision)
	}
	if a, ok := s.Undoable(); !ok || a.Judgement != Fixed {
		t.Errorf("undoable = %+v, %v", a, ok)
	}
}

// Every earlier state must stay what it was when later events are applied.
func TestFoldNeverChangesEarlierStates(t *testing.T) {
	events, _ := recorded(t, storyBodies())
	var states []State
	s := NewState()
	for _, e := range events {
		s = s.Apply(e)
		states = append(states, s)
	}
	for i := range states {
		if again := Fold(NewState(), events[:i+1]); !reflect.DeepEqual(again, states[i]) {
			t.Fatalf("state %d was changed by later events", i)
		}
	}
}

func TestMutedPlaces(t *testing.T) {
	site := debugger.Site{Fingerprint: "f1", Class: debugger.Custom, Message: "a <b>\nc", Function: "example.org/m/index.(*Index).Add", File: "index.go", Line: 7}
	other := debugger.Site{Fingerprint: "f2", Class: debugger.Custom, Message: "no", Function: "example.org/m/index.(*Index).Find"}
	events, _ := recorded(t, []Body{&Muted{Site: site}, &Muted{Site: other, Module: true}, &Muted{Site: site, Module: true}, &Unmuted{Site: other}})
	s := Fold(NewState(), events[:3])
	if len(s.Mutes) != 2 || s.Mutes[1].Site != site || !s.Mutes[1].Module {
		t.Errorf("muted %+v", s.Mutes)
	}
	if _, ok := s.Apply(events[3]).MuteOf("f2"); ok || len(s.Mutes) != 2 {
		t.Errorf("still muted, or an earlier state has changed: %+v", s.Mutes)
	}
	text := Markdown(events)
	for _, want := range []string{"**muted** by person in this session: index.go:7 · panic: a &lt;b> c", "in this module: (*Index).Find · panic: no", "**no longer muted**: (*Index).Find"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log does not say %q:\n%s", want, text)
		}
	}
}

func TestMarkdownGolden(t *testing.T) {
	events, _ := recorded(t, storyBodies())
	got := Markdown(events)
	golden := filepath.Join("testdata", "story.md")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("markdown differs from %s (run with -update and look):\n%s", golden, got)
	}
	if strings.ContainsRune(string(got), '\x1b') {
		t.Error("a control sequence of the program reached the log")
	}
}

func TestLogIsNamedByItsFirstCrashAndReadableAtAnyMoment(t *testing.T) {
	dir := t.TempDir()
	l, err := CreateLog(dir, clock())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range storyBodies() {
		if _, err := l.Append("engine", b); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if base := filepath.Base(l.Path()); base != l.ID()+"-nil-map-write.md" {
		t.Errorf("log is named %q", base)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 2 {
		t.Errorf("in the directory: %q, want the markdown and the journal", left)
	}
	events, err := ReadFile(strings.TrimSuffix(l.Path(), ".md") + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(l.Path())
	if err != nil || !bytes.Equal(text, Markdown(events)) {
		t.Errorf("the markdown is not the journal's (%v)", err)
	}
	if info, _ := os.Stat(l.Path()); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
}

func TestDirAvoidsADebugPackage(t *testing.T) {
	root := t.TempDir()
	dir, note, err := Dir(root, "")
	if err != nil || dir != filepath.Join(root, "debug") || note != "" {
		t.Errorf("fresh: %q %q %v", dir, note, err)
	}
	if ignore, _ := os.ReadFile(filepath.Join(dir, ".gitignore")); string(ignore) != "*\n" {
		t.Errorf(".gitignore = %q", ignore)
	}
	if err := os.WriteFile(filepath.Join(dir, "debug.go"), []byte("package debug\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, note, err = Dir(root, "")
	if err != nil || dir != filepath.Join(root, ".pausetui", "log") || !strings.Contains(note, "debug.go") {
		t.Errorf("with a package: %q %q %v", dir, note, err)
	}
}

func TestAProofThatIsCutOffIsNotUnderWay(t *testing.T) {
	all := storyBodies()
	upTo := slices.IndexFunc(all, func(b Body) bool { _, ok := b.(*Proved); return ok })
	stop := all[slices.IndexFunc(all, func(b Body) bool { _, ok := b.(*Stopped); return ok })]
	state := func(more ...Body) State {
		s := NewState()
		for i, b := range slices.Concat(all[:upTo], more) {
			s = s.Apply(Event{Seq: uint64(i + 1), Body: b})
		}
		return s
	}
	proving := func(s State) string {
		out := ""
		for _, id := range []string{"c1", "c2"} {
			if c, ok := s.Candidate(id); ok && c.Proving() {
				out += id
			}
		}
		return out
	}
	verdictOf1 := all[upTo]
	for name, tt := range map[string]struct {
		more []Body
		want string
	}{
		"nothing":    {nil, "c1c2"},
		"one proved": {[]Body{verdictOf1}, "c2"},
		"continue":   {[]Body{&Resumed{Motion: debugger.Continue}}, "c1c2"},
		"restart":    {[]Body{verdictOf1, &BuildStarted{Reason: "restart"}}, ""},
		"another":    {[]Body{&Resumed{}, stop}, ""},
		"apply":      {[]Body{&Applying{Candidate: "c1"}}, ""},
		"end":        {[]Body{&Ended{}}, ""},
		"again":      {[]Body{&BuildStarted{}, &Checked{Candidate: "c1"}}, "c1"},
	} {
		if got := proving(state(tt.more...)); got != tt.want {
			t.Errorf("%s: being proved are %q, want %q", name, got, tt.want)
		}
	}
	if c, _ := state(&BuildStarted{}, verdictOf1).Candidate("c1"); c.Cut || !c.Verified() {
		t.Error("a verdict that came after all does not count")
	}
}

// What a restart has shown is taken back by nothing but the crash itself, until the
// candidate is applied again. Logs of earlier versions end with a judgement that does.
func TestWhatWasShownStands(t *testing.T) {
	const ended = "the session ended first"
	judged := func(j Judgement, evidence string) Body {
		return &Judged{Candidate: "c1", Judgement: j, Evidence: evidence}
	}
	again := &Applied{Candidate: "c1", Files: []FileChange{{File: "index.go", Before: "11", After: "22"}}}
	for name, tt := range map[string]struct {
		later []Body // after "fixed"
		want  Judgement
		text  string
	}{
		"the session ended":   {[]Body{judged(NotReached, ended)}, Fixed, "no panic at"},
		"it came back":        {[]Body{judged(CameBack, "again")}, CameBack, "again"},
		"came back and ended": {[]Body{judged(CameBack, "again"), judged(NotReached, ended)}, CameBack, "again"},
		"applied again":       {[]Body{&Undone{Candidate: "c1", Files: again.Files}, again, judged(NotReached, ended)}, NotReached, ended},
	} {
		bodies := storyBodies()
		end := len(bodies) - 1
		events, data := recorded(t, append(append(bodies[:end:end], tt.later...), bodies[end]))
		s := Fold(NewState(), events)
		if got := Summarize(s).Judgement; got != string(tt.want) || s.Judged.Judgement != tt.want {
			t.Errorf("%s: summed up as %s, judged %+v", name, got, s.Judged)
		}
		if got := summaryOf(t, events, data); got != string(tt.want) {
			t.Errorf("%s: its log says %s", name, got)
		}
		text := string(Markdown(events))
		if !strings.Contains(text, tt.text) || strings.Contains(text, ended) != (tt.want == NotReached) {
			t.Errorf("%s: the log says\n%s", name, text)
		}
	}
}

// A fix has no judgement but its own, and one that was undone has none in a list.
func TestEachFixHasItsOwnJudgement(t *testing.T) {
	applied := func(id string) Body {
		return &Applied{Candidate: id, Files: []FileChange{{File: "index.go", Before: id, After: id + "2"}}}
	}
	for name, tt := range map[string]struct {
		later []Body
		want  string
	}{
		"second one":  {[]Body{applied("c2"), &Judged{Candidate: "c2", Judgement: NotReached}}, "fix 1 fixed, fix 2 not-reached"},
		"not judged":  {[]Body{applied("c2")}, "fix 1 fixed, fix 2"},
		"undone":      {[]Body{applied("c2"), &Judged{Candidate: "c2", Judgement: CameBack}, &Undone{Candidate: "c2"}}, "fix 1 fixed"},
		"both undone": {[]Body{applied("c2"), &Undone{Candidate: "c2"}, &Undone{Candidate: "c1"}}, ""},
	} {
		bodies := storyBodies()
		events, _ := recorded(t, append(bodies[:len(bodies)-1:len(bodies)-1], tt.later...))
		f := Summarize(Fold(NewState(), events))
		if got := AppliedWords(f.Applied, f.Judged); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// summaryOf is the judgement that is listed of a session whose log an earlier version
// wrote: its head has that of the last event.
func summaryOf(t *testing.T, events []Event, journal []byte) string {
	t.Helper()
	last := ""
	for _, e := range events {
		if j, ok := e.Body.(*Judged); ok {
			last = fmt.Sprintf("---\nsession: x\njudgement: %s\napplied: [c1]\n---\n\n## Judgement: %[1]s\n\n%s\n\nsession ended: quit\n", j.Judgement, j.Evidence)
		}
	}
	dir := t.TempDir()
	for ext, text := range map[string]string{".md": last, ".jsonl": string(journal)} {
		if err := os.WriteFile(filepath.Join(dir, "20261120-170204-x"+ext), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entry, err := Find(dir, "20261120-170204-x")
	if err != nil {
		t.Fatal(err)
	}
	f, err := entry.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f.Judgement
}
